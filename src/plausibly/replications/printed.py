"""A number as it is printed, and how far from it a recomputed one may lie.

The tolerance follows from the printed digits and words alone:

- A number is printed to a unit, the place of its last digit: 8.9 to a tenth, 68.98 % to a
  hundredth of a percent, 1,733 to one. What lies within half a unit of it is **exact**; what lies
  within a whole unit, as a number that was cut and not rounded does, is **rounding**; the rest is
  an **erratum**.
- A percentage in round tens, printed without decimals, is a round figure: up to five points are
  rounding. None and all (0 % and 100 %) are not round figures.
- "About" makes the last digit that is not zero the uncertain one, though never by more than a
  tenth of the number: about 15 % is 14.5 to 15.5 %, about 40K is 36,000 to 44,000.
- "More than", "over", "at least", "less than" and "at most" are bounds: they hold or they do not.
- "Most" is a share above one half.
- Anything else, names, lists and tables, is compared for equality, numbers in it by their digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import isclose
from operator import ge, gt, le, lt
from typing import Literal

Value = float | int | str | None | list["Value"] | dict[str, "Value"]
Agreement = Literal["exact", "rounding", "erratum"]

NUMBER = re.compile(
    r"(?:(?P<word>about|more than|over|at least|less than|at most) )?"
    r"(?P<number>-?\d[\d,]*(?:\.\d+)?)(?P<times>K| thousand| million)?(?P<percent> ?%)?"
)
BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "more than": gt,
    "over": gt,
    "at least": ge,
    "less than": lt,
    "at most": le,
}
TIMES = {"K": 1000, " thousand": 1000, " million": 1_000_000}
MOST = "most"
ROUND_FIGURE = Decimal("0.05")
ORDER: tuple[Agreement, ...] = ("exact", "rounding", "erratum")


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A printed number: its value, the unit it is printed to and the word before it."""

    value: Decimal
    unit: Decimal
    word: str
    percent: bool

    def agreement(self, recomputed: float) -> Agreement:
        """Return how a recomputed number agrees with the printed one."""
        if self.word in BOUNDS:
            return "exact" if BOUNDS[self.word](recomputed, float(self.value)) else "erratum"
        exact, rounding = self._tolerances()
        distance = abs(recomputed - float(self.value))
        slack = 1e-9 * max(1.0, abs(float(self.value)))
        if distance <= float(exact) + slack:
            return "exact"
        return "rounding" if distance < float(rounding) - slack else "erratum"

    def _tolerances(self) -> tuple[Decimal, Decimal]:
        """Return how far an exact number and one that was cut may lie away."""
        half = self.unit / 2
        if self.word == "about":
            half = max(half, min(self._round_unit() / 2, abs(self.value) / 10))
        whole = 2 * half
        tens = self.percent and self.unit == Decimal("0.01") and self.value % Decimal("0.1") == 0
        if tens and 0 < self.value < 1:
            whole = max(whole, ROUND_FIGURE + self.unit / 1000)
        return half, whole

    def _round_unit(self) -> Decimal:
        """Return the place of the last digit that is not zero."""
        return Decimal(1).scaleb(_exponent(self.value.normalize())) if self.value else self.unit


def parsed(text: str) -> PrintedNumber | None:
    """Return the number a printed text is, or None for a name.

    >>> parsed("about 15 %").agreement(0.1505), parsed("8.9").agreement(8.985)
    ('exact', 'rounding')
    >>> parsed("more than 500").agreement(500), parsed("subject-verb-object")
    ('erratum', None)
    """
    match = NUMBER.fullmatch(text)
    if match is None:
        return None
    value = Decimal(match["number"].replace(",", ""))
    unit = Decimal(1).scaleb(_exponent(value))
    scale = Decimal(TIMES.get(match["times"] or "", 1)) / (100 if match["percent"] else 1)
    return PrintedNumber(value * scale, unit * scale, match["word"] or "", bool(match["percent"]))


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def value_of(printed: Value) -> Value:
    """Return what a printed text stands for: a number where it is one, percent as a fraction.

    >>> value_of("68.98 %"), value_of("1,733"), value_of("more than 16 thousand"), value_of("most")
    (0.6898, 1733, 16000, 'most')
    """
    if isinstance(printed, list):
        return [value_of(inner) for inner in printed]
    if isinstance(printed, dict):
        return {key: value_of(inner) for key, inner in printed.items()}
    number = parsed(printed) if isinstance(printed, str) else None
    if number is None:
        return printed
    whole = number.value == number.value.to_integral_value() and number.unit >= 1
    return int(number.value) if whole else float(number.value)


def agreement(printed: Value, recomputed: Value) -> Agreement:
    """Return how a recomputed value agrees with a printed one, part by part; the worst part counts.

    >>> agreement("8.9", 8.985), agreement(["1.50", "2.0"], [1.504, 2.0]), agreement("most", 4 / 7)
    ('rounding', 'exact', 'exact')
    """
    if isinstance(printed, list) and isinstance(recomputed, list):
        same = len(printed) == len(recomputed)
        return _worst(zip(printed, recomputed, strict=True)) if same else "erratum"
    if isinstance(printed, dict) and isinstance(recomputed, dict):
        same = printed.keys() == recomputed.keys()
        pairs = ((inner, recomputed.get(key)) for key, inner in printed.items())
        return _worst(pairs) if same else "erratum"
    if isinstance(recomputed, int | float):
        return _of_number(printed, float(recomputed))
    return "exact" if printed == recomputed else "erratum"


def _worst(pairs: Iterable[tuple[Value, Value]]) -> Agreement:
    return max((agreement(*pair) for pair in pairs), key=ORDER.index, default="exact")


def _of_number(printed: Value, recomputed: float) -> Agreement:
    if printed == MOST:
        return "exact" if recomputed > 0.5 else "erratum"
    if isinstance(printed, float):
        return "exact" if isclose(printed, recomputed, abs_tol=5e-13) else "erratum"
    number = parsed(str(printed))
    return "erratum" if number is None else number.agreement(recomputed)
