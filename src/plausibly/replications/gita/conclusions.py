"""GITA4CALAMITA section 4: what the text concludes from Table 3, and whether its cells add up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from plausibly.replications.claims import Claims
from plausibly.replications.gita.release import GitaRelease
from plausibly.replications.gita.table3 import table3_scores
from plausibly.replications.grim import by_chance, passed
from plausibly.replications.printed import Value

TOTAL = 356
ONE_STORY = 1 / 122  # a smaller difference is none
UNIT = 0.0001  # two decimals of a percent
TIERS = ("accuracy", "consistency", "verifiability")
SMALLER = {"27b": "9b", "70B": "8B"}
INSTRUCTED = ("-it", "-Instruct")
LLAMA = "Meta-Llama-3.1-70B"
LEANING = ("gemma-2-9b", "gemma-2-27b")
Rows = dict[str, dict[str, float]]


# Stories the authors' scorer divides by, which finds groups by the letter in example_id.
SCORER = {
    "plausible": 119,
    "order": 122,
    "cloze": 115,
    "implausible": 238,
    "implausible_order": 121,
}


def conclusions(release: GitaRelease, claims: Claims) -> dict[str, Value]:
    """Return what follows from the printed cells of Table 3 alone."""
    rows = _rows(claims)
    larger, instructed = _compared(rows, _smaller), _compared(rows, _base)
    better = [
        row["accuracy_plausible"] < min(row["accuracy_cloze"], row["accuracy_order"])
        for row in rows.values()
    ]
    return {
        "gita.text.cloze_below_order": [*sorted(_cloze_below_order(rows))],
        "gita.text.better_than_plausible": sum(better) / len(better),
        "gita.text.gemma_falls": [*sorted(_falling(rows))],
        "gita.text.gemma_sizes": [*sorted({_size(name) for name in rows if "gemma" in name})],
        "gita.text.larger": _counted(larger),
        "gita.text.larger_worse": [*sorted(name for name in larger if not _leads(larger[name]))],
        "gita.text.instructed": _counted(instructed),
        "gita.text.instructed_better": sum(map(_leads, instructed.values())) / len(instructed),
        "gita.text.rises_with_70b": [*_rising(rows)],
        **{f"gita.text.leaning.{name}": _leaning(rows[name]) for name in LEANING},
        **_of_llama(release, rows),
        **_grim(rows, claims),
    }


def _rows(claims: Claims) -> Rows:
    rows: Rows = {}
    for name, share in claims.numbers("gita.table3").items():
        model, _, metric = name.rpartition(".")
        rows.setdefault(model, {})[metric] = share
    return rows


def _cloze_below_order(rows: Rows) -> Iterator[str]:
    """Yield the cells in which order is above cloze by one story or more."""
    for model, row in rows.items():
        for tier in TIERS:
            if row[f"{tier}_order"] - row[f"{tier}_cloze"] >= ONE_STORY:
                yield f"{model} {tier}"


def _falling(rows: Rows) -> Iterator[str]:
    """Yield the sizes of Gemma 2 whose order accuracy falls with instruction tuning."""
    for model, row in rows.items():
        tuned = rows.get(f"{model}-it")
        if tuned and tuned["accuracy_order"] < row["accuracy_order"]:
            yield _size(model)


def _compared(rows: Rows, other: Callable[[str], str | None]) -> dict[str, dict[str, int]]:
    """Return in how many metrics each model is above and below another of Table 3."""
    pairs = {model: rows[name] for model in rows if (name := other(model)) and name in rows}
    return {
        model: {
            "above": sum(row[metric] > pair[metric] for metric in row),
            "below": sum(row[metric] < pair[metric] for metric in row),
        }
        for model, pair in pairs.items()
        for row in (rows[model],)
    }


def _counted(models: Mapping[str, Mapping[str, int]]) -> dict[str, Value]:
    counts: dict[str, Value] = {}
    for model, metrics in models.items():
        counts[model] = dict[str, Value](metrics)
    return counts


def _leads(metrics: Mapping[str, int]) -> bool:
    return metrics["above"] > metrics["below"]


def _smaller(model: str) -> str | None:
    """Return the name of the smaller model of the family."""
    return next((model.replace(a, b) for a, b in SMALLER.items() if a in model), None)


def _base(model: str) -> str | None:
    """Return the name of the model an instructed one was made from."""
    return next((model.removesuffix(end) for end in INSTRUCTED if model.endswith(end)), None)


def _of_llama(release: GitaRelease, rows: Rows) -> dict[str, Value]:
    """Return whether order accuracy falls from the 70B base model to the instructed one."""
    base = table3_scores(release, LLAMA).get("accuracy_order")
    if base is None:
        return {}
    change = rows[f"{LLAMA}-Instruct"]["accuracy_order"] - base
    return {"gita.text.llama_70b_order": "falls" if change < 0 else "rises"}


def _size(model: str) -> str:
    return model.split("-")[2].upper()


def _rising(rows: Rows) -> Iterator[str]:
    """Yield the overall metrics in which the instructed 70B model is above the 8B one."""
    large, small = rows[f"{LLAMA}-Instruct"], rows[f"{_smaller(LLAMA)}-Instruct"]
    yield from (tier for tier in TIERS if large[tier] > small[tier])


def _leaning(row: Mapping[str, float]) -> str:
    """Return the answer a model gives more often than is right, from its accuracies."""
    wrong = {
        "implausible": (1 - row["accuracy_plausible"]) * SCORER["plausible"],
        "plausible": sum(
            (1 - row[f"accuracy_{kind}"]) * SCORER[kind] for kind in ("order", "cloze")
        ),
    }
    return max(wrong, key=lambda answer: wrong[answer])


def _out_of(counts: Mapping[str, float]) -> dict[str, int]:
    """Return the number of stories each metric is out of, from the counts of stories."""
    implausible = counts.get("implausible", counts["order"] + counts["cloze"])
    sizes = {
        "accuracy": TOTAL,
        "accuracy_plausible": counts["plausible"],
        "accuracy_cloze": counts["cloze"],
        "accuracy_order": counts["order"],
    }
    for tier in TIERS[1:]:
        sizes[tier] = implausible
        sizes[f"{tier}_cloze"] = counts["cloze"]
        sizes[f"{tier}_order"] = counts.get("implausible_order", counts["order"])
    return {metric: int(n) for metric, n in sizes.items()}


def _grim(rows: Rows, claims: Claims) -> dict[str, Value]:
    """Return how many cells can be a whole number of stories out of each count of stories."""
    printed = _out_of(claims.numbers("gita.stories.by_type"))
    scorer = _out_of(SCORER)
    numbers: dict[str, Value] = {}
    for name, sizes in (("table2", printed), ("scorer", scorer)):
        cells = [(share, sizes[metric]) for row in rows.values() for metric, share in row.items()]
        numbers[f"gita.grim.{name}"] = passed(cells, unit=UNIT)
    apart = [n for metric, n in scorer.items() if n != printed[metric]]
    numbers["gita.grim.by_chance"] = max(by_chance(n, unit=UNIT) for n in apart)
    return numbers
