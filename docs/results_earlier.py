"""Rows of docs/results/sp10k.md that an earlier run made, and what they cannot be compared with.

The predictions of that run are not available, so docs/make_results.py cannot recompute its rows.
Rows that are passed with --asked replace these.
"""

from __future__ import annotations

from collections.abc import Iterator

ABOUT = """`plausibly ask sp10k` made these rows on 16 November 2026 with the weights of smollm2 and
gemma3-270m; they are not part of the tables above. That run recorded neither the heads used nor n,
and its predictions are not available, so its rows cannot be restricted to the common heads,
and n is unknown.
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
    ("smollm2", "Inside heads, mean", "frequent"): (
        "0.140 (0.052, 0.222)",
        "0.174 (0.083, 0.263)",
        "0.013 (-0.072, 0.105)",
        "0.129 (0.037, 0.221)",
        "0.093 (0.000, 0.184)",
    ),
    ("gemma3-270m", "Inside heads, mean", "frequent"): (
        "0.194 (0.104, 0.280)",
        "0.072 (-0.023, 0.162)",
        "0.018 (-0.079, 0.112)",
        "0.078 (-0.015, 0.170)",
        "0.106 (0.013, 0.196)",
    ),
    ("smollm2", "Inside heads, mean", "random"): (
        "0.054 (-0.038, 0.146)",
        "-0.019 (-0.107, 0.070)",
        "0.119 (0.031, 0.207)",
        "0.047 (-0.043, 0.136)",
        "-0.008 (-0.099, 0.084)",
    ),
    ("gemma3-270m", "Inside heads, mean", "random"): (
        "0.242 (0.146, 0.324)",
        "0.107 (0.019, 0.207)",
        "0.239 (0.156, 0.323)",
        "0.159 (0.074, 0.249)",
        "0.059 (-0.034, 0.152)",
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
    ("smollm2", "Over all pairs", "frequent"): (
        "0.155 (0.090, 0.217)",
        "0.221 (0.158, 0.285)",
        "0.099 (0.037, 0.166)",
        "0.121 (0.055, 0.185)",
        "0.027 (-0.035, 0.095)",
    ),
    ("gemma3-270m", "Over all pairs", "frequent"): (
        "0.397 (0.345, 0.450)",
        "0.168 (0.106, 0.229)",
        "-0.015 (-0.082, 0.051)",
        "0.156 (0.093, 0.220)",
        "0.016 (-0.048, 0.076)",
    ),
    ("smollm2", "Over all pairs", "random"): (
        "0.156 (0.094, 0.215)",
        "0.103 (0.039, 0.163)",
        "0.156 (0.092, 0.221)",
        "0.100 (0.037, 0.161)",
        "-0.002 (-0.070, 0.067)",
    ),
    ("gemma3-270m", "Over all pairs", "random"): (
        "0.303 (0.251, 0.360)",
        "0.224 (0.164, 0.279)",
        "0.234 (0.181, 0.291)",
        "0.246 (0.187, 0.302)",
        "0.071 (0.019, 0.127)",
    ),
}


def earlier(names: set[str], order: tuple[str, ...]) -> Iterator[str]:
    """Yield the section of the page, without the models whose rows were made again."""
    rows = {key: cells for key, cells in ROWS.items() if key[0] not in names}
    if not rows:
        return
    yield f"## An earlier run: language models asked for the pairs\n\n{ABOUT}"
    lines = ["| model | measure | pairs | " + " | ".join(order) + " |"]
    lines.append("|" + "---|" * (len(order) + 3))
    lines += ["| " + " | ".join([*key, *cells]) + " |" for key, cells in rows.items()]
    yield "\n".join(lines) + "\n"
