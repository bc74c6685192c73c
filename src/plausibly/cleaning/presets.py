"""Rules as data: the presets of the package and the RULES.toml of a user have one form."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.cleaning.rule import KEY, Context, Rule
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io import parse_toml, read_settings
from plausibly.registry import PROTOCOLS, Registry, called
from plausibly.study.parameters import check_attempts, check_parameters, check_value
from plausibly.study.protocol_folder import rules_of

RECOMMENDED = ("recommended", "recommended-competence")
"""Presets for any study; those of a paper come with its protocol."""

Factory = Callable[..., Rule]

_PLACES = {
    "probes": ("failed_check", "failed_attention", "off_gold"),
    "answers": (
        "unmoved_slider",
        "too_fast",
        "straight_lining",
        "duplicate_answers",
        "few_ratings_per_item",
    ),
    "people": (
        "few_ratings",
        "too_many_items",
        "against_label",
        "low_approval",
        "low_agreement",
        "low_competence",
        "unsure_share",
        "refused_by_platform",
    ),
    "platform": ("few_approved_tasks", "unqualified"),
}
RULES: Registry[Factory] = Registry(
    "rule",
    {
        name: f"plausibly.cleaning.{module}:{name}"
        for module, names in _PLACES.items()
        for name in names
    },
    group="plausibly.rules",
)

_PRESET_KEYS: dict[str, Any] = {
    "title": str,
    "source": str,
    "complete": bool,
    "note": str,
    "sides": str,
    "conditions": Mapping[str, str],
}
_RULE_KEYS = {"rule": str, "row": str, "source": str}
_TRY = "try"


@dataclass(frozen=True)
class RuleSpec:
    """One rule as it is written down.

    Args:
        rule: Name of the rule.
        parameters: Its thresholds and choices.
        row: What its row of the cascade is called; rows of one name are shown as one.
        source: Where the threshold is published.
        attempts: From parameter to other values a multiverse tries.
        ready: The rule itself, where somebody passed it.
    """

    rule: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    row: str = ""
    source: str = ""
    attempts: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    ready: Rule | None = None

    def build(self) -> Rule:
        """Return the rule itself; raise if a parameter is unknown or wrong."""
        if self.ready is not None:
            return self.ready
        factory = RULES[self.rule]
        check_parameters(self.rule, factory, self.parameters)
        check_attempts(self.rule, factory, self.attempts)
        try:
            return factory(**self.parameters)
        except TypeError as error:
            raise StudyError(f"rule {self.rule}: {error}.") from error
        except StudyError as error:
            raise StudyError(f"rule {self.rule}: {error}") from error

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{self.rule}({given})"


@dataclass(frozen=True)
class Preset:
    """Rules in the order they apply, with where they come from.

    Args:
        name: Name of the preset.
        rules: In the order they apply.
        title: What it is called.
        source: Where it is published.
        sides: Answers that count as one.
        complete: Whether these are all the rules of the paper.
        note: A remark about the rules, shown with the result.
        conditions: From the paper's name of a condition to ours, where they differ.
    """

    name: str
    rules: tuple[RuleSpec, ...]
    title: str = ""
    source: str = ""
    sides: str | None = None
    complete: bool = True
    note: str = ""
    conditions: Mapping[str, str] = field(default_factory=dict)

    def build(self) -> tuple[Rule, ...]:
        """Return the rules themselves, in order."""
        return tuple(spec.build() for spec in self.rules)


Flagging = Callable[[pl.DataFrame], pl.DataFrame]


def rules_passed(rules: Sequence[Rule | Flagging]) -> Preset:
    """Return rules that were passed as objects, in their order, as a preset.

    Args:
        rules: Rules, or functions from ratings to those they flag.

    >>> rules_passed([lambda ratings: ratings.head(0)]).rules[0].build().name
    '<lambda>'
    """
    if not isinstance(rules, Sequence):
        what = f"{option('preset')} must be a name, a path or a list of rules; got {rules!r}."
        raise StudyError(what, parameter="preset")
    ready = [one if isinstance(one, Rule) else _flagging(one) for one in rules]
    specs = (RuleSpec(rule.name, row=rule.name, ready=rule) for rule in ready)
    return Preset("passed", tuple(specs), title="Rules passed as functions")


def _flagging(function: Flagging) -> Rule:
    name = called(function)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        del context
        flagged = function(ratings)
        if not isinstance(flagged, pl.DataFrame) or not set(KEY) <= set(flagged.columns):
            raise StudyError(f"rule {name} must return the ratings it flags: {', '.join(KEY)}.")
        reason = [] if "reason" in flagged.columns else [pl.lit(name).alias("reason")]
        return flagged.with_columns(*reason).select(*KEY, "reason")

    return Rule(name, find)


def load_preset(name: str | Path | Sequence[Rule | Flagging]) -> Preset:
    """Return a preset by name, the one of a TOML file, or rules that were passed.

    A name is one of `RECOMMENDED`, or a protocol's, with the variant of its rules: pap, pap-text.
    """
    if not isinstance(name, str | Path):
        return rules_passed(name)
    if str(name) in RECOMMENDED:
        text = (resources.files("plausibly.cleaning") / f"{name}.toml").read_text("utf-8")
        return parse_preset(text, name=str(name))
    path = Path(name)
    if path.suffix != ".toml":
        return preset_of(_published(str(name)), name=str(name))
    text = read_settings(path)
    try:
        return parse_preset(text, name=path.stem)
    except (StudyError, UnknownName) as error:
        raise StudyError(f"{path}: {error}") from error


def _published(name: str) -> Mapping[str, Any]:
    """Return the rules that come with a protocol."""
    protocol, _, variant = name.partition("-")
    rules = rules_of(protocol) if protocol in PROTOCOLS else {}
    if variant not in rules:
        raise UnknownName("preset", name, (*preset_names(), "RULES.toml"))
    return rules[variant]


def preset_names() -> tuple[str, ...]:
    """Return the names of all presets: those of the protocols, then those for any study."""
    published = [
        "-".join(filter(None, (protocol, variant)))
        for protocol in PROTOCOLS
        for variant in sorted(rules_of(protocol))
    ]
    return (*published, *RECOMMENDED)


def parse_preset(text: str, *, name: str) -> Preset:
    """Return the preset a TOML text writes down; what is unknown or of a wrong type raises."""
    return preset_of(parse_toml(text, where="rules"), name=name)


def preset_of(document: Mapping[str, Any], *, name: str) -> Preset:
    """Return the preset a document describes; what is unknown or of a wrong type raises."""
    _only(document, (*_PRESET_KEYS, "rules"), "key of a preset")
    _typed(document, _PRESET_KEYS, "")
    written = document.get("rules", [])
    if not isinstance(written, list) or not written:
        raise StudyError("there are no rules. Write each under its own [[rules]].")
    if not all(isinstance(rule, dict) for rule in written):
        raise StudyError("a rule that is not a table. Write each under its own [[rules]].")
    rules = tuple(_spec(rule) for rule in written)
    preset = Preset(name, rules, **{k: v for k, v in document.items() if k != "rules"})
    preset.build()
    return preset


def _spec(written: Mapping[str, Any]) -> RuleSpec:
    if "rule" not in written:
        raise StudyError(f'a rule without a name: add rule = "…". Known: {", ".join(RULES)}.')
    name = written["rule"]
    check_value("rule", str, name)
    _only(
        written, (*_RULE_KEYS, _TRY, *inspect.signature(RULES[name]).parameters), f"key of {name}"
    )
    _typed(written, _RULE_KEYS, f"{name}: ")
    attempts = written.get(_TRY, {})
    if not isinstance(attempts, dict):
        raise StudyError(
            f"{name}: try must be a table of parameters with lists of values; got {attempts!r}."
        )
    parameters = {k: v for k, v in written.items() if k not in (*_RULE_KEYS, _TRY)}
    return RuleSpec(
        rule=name,
        parameters=parameters,
        row=written.get("row", called(name)),
        source=written.get("source", ""),
        attempts=attempts,
    )


def _typed(document: Mapping[str, Any], kinds: Mapping[str, Any], where: str) -> None:
    for key, kind in kinds.items():
        if key in document:
            check_value(f"{where}{key}", kind, document[key])


def _only(document: Mapping[str, Any], known: Sequence[str], kind: str) -> None:
    for key in document:
        if key not in known:
            raise UnknownName(kind, key, known)
