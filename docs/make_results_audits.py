"""Write docs/results/audits/: what the published datasets can support.

    python docs/make_results_audits.py --data DATA

DATA is the folder of published datasets. The pages hold verdicts, findings and figures, and no
rows of any dataset. A few seconds of one core.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import plausibly as pb
from plausibly.analysis.audit_text import question_sections
from plausibly.analysis.figures.drawing import Figure
from plausibly.errors import spelled
from plausibly.io import make_folder, write_text

HERE = Path(__file__).resolve().parent / "results" / "audits"
SETS = ("pap", "sp10k", "adept", "gita", "mace")
DRAWN = ("design", "scale", "agreement", "reliability")
BEGIN = """\
Written by `docs/make_results_audits.py` with `plausibly audit {name}`.
"""
INDEX = """\
# Audits of the published datasets

What each published dataset can support, by the rules of `plausibly audit`
([how to audit ratings](../../how-to/audit-ratings.md)). “Cannot be told” means that the published
data do not suffice for a verdict, which is not a fault. Written by `docs/make_results_audits.py`.

| Use | {heads} |
|---|{rule}
"""


def row(*cells: object) -> str:
    """Return one row of a table in Markdown."""
    return f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |"


def figures(result: Any) -> list[Figure]:
    """Return the figures about ratings; those about single people are left out."""
    questions = result.as_json()["sections"]["questions"]
    per_item = {one.name: one.per_item.tolist() for one in result.material.questions}
    sections = question_sections(questions, per_item=per_item, people={})
    return [
        figure
        for section in sections
        if section.name in DRAWN
        for part in section.parts
        for figure in part.figures
        if figure.svg
    ]


def page(name: str, result: Any) -> str:
    """Return the page of one set, and write its figures."""
    document = result.as_json()
    lines = [f"# {name}: what can these ratings support?", "", BEGIN.format(name=name)]
    lines += [row("Use", "Verdict", "Because"), "|---|---|---|"]
    alike: dict[tuple[str, str], list[str]] = {}
    for one in document["verdicts"]:
        alike.setdefault((one["verdict"], one["because"]), []).append(result.asks[one["for"]])
    lines += [row("<br>".join(uses), *reason) for reason, uses in alike.items()]
    reasons = " ".join(because for _, because in alike)
    others = [one for one in document["findings"] if one["message"] not in reasons]
    lines += ["", "## Further findings", ""] if others else []
    lines += [f"- {one['severity']}: {one['message']}" for one in others]
    for figure in figures(result):
        file = f"{name}-{figure.name}.svg"
        write_text(HERE / file, figure.svg)
        lines += ["", f"![{figure.title}]({file})", "", f"{figure.title}. {figure.caption}"]
    return spelled("\n".join([*lines, ""]))


def main() -> None:
    """Audit every set and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args().data
    make_folder(HERE)
    results = {name: pb.audit(name, data=folder) for name in SETS}
    for name, result in results.items():
        write_text(HERE / f"{name}.md", page(name, result))
    heads = " | ".join(f"[{name}]({name}.md)" for name in SETS)
    lines = [INDEX.format(heads=heads, rule="---|" * len(SETS)).rstrip()]
    by_set = {
        name: {one.use: one.verdict for one in result.audit.verdicts}
        for name, result in results.items()
    }
    asks = results[SETS[0]].asks
    lines += [row(asks[use], *(by_set[name][use] for name in SETS)) for use in asks]
    write_text(HERE / "README.md", "\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
