"""The tally behind GITA's scores: per story and metric, how many right out of how many.

Story classification fixes who is counted; the files of the later tiers only add right answers.
So every metric is a ratio of sums over stories, which is also what its interval resamples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from plausibly.datasets.gita import CONFLICT, STATE, STORY
from plausibly.datasets.gita.answers import Answers
from plausibly.evaluation.gita_rules import RuleSet

TIERS = {"accuracy": STORY, "consistency": CONFLICT, "verifiability": STATE}
BEFORE = {CONFLICT: STORY, STATE: CONFLICT}
GOLD = {STORY: "expected", CONFLICT: "conflict", STATE: "state"}
METRICS = (
    *("accuracy", "accuracy_cloze", "accuracy_order", "accuracy_plausible"),
    *("consistency", "consistency_cloze", "consistency_order"),
    *("verifiability", "verifiability_cloze", "verifiability_order"),
)
_SCHEMA = {
    "story": pl.String(),
    "tier": pl.String(),
    "group": pl.String(),
    "right": pl.Int64(),
    "out_of": pl.Int64(),
}


@dataclass(frozen=True, eq=False)
class JudgedStory:
    """Answers under one rule set: each line with its group and whether it is right.

    Args:
        stories: All stories that count, each with group, counted, expected.
        tasks: Per task its lines with `group`, `counted` and `right`.
        unanswered: Per later task the counted stories right so far that its file lacks.
        notes: What a reader should know.
        unread: Per task the written answers that are not one of its options.
        unknown: Per later task the stories that are right so far and have no answer to it, or to
            the one before; nobody knows whether they are right, so they are not counted.
    """

    stories: pl.DataFrame | None
    tasks: Mapping[str, pl.DataFrame]
    unanswered: Mapping[str, int]
    notes: tuple[str, ...]
    unread: Mapping[str, int] = field(default_factory=dict)
    unknown: Mapping[str, frozenset[str]] = field(default_factory=dict)


def judge(answers: Answers, rules: RuleSet, stories: pl.DataFrame | None = None) -> JudgedStory:
    """Return the answers with their groups and whether each is right.

    Args:
        answers: What the model said.
        rules: How to read it.
        stories: The stories that count, where the story task has no file of its own.
    """
    notes = [*answers.notes]
    read = {task: lines.filter(pl.col("tied") > 0) for task, lines in answers.tasks.items()}
    unread = {task: lines.height - read[task].height for task, lines in answers.tasks.items()}
    notes += [
        f"{task}: {number} of {answers.tasks[task].height} answers are unread; they count as "
        "neither right nor wrong."
        for task, number in unread.items()
        if number
    ]
    tasks = {task: _unique(lines, task, rules, notes) for task, lines in read.items()}
    base = tasks.get(STORY, stories)
    if base is None:
        notes.append(f"no stories to count: without {STORY} no denominator is known.")
        plain = {task: _by_itself(lines, task, rules) for task, lines in tasks.items()}
        return JudgedStory(None, plain, {}, tuple(notes), unread)
    known = rules.group(base)
    if known.is_empty():
        notes.append(f"{STORY if STORY in tasks else 'stories'}: no lines, so nothing is counted.")
    odd = known.filter(pl.col("group") == "unknown").height
    if odd:
        notes.append(f"{odd} implausible stories of unknown kind are in the overall figures only.")
    judged: dict[str, pl.DataFrame] = {}
    unanswered: dict[str, int] = {}
    unknown: dict[str, frozenset[str]] = {}
    passed = known.filter("counted")
    for task in (STORY, CONFLICT, STATE):
        if task in tasks:
            earlier = BEFORE.get(task, "")
            asked = _asked(tasks[task], task, earlier, judged.get(earlier, known), notes)
            lines = _by_itself(asked, task, rules)
            if rules.chained:
                lines = _chained(lines, task, known, passed)
            if earlier in tasks:
                silent = passed.join(lines, on="key", how="anti")
                unanswered[task] = silent.height
                if not rules.chained:  # published denominators count every story that is missing
                    silent = silent.join(answers.tasks[task], on="key", how="semi")
                unknown[task] = frozenset(silent["key"]) | unknown.get(earlier, frozenset())
                notes += _silent(task, unanswered[task], silent.height, passed.height)
            judged[task] = lines
            right = lines.filter("right", "counted")
            passed = known.join(right, on="key", how="semi")
    return JudgedStory(known, judged, unanswered, tuple(notes), unread, unknown)


def _unique(lines: pl.DataFrame, task: str, rules: RuleSet, notes: list[str]) -> pl.DataFrame:
    """Return one line per story where the rules count a story once.

    Lines of one story that disagree are no answer, as equally likely options are.
    """
    again = lines.height - lines["key"].n_unique()
    if not again:
        return lines
    counted = "each counts once" if rules.unique else "all of them count"
    notes.append(f"{task}: {again} lines repeat a story; {counted}.")
    if not rules.unique:
        return lines
    said = pl.col("answer").n_unique().over("key")
    return (
        lines.with_columns(tied=pl.max_horizontal("tied", said))
        .sort("key", "answer", "tied")
        .unique("key", keep="first", maintain_order=True)
    )


def _by_itself(lines: pl.DataFrame, task: str, rules: RuleSet) -> pl.DataFrame:
    return rules.group(lines).with_columns(right=rules.right(pl.col(GOLD[task])))


def _asked(
    lines: pl.DataFrame, task: str, earlier: str, stories: pl.DataFrame, notes: list[str]
) -> pl.DataFrame:
    """Return the lines about stories of the task before: no others count in its denominator."""
    kept = lines.join(stories, on="key", how="semi", maintain_order="left")
    lost = lines.height - kept.height
    if lost:
        notes.append(f"{task}: {lost} lines are about stories missing from {earlier}; left out.")
    return kept


def _silent(task: str, without: int, not_counted: int, passed: int) -> list[str]:
    if not without:
        return []
    wrong = without - not_counted
    parts = [f"{not_counted} are not counted"] * bool(not_counted)
    parts += [f"{wrong} count as wrong by these rules"] * bool(wrong)
    return [
        f"{task}: {without} of {passed} stories right so far have no answer that was read; "
        f"{', '.join(parts)}."
    ]


def _chained(
    lines: pl.DataFrame, task: str, known: pl.DataFrame, passed: pl.DataFrame
) -> pl.DataFrame:
    """Return the lines, grouped as their stories are, right only where every earlier tier is."""
    own = lines.drop("group", "counted", "expected")
    joined = own.join(known.select("key", "group", "counted", "expected"), on="key")
    if task == STORY:
        return joined
    so_far = passed.select("key", so_far=pl.lit(value=True))
    return joined.join(so_far, on="key", how="left").with_columns(
        right=pl.col("right") & pl.col("so_far").fill_null(value=False)
    )


def tally(judged: JudgedStory) -> pl.DataFrame:
    """Return story, tier, group, right and out_of, one row per line or counted story."""
    parts = [pl.DataFrame(schema=_SCHEMA)]
    for tier, task in TIERS.items():
        if task in judged.tasks:
            lines = judged.tasks[task]
            out_of = 1 if task == STORY else 0
            parts.append(_part(lines, tier, pl.col("right"), pl.lit(out_of)))
        if judged.stories is not None and task != STORY:
            silent = pl.col("key").is_in(list(judged.unknown.get(task, ())))
            parts.append(_part(judged.stories, tier, pl.lit(0), pl.col("counted") & ~silent))
    return pl.concat(parts)


def _part(lines: pl.DataFrame, tier: str, right: pl.Expr, out_of: pl.Expr) -> pl.DataFrame:
    return lines.select(
        "story",
        tier=pl.lit(tier),
        group="group",
        right=right.cast(pl.Int64),
        out_of=out_of.cast(pl.Int64),
    )


def of_metric(tallied: pl.DataFrame, metric: str) -> pl.DataFrame:
    """Return the sums of one metric by story: story, right, out_of."""
    tier, _, group = metric.partition("_")
    rows = tallied.filter(pl.col("tier") == tier)
    if group:
        rows = rows.filter(pl.col("group") == group)
    return rows.group_by("story").agg(pl.col("right", "out_of").sum()).sort("story")
