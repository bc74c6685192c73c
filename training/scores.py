"""How good a parser is: attachment, tags and lemmas, and the relations we count."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from plausibly.ports import Sentence

Relation = Callable[[Sentence], Iterator[tuple[str, ...]]]
NOUNS = ("NOUN", "PROPN")


@dataclass(frozen=True, slots=True)
class Word:
    """One word by its place in the text: where it, and where its head stands (-1 at the root)."""

    place: tuple[int, int]
    head: tuple[int, int]
    deprel: str
    upos: str
    lemma: str


def words_of(sentences: Iterable[Sentence], *, start: int = 0) -> Iterator[Word]:
    """Yield the words of sentences, placed by their characters, blanks not counted."""
    for sentence in sentences:
        places: list[tuple[int, int]] = []
        for form in sentence.forms:
            end = start + len("".join(form.split()))
            places.append((start, end))
            start = end
        for at, head in enumerate(sentence.heads):
            yield Word(
                places[at],
                places[head - 1] if head else (-1, -1),
                sentence.deprels[at],
                sentence.upos[at],
                sentence.lemmas[at],
            )


def attachment(gold: Sequence[Word], found: Sequence[Word]) -> dict[str, float]:
    """Return F1 of words, UPOS, lemmas, UAS and LAS; punctuation and subtypes count.

    With the words given, each is an accuracy. A word that is not in both is wrong in all
    (as in the CoNLL 2018 shared task). Lemmas are compared lower-cased.
    """
    by_place = {word.place: word for word in gold}
    pairs = [(by_place[word.place], word) for word in found if word.place in by_place]
    right = {
        "words": len(pairs),
        "upos": sum(a.upos == b.upos for a, b in pairs),
        "lemma": sum(a.lemma.lower() == b.lemma.lower() for a, b in pairs),
        "uas": sum(a.head == b.head for a, b in pairs),
        "las": sum((a.head, a.deprel) == (b.head, b.deprel) for a, b in pairs),
        "las_without_subtypes": sum(
            (a.head, a.deprel.split(":")[0]) == (b.head, b.deprel.split(":")[0]) for a, b in pairs
        ),
    }
    return {name: 2 * count / (len(gold) + len(found)) for name, count in right.items()}


def _dependents(sentence: Sentence) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(len(sentence.forms) + 1)]
    for at, head in enumerate(sentence.heads):
        found[head].append(at)
    return found


def loose_svo(sentence: Sentence) -> Iterator[tuple[str, ...]]:
    """Yield subject, verb and object of any VERB; nouns and names, subtypes taken off."""
    labels = [label.split(":")[0] for label in sentence.deprels]
    dependents = _dependents(sentence)
    for verb, upos in enumerate(sentence.upos):
        if upos == "VERB":
            nouns = [at for at in dependents[verb + 1] if sentence.upos[at] in NOUNS]
            for subject in (at for at in nouns if labels[at] == "nsubj"):
                for object_ in (at for at in nouns if labels[at] == "obj"):
                    yield _lemmas(sentence, subject, verb, object_)


def strict_svo(sentence: Sentence) -> Iterator[tuple[str, ...]]:
    """Yield PAP's triples: the root VERB, NOUNs, and no compound at any of the three."""
    dependents = _dependents(sentence)

    def compounded(at: int) -> bool:
        near = (at, *dependents[at + 1])
        return any(sentence.deprels[word].split(":")[0] == "compound" for word in near)

    for verb in dependents[0]:
        if sentence.upos[verb] == "VERB" and not compounded(verb):
            nouns = [at for at in dependents[verb + 1] if sentence.upos[at] == "NOUN"]
            nouns = [at for at in nouns if not compounded(at)]
            for subject in (at for at in nouns if sentence.deprels[at] == "nsubj"):
                for object_ in (at for at in nouns if sentence.deprels[at] == "obj"):
                    yield _lemmas(sentence, subject, verb, object_)


def amod_pairs(sentence: Sentence) -> Iterator[tuple[str, ...]]:
    """Yield a NOUN and the ADJ that is its `amod`."""
    for at, label in enumerate(sentence.deprels):
        head = sentence.heads[at] - 1
        if label == "amod" and sentence.upos[at] == "ADJ" and sentence.upos[head] == "NOUN":
            yield _lemmas(sentence, head, at)


def _argument_pairs(wanted: str) -> Relation:
    def pairs(sentence: Sentence) -> Iterator[tuple[str, ...]]:
        for at, label in enumerate(sentence.deprels):
            head = sentence.heads[at] - 1
            both = (sentence.upos[head], sentence.upos[at])
            if label.split(":")[0] == wanted and head >= 0 and both == ("VERB", "NOUN"):
                yield _lemmas(sentence, head, at)

    return pairs


def _lemmas(sentence: Sentence, *places: int) -> tuple[str, ...]:
    return tuple(sentence.lemmas[at].lower() for at in places)


def placed(sentences: Iterable[Sentence]) -> list[Sentence]:
    """Return the sentences with the place of each word in the text instead of its lemma."""
    words = words_of(sentences := list(sentences))
    return [
        sentence._replace(lemmas=[str(next(words).place) for _ in sentence.forms])
        for sentence in sentences
    ]


RELATIONS: dict[str, Relation] = {
    "svo, loose": loose_svo,
    "svo, strict (PAP)": strict_svo,
    "nsubj": _argument_pairs("nsubj"),
    "obj": _argument_pairs("obj"),
    "amod": amod_pairs,
}


def relation_f1(
    gold: Sequence[Sequence[Sentence]],
    found: Sequence[Sequence[Sentence]],
    relation: Relation,
    *,
    resamples: int = 1000,
    seed: int = 1,
) -> dict[str, float]:
    """Return F1, its 95 % bootstrap interval over texts, precision, recall and the gold count.

    Args:
        gold: The gold sentences of each text.
        found: The sentences a parser makes of the same texts.
        relation: Yields the tuples of lemmas of a sentence.
        resamples: How many bootstrap samples of texts to draw.
        seed: Of the bootstrap.
    """
    units = [_agreed(a, b, relation) for a, b in zip(gold, found, strict=True)]
    generator = random.Random(seed)
    draws = sorted(_f1(generator.choices(units, k=len(units))) for _ in range(resamples))
    return {
        "value": _f1(units),
        "low": draws[int(0.025 * resamples)],
        "high": draws[int(0.975 * resamples) - 1],
        "precision": _share(units, 2),
        "recall": _share(units, 1),
        "n": sum(wanted for _, wanted, _ in units),
    }


def _agreed(
    gold: Sequence[Sentence], found: Sequence[Sentence], relation: Relation
) -> tuple[int, int, int]:
    wanted = Counter(row for sentence in gold for row in relation(sentence))
    given = Counter(row for sentence in found for row in relation(sentence))
    return (wanted & given).total(), wanted.total(), given.total()


def _share(units: Sequence[tuple[int, int, int]], column: int) -> float:
    whole = sum(unit[column] for unit in units)
    return sum(unit[0] for unit in units) / whole if whole else 0.0


def _f1(units: Sequence[tuple[int, int, int]]) -> float:
    both, wanted, given = (sum(column) for column in zip(*units, strict=True))
    return 2 * both / (wanted + given) if wanted + given else 0.0
