"""A model of selectional preference fitted on counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import polars as pl

from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.wordnet import read_nouns, wordnet_folder
from plausibly.errors import StudyError, option
from plausibly.evaluation.in_study import FITTED_FILES, fitted_kinds, not_fitted
from plausibly.io import make_folder
from plausibly.models import nn
from plausibly.models.counts import PairCounts, read_counts
from plausibly.models.ds import Similarity
from plausibly.models.resnik import NounClasses, noun_classes
from plausibly.models.selection import NEED_VECTORS, Choices, fit_pairs
from plausibly.models.stored import Stored, write_model
from plausibly.models.vectors import Vectors32, WordVectors, looked_up, ppmi_svd, read_vectors
from plausibly.study.hooks import Placed, Set
from plausibly.study.results import Result, put_document, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, verb

GLOVE, MODEL = "glove", "model"
NAME, DOCUMENT = "models_fit", "models_fit.json"
OF_A_KIND = {"scores": "combined", "wordnet": "resnik"}
FILES = ("counts", "vectors", "scores", "wordnet")


@dataclass(frozen=True, eq=False, repr=False)
class FittedModel(Result):
    """A fitted model and what it was fitted on.

    Args:
        relations: relation, heads, dependents, pairs (distinct), total (all that were counted).
        model: The model itself.
    """

    relations: pl.DataFrame
    model: Stored

    def as_json(self) -> dict[str, Any]:
        """Return the document of `models fit --json`."""
        rows = self.relations.to_dicts()
        relations = {str(row.pop("relation")): row for row in rows}
        settings = {k: v for k, v in self.model.settings.items() if k != "frequency"}
        return {"kind": self.model.kind, "relations": relations, "settings": settings}

    def text(self) -> str:
        """Return what the model was fitted on as a table for people."""
        return text_table(self.relations.columns, self.relations.iter_rows())

    def put(self, folder: Path) -> None:
        """Write what the model was fitted on, and the model as the file `model`."""
        super().put(folder)
        write_model(self.model, folder / MODEL)

    def put_one(self, name: str, path: Path) -> None:
        """Write the model, or a table, to a file."""
        if name == MODEL:
            write_model(self.model, path)
        else:
            super().put_one(name, path)

    def counted(self, name: str) -> str:
        """Return what kind of model a file holds."""
        return f"a model of kind {self.model.kind}" if name == MODEL else super().counted(name)

    def save(self, path: str | Path) -> None:
        """Write the model to a file, and the manifest next to it."""
        self.write_table(MODEL, Path(path))


def _in_study(work: Work, places: Places) -> None:
    """Fit every kind of model that the study names."""
    del places
    kinds = fitted_kinds(work.settings)
    chosen = {n: one for n, one in work.parameters.items() if one is not None and n != "kind"}
    if not chosen.get("counts"):
        what = f"[{NAME}] counts is not set. Name what [extract] counted, such as corpus."
        raise StudyError(what, parameter="counts")
    for name in FILES:
        if name in chosen and (name != "vectors" or work.has(str(chosen[name]))):
            chosen[name] = work.path(str(chosen[name]))
    documents: dict[str, Any] = {}
    for kind in kinds:
        of_another = {n for n, of in OF_A_KIND.items() if of != kind and of in kinds}
        own = {name: one for name, one in chosen.items() if name not in of_another}
        fitted = models_fit(cast(Any, kind), seed=work.seed, **own)
        make_folder(work.path(FITTED_FILES[kind]).parent)
        write_model(fitted.model, work.path(FITTED_FILES[kind]))
        documents[kind] = fitted.as_json()
    one = len(kinds) == 1
    put_document(documents[kinds[0]] if one else {"models": documents}, work.path(DOCUMENT))


@verb(
    texts=("vectors",),
    output=Output(MODEL, help="File for the model.", required=True),
    study=InStudy(
        run=_in_study,
        also={"kind": None, "counts": None},
        wanted=Set(NAME, "kind"),
        begins=f"[{NAME}] kind",
        outputs=(*FITTED_FILES.values(), DOCUMENT),
        leaves=not_fitted,
        external=Placed(FILES),
        explained={
            "kind": "pp, ds, nn, ppmi, resnik or combined, or a list of them; [models_predict] "
            "then predicts with each.",
            "counts": "What [extract] counted (corpus), or another such table or folder.",
        },
    ),
)
def models_fit(
    kind: Literal["pp", "ds", "nn", "ppmi", "resnik", "combined"],
    *,
    counts: str | Path,
    vectors: str | Path | None = None,
    relation: str | None = None,
    corpus: str | None = None,
    scores: str | Path | None = None,
    wordnet: str | Path | None = None,
    smoothed: bool = False,
    weights: Literal["frequency", "uniform", "discriminative"] = "frequency",
    leave_pair_out: bool = False,
    size: int = 100,
    epochs: int = 15,
    seed: int = 1,
) -> FittedModel:
    r"""Fit a model of selectional preference on counts.

    The kinds are: pp (posterior probability), ds (similarity to attested dependents), nn (a neural
    network), ppmi (mutual information), resnik (association with WordNet's classes of nouns) and
    combined (several of these, with vectors). `plausibly models fit events` learns from people's
    labels instead.

    Args:
        kind: pp, ds, nn, ppmi, resnik or combined.
        counts: Counts table, or the folder `extract` wrote.
        vectors: Word vectors for ds and combined: glove (extra stimuli), or a text file of words
            and numbers (default:
            made from the counts).
        relation: Fit this relation only.
        corpus: Fit only on this corpus of counts that `counts merge` merged.
        scores: People's scores, from which combined learns; without them, its parts count equally.
        wordnet: Folder with WordNet's index.noun and data.noun, for resnik (default: what the
            variable WNSEARCHDIR names).
        smoothed: Let pp back off for pairs that were never seen; as published, it gives them 0.
        weights: How much each attested dependent counts for ds.
        leave_pair_out: ds judges a pair from the head's other dependents only.
        size: Number of dimensions of vectors made from the counts.
        epochs: Maximum number of training passes over the data, for nn.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly models fit pp --counts counts --relation dobj -o model
        plausibly models fit ds --counts counts --relation nsubj -o model

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     counts = Path(folder, "counts.csv")
    ...     _ = counts.write_text("relation,head,dependent,count\ndobj,eat,apple,3\n")
    ...     models_fit("pp", counts=counts).as_json()["kind"]
    'pp'
    """
    table = read_counts(Path(counts), relation=relation, corpus=corpus)
    learnt_from = None if scores is None else _scores(Path(scores), kind, relation)
    own = chosen_vectors(vectors, table, size=size, seed=seed) if kind in NEED_VECTORS else None
    choices = Choices(
        smoothed=smoothed,
        similarity=Similarity(weights, leave_pair_out),
        network=nn.Network(epochs=epochs),
        scores=learnt_from,
        frequency=_frequencies(table) if kind == "combined" else {},
        classes=_classes(wordnet, kind),
        seed=seed,
    )
    model = fit_pairs(kind, table, own, choices)
    return FittedModel(_described(table), model)


def _described(counts: Mapping[str, PairCounts]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "relation": relation,
                "heads": len(own.heads),
                "dependents": len(own.dependents),
                "pairs": int(own.table.nnz),
                "total": int(own.total),
            }
            for relation, own in counts.items()
        ]
    )


def _scores(path: Path, kind: str, relation: str | None) -> pl.DataFrame:
    if kind != "combined":
        message = f"{option('scores')} is for combined; {kind} learns from counts alone."
        raise StudyError(message, parameter="scores")
    pairs = read_pair_table(path, relation=relation)
    return pairs.drop_nulls("score")


def _classes(folder: str | Path | None, kind: str) -> NounClasses | None:
    if kind != "resnik":
        if folder is not None:
            message = f"{option('wordnet')} is for resnik; {kind} knows no classes of nouns."
            raise StudyError(message, parameter="wordnet")
        return None
    return noun_classes(read_nouns(wordnet_folder(folder)))


def chosen_vectors(
    source: str | Path | None, counts: Mapping[str, PairCounts], *, size: int, seed: int
) -> WordVectors:
    """Return the vectors that were asked for: GloVe, those of a file, or ones of the counts."""
    if source is None:
        return ppmi_svd(counts, size=size, seed=seed)
    if str(source) != GLOVE:
        return read_vectors(Path(source))
    from plausibly.backends.glove import GloveVectors
    from plausibly.backends.weights import weights_folder

    weights_folder(GLOVE)
    glove = GloveVectors()

    def look(words: Sequence[str]) -> tuple[list[int], Vectors32]:
        places = glove.places(words)
        known = [number for number, place in enumerate(places) if place >= 0]
        return known, glove.rows([places[number] for number in known])

    return looked_up(glove.name, counts, look)


def _frequencies(counts: Mapping[str, PairCounts]) -> dict[str, float]:
    """Return how often each word was counted in any relation, on a logarithmic scale."""
    totals: dict[str, float] = {}
    for own in counts.values():
        for vocabulary, amounts in ((own.heads, own.of_head), (own.dependents, own.of_dependent)):
            for word, amount in zip(vocabulary.words, amounts, strict=True):
                totals[word] = totals.get(word, 0.0) + float(amount)
    return {word: float(np.log1p(total)) for word, total in totals.items()}
