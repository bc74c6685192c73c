"""A small study of one's own whose items have candidates to compare."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.io import write_table
from plausibly.tables import ITEMS

CANDIDATES = {
    "gold": "Otters live on fish.",
    "gpt": "Fish live in water.",
    "rules": "Otters is a fish.",
}

CUSTOM = """
[study]
name = "sentences"
protocol = "custom"
[ratings]
target = 40
batch = 2
checks_per_batch = 0
[server]
title = "Which sentence explains it?"
[form]
id = "sentences"
consent = ["You will compare sentences."]
instructions = ["Judge every sentence, then say which is best."]
show = ["genre"]
[[form.questions]]
id = "grammar"
type = "likert"
text = "Is it grammatical?"
options = ["NO", "ALMOST", "YES"]
labels = ["No", "Almost", "Yes"]
per = "candidate"
[[form.questions]]
id = "coherent"
type = "choice"
text = "Does it fit?"
options = ["yes", "no"]
per = "candidate"
skip_if = { grammar = ["NO"] }
[[form.questions]]
id = "best"
type = "best-of-n"
text = "Which is best?"
ties = true
skip_if = { grammar = ["NO"] }
[[form.questions]]
id = "kinds"
type = "set"
text = "What is it about?"
options = ["cause", "part"]
required = false
[[form.questions]]
id = "sure"
type = "slider"
text = "How sure are you?"
min = 0
max = 10
start = 5
labels = ["not at all", "very"]
[[form.questions]]
id = "comment"
type = "text"
text = "Comments"
required = false
"""


def compared_items(items: int) -> pl.DataFrame:
    """Return so many items with three candidates each, whose names say who wrote them."""
    rows = []
    for n in range(items):
        rows.append({"item": f"e{n}", "text": f"The otter dived {n} times.", "genre": "news"})
        rows += [
            {"item": f"e{n}#{name}", "text": text, "candidate": name, "source": f"e{n}"}
            for name, text in CANDIDATES.items()
        ]
    names = ("item", "text", "genre", "candidate", "source")
    return ITEMS.check(pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String())))


def compared_folder(
    path: Path, *, items: int = 3, order: str = "shuffled", candidates: str = "blind"
) -> Path:
    """Write the study folder and return it."""
    text = CUSTOM.replace("[form]\n", f'[form]\norder = "{order}"\ncandidates = "{candidates}"\n')
    text = text.replace("[server]\n", '[server]\ndoor = "open"\napi = true\n')
    (path / "study.toml").write_text(text, encoding="utf-8")
    write_table(compared_items(items), path / "items.parquet", ITEMS)
    return path
