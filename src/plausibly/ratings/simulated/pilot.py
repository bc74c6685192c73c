"""The model of people as a pilot tells it: variances by moments of normal scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import ndtri

from plausibly.errors import StudyError
from plausibly.ratings.forms import Form, Question
from plausibly.ratings.served import Served
from plausibly.ratings.simulated.latent import GROUP
from plausibly.ratings.simulated.model import CONDITION, PeopleModel, QuestionModel, people_model
from plausibly.ratings.simulated.people import scale_of
from plausibly.ratings.simulated.reading import words_in
from plausibly.ratings.simulated.responses import MOST_STEPS, direction_of, is_ordered
from plausibly.ratings.sources import read_ratings

Floats = npt.NDArray[np.float64]

QUANTILES = 21
FEWEST = 3  # people and items without whom nothing can be estimated
MOST_SHARED = 0.99


def model_of(section: Mapping[str, Any], served: Served, items: pl.DataFrame) -> PeopleModel:
    """Return the model a study declares, estimated from its pilot where it names one."""
    where = str(served.folder / "study.toml")
    if not section.get("pilot"):
        return people_model(section, where=where)
    path = served.folder / str(section["pilot"])
    form = "answers" if Path(path).suffix == ".sqlite" else "long"
    imported = read_ratings(path, format=form)
    known = items if imported.items is None else imported.items
    estimated = estimate_people(imported.ratings, known, served.form, where=str(path))
    return people_model(section, where=where, start=estimated)


@dataclass(frozen=True, slots=True)
class Components:
    """Effects of conditions on a scale with variance 1, and the variances of what else varies."""

    effects: Mapping[str, float]
    items: float
    groups: float
    severity: float
    slopes: float
    noise: float


def estimate_people(
    ratings: pl.DataFrame, items: pl.DataFrame, form: Form, *, where: str = "pilot"
) -> PeopleModel:
    """Return the model that gives answers like those of a pilot.

    Answers to ordered questions are replaced by normal scores of their ranks; variances follow
    from products of residuals that share a person, an item or a group, and effects from means of
    items. Groups' own slopes are part of `items`, which one item per group and condition cannot
    separate from them.

    Args:
        ratings: The pilot's ratings.
        items: Their items, with condition and item_group where there are any.
        form: What was asked.
        where: The file, for errors.
    """
    asked = {one.id: one for one in form.questions if one.type != "text" and one.per == "item"}
    rated = ratings.join(_design(items), on="item", how="inner")
    if rated["annotator"].n_unique() < FEWEST or rated["item"].n_unique() < FEWEST:
        raise StudyError(
            f"{where}: a pilot needs ratings of at least {FEWEST} items of this study by at "
            f"least {FEWEST} people; got {rated['item'].n_unique()} and "
            f"{rated['annotator'].n_unique()}."
        )
    coded = {
        name: _coded(rated.filter(pl.col("question") == name), one) for name, one in asked.items()
    }
    scores = {name: own for name, own in coded.items() if own is not None}
    if not scores:
        raise StudyError(f"{where}: the pilot has no ordered answers to any question of the form.")
    parts = {name: components(own) for name, own in scores.items()}
    noise = sqrt(float(np.mean([one.noise for one in parts.values()])))
    ways, coherence = _coherence(scores)
    first = direction_of(asked[next(iter(scores))], QuestionModel())
    questions = {
        name: replace(
            _marginal(own, asked[name]),
            direction=first * ways[name],
            effects=_shifts(parts[name], first * ways[name] / noise),
        )
        for name, own in scores.items()
    }
    whole = list(parts.values())
    return PeopleModel(
        items=_spread(whole, "items", noise),
        groups=_spread(whole, "groups", noise),
        group_slopes=0.0,
        severity=_spread(whole, "severity", noise),
        slopes=_spread(whole, "slopes", noise) * sqrt(2),
        spread=0.0,
        coherence=coherence,
        questions=questions,
        **_habits(scores, asked),
        **_times(rated),
    )


def _shifts(parts: Components, factor: float) -> dict[str, dict[str, float]]:
    levels = {level: factor * value for level, value in parts.effects.items()}
    return {CONDITION: levels} if levels else {}


def _spread(parts: Sequence[Components], name: str, noise: float) -> float:
    return sqrt(float(np.mean([getattr(one, name) for one in parts]))) / noise


def _design(items: pl.DataFrame) -> pl.DataFrame:
    judged = items.filter(pl.col("kind") == "item") if "kind" in items.columns else items
    own = [one for one in ("item", CONDITION, GROUP, "text") if one in judged.columns]
    frame = judged.select(own)
    if GROUP not in own:
        frame = frame.with_columns(pl.lit(None, pl.String).alias(GROUP))
    if CONDITION not in own:
        frame = frame.with_columns(pl.lit(None, pl.String).alias(CONDITION))
    alone = pl.concat_str(pl.lit("item "), "item")
    return frame.with_columns(
        pl.coalesce(GROUP, alone).alias(GROUP), pl.col(CONDITION).fill_null("")
    )


def _coded(own: pl.DataFrame, question: Question) -> pl.DataFrame | None:
    """Return answers as numbers in their order, with normal scores; None if there are none."""
    scale = [one for one in scale_of(question) if one not in question.unsure]
    if question.type in ("set", "best-of-n") or not is_ordered(question, scale):
        return None
    places = {one: place for place, one in enumerate(scale)}
    coded = own.with_columns(
        pl.col("answer").replace_strict(places, default=None, return_dtype=pl.Float64).alias("code")
    ).drop_nulls("code")
    if coded["code"].n_unique() < 2:
        return None
    return coded.with_columns(pl.Series("score", normal_scores(coded["code"].to_numpy())))


def normal_scores(codes: Floats) -> Floats:
    """Return for each answer the mean of a normal variable over its part of the scale.

    >>> normal_scores(np.array([1.0, 1.0, 2.0, 2.0])).round(2).tolist()
    [-0.8, -0.8, 0.8, 0.8]
    """
    _, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    edges = ndtri(np.concatenate([[0.0], np.cumsum(counts)[:-1] / codes.size, [1.0]]))
    density = np.exp(-(edges**2) / 2) / sqrt(2 * np.pi)
    return np.asarray((density[:-1] - density[1:])[places] / (counts / codes.size)[places])


def _marginal(own: pl.DataFrame, question: Question) -> QuestionModel:
    """Return how often answers are given: shares of an ordered scale, quantiles of a slider."""
    scale = [one for one in scale_of(question) if one not in question.unsure]
    if question.type != "slider" or len(scale) <= MOST_STEPS:
        counts = np.bincount(own["code"].to_numpy().astype(np.int64), minlength=len(scale))
        return QuestionModel(shares=tuple((counts / counts.sum()).tolist()))
    numbers = np.array([float(one) for one in scale])[own["code"].to_numpy().astype(np.int64)]
    return QuestionModel(
        quantiles=tuple(np.quantile(numbers, np.linspace(0, 1, QUANTILES)).tolist())
    )


def components(scores: pl.DataFrame) -> Components:
    """Return effects of conditions and variances of people, groups and items.

    Args:
        scores: Columns item, annotator, condition, item_group and score.
    """
    means = scores.group_by("item", CONDITION).agg(pl.col("score").mean())
    levels = dict(means.group_by(CONDITION).agg(pl.col("score").mean()).sort(CONDITION).iter_rows())
    centre = float(np.mean(list(levels.values())))
    effects = {level: value - centre for level, value in levels.items()}
    residuals = scores.with_columns(
        (pl.col("score") - centre - pl.col(CONDITION).replace_strict(effects)).alias("residual")
    )
    # A score is what an answer tells about the latent scale, and so a share `kept` of it: means
    # shrink by that share, products by its square.
    kept = float(scores["score"].to_numpy().var())
    shifts = {level: value / kept for level, value in effects.items()}

    def shared(*within: str, apart: str, different: str = "") -> float | None:
        cells = [within[0], apart]
        value = _product(residuals, list(within), apart=cells, different=different)
        return None if value is None else max(value / kept**2, 0.0)

    same = shared("annotator", CONDITION, apart="item") or 0.0
    across = shared("annotator", apart=CONDITION)
    severity = same if across is None else across
    slopes = max(same - severity, 0.0)
    item = shared("item", apart="annotator") or 0.0
    groups = min(shared(GROUP, apart="item", different="annotator") or 0.0, item)
    moved = residuals[CONDITION].replace_strict(shifts, return_dtype=pl.Float64).to_numpy().var()
    noise = max(1.0 - float(moved) - severity - slopes - item, 0.05)
    shown = {level: value for level, value in shifts.items() if level}
    return Components(shown, item - groups, groups, severity, slopes, noise)


def _product(
    residuals: pl.DataFrame, within: list[str], *, apart: list[str], different: str = ""
) -> float | None:
    """Return the mean product of two residuals that share some columns and differ in others.

    Args:
        residuals: One row per rating.
        within: What the two share.
        apart: Cells that the two must not share.
        different: A further column in which the two must differ.
    """
    total, pairs = _squares(residuals, within) - _squares(residuals, apart)
    if different:
        both = [*within, different]
        total, pairs = (total, pairs) - (
            _squares(residuals, both) - _squares(residuals, [*apart, different])
        )
    return float(total / pairs) if pairs > 0 else None


def _squares(residuals: pl.DataFrame, by: list[str]) -> Floats:
    """Return the sum over cells of the squared sum of residuals, and of the squared count."""
    cells = residuals.group_by(by).agg(pl.col("residual").sum(), n=pl.len())
    sums, counts = cells["residual"].to_numpy(), cells["n"].to_numpy().astype(np.float64)
    return np.array([np.sum(sums**2), np.sum(counts**2)])


def _coherence(scores: Mapping[str, pl.DataFrame]) -> tuple[dict[str, int], float]:
    """Return which way each question goes with the first, and how closely questions go together."""
    names = list(scores)
    ways = dict.fromkeys(names, 1)
    found: list[float] = []
    first = scores[names[0]].select("item", "annotator", "score")
    for name in names[1:]:
        both = first.join(
            scores[name].select("item", "annotator", other="score"), on=["item", "annotator"]
        )
        if both.height > FEWEST and both["score"].std() and both["other"].std():
            value = float(np.corrcoef(both["score"].to_numpy(), both["other"].to_numpy())[0, 1])
            ways[name] = -1 if value < 0 else 1
            found.append(abs(value))
    return ways, min(float(np.mean(found)), MOST_SHARED) if found else PeopleModel().coherence


def _habits(scores: Mapping[str, pl.DataFrame], asked: Mapping[str, Question]) -> dict[str, Any]:
    """Return how people round on sliders, and how often they go to an end."""
    for name, own in scores.items():
        question = asked[name]
        if question.type != "slider" or len(scale_of(question)) <= MOST_STEPS:
            continue
        low, high = question.min or 0.0, question.max or 0.0
        share = 100 * (own["answer"].cast(pl.Float64) - low) / (high - low)
        coded = own.with_columns(share.alias("share"))
        inner = coded.filter(pl.col("share").is_between(0, 100, closed="none"))
        grids = inner.group_by("annotator").agg(
            pl.when((pl.col("share") % 10 == 0).mean() > 0.8)
            .then(pl.lit("10"))
            .when((pl.col("share") % 5 == 0).mean() > 0.8)
            .then(pl.lit("5"))
            .otherwise(pl.lit("1"))
            .first()
            .alias("grid")
        )
        counts = grids["grid"].value_counts()
        rounding = {grid: count / grids.height for grid, count in counts.sort("grid").iter_rows()}
        # The quantiles of the pilot hold the ends already.
        return {"rounding": rounding or {"1": 1.0}, "ends": 0.0}
    return {}


def _times(rated: pl.DataFrame) -> dict[str, Any]:
    """Return how long people take, where the pilot has times and texts."""
    usual = PeopleModel()
    if "seconds" not in rated.columns or "text" not in rated.columns:
        return {}
    known = rated.unique(["item", "annotator"]).filter(pl.col("seconds").cast(pl.Float64) > 0)
    if known.height < FEWEST:
        return {}
    words = np.array([words_in(text or "") for text in known["text"].to_list()])
    reading = np.log(usual.seconds + usual.seconds_per_word * words)
    logs = np.log(known["seconds"].cast(pl.Float64).to_numpy()) - reading
    slower = float(np.exp(np.median(logs)))
    people = known.with_columns(pl.Series("log", logs)).group_by("annotator")
    each = people.agg(pl.col("log").mean(), within=pl.col("log").var(), n=pl.len())
    within = each.drop_nulls("within")["within"].mean()
    spread = sqrt(float(within)) if isinstance(within, float) else usual.seconds_spread
    between = float(each["log"].to_numpy().var()) - spread**2 / float(np.mean(each["n"].to_numpy()))
    return {
        "seconds": usual.seconds * slower,
        "seconds_per_word": usual.seconds_per_word * slower,
        "seconds_spread": max(spread, 0.01),
        "pace": sqrt(max(between, 0.0)),
    }
