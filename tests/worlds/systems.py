"""A small study of one's own whose candidates bear the names of the systems that wrote them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.io import write_table
from plausibly.tables import ITEMS

SYSTEMS = {"GPTNAME": "first", "LLAMA-3b": "second", "by-a-human": "third"}

SECTIONS = """
[study]
name = "systems"
protocol = "custom"
[ratings]
target = 40
batch = 3
checks_per_batch = 0
[server]
title = "Which continuation fits?"
door = "open"
api = true
[form]
id = "continuations"
consent = ["You will compare sentences."]
instructions = ["Judge every sentence."]
reopen = true
MORE
[[form.questions]]
id = "fit"
type = "likert"
text = "Does it fit?"
options = ["1", "2", "3", "4", "5"]
per = "candidate"
[[form.questions]]
id = "best"
type = "best-of-n"
text = "Which is best?"
skip_if = { fit = ["1"] }
[[form.questions]]
id = "why"
type = "choice"
text = "Is it much better?"
options = ["yes", "no"]
skip_if = { best = ["LLAMA-3b", "another-system"] }
[[form.questions]]
id = "good"
type = "best-of-n"
text = "Which can be used?"
ties = true
form_step = 2
skip_if = { fit = ["1"] }
[[form.questions]]
id = "surprise"
type = "choice"
text = "Does it surprise?"
options = ["yes", "no"]
per = "candidate"
form_step = 2
skip_if = { fit = ["1"] }
[[form.questions]]
id = "comment"
type = "text"
text = "Comments"
required = false
form_step = 2
[[form.practice]]
text = "The kettle whistled."
candidates = { "LLAMA-3b" = "The tea was ready.", GPTNAME = "Tea kettle is." }
expect = { "fit:GPTNAME" = ["1", "2"], "fit:LLAMA-3b" = ["4", "5"], best = "LLAMA-3b" }
feedback = "Candidate 1 says why."
[[form.practice]]
text = "The kettle whistled."
candidates = { "LLAMA-3b" = "The tea was ready.", GPTNAME = "Tea kettle is." }
form_step = 2
earlier = { "fit:GPTNAME" = "2", "fit:LLAMA-3b" = "5", best = "LLAMA-3b", why = "yes" }
expect = { good = ["LLAMA-3b", "GPTNAME;LLAMA-3b"], "surprise:GPTNAME" = "yes" }
feedback = "Candidate 1 can be used."
"""


def text_of(system: str, item: str) -> str:
    """Return what a system wrote about an item."""
    return f"The {SYSTEMS[system]} sentence about {item}."


def systems_folder(path: Path, *, items: int = 3, more: str = "", **changes: str) -> Path:
    """Write the study folder and return it; changes replace parts of the settings."""
    text = SECTIONS.replace("MORE", more)
    for old, new in changes.items():
        text = text.replace(old, new)
    (path / "study.toml").write_text(text, encoding="utf-8")
    rows: list[dict[str, str]] = []
    for item in (f"e{n}" for n in range(items)):
        rows.append({"item": item, "text": f"The otter dived ({item})."})
        rows += [
            {"item": f"{item}#{name}", "text": text_of(name, item)}
            | {"candidate": name, "source": item}
            for name in SYSTEMS
        ]
    names = ("item", "text", "candidate", "source")
    table = ITEMS.check(pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String())))
    write_table(table, path / "items.parquet", ITEMS)
    return path
