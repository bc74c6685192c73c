"""Rows of docs/results/sp10k.md for language models whose predictions were not kept.

docs/make_results.py cannot recompute them; rows that are passed with --asked replace them.
"""

from __future__ import annotations

from collections.abc import Iterator

ABOUT = """\
`plausibly ask sp10k` with the weights of smollm2 and gemma3-270m. The predictions were not kept,
so these rows cannot be restricted to common heads, and their heads and n are unknown.
"""
# (model, measure, half): the values in the order dobj, nsubj, amod, dobj_amod, nsubj_amod.
ROWS = {
    ("smollm2", "Inside heads, mean", "all"): (
        "0.247 (0.198, 0.296)",
        "0.266 (0.218, 0.314)",
        "0.341 (0.293, 0.385)",
        "0.221 (0.171, 0.270)",
        "-0.023 (-0.073, 0.028)",
    ),
    ("gemma3-270m", "Inside heads, mean", "all"): (
        "0.564 (0.525, 0.599)",
        "0.270 (0.225, 0.315)",
        "0.254 (0.203, 0.299)",
        "0.183 (0.137, 0.230)",
        "0.122 (0.075, 0.170)",
    ),
    ("smollm2", "Over all pairs", "all"): (
        "0.286 (0.245, 0.326)",
        "0.277 (0.231, 0.320)",
        "0.334 (0.292, 0.376)",
        "0.216 (0.175, 0.257)",
        "-0.051 (-0.095, -0.003)",
    ),
    ("gemma3-270m", "Over all pairs", "all"): (
        "0.604 (0.574, 0.632)",
        "0.294 (0.256, 0.333)",
        "0.250 (0.207, 0.291)",
        "0.221 (0.177, 0.263)",
        "0.068 (0.027, 0.110)",
    ),
}


def earlier(names: set[str], order: tuple[str, ...]) -> Iterator[str]:
    """Yield the section of the page, without the models whose rows were made again."""
    rows = {key: cells for key, cells in ROWS.items() if key[0] not in names}
    if not rows:
        return
    yield f"## Language models asked for the pairs\n\n{ABOUT}"
    lines = ["| model | measure | pairs | " + " | ".join(order) + " |"]
    lines.append("|" + "---|" * (len(order) + 3))
    lines += ["| " + " | ".join([*key, *cells]) + " |" for key, cells in rows.items()]
    yield "\n".join(lines) + "\n"
