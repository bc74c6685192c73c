"""Ratings set aside by declared rules: what is kept, what is not, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.cleaning import CascadeStep, Cleaned, Context, Preset, Rule, cascade, load_preset
from plausibly.cleaning import clean as apply_rules
from plausibly.cleaning.cascade import emptied
from plausibly.cleaning.declared import scheme_of, sides_for, starts_of
from plausibly.cleaning.multiverse import Universe, crossed, explore, ranges, universes
from plausibly.cleaning.presets import Flagging
from plausibly.cleaning.showing import flagged_checks, pages
from plausibly.cleaning.top_up import ROUNDS_FILE, lacking, require_target, short_items
from plausibly.cleaning.verdicts import measured_checks, verdicts
from plausibly.errors import StudyError, option
from plausibly.io.choices import ReadingChoices
from plausibly.io.frames import Source, as_table
from plausibly.io.imported import Imported
from plausibly.labels.mace import mace
from plausibly.labels.strict_majority import strict_majority
from plausibly.measures.jaccard import Sides, parse_sides
from plausibly.measures.resampling import Resampling
from plausibly.ports import SILENCE, Watch
from plausibly.ratings.collection import collection_form
from plausibly.ratings.expected import question_checked
from plausibly.ratings.people import Naming, naming_next_to, naming_of
from plausibly.ratings.prolific import join_people
from plausibly.ratings.sources import Ratings, items_of, read_ratings
from plausibly.study.folder import Study
from plausibly.study.hooks import Unset
from plausibly.study.results import Result
from plausibly.study.settings import FILE
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, verb
from plausibly.tables import ANNOTATORS, ITEMS, LABELS

MOST_WEIGHED, MOST_ANSWERS = 50_000, 50  # ratings and answers up to which competence is shown


@dataclass(frozen=True, eq=False, repr=False)
class CleanRatings(Result):
    """What cleaning leaves.

    Args:
        ratings: The ratings kept.
        exclusions: The ledger: each rating set aside, with rule and reason.
        verdicts: One row per person: what becomes of the data and of the pay, and why.
        checks: One row per check: who failed it; flagged if good annotators fail it.
        cascade: One object per step, as in cascade.json.
        multiverse: One row per other way to clean, where it was asked for.
        pages: The cascade, and the multiverse, as text, Markdown and LaTeX.
        notes: Sentences about the preset and the items.
        rounds: One row per item that lacks ratings, where a further round was asked for.
    """

    ratings: pl.DataFrame
    exclusions: pl.DataFrame
    verdicts: pl.DataFrame
    checks: pl.DataFrame
    cascade: tuple[Mapping[str, Any], ...]
    multiverse: pl.DataFrame | None
    pages: Mapping[str, str]
    notes: tuple[str, ...] = ()
    rounds: pl.DataFrame | None = None

    def as_json(self) -> list[dict[str, Any]]:
        """Return the cascade: one object per step."""
        return [dict(step) for step in self.cascade]

    def text(self) -> str:
        """Return the cascade as a table, and the multiverse below it."""
        table = self.pages["cascade.txt"]
        return table + (f"\n{self.pages['multiverse.md']}" if self.multiverse is not None else "")

    @property
    def talk(self) -> tuple[str, ...]:
        """What is kept, and what the preset says about itself."""
        kept, aside = self.ratings.height, self.exclusions.height
        counted = f"{kept} of {kept + aside} ratings kept, {aside} in the ledger."
        return (*self.notes, *self.remarks, counted, *([] if kept else [emptied(self.cascade)]))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The rules that could not run, each with the reason, and what a further round collects."""
        unable = tuple(
            f"{str(step['rule']).replace('_', ' ')} could not run: {step['unable']}"
            for step in self.cascade
            if step["unable"]
        )
        return unable if self.rounds is None else (*unable, lacking(self.rounds))

    def require_use(self) -> None:
        """Raise if cleaning set every rating aside, naming the rule that took the last ones."""
        if self.ratings.is_empty() and self.exclusions.height:
            raise StudyError(f"{emptied(self.cascade)} clean/cascade.json has the steps.")

    @property
    def noted(self) -> tuple[str, ...]:
        """The steps that have a note."""
        return tuple(str(step["note"]) for step in self.cascade if step["note"])

    @property
    def documents(self) -> Mapping[str, object]:
        """The cascade in every form, and the multiverse where there is one."""
        pages: dict[str, object] = {"cascade.json": self.as_json(), **self.pages}
        if self.multiverse is not None:
            worlds = {"ranges": ranges(self.multiverse), "universes": self.multiverse.to_dicts()}
            pages["multiverse.json"] = worlds
        return pages


