"""Models compared on the same items: predictions by a scheme, or answers about GITA's stories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from plausibly.errors import StudyError, option
from plausibly.evaluation.pairs import Undefined
from plausibly.evaluation.truth import SCHEMES as OF_FILES
from plausibly.io.frames import Source
from plausibly.study.verb import Output, declared, verb
from plausibly.verbs.compare._stories import SCHEME, ComparedStories, RuleSet, compare_stories
from plausibly.verbs.compare._tables import (
    IN_STUDY,
    PERMUTATIONS,
    RESAMPLES,
    Compared,
    compare_tables,
)

OF_TABLES = ("against", "items", "relation", "undefined", "clusters")
SCHEMES = (*OF_FILES, SCHEME)


@overload
def compare(
    predictions: Sequence[Source],
    *,
    scheme: str,
    against: str | Path,
    items: str | Path | None = None,
    relation: str | None = None,
    undefined: Undefined | None = None,
    clusters: str | None = None,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    exact: bool = False,
    seed: int = 0,
) -> Compared: ...


@overload
def compare(
    predictions: Sequence[Source],
    *,
    scheme: Literal["gita"],
    rules: RuleSet | None = None,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    exact: bool = False,
    seed: int = 0,
) -> ComparedStories: ...


@verb(
    reads={"predictions": "predictions", "items": "items"},
    names={"scheme": "plausibly.verbs.compare._verb:SCHEMES"},
    output=Output("comparisons", help="Table to write."),
    study=IN_STUDY,
)
def compare(
    predictions: Sequence[Source],
    *,
    scheme: str,
    against: str | Path | None = None,
    items: str | Path | None = None,
    relation: str | None = None,
    undefined: Undefined | None = None,
    clusters: str | None = None,
    rules: RuleSet | None = None,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    exact: bool = False,
    seed: int = 0,
) -> Compared | ComparedStories:
    r"""Compare every two models on the items both judged: difference, interval, p, corrected p.

    Accuracies on independent items are compared by McNemar's test, everything else by exchanging
    the models unit by unit. Ties with the observed difference count half (mid-p): the exact tests
    find too few differences where values repeat. p is corrected for all comparisons of a metric
    (Holm). With scheme gita, every tier is compared on the same stories, with how often a model
    gives an answer and how often that answer is right.

    Args:
        predictions: Predictions tables, each of one model or several; ratings of one annotator or
            several are compared with them, every annotator as a model. For gita, folders as
            `score gita` reads them: released outputs, the harness's logs, or what `ask` wrote.
        scheme: How predictions are scored: sp10k, adept-5, adept-4, adept-3, pap-binary, pap-soft,
            pap-perturbed, events or gita.
        against: File with what people say; a folder of relations for sp10k; a study's labels, or
            its ratings for pap-soft (not for gita, whose files contain the right answers).
        items: Items table of the study whose labels or ratings the file holds.
        relation: Relation of the pairs in a file without header (sp10k).
        undefined: Heads without a correlation, because the model's scores are all the same (sp10k):
            drop them, or count them as zero (default: drop).
        clusters: Column whose equal values are drawn and exchanged together, or item for none
            (default: noun for adept, head for sp10k, verb for events and pap, if there is one).
        rules: Whose rules for gita: the authors', the later benchmark's, or ours (clean, the
            default).
        resamples: Number of resamples for the intervals; 0 for none.
        permutations: Number of permutations drawn for a permutation test.
        exact: Count ties with the observed difference in full, as the exact tests do (default: half
            of them, mid-p). p is then larger, never smaller.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly compare a.parquet b.parquet --against gold.tsv --scheme sp10k
        plausibly compare gemma-2-9b gemma-2-9b-it --scheme gita --rules gita-2024 --json

    >>> import polars as pl, tempfile
    >>> one = pl.DataFrame({"item": ["dog eat bone", "bone eat dog"],
    ...                     "question": ["plausible"] * 2,
    ...                     "model": ["one"] * 2, "score": [0.9, 0.2]})
    >>> two = one.with_columns(model=pl.lit("two"), score=pl.Series([0.2, 0.9]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     events = Path(folder, "events.csv")
    ...     _ = events.write_text("subject,verb,object,label\ndog,eat,bone,1\nbone,eat,dog,0\n")
    ...     compared = compare([one, two], against=events, scheme="events", resamples=0)
    >>> len(compared.pairs)
    2
    >>> compare(["one"], scheme="gita")
    Traceback (most recent call last):
    plausibly.errors.StudyError: scheme gita needs two or more folders of answers; got 1.
    """
    named: dict[str, Any] = {
        "items": items,
        "relation": relation,
        "undefined": undefined,
        "clusters": clusters,
    }
    _check_scheme({"scheme": scheme, "against": against, **named}, rules)
    drawn: dict[str, Any] = {"resamples": resamples, "permutations": permutations}
    drawn |= {"exact": exact, "seed": seed}
    if scheme == SCHEME:
        return compare_stories(predictions, rules=rules or "clean", **drawn)
    return compare_tables(predictions, against=str(against), scheme=scheme, **named, **drawn)


def _check_scheme(options: Mapping[str, Any], rules: str | None) -> None:
    """Raise if options do not belong to the scheme.

    >>> _check_scheme({"scheme": "events"}, None)
    Traceback (most recent call last):
    plausibly.errors.StudyError: against= is missing: \
scheme events needs a file with what people say.
    """
    scheme = options["scheme"]
    if scheme == SCHEME:
        odd = next((name for name in OF_TABLES if options.get(name) is not None), None)
        if odd is not None:
            message = (
                f"{option(odd)} is not for scheme gita, whose files contain the right answers."
            )
            raise StudyError(message, parameter=odd)
    elif options.get("against") is None:
        message = f"is missing: scheme {scheme} needs a file with what people say."
        raise StudyError(f"{option('against')} {message}", parameter="against")
    elif rules is not None:
        message = f"{option('rules')} is for scheme gita; got scheme {scheme}."
        raise StudyError(message, parameter="rules")


STEP = declared(compare)
