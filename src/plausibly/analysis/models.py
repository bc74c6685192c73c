"""What a report says about models: how well they go with the people of the study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import fmean
from typing import Any

from plausibly.analysis.model_departures import (
    certain_rows,
    departed_rows,
    departing_rows,
    departure_sentences,
)
from plausibly.measures.mid_p import ties_in_words

WHOLE = "all"
ALPHA = 0.05
# The headline measure of a scheme, with its words; the first that a table has.
LEADING = {
    "auc": "area under the ROC curve",
    "spearman_pooled": "Spearman correlation over all pairs",
    "jsd": "Jensen-Shannon divergence",
    "accuracy": "accuracy",
}
LOWER_IS_BETTER = frozenset({"jsd"})
WORDS = {
    **LEADING,
    "macro_f1": "macro-F1",
    "mcc": "Matthews correlation",
    "quadratic_kappa": "quadratic kappa",
    "kl_people_model": "Kullback-Leibler divergence (people ‖ model)",
    "wasserstein_1": "Wasserstein-1 distance",
    "mean_spearman": "Spearman correlation of the mean answer",
    "mean_mae": "mean absolute error of the mean answer",
    "decided_accuracy": "accuracy on items with a strict majority",
    "spearman_within_head": "Spearman correlation inside heads",
    "majority_accuracy": "accuracy of the commonest label",
}
CORRELATION = "Pearson's r with the mean of the other people"
SHARE = "share of equal answers"
AGAINST = {"pap-soft": "the ratings kept", "pap-perturbed": "how the items were made"}

Row = Mapping[str, Any]


def words_of(metric: str) -> str:
    """Return the name of a measure in words.

    >>> words_of("balanced_accuracy")
    'balanced accuracy'
    """
    return WORDS.get(metric, metric.replace("_", " "))


def asked_row(document: Row) -> dict[str, Any]:
    """Return what asking one model took, from what `ask` reports.

    >>> asked_row({"model": "m", "reason": "cut off by length"})["answers"]
    0
    """
    account, tasks = document.get("account", {}), document.get("tasks", {}).values()
    total = account.get("total", {})
    return {
        "model": document["model"],
        "made_for": ", ".join(document.get("made_for", ())) or None,
        "answers": sum(one["samples"] for one in tasks),
        "unread": sum(one.get("unread") or 0 for one in tasks),
        "lost": sum(account.get("failed", {}).values()) + account.get("unsent", 0),
        "prompt_tokens": total.get("prompt_tokens"),
        "answer_tokens": total.get("answer_tokens"),
        "cost": total.get("cost"),
        "contamination": document.get("contamination"),
        "foreign": document.get("foreign"),
        "reason": document.get("reason"),
    }


@dataclass(frozen=True, slots=True)
class ModelResults:
    """How models did in a study.

    Args:
        scheme: What they were scored by, in words; empty if they were only put next to people.
        against: What of the study they were compared with.
        scores: metric, slice, model, value, low, high, n.
        comparisons: a, b, metric, slice, difference, low, high, n, p, p_holm, test.
        with_people: Every way of asking a model: model, question, with_people, among_people with
            their limits, chance, items, winning_rate, people, unread.
        over_ways: The mean over the ways of asking a model: model, question, ways, with_people,
            its limits, lowest, highest, among_people, chance, unread.
        asked: What asking took: model, made_for, answers, unread, lost, prompt_tokens,
            answer_tokens, cost, contamination, foreign, reason.
        ways: From a way of asking, as scores name it, to the model that was asked.
        departures: Where models depart from people, as `evaluate --ratings` reports it.
    """

    scheme: str
    against: str
    scores: Sequence[Row] = ()
    comparisons: Sequence[Row] = field(default=())
    with_people: Sequence[Row] = field(default=())
    over_ways: Sequence[Row] = field(default=())
    asked: Sequence[Row] = field(default=())
    ways: Mapping[str, str] = field(default_factory=dict)
    departures: Sequence[Row] = field(default=())

    @property
    def models(self) -> list[str]:
        """The names of the models; the ways of asking one are one model."""
        return sorted({self.ways.get(str(row["model"]), str(row["model"])) for row in self.scores})

    @property
    def whole(self) -> list[dict[str, Any]]:
        """The measures of all items, or of all of a relation, models side by side."""
        own = [row for row in self.scores if str(row["slice"]).rpartition("/")[2] == WHOLE]
        return [
            {
                **row,
                "measure": words_of(str(row["metric"])),
                "part": str(row["slice"]).rpartition("/")[0],
            }
            for row in sorted(own, key=lambda row: (row["slice"], row["metric"], row["model"]))
        ]

    @property
    def means(self) -> list[dict[str, Any]]:
        """The same, each model as the mean over the ways in which it was asked.

        The limits are the means of the ways' limits: at least as far apart as those of the mean.
        """
        rows = [{**row, "model": self._asked(row), "way": row["model"]} for row in self.whole]
        rows.sort(key=lambda row: (row["slice"], row["metric"], row["model"]))
        groups = groupby(rows, key=lambda row: (row["slice"], row["metric"], row["model"]))
        return [_mean_of(list(group)) for _, group in groups]

    def _asked(self, row: Row) -> str:
        return self.ways.get(str(row["model"]), str(row["model"]))

    @property
    def were_asked(self) -> bool:
        """Whether all models next to people were asked, and none only predicted."""
        return {row["model"] for row in self.over_ways} <= {row["model"] for row in self.asked}

    @property
    def has_ways(self) -> bool:
        """Whether a model was asked in several ways."""
        names = [self._asked(row) for row in self._leading(self.whole)]
        several = any(row["ways"] > 1 for row in self.over_ways)
        return several or len(set(names)) < len(names)

    @property
    def tested(self) -> list[dict[str, Any]]:
        """The comparisons with their measures in words."""
        return [{**row, "measure": words_of(str(row["metric"]))} for row in self.comparisons]

    @property
    def undefined(self) -> list[str]:
        """Why some ways of asking lack a number, each reason once with the ways it is about."""
        return [
            *self._without("reason", "Agreement with people"),
            *self._without("test_reason", "The alternative-annotator test"),
        ]

    def _without(self, column: str, what: str) -> Iterator[str]:
        reasons: dict[str, list[str]] = {}
        for row in self.with_people:
            if row.get(column):
                way = f"{row['model']} ({row['question']})"
                reasons.setdefault(str(row[column]), []).append(way)
        for reason, ways in reasons.items():
            some = len(ways) < len(self.with_people)
            where = f" for {', '.join(ways)}" if some else ""
            yield f"{what} is undefined{where}: {reason}."

    @property
    def departed(self) -> list[dict[str, Any]]:
        """What models say less what people say, cell by cell."""
        return departed_rows(self.departures)

    @property
    def certain(self) -> list[dict[str, Any]]:
        """How near people are to models, by how certain these are."""
        return certain_rows(self.departures)

    @property
    def departing(self) -> list[dict[str, Any]]:
        """Items on which people disagree with a model."""
        return departing_rows(self.departures)

    @property
    def apart(self) -> list[str]:
        """On how many items people disagree with each model."""
        return departure_sentences(self.departures)

    @property
    def sentences(self) -> list[str]:
        """What was done and what came out, from the numbers alone."""
        names = self.models
        held: list[str] = []
        if names:
            count = "one model" if len(names) == 1 else f"{len(names)} models"
            held = [f"Predictions by {count} were compared with {self.against} ({self.scheme})."]
        return [*held, *self._levels(), *self._chance(), *self._people()]

    @property
    def tests(self) -> set[str]:
        """Names of the tests by which models were compared."""
        return {str(row["test"]) for row in self.comparisons if row["p"] is not None}

    @property
    def remarks(self) -> list[str]:
        """What to know about asking: other languages, and whether models may know the items.

        Each note is there once, with the models it is about.
        """
        notes: dict[str, list[str]] = {}
        for name in ("foreign", "contamination"):
            for row in self.asked:
                if row.get(name):
                    notes.setdefault(str(row[name]), []).append(str(row["model"]))
        return [f"{', '.join(models)}: {note}" for note, models in notes.items()]

    def _people(self) -> Iterator[str]:
        if not self.over_ways:
            return
        yield (
            "Language models were asked what people were asked, after people's labels were made; "
            "no label contains their answers."
            if self.were_asked
            else "Predictions are compared with people's answers; no label contains them."
        )
        for question, group in groupby(
            sorted(self.over_ways, key=lambda row: str(row["question"])),
            key=lambda row: row["question"],
        ):
            rows = list(group)
            known = [row for row in rows if row["with_people"] is not None]
            if known:
                yield _agreed(str(question), known)
            for row in rows:
                if row["with_people"] is None and row.get("reason"):
                    yield f"{question}: agreement is undefined for {row['model']}: {row['reason']}."

    def _leading(self, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        known = [row for row in rows if row["value"] is not None]
        metric = next((m for m in LEADING if any(row["metric"] == m for row in known)), None)
        return [row for row in known if row["metric"] == metric]

    def _levels(self) -> Iterator[str]:
        """Yield what every model reaches: never the best alone."""
        commonest = {
            row["part"]: row["value"] for row in self.means if row["metric"] == "majority_accuracy"
        }
        for part, group in groupby(self._leading(self.means), key=lambda row: row["part"]):
            rows = list(group)
            lower = " (lower is better)" if rows[0]["metric"] in LOWER_IS_BETTER else ""
            where = f" in {part}" if part else ""
            levels = ", ".join(_reached(row) for row in rows)
            rest = ""
            if rows[0]["metric"] == "accuracy" and commonest.get(part) is not None:
                rest = f"; giving every item the commonest label reaches {commonest[part]:.2f}"
            measure = rows[0]["measure"]
            yield f"{measure[:1].upper()}{measure[1:]}{where}{lower}: {levels}{rest}."

    def _chance(self) -> Iterator[str]:
        tested = [row for row in self.tested if row["p_holm"] is not None]
        for measure, group in groupby(
            sorted(tested, key=lambda row: str(row["measure"])), key=lambda row: row["measure"]
        ):
            rows = list(group)
            apart = sum(row["p_holm"] < ALPHA for row in rows)
            differ = f"{apart} differ" if apart > 1 else "one differs" if apart else "none differs"
            said = f"Of {len(rows)} comparisons by {measure}, {differ} beyond chance"
            if len(rows) == 1:
                said = f"By {measure}, the two models {'differ' if apart else 'do not differ'}"
                said += " beyond chance"
            yield f"{said} (p < {ALPHA} after Holm)."
        if tested:
            yield ties_in_words(self.tests)


def _mean_of(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the mean of the ways of asking one model, with its spread."""
    known = [row for row in rows if row["value"] is not None]
    values = [float(row["value"]) for row in known]
    limits = [row for row in known if row["low"] is not None and row["high"] is not None]
    whole = bool(limits) and len(limits) == len(known)
    return {
        **rows[0],
        "value": fmean(values) if values else None,
        "low": fmean(row["low"] for row in limits) if whole else None,
        "high": fmean(row["high"] for row in limits) if whole else None,
        "n": max(row["n"] for row in rows),
        "ways": len(rows),
        "lowest": min(values, default=None),
        "highest": max(values, default=None),
    }