def _check_names(**lists: Sequence[object]) -> None:
    """Raise unless every list holds texts: in study.toml anything can be in it."""
    for name, values in lists.items():
        for value in values:
            if not isinstance(value, str):
                raise StudyError(f"{name}: {value!r} is not text. Put it into quotes.")


def _of_form(work: Work) -> dict[str, Any]:
    """Return the question that checks expect an answer to, and the target of a further round."""
    protocol = work.protocol or Study(work.folder).protocol
    section = work.settings.get("form", {})
    topped = bool(work.parameters.get("top_up"))
    wanted = {"target": work.settings["ratings"]["target"]} if topped else {}
    if not section.get("questions", protocol.form):
        return wanted
    form = collection_form(protocol, section, where=str(work.path(FILE)))
    # A slider that refuses its start, or needs a touch, stores no answer that nobody gave.
    left = [one for one in form.questions if one.type == "slider" and one.middle == "accept"]
    starts = ",".join(f"{one.id}={one.start:g}" for one in left if one.start is not None)
    known = {"starts": starts} if starts else {}
    return {"check_question": question_checked(form).id, **known, **wanted}


@verb(
    reads={"ratings": "ratings", "items": "items", "annotators": "annotators"},
    writes={
        **{n: f"clean/{n}.parquet" for n in ("ratings", "exclusions", "verdicts", "checks")},
        "rounds": ROUNDS_FILE,
    },
    folder="clean",
    documents=("cascade.json",),
    unset=("keep_ids", "check_question", "starts", "target"),
    texts=("preset",),
    strict=True,
    study=InStudy(
        supplies=_of_form,
        heeds=("form.questions", "ratings.target"),
        leaves=Unset("clean", "top_up", (ROUNDS_FILE,)),
    ),
    output=Output(help="Folder to write into.", required=True),
)
def clean(
    ratings: Ratings,
    preset: str | Path | Sequence[Rule | Flagging] = "recommended",
    *,
    items: Source | None = None,
    annotators: Source | None = None,
    withdraw: Sequence[str] = (),
    reject: Sequence[str] = (),
    sides: str | None = None,
    check_question: str | None = None,
    starts: str | None = None,
    top_up: bool = False,
    target: int | None = None,
    multiverse: bool = False,
    cross: bool = False,
    resamples: int | None = None,
    seed: int = 1,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    encoding: str | None = None,
    key: str | None = None,
    keep_ids: bool = False,
    watch: Watch = SILENCE,
) -> CleanRatings:
    """Set ratings aside by the rules of a preset, in their order; none is lost.

    Ratings of checks, gold and attention items, and of fillers, are set aside before the first
    rule: they are not part of the data.

    Args:
        ratings: File or table of ratings.
        preset: pap, pap-text, adept, sp10k, recommended or recommended-competence, a file
            RULES.toml, or a list of rules and functions from ratings to those they flag.
        items: Items table, checks included; needed unless the ratings carry their items.
        annotators: Annotators table, or a Prolific export.
        withdraw: Checks that turned out to be bad.
        reject: People who are not to be paid; a rejection that would be overturned is an error.
        sides: Answers that count as one, lowest first: '1,2|4,5' (default: the preset's; '' for
            none).
        check_question: Question that check items have an expected answer to, unless the items name
            one in `expected_question` (default: in a study, the form's first question that is not
            a text; elsewhere, every question whose answers include the expected one).
        starts: Where the sliders of questions started, as 'fits=50,odd=3', for items without a
            value in the column start; '' if no slider can be left at its start (default: in a
            study, as the form declares it).
        top_up: Write the items left with fewer ratings than the target to rounds.parquet; when the
            study is served, new people get them.
        target: Target number of ratings per item, for the top-up (default: in a study, [ratings]
            target).
        multiverse: Also clean with other thresholds, boundaries and orders of the rules, and report
            what changes.
        cross: In the multiverse, combine all thresholds instead of changing one thing at a time.
        resamples: Number of groups of items or annotators, each left out once to compute intervals
            (default: 60, fewer for very many ratings); 0 for no intervals.
        seed: Seed for everything drawn at random.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN,
            None and blank ones, separated by commas.
        encoding: Encoding of a text file, such as cp1252 (default: guessed and reported).
        key: Secret of the pseudonyms (default: the one in FILE.key, if there is one).
        keep_ids: Keep the ids of people unchanged.
        watch: Receives the progress of the multiverse.

    Examples:
        plausibly clean ratings.parquet --preset recommended --items items.parquet -o cleaned
        plausibly clean ratings.parquet --items items.parquet --top-up --target 10 -o cleaned

    >>> ratings = pl.DataFrame({"item": ["t1"] * 3, "annotator": ["a", "b", "c"],
    ...                         "answer": [1, 3, 5]})
    >>> items = pl.DataFrame({"item": ["t1"], "text": ["otter paints ladder"]})
    >>> clean(ratings, "pap", items=items, resamples=0).exclusions["rule"].unique().sort().to_list()
    ['few_ratings', 'unmoved_slider']
    """
    if cross and not multiverse:
        what = f"{option('cross')} combines what {option('multiverse')} tries. Add the latter."
        raise StudyError(what, parameter="cross")
    require_target(top_up, target)
    _check_names(withdraw=withdraw, reject=reject)
    rules = load_preset(preset)
    given = key is not None or keep_ids
    naming = naming_of(key, keep_ids=keep_ids) if given else naming_next_to(ratings)
    imported = read_ratings(
        ratings,
        format=format,
        columns=columns,
        naming=naming,
        missing=missing,
        choices=ReadingChoices(encoding),
    )
    imported = _joined(imported, annotators, naming)
    spelled, unfit = sides_for(imported.ratings, preset=rules.sides, asked=sides)
    parsed = None if spelled is None else parse_sides(spelled)
    known, note = _items(items, items_of(imported), rules)
    context = replace(
        _context(known, imported.annotators, parsed, seed),
        check_question=check_question,
        starts=starts_of(starts),
    )
    cleaned = apply_rules(imported.ratings, rules.build(), context, withdraw=withdraw)
    plan = Resampling(resamples=resamples, seed=seed)
    steps = cascade(cleaned, known, rules=rules.rules, sides=parsed, resampling=plan)
    ways = (crossed if cross else universes)(rules.rules) if multiverse else None
    worlds = (
        None
        if ways is None
        else _worlds(imported.ratings, ways, context=context, withdraw=withdraw, watch=watch)
    )
    scale = next((s.parameters.get("scale", ()) for s in rules.rules if s.rule == "off_gold"), ())
    weighed = _evidence(cleaned, context)
    people = verdicts(cleaned, cleaned.context, competence=weighed, reject=reject, scale=scale)
    kept = people.filter(pl.col("data") != "excluded")["annotator"].to_list()
    checks = measured_checks(cleaned.context, set(kept), scale)
    rounds = (
        short_items(
            imported.ratings, cleaned.ratings, known, target=target or 0, question=check_question
        )
        if top_up
        else None
    )
    return CleanRatings(
        cleaned.ratings,
        cleaned.exclusions,
        people,
        checks,
        _document(steps, rules),
        worlds,
        pages(steps, worlds),
        notes=tuple(
            filter(None, (*imported.notes, note, unfit, _about(rules), *flagged_checks(checks)))
        ),
        rounds=rounds,
    )


