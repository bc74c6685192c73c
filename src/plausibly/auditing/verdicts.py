"""From the numbers of an audit to verdicts, by rules that a file holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from plausibly.auditing.findings import AuditFinding, Section, spaced
from plausibly.errors import StudyError
from plausibly.io import parse_toml, read_settings

FILE = "verdicts.toml"
Answer = Literal["yes", "with care", "no", "cannot be told"]
ANSWERS: tuple[Answer, ...] = ("yes", "with care", "no", "cannot be told")
RATINGS_MISSING = "The single ratings were not released, so this cannot be determined."
CERTAIN = 0.999
SHOWN_QUESTIONS = 3


@dataclass(frozen=True, slots=True)
class VerdictRule:
    """One rule of verdicts.toml; see there."""

    asks: str
    evidence: str
    scope: str
    measure: str
    use: str
    better: str
    yes: float
    with_care: float
    because: str
    percent: bool = False
    needs: Mapping[str, float] = field(default_factory=dict)
    care_if: Sequence[str] = ()
    no_if: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of a file."""

    verdicts: Mapping[str, VerdictRule]
    numbers: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    """What the ratings support, for one use.

    Args:
        use: What for: means, ranking, labels …
        verdict: yes, with care, no, or cannot be told.
        because: Why, in a sentence.
        evidence: The section of the page that shows it.
        question: The question it is about; None for all of them.
    """

    use: str
    verdict: Answer
    because: str
    evidence: str
    question: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as `audit --json` prints it."""
        own = {} if self.question is None else {"question": self.question}
        return {
            "for": self.use,
            "verdict": self.verdict,
            "because": self.because,
            "evidence": self.evidence,
            **own,
        }


def read_rules(path: Path | None = None) -> Rules:
    """Return the rules of a file, or ours."""
    if path is None:
        text = (files(__package__) / FILE).read_text(encoding="utf-8")
        return _rules(parse_toml(text, where=FILE), FILE)
    return _rules(parse_toml(read_settings(path), where=path), str(path))


def _rules(document: Mapping[str, Any], source: str) -> Rules:
    known = {one.name for one in fields(VerdictRule)}
    rules: dict[str, VerdictRule] = {}
    for place, table in enumerate(document.get("verdict", []), start=1):
        own = dict(table)
        name = own.pop("for", None)
        unknown = sorted(set(own) - known)
        missing = sorted({"asks", "evidence", "measure", "yes", "with_care", "because"} - set(own))
        if name is None or unknown or missing:
            what = "no 'for'" if name is None else f"unknown key {unknown[0]!r}" if unknown else ""
            raise StudyError(
                f"{source}: verdict {place}: {what or f'no {missing[0]!r}'}. "
                "Copy the file that comes with plausibly, and change its numbers.",
                parameter="verdicts",
            )
        usual = {"scope": "question", "use": "value", "better": "higher"}
        rules[str(name)] = VerdictRule(**{**usual, **own})
    ours = {} if source == FILE else read_rules().numbers
    numbers = {**ours, **document.get("numbers", {})}
    wrong = next((n for n, v in numbers.items() if not isinstance(v, int | float)), None)
    strange = next((name for name in numbers if ours and name not in ours), wrong)
    if strange is not None or not rules:
        what = "no [[verdict]]" if not rules else f"[numbers] {strange} is unknown or not a number"
        raise StudyError(f"{source}: {what}.", parameter="verdicts")
    return Rules(rules, numbers)


def decide(rule: VerdictRule, sections: Section, flags: Mapping[str, str]) -> tuple[Answer, str]:
    """Return the verdict of one rule and why.

    Args:
        rule: The rule.
        sections: The numbers it looks at.
        flags: From a finding or fact to the sentence that says so.
    """
    measure = _at(sections, rule.measure)
    if measure is None:
        return "cannot be told", RATINGS_MISSING
    if measure.get("value") is None:
        return measure.get("verdict", "cannot be told"), _sentence(measure.get("reason"))
    answer = _graded(rule, measure)
    because = _because(rule, measure)
    for path, least in rule.needs.items():
        number = _at(sections, path)
        value = None if number is None else number["value"]
        if value is not None and value < least:
            answer, because = "no", f"{_needed(path, value, least)} {because}"
    for names, worst in ((rule.care_if, "with care"), (rule.no_if, "no")):
        for name in (one for one in names if one in flags):
            if ANSWERS.index(answer) < ANSWERS.index(worst):
                answer, because = worst, f"{because} {flags[name]}"  # type: ignore[assignment]
    return answer, because


def _graded(rule: VerdictRule, measure: Mapping[str, Any]) -> Answer:
    """Return the verdict of a number; without an interval, care is needed at best."""
    value, number = measure["value"], measure.get(rule.use)
    certain = number is not None or (rule.better == "higher" and value >= CERTAIN)
    shown = value if number is None else number
    sign = 1 if rule.better == "higher" else -1
    if sign * shown >= sign * rule.yes - 1e-9:
        return "yes" if certain else "with care"
    return "with care" if sign * shown >= sign * rule.with_care - 1e-9 else "no"


def _because(rule: VerdictRule, measure: Mapping[str, Any]) -> str:
    low, high = measure.get("low"), measure.get("high")
    form = ".0%" if rule.percent else ".2f"
    interval = ""
    if low is not None and high is not None:
        interval = f" (95 % interval {format(low, form)} to {format(high, form)})"
    limits = {"yes": rule.yes, "with_care": rule.with_care}
    points = {f"{name}_points": 100 * limit for name, limit in limits.items()}
    points["points"] = 100 * measure["value"]
    facts = {**measure, "interval": interval, **limits, **points}
    try:
        return spaced(rule.because.format(**facts))
    except (KeyError, ValueError, IndexError) as error:
        raise StudyError(
            f"verdicts: the sentence {rule.because!r} cannot be filled in ({error}).",
            parameter="verdicts",
        ) from error


def _needed(path: str, value: float, least: float) -> str:
    name = path.split(".")[-2 if path.endswith(("median", "value")) else -1].replace("_", " ")
    return f"At least {least:g} {name} are needed, and there are {value:g}."


def _at(sections: Section, path: str) -> dict[str, Any] | None:
    """Return the measure at a dotted path, a plain number as one with only a value."""
    found: Any = sections
    for part in path.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return None
        found = found[part]
    return dict(found) if isinstance(found, Mapping) else {"value": found}


def _sentence(reason: object) -> str:
    text = str(reason or "This cannot be determined")
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def flags_of(findings: Iterable[AuditFinding], question: str | None) -> dict[str, str]:
    """Return from a kind of finding to its sentence: serious ones, of a question or of all."""
    return {
        one.kind: one.message
        for one in reversed([*findings])  # the first of a kind counts: serious ones come first
        if one.question in (None, question)
        and (one.severity == "serious" or one.evidence in ("publishing", "conditions"))
    }


def merged(use: str, verdicts: Collection[AuditVerdict]) -> AuditVerdict:
    """Return the verdict on several questions: the least favourable, with how many share it."""
    open_ = len(ANSWERS) - 1  # "cannot be told" is worse than none of the others
    ranks = {one: (place + 1) % (open_ + 1) for place, one in enumerate(ANSWERS)}
    worst = max(verdicts, key=lambda one: ranks[one.verdict])
    if len(verdicts) == 1:
        return AuditVerdict(use, worst.verdict, worst.because, worst.evidence)
    same = [str(one.question) for one in verdicts if one.verdict == worst.verdict]
    same.remove(str(worst.question))
    others = [f"{one.question}: {one.verdict}" for one in verdicts if one.verdict != worst.verdict]
    also = f" The verdict is the same for {_some(same)}." if same else ""
    rest = f" Other verdicts: {_some(others)}." if others else ""
    because = f"{worst.question}: {worst.because}{also}{rest}"
    return AuditVerdict(use, worst.verdict, because, worst.evidence)


def _some(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are.

    >>> _some(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(names) - SHOWN_QUESTIONS
    return ", ".join(names[:SHOWN_QUESTIONS]) + (f" and {more} more" if more > 0 else "")
