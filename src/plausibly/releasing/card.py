"""The dataset card: README.md whose front matter the Hugging Face hub and `datasets` read."""

from __future__ import annotations

import json
from typing import Any

from plausibly.io.rendering import rendered
from plausibly.releasing.about import OPEN
from plausibly.releasing.content import (
    NORMS_FILE,
    TABLE_NOTES,
    ReleaseContent,
    column_note,
)
from plausibly.releasing.glance import at_a_glance

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))


def card(content: ReleaseContent) -> str:
    """Return README.md: front matter, what is in which file, how it was made, licence."""
    return f"---\n{_yaml(front_matter(content))}---\n\n{_body(content)}"


def front_matter(content: ReleaseContent) -> dict[str, Any]:
    """Return the card's data: licence, language, size and a configuration for each table."""
    items = content.tables["items"].height
    return {
        "pretty_name": content.title,
        "license": content.licence.hub,
        "language": list(content.about.languages) or content.languages or ["und"],
        "size_categories": [next((name for most, name in _SIZES if items < most), "n>1M")],
        "task_categories": ["text-classification"],
        "tags": ["plausibility", content.protocol],
        "configs": [
            {
                "config_name": table,
                **({"default": True} if table == "items" else {}),
                "data_files": _data_files(table, files),
            }
            for table, files in content.files().items()
        ]
        + [
            {"config_name": one, "data_files": [_side(path) for path in files]}
            for one, files in content.by_language().items()
        ],
    }


def _data_files(table: str, files: tuple[str, ...]) -> list[dict[str, str]]:
    if files in ((f"data/{table}.parquet",), (NORMS_FILE,)):
        return [{"split": "train", "path": files[0]}]
    start, end = f"data/{table}-", ".parquet"
    return [{"split": file.removeprefix(start).removesuffix(end), "path": file} for file in files]


def _side(path: str) -> dict[str, str]:
    """Return one file of a language's items with its side of the split.

    >>> _side("languages/it/items-test.parquet")["split"]
    'test'
    """
    _, _, side = path.rpartition("/")[2].removesuffix(".parquet").partition("-")
    return {"split": side or "train", "path": path}


def _body(content: ReleaseContent) -> str:
    tables = [
        {
            "name": name,
            "files": ", ".join(f"`{file}`" for file in content.files()[name]),
            "rows": table.height,
            "note": TABLE_NOTES.get(name, ""),
            "columns": [
                (column, column_note(name, column, content.about.columns))
                for column in table.columns
            ],
        }
        for name, table in content.described.items()
    ]
    glance = at_a_glance(content)
    return rendered(
        "plausibly.releasing",
        "card.md.jinja",
        content=content,
        tables=tables,
        glance=glance,
        open=OPEN,
    )


def _yaml(value: object, indent: str = "") -> str:
    """Return a document of mappings, lists and scalars as YAML; scalars are written as JSON."""
    if isinstance(value, dict):
        return "".join(f"{indent}{key}:{_nested(one, indent)}" for key, one in value.items())
    if isinstance(value, list):
        return "".join(f"{indent}- {_yaml(one, indent + '  ').lstrip()}" for one in value)
    return f"{json.dumps(value, ensure_ascii=False)}\n"


def _nested(value: object, indent: str) -> str:
    if isinstance(value, dict | list) and value:
        return f"\n{_yaml(value, indent + '  ')}"
    return f" {json.dumps(value, ensure_ascii=False)}\n"
