"""Colours that anyone can tell apart: of labels, of answers in an order, and grey for undecided."""

from __future__ import annotations

from collections.abc import Sequence

# Okabe and Ito's palette (2008), without its black and its yellow.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
GREY = "#646a72"  # darker than pink and green, which some people see as grey
OPEN = "undecided"
WITHOUT_LABEL = frozenset({OPEN, "no label", "unsure"})  # the last is the word of PAP's figures
MIDDLE = (201, 206, 212)
ENDS = ((213, 94, 0), MIDDLE, (0, 114, 178))  # from vermillion over grey to blue
LONG = ((110, 40, 0), ENDS[0], MIDDLE, ENDS[2], (0, 46, 78))  # the same from dark to dark
SHORT = 7  # steps up to which the ends are not darkened


def ramp(size: int) -> list[str]:
    """Return colours in an order, from the least answer to the greatest.

    >>> ramp(3)
    ['#d55e00', '#c9ced4', '#0072b2']
    """
    stops = ENDS if size <= SHORT else LONG
    colours = []
    for rank in range(size):
        place = (len(stops) - 1) * rank / max(size - 1, 1)
        part = min(int(place), len(stops) - 2)
        mixed = [
            round(a + (b - a) * (place - part))
            for a, b in zip(stops[part], stops[part + 1], strict=True)
        ]
        colours.append("#" + "".join(f"{one:02x}" for one in mixed))
    return colours


def palette(names: Sequence[str], *, ordered: bool = False) -> dict[str, str]:
    """Return the colour of each name: grey without a label, a ramp for an order or for very many.

    >>> palette(["yes", "no", "undecided"])
    {'yes': '#0072b2', 'no': '#d55e00', 'undecided': '#646a72'}
    """
    labels = [name for name in names if name not in WITHOUT_LABEL]
    in_order = (ordered and len(labels) > 2) or len(labels) > len(COLOURS)
    colours = ramp(len(labels)) if in_order else list(COLOURS)
    known = dict(zip(labels, colours, strict=False))
    return {name: known.get(name, GREY) for name in names}