def _reached(row: Row) -> str:
    """Return a model with its level, its interval and, over several ways, how far they differ."""
    parts = [] if row["low"] is None else [f"95 % interval {row['low']:.2f} to {row['high']:.2f}"]
    parts += _apart(row)
    parts.append(f"n = {row['n']:,}")
    return f"{row['value']:.2f} for {row['model']} ({'; '.join(parts)})"


def _agreed(question: str, known: Sequence[Row]) -> str:
    """Return how far models agree with people, next to people and to chance."""
    levels = ", ".join(_level(row) for row in known)
    people = _by_model(known, "among_people")
    chance = _by_model([row for row in known if row["chance"]], "chance")
    how = CORRELATION if known[0]["graded"] else SHARE
    own = f"; among people it is {people}" if people else ""
    least = f"{',' if own else ';'} and always giving the commonest answer reaches {chance}"
    return f"{question}: agreement with people ({how}) is {levels}{own}{least if chance else ''}."


def _by_model(known: Sequence[Row], name: str) -> str:
    """Return a number that depends on a model's items: once, or for each model if they differ.

    >>> rows = [{"model": "a", "chance": 0.5}, {"model": "b", "chance": 0.6}]
    >>> _by_model(rows, "chance"), _by_model(rows[:1], "chance")
    ('0.50 on the items of a and 0.60 on those of b', '0.50')
    """
    models: dict[str, list[str]] = {}
    for row in known:
        if row[name] is not None:
            models.setdefault(f"{row[name]:.2f}", []).append(str(row["model"]))
    if len(models) < 2:
        return "".join(models)
    owned = [f"{value} on those of {', '.join(names)}" for value, names in models.items()]
    owned[0] = owned[0].replace(" on those of ", " on the items of ", 1)
    return f"{', '.join(owned[:-1])} and {owned[-1]}"


def _level(row: Row) -> str:
    low, high = row["with_people_low"], row["with_people_high"]
    parts = [] if low is None else [f"95 % interval {low:.2f} to {high:.2f}"]
    parts += _apart(row)
    within = f" ({'; '.join(parts)})" if parts else ""
    return f"{row['with_people']:.2f} for {row['model']}{within}"


def _apart(row: Row) -> list[str]:
    if row["ways"] < 2 or row["lowest"] is None:
        return []
    known = row.get("ways_defined", row["ways"])
    part = "" if known == row["ways"] else f"{known} of "
    return [
        f"mean of {part}{row['ways']} ways of asking, {row['lowest']:.2f} to {row['highest']:.2f}"
    ]
