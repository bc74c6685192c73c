"""Parsing with spaCy: the pipeline that comes with the package, or any installed one."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from plausibly.backends._layers import Layers
from plausibly.backends.lemmas import PLURAL_NAME, Lemmatiser, read_lemmatiser
from plausibly.backends.passages import parse_in_batches
from plausibly.errors import MissingExtra, StudyError
from plausibly.ports import Sentence

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = Path(__file__).parent / "models" / "en_plausibly_ewt"
KEPT = 50_000
"""Words a pipeline keeps in memory; later ones are forgotten after each batch."""

# spaCy's English pipelines use CLEAR labels; every other label is assumed to be UD already. A
# label without a counterpart, because the tree itself differs (prepositions head their nouns),
# becomes a subtype of `dep` and counts for no relation.
UD_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "ROOT": "root",
        "": "dep",
        "acomp": "xcomp",
        "agent": "dep:agent",
        "attr": "dep:attr",
        "auxpass": "aux:pass",
        "csubjpass": "csubj:pass",
        "dative": "iobj",
        "dobj": "obj",
        "intj": "discourse",
        "meta": "dep:meta",
        "neg": "advmod",
        "npadvmod": "obl:npmod",
        "nsubjpass": "nsubj:pass",
        "oprd": "xcomp",
        "pcomp": "dep:pcomp",
        "pobj": "dep:pobj",
        "poss": "nmod:poss",
        "preconj": "cc:preconj",
        "predet": "det:predet",
        "prep": "dep:prep",
        "prt": "compound:prt",
        "quantmod": "advmod",
        "relcl": "acl:relcl",
        "subtok": "goeswith",
    }
)


@dataclass(frozen=True, slots=True)
class EmbeddedParser:
    """The English pipeline that comes with the package, trained on UD English EWT.

    The model is loaded for the first text and kept for the rest of the process; the object itself
    is only a path, so sending it to other processes is cheap.
    """

    folder: Path = MODEL

    @property
    def name(self) -> str:
        """Return `embedded` with the name and version of the model."""
        meta = self._meta()
        return f"embedded ({meta['lang']}_{meta['name']} {meta['version']})"

    @property
    def language(self) -> str:
        """Return the code of the language the model was trained on."""
        return self._meta()["lang"]

    def _meta(self) -> dict[str, str]:
        meta: dict[str, str] = json.loads((self.folder / "meta.json").read_text(encoding="utf-8"))
        return meta

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text, in the order of the texts; none for a blank text."""
        return parse_in_batches(texts, embedded_reader(self.folder).parsed)


@dataclass(frozen=True, slots=True)
class SpacyParser:
    """Any installed spaCy pipeline with a parser, its labels turned into those of UD."""

    pipeline: str

    @property
    def name(self) -> str:
        """Return `spacy:` with the name and version of the pipeline."""
        return f"spacy:{self.pipeline} ({reader(self.pipeline).nlp.meta['version']})"

    @property
    def language(self) -> str:
        """Return the code of the pipeline's language."""
        return str(reader(self.pipeline).nlp.meta["lang"])

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text, in the order of the texts; none for a blank text."""
        return parse_in_batches(texts, reader(self.pipeline).parsed)


class TextReader:
    """Reads sentences off the documents of one pipeline.

    Args:
        nlp: A pipeline with a parser.
        lemmatiser: Provides the lemmas; the pipeline's lemmas by default.
        annotate: Adds tags and trees to tokenised documents; by default the pipeline does.
    """

    def __init__(
        self,
        nlp: Language,
        lemmatiser: Lemmatiser | None = None,
        annotate: Callable[[Sequence[Doc]], None] | None = None,
    ) -> None:
        self.nlp = nlp
        self._lemmatiser = lemmatiser
        self._annotate = annotate
        self._forms = _Forms(nlp)
        self._deprels = _Labels(nlp)
        self._plural = _Plural(nlp)
        self._upos = _upos_names()
        self._one_thread = _one_thread()

    def parsed(self, paragraphs: list[str]) -> list[list[Sentence]]:
        """Return the sentences of each paragraph, keeping only the first words in memory.

        In a memory zone, the tokeniser has no cache and splits every word anew.
        """
        full = len(self.nlp.vocab) >= KEPT
        with self._one_thread(), self.nlp.memory_zone() if full else nullcontext():
            return [self.sentences(doc) for doc in self._docs(paragraphs)]

    def _docs(self, paragraphs: list[str]) -> Iterable[Doc]:
        if self._annotate is None:
            return self.nlp.pipe(paragraphs, batch_size=len(paragraphs))
        docs = [self.nlp.make_doc(paragraph) for paragraph in paragraphs]
        self._annotate([doc for doc in docs if len(doc)])
        return docs

    def sentences(self, doc: Doc) -> list[Sentence]:
        """Return the sentences of a parsed document as columns with UD labels."""
        columns = doc.to_array(["HEAD", "SENT_START", "POS", "DEP", "MORPH", "ORTH"]).view(np.int64)
        starts = np.flatnonzero(columns[:, 1] == 1)
        if not len(starts):
            return []
        positions = np.arange(len(columns)) - np.repeat(
            starts, np.diff(starts, append=len(columns))
        )
        offsets = columns[:, 0]
        heads = np.where(offsets == 0, 0, positions + offsets + 1).tolist()
        upos = [self._upos[tag] for tag in columns[:, 2].tolist()]
        deprels = [self._deprels[label] for label in columns[:, 3].tolist()]
        forms = [self._forms[number] for number in columns[:, 5].tolist()]
        lemmas = self._lemmas(doc, forms, upos, columns[:, 4].tolist())
        ends = [*starts[1:].tolist(), len(columns)]
        return [
            Sentence(forms[a:b], lemmas[a:b], upos[a:b], heads[a:b], deprels[a:b])
            for a, b in zip(starts.tolist(), ends, strict=True)
        ]

    def _lemmas(
        self, doc: Doc, forms: list[str], upos: list[str], features: list[int]
    ) -> list[str]:
        if self._lemmatiser is None:
            return [token.lemma_ for token in doc]
        lemmatiser, plural = self._lemmatiser, self._plural
        tags = [
            PLURAL_NAME if tag == "PROPN" and plural[number] else tag
            for tag, number in zip(upos, features, strict=True)
        ]
        return [lemmatiser[pair] for pair in zip(forms, tags, strict=True)]


class _Plural(dict[int, bool]):
    """Maps spaCy's numbers of morphological features to whether they include a plural."""

    def __init__(self, nlp: Language) -> None:
        super().__init__()
        self._strings = nlp.vocab.strings

    def __missing__(self, number: int) -> bool:
        self[number] = "Number=Plur" in self._strings[number % 2**64].split("|")
        return self[number]


