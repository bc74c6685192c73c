"""ADEPT sections 5 and 6, Table 5 and Figures 2 and 3: baselines, and what models scored."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from plausibly.datasets.adept import FIVE_CLASSES, FOUR_CLASSES, THREE_CLASSES
from plausibly.domain import LabelScheme
from plausibly.evaluation.adept import (
    IMPOSSIBLE,
    LESS_LIKELY,
    accuracy,
    backoff,
    majority,
    normative,
)
from plausibly.replications.adept_release import Release
from plausibly.replications.claims import Claim, judge
from plausibly.replications.record import Record, Value

SCHEMES = {"3class": THREE_CLASSES, "5class": FIVE_CLASSES}
# Table 5: three- and five-class accuracy on the development set (val).
TABLE5 = {
    "majority": (0.664, 0.664),
    "normative": (0.701, 0.636),
    "human": (0.900, 0.850),
    "human_no_context": (0.750, 0.710),
    "bert_no_context": (0.720, 0.694),
    "roberta_no_context": (0.724, 0.691),
    "deberta_no_context": (0.721, 0.686),
    "bert": (0.723, 0.698),
    "roberta": (0.731, 0.708),
    "deberta": (0.739, 0.697),
}
# Figure 2 (RoBERTa, five classes) and Figure 3 (DeBERTa, three): true label by predicted label.
FIGURE2 = (
    (82, 48, 105, 1, 0),
    (27, 62, 95, 2, 0),
    (31, 40, 960, 39, 0),
    (1, 5, 60, 36, 0),
    (2, 1, 12, 2, 0),
)
FIGURE3 = ((246, 173, 3), (120, 918, 32), (6, 86, 27))
KEYS = {"modifier": ["modifier"], "noun": ["noun"], "modifier_noun": ["modifier", "noun"]}

# Why the printed five-class figure is not what the paper's words give.
INDEX = (
    "The printed figure comes out with the label 0, which is 'less likely' among three classes "
    "and 'impossible' among five; the paper's words give 1 (an inference, the simplest one)."
)
NO_VAL = "val.json or the list of non-subsective adjectives is not in the data folder."
NO_WEIGHTS = "Neither the predictions nor the weights of this model are released."
NO_PEOPLE = "The answers of the human judge are not released."


def _baselines() -> Iterator[Claim]:
    for place, kind in enumerate(SCHEMES):
        printed = TABLE5["normative"][place]
        yield Claim(
            f"adept.baseline.majority.{kind}",
            TABLE5["majority"][place],
            "always 'equally likely', val",
            "As printed.",
            digits=3,
        )
        yield Claim(
            f"adept.baseline.normative.{kind}",
            printed,
            "'less likely' for the 60 listed words and 'dead', else 'equally likely', val",
            INDEX if kind == "5class" else "As printed, with 'dead' among the words.",
            digits=3,
        )
        yield Claim(
            f"adept.baseline.normative-0.{kind}",
            printed,
            "'impossible' for the 60 listed words and 'dead', else 'equally likely', val",
            INDEX if kind == "5class" else "Among three classes 0 and 1 are one class.",
            digits=3,
        )
        yield Claim(
            f"adept.baseline.normative-60.{kind}",
            printed,
            "'less likely' for the 60 listed words, else 'equally likely', val",
            "The printed figures need 'dead' among the words.",
            digits=3,
        )
        for key in KEYS:
            yield Claim(
                f"adept.baseline.backoff.{key}.{kind}",
                None,
                f"commonest label of the {key.replace('_', ' and ')} in train, val",
                "Ours, for orientation: a table look-up comes close to the printed models.",
            )
    yield Claim(
        "adept.baseline.majority.4class",
        None,
        "always 'equally likely', val without the pairs labelled impossible",
        "The printed jump to 81.2 % with four classes is mostly the easier denominator.",
    )


def _models() -> Iterator[Claim]:
    for name, printed in TABLE5.items():
        if name in ("majority", "normative"):
            continue
        why = NO_PEOPLE if name.startswith("human") else NO_WEIGHTS
        for kind, value in zip(SCHEMES, printed, strict=True):
            yield Claim(f"adept.table5.{name}.{kind}", value, "accuracy on val", why, digits=3)
    yield Claim("adept.roberta.4class", 0.812, "accuracy on val", NO_WEIGHTS, digits=3)
    for figure, cells, model in (("figure2", FIGURE2, "roberta"), ("figure3", FIGURE3, "deberta")):
        kind = "5class" if figure == "figure2" else "3class"
        yield Claim(
            f"adept.{figure}.row_sums",
            [sum(row) for row in cells],
            f"val pairs by true label, {kind}",
            "The rows of the figure are the released val pairs.",
        )
        yield Claim(
            f"adept.{figure}.accuracy",
            TABLE5[model][0 if kind == "3class" else 1],
            "diagonal / all, from the printed cells",
            "Figure and Table 5 fit each other.",
            digits=3,
        )


BASELINES = tuple(_baselines())
MODELS = tuple(_models())


def models(release: Release) -> list[Record]:
    """Return the records on baselines and models."""
    val = release.of("val")
    numbers = _of_figures()
    if val is not None:
        numbers |= _row_sums(val) | _of_baselines(release, val)
    return [*judge(BASELINES, numbers, missing=NO_VAL), *judge(MODELS, numbers)]


def _of_figures() -> dict[str, Value]:
    return {
        f"adept.{figure}.accuracy": sum(row[place] for place, row in enumerate(cells))
        / sum(map(sum, cells))
        for figure, cells in (("figure2", FIGURE2), ("figure3", FIGURE3))
    }


def _row_sums(val: pl.DataFrame) -> dict[str, Value]:
    numbers: dict[str, Value] = {}
    for figure, scheme in (("figure2", FIVE_CLASSES), ("figure3", THREE_CLASSES)):
        classes = val["label"].cast(pl.String).replace_strict(dict(scheme.of))
        numbers[f"adept.{figure}.row_sums"] = [
            int((classes == name).sum()) for name in scheme.labels
        ]
    return numbers


def _of_baselines(release: Release, val: pl.DataFrame) -> dict[str, Value]:
    said = {"majority": majority(val)}
    if release.listed is not None and release.effective is not None:
        said["normative"] = normative(val, release.effective, label=LESS_LIKELY)
        said["normative-0"] = normative(val, release.effective, label=IMPOSSIBLE)
        said["normative-60"] = normative(val, release.listed, label=LESS_LIKELY)
    train = release.of("train")
    if train is not None:
        said |= {f"backoff.{name}": backoff(train, val, keys=keys) for name, keys in KEYS.items()}

    def share(predicted: pl.Series, scheme: LabelScheme) -> float | None:
        return accuracy(val["label"], predicted, scheme)

    numbers: dict[str, Value] = {
        f"adept.baseline.{name}.{kind}": share(predicted, scheme)
        for name, predicted in said.items()
        for kind, scheme in SCHEMES.items()
    }
    return numbers | {"adept.baseline.majority.4class": share(said["majority"], FOUR_CLASSES)}
