r"""The model that simulated people are drawn from.

Person \(j\) places item \(i\) of group \(g\) and condition \(c\) on a latent scale, for question
\(q\) with direction \(d_q = \pm 1\):

\[\eta_{ijq} = d_q\,e^{w_j}\,(\beta_{cq} + \gamma_{gq} + \delta_{gcq} + \iota_{iq} + s_{jq}
+ u_{jcq} + \varepsilon_{ijq})\]

All but \(\beta\) are normal with mean 0; \(\varepsilon\) has standard deviation 1, and so the other
standard deviations are in units of the noise of one answer. \(\delta\) and \(u\) are drawn with the
variance `slope`² / 2 for each condition, so that the difference of two conditions has the standard
deviation that is declared. Each effect of two questions correlates by `coherence`. The position on
the scale is \(p = \Phi(\eta / \sigma)\), \(\sigma\) the standard deviation of what is in brackets
over all items and people. What is answered is the quantile \(p\) of the answers, which are given
equally often unless `shares` or `quantiles` say otherwise: see `responses`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from math import sqrt
from typing import Any

from plausibly.errors import StudyError, UnknownName
from plausibly.study.collection import PEOPLE

Effects = Mapping[str, Mapping[str, float]]
"""From a column, or columns joined by a colon, to the shift of each level, joined likewise."""
CONDITION = "condition"
ANY = "any"
_SPREADS = ("items", "groups", "group_slopes", "severity", "slopes", "spread", "pace")
_SHARES = ("coherence", "ends", "knows_checks", "unsure", "comments")
_POSITIVE = ("seconds", "seconds_spread")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionModel:
    """What is declared about one question.

    Args:
        direction: 1 if its answers rise with the latent scale, -1 if they fall; 0 to follow from
            the form: 'yes' is above 'no', whichever comes first.
        shares: How often each answer is given over all items, lowest first; none for equally
            often.
        quantiles: Of a slider's answers, from 0 to 1 in equal steps; none for equally spread.
        effects: In place of those of the model.
    """

    direction: int = 0
    shares: tuple[float, ...] = ()
    quantiles: tuple[float, ...] = ()
    effects: Effects = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleModel:
    """How simulated people answer; see `[people]` of a study for what each entry means."""

    effect: float = PEOPLE["effect"]
    effects: Effects = field(default_factory=dict)
    items: float = PEOPLE["items"]
    groups: float = PEOPLE["groups"]
    group_slopes: float = PEOPLE["group_slopes"]
    severity: float = PEOPLE["severity"]
    slopes: float = PEOPLE["slopes"]
    spread: float = PEOPLE["spread"]
    coherence: float = PEOPLE["coherence"]
    ends: float = PEOPLE["ends"]
    rounding: Mapping[str, float] = field(default_factory=lambda: dict(PEOPLE["rounding"]))
    knows_checks: float = PEOPLE["knows_checks"]
    unsure: float = PEOPLE["unsure"]
    comments: float = PEOPLE["comments"]
    seconds: float = PEOPLE["seconds"]
    seconds_per_word: float = PEOPLE["seconds_per_word"]
    seconds_spread: float = PEOPLE["seconds_spread"]
    pace: float = PEOPLE["pace"]
    appeal: Mapping[str, Sequence[float]] = field(default_factory=dict)
    questions: Mapping[str, QuestionModel] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """Standard deviation of the latent scale, conditions apart.

        >>> PeopleModel(
        ...     items=0, groups=0, group_slopes=0, severity=0, slopes=0
        ... ).total
        1.0
        """
        halves = (self.group_slopes**2 + self.slopes**2) / 2
        return sqrt(1 + self.items**2 + self.groups**2 + self.severity**2 + halves)

    def of(self, question: str) -> QuestionModel:
        """Return what is declared about a question."""
        return self.questions.get(question, _PLAIN)

    def beta(self, condition: str | None) -> Sequence[float] | None:
        """Return the Beta distribution of what items of a condition lean to; `any` is for all."""
        return self.appeal.get(condition or "", self.appeal.get(ANY))

    def effects_on(self, question: str, conditions: Sequence[str]) -> Effects:
        """Return the shifts that hold for a question.

        Where no condition has a declared effect, they are spread evenly over `effect`, the first
        in alphabetical order highest.
        """
        declared = self.of(question).effects or self.effects
        if any(CONDITION in column.split(":") for column in declared) or len(conditions) < 2:
            return declared
        step = self.effect / (len(conditions) - 1)
        ranked = {one: self.effect / 2 - place * step for place, one in enumerate(conditions)}
        return {**declared, CONDITION: ranked}

    def as_json(self) -> dict[str, Any]:
        """Return the model as a report shows it."""
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        plain["questions"] = {
            name: {key.name: getattr(one, key.name) for key in fields(one)}
            for name, one in self.questions.items()
        }
        return plain


_PLAIN = QuestionModel()


def people_model(
    section: Mapping[str, Any], *, where: str, start: PeopleModel | None = None
) -> PeopleModel:
    """Return the model that the section [people] declares; raise on values that make none.

    Args:
        section: The entries; those that are as usual leave what `start` says.
        where: The file, for errors.
        start: What a pilot shows; the usual values without one.
    """
    place = f"{where}: [people]"
    for key in section:
        if key not in PEOPLE:
            raise StudyError(f"{place}: {UnknownName('key', key, PEOPLE)}")
    _check_numbers(section, place)
    base = start or PeopleModel()
    said = {
        key: value
        for key, value in section.items()
        if key not in ("pilot", "questions") and value is not None
        if start is None or value != PEOPLE[key]
    }
    if "effects" in said:
        said["effects"] = _effects(said["effects"], f"{place} effects")
    if "rounding" in said:
        _check_rounding(_entries(said["rounding"], f"{place} rounding"), f"{place} rounding")
    if "appeal" in said:
        _check_appeal(_entries(said["appeal"], f"{place} appeal"), f"{place} appeal")
    own = {
        name: _question(entry, base.questions.get(name, _PLAIN), f"{place} questions.{name}")
        for name, entry in _entries(section.get("questions"), f"{place} questions").items()
    }
    return replace(base, **said, questions={**base.questions, **own})


def _check_numbers(section: Mapping[str, Any], place: str) -> None:
    limits = {
        **dict.fromkeys(_SPREADS, (0.0, 10.0)),
        **dict.fromkeys(_SHARES, (0.0, 1.0)),
        **dict.fromkeys(_POSITIVE, (0.01, 3600.0)),
        "seconds_per_word": (0.0, 60.0),
        "ends": (0.0, 0.45),
        "effect": (-10.0, 10.0),
    }
    for key, (low, high) in limits.items():
        value = section.get(key, low)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise StudyError(f"{place} {key} must be a number; got {value!r}.")
        if not low <= value <= high:
            raise StudyError(f"{place} {key} must lie between {low:g} and {high:g}; got {value:g}.")


def _effects(raw: object, place: str) -> Effects:
    usage = f"{place} maps a column to its levels, as condition = {{ a = 0.5, b = -0.5 }}"
    if not isinstance(raw, Mapping):
        raise StudyError(f"{usage}; got {raw!r}.")
    for column, levels in raw.items():
        if not isinstance(levels, Mapping) or not all(_is_number(one) for one in levels.values()):
            raise StudyError(f"{usage}; got {column} = {levels!r}.")
        wrong = [level for level in levels if level.count(":") != column.count(":")]
        if wrong:
            raise StudyError(
                f"{place}: {wrong[0]!r} must name one level for each column of {column!r}, "
                "separated by colons."
            )
    return {name: {key: float(one) for key, one in levels.items()} for name, levels in raw.items()}


def _entries(raw: object, place: str) -> Mapping[str, Any]:
    if raw is not None and not isinstance(raw, Mapping):
        raise StudyError(f"{place} is a table; got {raw!r}.")
    return raw or {}


def _check_rounding(raw: Mapping[str, Any], place: str) -> None:
    for grid, share in raw.items():
        if not grid.isdigit() or not 1 <= int(grid) <= 50 or not _is_number(share) or share < 0:
            raise StudyError(
                f'{place} maps 1 to 50 percent of the scale to a share of people, as "10" = 0.4; '
                f"got {grid} = {share!r}."
            )
    if raw and abs(sum(raw.values()) - 1) > 1e-6:
        raise StudyError(f"{place}: the shares must sum to 1; got {sum(raw.values()):g}.")


def _check_appeal(raw: Mapping[str, Any], place: str) -> None:
    for condition, pair in raw.items():
        good = isinstance(pair, list | tuple) and len(pair) == 2 and all(map(_is_number, pair))
        if not good or min(pair) <= 0:
            raise StudyError(
                f"{place}: {condition!r} needs the two numbers above 0 of a Beta distribution; "
                f"got {pair!r}."
            )


def _question(raw: object, before: QuestionModel, place: str) -> QuestionModel:
    known = [one.name for one in fields(QuestionModel)]
    if not isinstance(raw, Mapping):
        raise StudyError(f"{place} is a table with {', '.join(known)}; got {raw!r}.")
    for key in raw:
        if key not in known:
            raise StudyError(f"{place}: {UnknownName('key', key, known)}")
    said: dict[str, Any] = dict(raw)
    if said.get("direction", 1) not in (-1, 0, 1):
        raise StudyError(f"{place}: direction is 1 or -1; got {said['direction']!r}.")
    for key in ("shares", "quantiles"):
        if key in said:
            said[key] = _numbers(said[key], f"{place}: {key}")
    shares = said.get("shares", ())
    if shares and (min(shares) < 0 or abs(sum(shares) - 1) > 1e-6):
        raise StudyError(f"{place}: shares must not be negative and sum to 1; got {list(shares)}.")
    if list(said.get("quantiles", ())) != sorted(said.get("quantiles", ())):
        raise StudyError(f"{place}: quantiles must not decrease.")
    if "effects" in said:
        said["effects"] = _effects(said["effects"], f"{place} effects")
    return replace(before, **said)


def _numbers(raw: object, place: str) -> tuple[float, ...]:
    if not isinstance(raw, list | tuple) or len(raw) < 2 or not all(map(_is_number, raw)):
        raise StudyError(f"{place} must be a list of at least two numbers; got {raw!r}.")
    return tuple(float(one) for one in raw)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
