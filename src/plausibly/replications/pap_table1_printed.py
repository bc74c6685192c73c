"""The cells of PAP Table 1 as they are printed."""

from __future__ import annotations

from plausibly.replications.pap_release import COLUMNS, CONDITIONS

Cell = tuple[str, str, str, str]  # condition, column, constituent, letter of the level
Shares = dict[Cell, float]

LEVELS = {"concrete": "c", "mid-range": "m", "abstract": "a"}
HEADS = tuple((condition, column) for condition in CONDITIONS for column in COLUMNS)
COUNTS = dict(zip(HEADS, (622, 11, 229, 309, 46, 516), strict=True))
ROWS = {
    ("concrete", "subject"): (0.106, 0.182, 0.158, 0.100, 0.152, 0.144),
    ("concrete", "verb"): (0.109, 0.091, 0.162, 0.093, 0.116, 0.172),
    ("concrete", "object"): (0.100, 0.182, 0.070, 0.088, 0.159, 0.060),
    ("mid-range", "subject"): (0.115, 0.061, 0.129, 0.118, 0.058, 0.144),
    ("mid-range", "verb"): (0.115, 0.091, 0.034, 0.128, 0.072, 0.132),
    ("mid-range", "object"): (0.111, 0.061, 0.125, 0.111, 0.138, 0.042),
    ("abstract", "subject"): (0.113, 0.091, 0.148, 0.115, 0.123, 0.146),
    ("abstract", "verb"): (0.109, 0.152, 0.148, 0.112, 0.145, 0.129),
    ("abstract", "object"): (0.122, 0.091, 0.025, 0.134, 0.036, 0.031),
}
CELLS: Shares = {
    (condition, column, constituent, LEVELS[level]): row[place]
    for place, (condition, column) in enumerate(HEADS)
    for (level, constituent), row in ROWS.items()
}
DIGITS = 3
