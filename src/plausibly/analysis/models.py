"""What a report says about models: how well they go with the people of the study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

WHOLE = "all"
ALPHA = 0.05
# The measure a scheme is told by, with its words; the first a table has.
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
    "spearman_within_head": "Spearman correlation inside heads",
    "majority_accuracy": "accuracy of the commonest label",
}
AGAINST = {"pap-soft": "the ratings kept", "pap-perturbed": "how the items were made"}

Row = Mapping[str, Any]


def words_of(metric: str) -> str:
    """Return the name of a measure in words.

    >>> words_of("balanced_accuracy")
    'balanced accuracy'
    """
    return WORDS.get(metric, metric.replace("_", " "))


@dataclass(frozen=True, slots=True)
class ModelResults:
    """How models did in a study.

    Args:
        scheme: What they were scored by, in words.
        against: What of the study they were held against.
        scores: metric, slice, model, value, low, high, n.
        comparisons: a, b, metric, slice, difference, low, high, n, p, p_holm, test.
        with_people: Models that were asked what people were asked: model, question, with_people,
            among_people, items, winning_rate, people.
        graded: Whether their answers were compared as numbers.
    """

    scheme: str
    against: str
    scores: Sequence[Row] = ()
    comparisons: Sequence[Row] = field(default=())
    with_people: Sequence[Row] = field(default=())
    graded: bool = False

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return sorted({str(row["model"]) for row in self.scores})

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
    def tested(self) -> list[dict[str, Any]]:
        """The comparisons with their measures in words."""
        return [{**row, "measure": words_of(str(row["metric"]))} for row in self.comparisons]

    @property
    def sentences(self) -> list[str]:
        """What was done and what came out, from the numbers alone."""
        names = self.models
        if not names:
            return []
        count = "What one model says" if len(names) == 1 else f"What {len(names)} models say"
        done = f"{count} ({', '.join(names)}) was held against {self.against} ({self.scheme})."
        return [done, *self._best(), *self._chance(), *self._people()]

    @property
    def agreement(self) -> str:
        """How the agreement of a model with people is measured."""
        mean = "Pearson's r with the mean of the other people"
        return mean if self.graded else "share of equal answers"

    def _people(self) -> Iterator[str]:
        known = [row for row in self.with_people if row["with_people"] is not None]
        if not known:
            return
        best = max(known, key=lambda row: row["with_people"])
        people = best["among_people"]
        own = "" if people is None else f", people's with each other is {people:.2f}"
        yield (
            "Language models were asked what people were asked, after people's labels were made; "
            "no label holds an answer of theirs. The highest agreement with people "
            f"({self.agreement}) is {best['with_people']:.2f} ({best['model']}){own}."
        )

    def _leading(self) -> list[dict[str, Any]]:
        whole = [row for row in self.whole if row["value"] is not None]
        metric = next((m for m in LEADING if any(row["metric"] == m for row in whole)), None)
        return [row for row in whole if row["metric"] == metric]

    def _best(self) -> Iterator[str]:
        commonest = {
            (row["slice"], row["model"]): row["value"]
            for row in self.whole
            if row["metric"] == "majority_accuracy"
        }
        for part, group in groupby(self._leading(), key=lambda row: row["part"]):
            rows = list(group)
            lower = rows[0]["metric"] in LOWER_IS_BETTER
            best = (min if lower else max)(rows, key=lambda row: row["value"])
            which = "The" if len(rows) == 1 else "The lowest" if lower else "The highest"
            where = f" in {part}" if part else ""
            span = "" if best["low"] is None else f", 95 % {best['low']:.2f} to {best['high']:.2f}"
            rest = ""
            if best["metric"] == "accuracy" and (best["slice"], best["model"]) in commonest:
                share = commonest[best["slice"], best["model"]]
                rest = f"; giving every item the commonest label reaches {share:.2f}"
            yield (
                f"{which} {best['measure']}{where} is {best['value']:.2f} "
                f"({best['model']}{span}; n = {best['n']:,}){rest}."
            )

    def _chance(self) -> Iterator[str]:
        tested = [row for row in self.tested if row["p_holm"] is not None]
        for measure, group in groupby(
            sorted(tested, key=lambda row: str(row["measure"])), key=lambda row: row["measure"]
        ):
            rows = list(group)
            apart = sum(row["p_holm"] < ALPHA for row in rows)
            how = "one comparison" if len(rows) == 1 else f"{len(rows)} comparisons"
            differ = f"{apart} differ" if apart > 1 else "one differs" if apart else "none differs"
            yield f"Of {how} by {measure}, {differ} beyond chance (p < {ALPHA} after Holm)."
