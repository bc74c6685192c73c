"""`plausibly label`: from ratings to labels, by the method of your choice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import FILE, ratings_source, without_checks

if TYPE_CHECKING:
    import polars as pl

    from plausibly.domain import LabelScheme
    from plausibly.labels import Fitted
    from plausibly.ratings import Imported

COMPUTED = ("mean", "median")
MACE = ("mace",)
CLIMBING = ("dawid-skene", "glad", "one-coin")
BELONGS = {
    "min_share": ("strict-majority",),
    "at_least": ("agreed-by",),
    "iterations": (*MACE, *CLIMBING),
    **dict.fromkeys(("em", "restarts", "alpha", "beta", "smoothing", "backend"), MACE),
    **dict.fromkeys(("controls", "priors", "threshold"), MACE),
}


def _method(ctx: click.Context, parameter: click.Parameter, name: str) -> str:
    from plausibly.errors import UnknownName
    from plausibly.labels import METHODS

    if name not in METHODS:
        raise click.BadParameter(str(UnknownName("method", name, METHODS)), ctx, parameter)
    return name


def _scheme(ctx: click.Context, parameter: click.Parameter, name: str | None) -> LabelScheme | None:
    from plausibly.errors import UnknownName
    from plausibly.protocols import SCHEMES

    if name is None:
        return None
    try:
        return SCHEMES[name]
    except UnknownName as error:
        raise click.BadParameter(str(error), ctx, parameter) from error


def _option(name: str, **settings: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(f"--{name.replace('_', '-')}", name, **settings)


@click.command("label")
@ratings_source
@click.option("--method", required=True, callback=_method, metavar="NAME", help="Label method.")
@click.option("--scheme", callback=_scheme, metavar="NAME", help="From answers to labels.")
@_option("min_share", type=float, help="Share a strict majority needs (0.7).")
@_option("at_least", type=int, help="Annotators who must share a label (agreed-by).")
@_option("em", is_flag=True, default=None, help="MACE: expectation maximisation, not Bayes.")
@_option("restarts", type=int, help="MACE: random starts (10).")
@_option("iterations", type=int, help="Iterations: of a restart of MACE (50), at most (100).")
@_option("seed", type=int, default=1, show_default=True, help="What random starts are drawn from.")
@_option("alpha", type=float, help="MACE: prior on guessing (0.5).")
@_option("beta", type=float, help="MACE: prior on knowing (0.5).")
@_option("smoothing", type=float, help="MACE with --em: added to counts (0.01 / labels).")
@_option("backend", help="MACE: auto, numpy or numba (auto).")
@_option("controls", type=FILE, help="MACE: known labels, by line (mace form) or item,label.")
@_option("priors", type=FILE, help="MACE: label and weight on each line.")
@_option("threshold", type=float, help="MACE: label this share of items, surest first (1.0).")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Labels table to write."
)
@json_option
def command(
    file: Path,
    *,
    form: str,
    names: dict[str, str],
    method: str,
    scheme: LabelScheme | None,
    seed: int,
    output: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Label the items in FILE from their ratings.

    Ties go to the smallest label and are listed. Items without a clear label keep their row.
    """
    from plausibly.io import write_table
    from plausibly.labels import METHODS, Silent
    from plausibly.ratings import import_ratings
    from plausibly.tables import LABELS

    given = {name: value for name, value in options.items() if value is not None}
    _check_options(method, given)
    imported = import_ratings(file, form=form, names=names)
    found = METHODS[method](
        without_checks(imported.ratings),
        **_arguments(method, given, seed, _lines(imported) if form == "mace" else None),
        scheme=scheme,
        silent=Silent(imported.silent_items, imported.silent_annotators),
    )
    labels, fitted = _parts(found)
    if output is not None:
        write_table(labels, output, LABELS)
        say(f"{output}: {labels.height} labels.")
    if as_json:
        print_json(_document(method, labels, fitted))
    else:
        _show(method, labels)


def _check_options(method: str, given: dict[str, Any]) -> None:
    for name in given:
        if method not in BELONGS[name]:
            raise click.UsageError(
                f"--{name.replace('_', '-')} is an option of {', '.join(BELONGS[name])}, "
                f"not of {method}."
            )
    if method == "agreed-by" and "at_least" not in given:
        raise click.UsageError("agreed-by needs --at-least, the annotators who must agree.")


