"""GITA4CALAMITA Table 3: every model whose answers are in the data folder, scored again."""

from __future__ import annotations

from collections.abc import Iterator

from plausibly.datasets.gita.answers import Answers, read_answers, read_metrics
from plausibly.datasets.gita.scored import STORY_FIELDS
from plausibly.evaluation.gita import GitaScores, score_gita
from plausibly.evaluation.gita_tally import METRICS
from plausibly.replications.claims import Claims
from plausibly.replications.gita.release import GitaRelease
from plausibly.replications.printed import Value

OFFICIAL = {
    **{name.capitalize(): name for name in ("accuracy", "consistency", "verifiability")},
    **{
        f"{group.capitalize()} {tier.capitalize()}": f"{tier}_{group}"
        for tier, _, group in (metric.partition("_") for metric in METRICS)
        if group
    },
}
OTHER_RULES = ("calamita", "clean")


def table3(release: GitaRelease, claims: Claims) -> dict[str, Value]:
    """Return the scores of every model in the folder, by the official and by other rules."""
    del claims
    return {name: value for model in release.models for name, value in _of_model(release, model)}


def table3_scores(release: GitaRelease, model: str) -> dict[str, float | None]:
    """Return the scores of one model by the official rules; empty if it has no answers."""
    if model not in release.models:
        return {}
    scores = _scored(release, read_answers(release.models[model]), "gita-2024")
    return {metric: _value(scores, metric) for metric in METRICS}


def released_metrics(release: GitaRelease) -> dict[str, Value]:
    """Return the metrics the authors' own script wrote for each model in the folder."""
    return {
        f"gita.metrics.{model}.{metric}": value
        for model in release.models
        for metric, value in _metrics(release, model).items()
    }


def _of_model(release: GitaRelease, model: str) -> Iterator[tuple[str, Value]]:
    answers = read_answers(release.models[model])
    scores = _scored(release, answers, "gita-2024")
    own = {metric: _value(scores, metric) for metric in METRICS}
    for metric, value in own.items():
        yield f"gita.table3.{model}.{metric}", value
    for metric in _metrics(release, model):
        yield f"gita.metrics.{model}.{metric}", own[metric]
    for rules in OTHER_RULES:
        other = _scored(release, answers, rules)
        yield f"gita.rules.{model}.{rules}", {name: other.value(name) for name in METRICS}
    yield f"gita.ties.{model}", dict(scores.ties)


def _scored(release: GitaRelease, answers: Answers, rules: str) -> GitaScores:
    stories = None if release.stories is None else release.stories.select(*STORY_FIELDS)
    return score_gita(answers, rules=rules, stories=stories, resamples=0)


def _value(scores: GitaScores, metric: str) -> float | None:
    """Return a score; where its task is missing, the one the input of the next task implies."""
    own = scores.value(metric)
    return scores.implied.get(metric) if own is None else own


def _metrics(release: GitaRelease, model: str) -> dict[str, float]:
    folder = release.models[model]
    places = (folder / "metrics.txt", folder.parent / "metrics.txt")
    path = next((place for place in places if place.is_file()), None)
    stated = {} if path is None else read_metrics(path)
    return {OFFICIAL[name]: value for name, value in stated.items() if name in OFFICIAL}
