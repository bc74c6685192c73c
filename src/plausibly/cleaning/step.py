"""The step of a study that cleans the ratings collected."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl

from plausibly.cleaning.cascade import cascade
from plausibly.cleaning.presets import load_preset
from plausibly.cleaning.rule import Context
from plausibly.cleaning.runner import clean as apply_rules
from plausibly.measures.jaccard import parse_sides
from plausibly.study import Step, Work
from plausibly.tables import ANNOTATORS, EXCLUSIONS, ITEMS, RATINGS

KEPT = "clean/ratings.parquet"
LEDGER = "clean/exclusions.parquet"
CASCADE = "clean/cascade.json"

Competence = Callable[[pl.DataFrame], Mapping[str, float]]


def clean(preset: str, *, competence: Competence | None = None, source: str = "") -> Step:
    """Return the step that fills clean/ with the ratings kept, the ledger and the cascade.

    Args:
        preset: Name of the rules a study starts with; `[clean] preset` may name others.
        competence: Finds the competence of annotators, for rules that ask for it.
        source: Where the rules are published.
    """

    def run(work: Work) -> None:
        name = work.parameters["preset"]
        rules = load_preset(work.path(name) if name.endswith(".toml") else name)
        people = "annotators.parquet"
        sides = parse_sides(rules.sides) if rules.sides else None
        context = Context(
            items=work.read("items.parquet", ITEMS),
            annotators=work.read(people, ANNOTATORS) if work.has(people) else None,
            sides=sides,
            competence=competence,
        )
        cleaned = apply_rules(
            work.read("ratings.parquet", RATINGS),
            rules.build(),
            context,
            withdraw=work.parameters["withdraw"],
        )
        steps = cascade(cleaned, context.items, rules=rules.rules, sides=sides)
        work.write(KEPT, cleaned.ratings, RATINGS)
        work.write(LEDGER, cleaned.exclusions, EXCLUSIONS)
        work.write_json(CASCADE, [step.as_json() for step in steps])

    return Step(
        "clean",
        run,
        inputs=("items.parquet", "annotators.parquet", "ratings.parquet"),
        outputs=(KEPT, LEDGER, CASCADE),
        parameters={"preset": preset, "withdraw": []},
        source=source,
        external=_rules_file,
    )


def _rules_file(parameters: Mapping[str, object]) -> tuple[str, ...]:
    preset = str(parameters["preset"])
    return (preset,) if preset.endswith(".toml") else ()