class _Forms(dict[int, str]):
    """Maps spaCy's numbers of forms to the forms; keeps a bounded number of them."""

    def __init__(self, nlp: Language) -> None:
        super().__init__()
        self._strings = nlp.vocab.strings

    def __missing__(self, number: int) -> str:
        form: str = self._strings[number % 2**64]
        if len(self) >= KEPT:
            self.clear()
        self[number] = form
        return form


class _Labels(dict[int, str]):
    """Maps spaCy's numbers of dependency labels to UD labels."""

    def __init__(self, nlp: Language) -> None:
        super().__init__()
        self._strings = nlp.vocab.strings

    def __missing__(self, number: int) -> str:
        label = self._strings[number % 2**64]
        self[number] = UD_LABELS.get(label, label)
        return self[number]


def _upos_names() -> dict[int, str]:
    from spacy.parts_of_speech import NAMES

    return {number: name or "X" for number, name in NAMES.items()}


def _one_thread() -> Callable[[], AbstractContextManager[object]]:
    """Return a context that keeps NumPy to one thread: workers are processes, one per core."""
    from threadpoolctl import ThreadpoolController

    controller = ThreadpoolController()
    return lambda: controller.limit(limits=1, user_api="blas")


@cache
def embedded_reader(folder: Path) -> TextReader:
    """Return the reader of a packaged model, loaded once per process.

    It multiplies matrices with NumPy, up to three times as fast as BLIS, spaCy's default.
    """
    lemmatiser = read_lemmatiser(folder / "lemmas.json")
    with _imports():
        from thinc.api import use_ops

        with use_ops("numpy", use_blis=False):
            nlp = _loaded(str(folder))
            return TextReader(nlp, lemmatiser, Layers(nlp).annotate)


@cache
def reader(pipeline: str) -> TextReader:
    """Return the reader of an installed pipeline, by its name or folder, loaded once per process.

    Raises:
        MissingExtra: spaCy is not installed.
        StudyError: There is no such pipeline, or it has no parser.
    """
    with _imports():
        return TextReader(_loaded(pipeline))


@contextmanager
def _imports() -> Iterator[None]:
    """Name the missing extra if an import fails, and silence the libraries' warnings."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except ImportError as error:
        raise MissingExtra("parsing with spaCy", "parse") from error


def _loaded(pipeline: str) -> Language:
    import spacy

    try:
        nlp = spacy.load(pipeline, exclude=["ner"])
    except OSError as error:
        message = (
            f"no spaCy pipeline {pipeline!r} is installed here. "
            "Install it, or use the one that comes with the package: --parser embedded"
        )
        raise StudyError(message) from error
    if "parser" not in nlp.pipe_names:
        has = ", ".join(nlp.pipe_names) or "nothing"
        message = f"spaCy pipeline {pipeline!r} has no parser, only {has}. Use one with a parser."
        raise StudyError(message)
    if hasattr(nlp.tokenizer, "max_cache_size"):
        nlp.tokenizer.max_cache_size = KEPT
    return nlp