def _evidence(cleaned: Cleaned, context: Context) -> Mapping[str, float]:
    """Return everybody's competence, which decides nothing; none if it would take long."""
    raw = cleaned.stages[0].ratings
    few = raw["answer"].n_unique() <= MOST_ANSWERS
    if not few or not 0 < raw.height <= MOST_WEIGHED:
        return {}
    return {name: round(one, 4) for name, one in context.competences(raw).items()}


def _joined(imported: Imported, annotators: Source | None, naming: Naming) -> Imported:
    """Return the ratings with what is known about people, from a file or a table."""
    if annotators is None:
        return imported
    if isinstance(annotators, str | Path):
        return join_people(imported, Path(annotators), naming=naming)
    return replace(imported, annotators=as_table(annotators, ANNOTATORS))


def _about(preset: Preset) -> str:
    return f"{preset.name}: {preset.note}." if preset.note else ""


def _items(
    source: Source | None, carried: pl.DataFrame, preset: Preset
) -> tuple[pl.DataFrame, str]:
    """Return the items, with our names of conditions where the paper of the rules has others."""
    items = as_table(carried if source is None else source, ITEMS)
    theirs = items.filter(pl.col("condition").is_in(list(preset.conditions))).height
    if not theirs:
        return items, ""
    paper = preset.title.partition(",")[0]
    names = ", ".join(f"{old} as {new}" for old, new in preset.conditions.items())
    note = (
        f"items: the condition of {theirs} of {items.height} is read as {paper} names it: {names}."
    )
    return items.with_columns(pl.col("condition").replace(dict(preset.conditions))), note


