"""Write docs/results/knowledge.md: Winograd questions, and rated pairs in ConceptNet.

    python docs/make_results_knowledge.py --counts COUNTS --data DATA [--omcs ASSERTIONS]

COUNTS is the folder `plausibly extract` wrote, DATA the folder of published datasets; ASSERTIONS
is ConceptNet's original file, the only one that marks Open Mind Common Sense. Needs the extra
`parse`. A minute of one core.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from results_summaries import summarised

import plausibly as pb
from plausibly.datasets.sp10k import RELATIONS
from plausibly.datasets.winograd import read_question_ids
from plausibly.evaluation.sp10k import GROUPS

HERE = Path(__file__).resolve().parent / "results"
KINDS = {
    "PP": ("pp", False),
    "PP, smoothed": ("pp", True),
    "PPMI": ("ppmi", False),
    "DS, vectors of the counts": ("ds", False),
}
OF_QUESTIONS = """\
A candidate's score is that of the pair (`nsubj_amod` or `dobj_amod`) of its verb and the adjective
that describes the pronoun. The higher score is the answer; equal scores give none. `by hand` uses
the authors' look-ups, in 19 of which the adjective is not in the sentence. `parsed` finds verbs,
roles and adjectives in the same questions by parsing; `all` does so in every question of the
collection that one adjective describes. `described` counts questions with such an adjective, `both`
those in which both candidates have a verb."""
OF_ASSERTIONS = """\
The table shows the share of pairs that some assertion matches, by plausibility group, with 95 %
intervals (Wilson). `exact`: one end of the assertion is the head, the other the dependent;
`partial`: each is a word of a different end. Case, articles and regular forms do not count. No copy
at hand has the published rules and figures (Table 7), so nothing is compared with them."""
NO_OMCS = "Open Mind Common Sense alone needs ConceptNet's original file, which was not available."
NUMBERS = ("questions", "described", "both", "correct", "wrong", "none")
SHOWN = 8


def row(name: str, way: str, found: dict[str, Any]) -> str:
    """Return one row of the table of Winograd questions."""
    shares = [found[key] for key in ("a_p", "a_o")]
    cells = [str(found[key]) for key in NUMBERS]
    cells += ["none" if share is None else f"{share:.3f}" for share in shares]
    return f"| {name} | {way} | " + " | ".join(cells) + " |"


def questions(counts: Path, data: Path) -> list[str]:
    """Return the part on Winograd questions."""
    place = data / "sp10k" / "winograd"
    ways = {
        "by hand": (place / "question_lookups.tsv", None),
        "parsed": (place / "wsc285.xml", place / "selected_question_ids.txt"),
        "parsed, all": (place / "wsc285.xml", None),
    }
    rows, chosen = [], ""
    with tempfile.TemporaryDirectory() as folder:
        models: dict[str, Path] = {"people, SP-10K": data / "sp10k"}
        for name, (kind, smoothed) in KINDS.items():
            path = Path(folder) / f"{kind}{smoothed}.model"
            pb.models_fit(kind, counts=counts, smoothed=smoothed).save(path)  # type: ignore[arg-type]
            models[name] = path
        for name, model in models.items():
            for way, (file, numbers) in ways.items():
                solved = pb.score_winograd(file, model=model, questions=numbers)
                rows.append(row(name, way, solved.as_json()))
                if way == "parsed, all":
                    chosen = choice(solved.answers["question"].to_list(), place)
    header = ("model", "look-ups", *NUMBERS, "A_p", "A_o")
    return [
        "## Winograd questions",
        "",
        OF_QUESTIONS,
        "",
        chosen,
        "",
        "| " + " | ".join(header) + " |",
        "|" + "---|" * len(header),
        *rows,
        "",
    ]


def choice(own: list[str], place: Path) -> str:
    """Return how the rule of the publication, carried out by parsing, meets its selection."""
    published = set(map(str, read_question_ids(place / "selected_question_ids.txt")))
    missed = sorted(published - set(own), key=int)
    further = sorted(set(own) - published, key=int)
    return (
        "The rule of the publication takes all questions in which one adjective describes the "
        f"pronoun. Carried out by parsing, it finds {len(own)} questions, "
        f"{len(published & set(own))} of the 72. Not found: {', '.join(missed)} (participles of "
        "passives, an adverb, and a word the parser takes for a noun)"
        f". Also found: {', '.join(further)}; the rule fits these as well, and the "
        "publication does not explain why they were left out."
    )


def overlap(data: Path, omcs: Path | None) -> list[str]:
    """Return the part on assertions."""
    sources: dict[str, dict[str, Any]] = {
        "ConceptNet 5, all English": {
            "assertions": data / "conceptnet" / "english_assertions.tsv.gz"
        }
    }
    if omcs is not None:
        sources["Open Mind Common Sense"] = {"assertions": omcs, "dataset": "omcs"}
    lines = [
        "## Rated pairs in ConceptNet",
        "",
        OF_ASSERTIONS,
        "",
    ]
    if omcs is None:
        lines += [NO_OMCS, ""]
    for name, files in sources.items():
        found = pb.score_overlap(data / "sp10k", **files)
        lines += [f"### {name}", "", *coverage(found), *heat(found), *cases(found)]
    return lines


def coverage(found: Any) -> list[str]:
    """Return coverage by group and relation."""
    lines = ["| relation | match | " + " | ".join(GROUPS) + " |", "|" + "---|" * (2 + len(GROUPS))]
    for relation, groups in found.shares.items():
        for way in ("exact", "partial"):
            cells = [groups[group][way] for group in GROUPS]
            shown = [f"{c.value:.3f} ({c.low:.3f} to {c.high:.3f}), {c.n}" for c in cells]
            lines.append(f"| {relation} | {way} | " + " | ".join(shown) + " |")
    return [*lines, ""]


def heat(found: Any) -> list[str]:
    """Return which relations match (Figure 2): pairs matched, exactly and partially."""
    table = found.relations.to_dicts()
    totals: dict[str, int] = {}
    for one in table:
        totals[one["asserted"]] = totals.get(one["asserted"], 0) + one["partial"]
    names = sorted(totals, key=lambda name: (-totals[name], name))[:SHOWN]
    known = {(one["relation"], one["asserted"]): one for one in table}
    lines = ["Pairs matched by each relation of assertions, exactly / partially (Figure 2):", ""]
    lines += ["| | " + " | ".join(names) + " |", "|" + "---|" * (1 + len(names))]
    for relation in RELATIONS:
        cells = []
        for name in names:
            one = known.get((relation, name), {"exact": 0, "partial": 0})
            cells.append(f"{one['exact']} / {one['partial']}")
        lines.append(f"| {relation} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def cases(found: Any) -> list[str]:
    """Say how many examples there are; they are third-party rows and stay in the data."""
    command = "plausibly score overlap DATA/sp10k --assertions FILE --json"
    return [
        f"Examples of every group and relation (Tables 8, 10 and 11; {found.cases.height} of them) "
        f"are drawn from the data when asked for: `{command}`.",
        "",
    ]


def main() -> None:
    """Write the page."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--counts", type=Path, required=True)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--omcs", type=Path)
    options = arguments.parse_args()
    lines = [
        "# What pairs know: Winograd questions and ConceptNet",
        "",
        "Written by `python docs/make_results_knowledge.py --counts COUNTS --data DATA`.",
        "",
        *questions(options.counts, options.data),
        *overlap(options.data, options.omcs),
    ]
    (HERE / "knowledge.md").write_text(summarised("knowledge", "\n".join(lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