def _arguments(
    method: str, given: dict[str, Any], seed: int, lines: list[str] | None
) -> dict[str, Any]:
    """Return what the method's function takes for the options given."""
    if method in CLIMBING:
        from plausibly.labels import Effort

        return {"effort": Effort(**given)}
    if method not in MACE:
        return given
    from plausibly.labels.known import read_controls, read_priors
    from plausibly.labels.mace import Known, Training

    known: dict[str, Any] = {}
    if "controls" in given:
        known["controls"] = read_controls(given.pop("controls"), lines=lines)
    if "priors" in given:
        known["priors"] = read_priors(given.pop("priors"))
    if "threshold" in given:
        known["threshold"] = given.pop("threshold")
    return {"seed": seed, "training": Training(**given), "known": Known(**known)}


def _lines(imported: Imported) -> list[str]:
    """Return the items of a mace file in the order of its lines."""
    return sorted({*imported.ratings["item"], *imported.silent_items}, key=int)


def _parts(found: pl.DataFrame | Fitted) -> tuple[pl.DataFrame, Fitted | None]:
    from plausibly.labels import Fitted

    return (found.labels, found) if isinstance(found, Fitted) else (found, None)


def _document(method: str, labels: pl.DataFrame, fitted: Fitted | None) -> dict[str, Any]:
    questions = dict(_questions(method, labels, fitted))
    top = {
        "method": method,
        "restarts": fitted.restarts if fitted else None,
        "seed": fitted.seed if fitted else None,
    }
    if len(questions) == 1:
        return {**next(iter(questions.values())), **top}
    return {**top, "questions": {name: {**inner, **top} for name, inner in questions.items()}}


def _questions(
    method: str, labels: pl.DataFrame, fitted: Fitted | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each question with what the method says about it."""
    import polars as pl

    from plausibly.labels.results import QUESTION
    from plausibly.labels.ties import ties

    tied = ties(labels)
    for question in labels["question"].unique().sort().to_list() or [QUESTION]:
        here = pl.col("question") == question
        own = labels.filter(here)
        names = own["label"].cast(pl.Float64) if method in COMPUTED else own["label"]
        yield (
            question,
            {
                "labels": dict(zip(own["item"], names, strict=True)),
                "distribution": {
                    item: text and json.loads(text)
                    for item, text in own["item", "distribution"].iter_rows()
                },
                "entropy": fitted and _pairs(fitted.entropy.filter(here), "item", "entropy"),
                "competence": fitted
                and _pairs(fitted.competence.filter(here), "annotator", "competence"),
                "log_likelihood": fitted and fitted.log_likelihood.get(question),
                "iterations": fitted and fitted.iterations.get(question),
                "overtime": fitted and fitted.overtime.get(question),
                "ties": tied.filter(here)["item"].to_list(),
            },
        )


def _pairs(table: pl.DataFrame, key: str, value: str) -> dict[str, float | None]:
    return dict(table[key, value].iter_rows())


def _show(method: str, labels: pl.DataFrame) -> None:
    """Print how often each label was given, or where the numbers lie, for each question."""
    import polars as pl

    from plausibly.labels.ties import ties

    items = pl.len().alias("items")
    if method in COMPUTED:
        number = pl.col("label").cast(pl.Float64)
        summary = labels.group_by("question").agg(
            items, lowest=number.min(), mean=number.mean(), highest=number.max()
        )
        counts = summary.sort("question")
    else:
        share = (pl.col("items") / pl.col("items").sum().over("question")).alias("share")
        counted = labels.group_by("question", "label").agg(items).with_columns(share)
        counts = counted.sort("question", "items", "label", descending=[False, True, False])
    columns = counts.columns if labels["question"].n_unique() > 1 else counts.columns[1:]
    print_table(columns, counts.select(columns).iter_rows())
    undecided, tied = labels["label"].null_count(), ties(labels).height
    say(f"{labels.height} items: {undecided} without a label, {tied} ties to the smallest label.")