def _context(
    items: pl.DataFrame, annotators: pl.DataFrame | None, sides: Sides | None, seed: int
) -> Context:
    def competence(ratings: pl.DataFrame) -> Mapping[str, float]:
        return _competence(ratings, sides, seed)

    return Context(items=items, annotators=annotators, sides=sides, competence=competence)


def _competence(ratings: pl.DataFrame, sides: Sides | None, seed: int) -> Mapping[str, float]:
    """Return everybody's MACE competence over the sides, averaged over questions."""
    if ratings.is_empty():
        return {}
    fitted = mace(ratings, seed=seed, scheme=scheme_of(ratings, sides)).competence
    means = fitted.group_by("annotator").agg(pl.col("competence").fill_nan(None).mean())
    return dict(means.drop_nulls().iter_rows())


def _worlds(
    ratings: pl.DataFrame,
    ways: Sequence[Universe],
    *,
    context: Context,
    withdraw: Sequence[str],
    watch: Watch,
) -> pl.DataFrame:
    scheme = scheme_of(ratings, context.sides)
    return explore(
        ratings,
        ways,
        context,
        withdraw=withdraw,
        labeller=lambda kept: (
            LABELS.empty() if kept.is_empty() else strict_majority(kept, scheme=scheme)
        ),
        watch=watch,
    )


def _document(steps: Sequence[CascadeStep], preset: Preset) -> tuple[Mapping[str, Any], ...]:
    """Return one object per step; an incomplete preset says so in each."""
    facts = {"preset": preset.name, "complete": preset.complete}
    document = [{**step.as_json(), **facts} for step in steps]
    if preset.note:
        document[0]["note"] = preset.note
    return tuple(document)


KEPT_RATINGS = "clean/ratings.parquet"
LEDGER = "clean/exclusions.parquet"

__all__ = ["KEPT_RATINGS", "LEDGER", "CleanRatings", "clean"]
