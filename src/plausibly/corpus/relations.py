"""Relations: which words of a tree count as head and dependent, or as one event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, get_args

from plausibly.corpus._arguments import Arguments, key, plain_arguments, propagated_arguments
from plausibly.corpus._negation import (
    PARTICLE,
    PASSIVE_ROLES,
    ROLES,
    has_particle,
    is_modal,
    is_negated,
    is_question,
)
from plausibly.corpus._repair import Repair
from plausibly.datasets.sp10k import RELATIONS as PAIRS
from plausibly.errors import StudyError, UnknownName
from plausibly.ports import Sentence

SVO = "svo"
RELATIONS = (*PAIRS, SVO)

_COMMON = frozenset({"NOUN"})
_WITH_PROPER = frozenset({"NOUN", "PROPN"})

Row = tuple[str, str, str, str]
"""Relation, head, dependent and, for svo alone, the object; svo has its verb as head."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """What counts; the defaults are SP-10K's five relations and PAP's triples.

    Args:
        relations: Which relations to look for.
        passives: Count the subject of a passive as its object and the by-phrase as its subject.
        conjuncts: Let conjuncts share the arguments of the first one.
        relative_clauses: Let a noun replace the relative pronoun of its clause.
        proper_nouns: Count PROPN as NOUN.
        particles: Count events whose verb has a particle, which PAP leaves out.
        drop_negated: Leave out the arguments of negated verbs; see `is_negated`.
        drop_modal: Leave out the arguments of verbs with a modal.
        repair: Whether to repair trees before looking for relations; see `_repair`.
    """

    relations: tuple[str, ...] = RELATIONS
    passives: bool = False
    conjuncts: bool = False
    relative_clauses: bool = False
    proper_nouns: bool = False
    particles: bool = False
    drop_negated: bool = False
    drop_modal: bool = False
    repair: Repair = "on"

    def __post_init__(self) -> None:
        for relation in self.relations:
            if relation not in RELATIONS:
                raise UnknownName("relation", relation, RELATIONS)
        if self.repair not in get_args(Repair):
            raise UnknownName("repair", self.repair, get_args(Repair))
        if not self.relations:
            raise StudyError(f"no relations to look for. Name some of {', '.join(RELATIONS)}.")

    @property
    def nouns(self) -> frozenset[str]:
        """The tags that count as a noun."""
        return _WITH_PROPER if self.proper_nouns else _COMMON

    @property
    def plain(self) -> bool:
        """Whether every argument depends on its verb in the tree itself."""
        return not (self.passives or self.conjuncts or self.relative_clauses)

    @property
    def roles(self) -> frozenset[str]:
        """The relations of the tree in which a word is an argument of its verb."""
        return PASSIVE_ROLES if self.passives else ROLES

    @property
    def by_columns(self) -> bool:
        """Whether a whole block can be searched at once: only relations and repair may differ."""
        return self == Patterns(relations=self.relations, repair=self.repair)


PROFILES: dict[str, tuple[str, ...]] = {
    "basic": (),
    "enhanced": ("passives", "conjuncts", "relative_clauses"),
}
"""Patterns by name: the tree itself, or what the enhanced graph of UD would add to it."""


def relations_named(text: str) -> tuple[str, ...]:
    """Return the relations of a list with commas, in the order of `RELATIONS`.

    >>> relations_named("svo, amod")
    ('amod', 'svo')
    """
    named = [name.strip() for name in text.split(",") if name.strip()]
    for name in named:
        if name not in RELATIONS:
            raise UnknownName("relation", name, RELATIONS)
    return tuple(relation for relation in RELATIONS if relation in named)


class Marks(NamedTuple):
    """Properties of one triple."""

    negated: bool
    modal: bool
    question: bool
    particle: bool


class Found(NamedTuple):
    """The relations of one sentence: rows to count, triples last, and the triples' marks."""

    rows: list[Row]
    marks: list[Marks]

    @property
    def negated(self) -> int:
        """How many of the triples are negated."""
        return sum(one.negated for one in self.marks)


def find(sentence: Sentence, patterns: Patterns) -> Found:
    """Return every relation of a sentence that counts.

    >>> dogs = Sentence(("Old", "dogs", "bark"), ("old", "dog", "bark"), ("ADJ", "NOUN", "VERB"),
    ...                 (2, 3, 0), ("amod", "nsubj", "root"))
    >>> find(dogs, Patterns()).rows
    [('nsubj', 'bark', 'dog', ''), ('nsubj_amod', 'bark', 'old', ''), ('amod', 'dog', 'old', '')]
    """
    if patterns.plain:
        arguments = plain_arguments(sentence, patterns.nouns)
    else:
        arguments = propagated_arguments(
            sentence,
            patterns.nouns,
            passives=patterns.passives,
            conjuncts=patterns.conjuncts,
            relative_clauses=patterns.relative_clauses,
        )
    if arguments is None:
        return _NOTHING
    if patterns.drop_negated or patterns.drop_modal:
        arguments = _kept(sentence, arguments, patterns)
    rows = [] if patterns.relations == (SVO,) else _pairs(sentence, arguments)
    marks: list[Marks] = []
    if patterns.relations != RELATIONS:
        rows = [row for row in rows if row[0] in patterns.relations]
    if arguments.subjects and arguments.objects and SVO in patterns.relations:
        for subject, verb, obj in _triples(sentence, arguments, particles=patterns.particles):
            rows.append((SVO, key(sentence, verb), key(sentence, subject), key(sentence, obj)))
            marks.append(_marks(sentence, verb, arguments, patterns))
    return Found(rows, marks)


_NOTHING = Found([], [])


def _marks(sentence: Sentence, verb: int, arguments: Arguments, patterns: Patterns) -> Marks:
    return Marks(
        is_negated(sentence, verb, arguments, patterns.roles),
        is_modal(sentence, verb),
        is_question(reversed(sentence.forms)),
        has_particle(sentence, verb),
    )


def _pairs(sentence: Sentence, arguments: Arguments) -> list[Row]:
    rows: list[Row] = []
    subjects, objects, adjectives = arguments
    for relation, governed in (("nsubj", subjects), ("dobj", objects)):
        for verb, nouns in governed.items():
            head = key(sentence, verb)
            for noun in nouns:
                rows.append((relation, head, key(sentence, noun), ""))
                rows += [
                    (f"{relation}_amod", head, key(sentence, adjective), "")
                    for adjective in adjectives.get(noun, ())
                ]
    for noun, modifiers in adjectives.items():
        head = key(sentence, noun)
        rows += [("amod", head, key(sentence, adjective), "") for adjective in modifiers]
    return rows


def _triples(
    sentence: Sentence, arguments: Arguments, *, particles: bool
) -> Iterator[tuple[int, int, int]]:
    """Yield subject, verb and object of every event whose verb is the root (PAP, section 3.1)."""
    compounded: set[int] | None = None
    for verb, subjects in arguments.subjects.items():
        objects = arguments.objects.get(verb)
        if not objects or not _is_root(sentence, verb):
            continue
        if compounded is None:
            compounded = _compounded(sentence, particles=particles)
        if verb in compounded:
            continue
        for subject in subjects:
            for obj in objects:
                if subject not in compounded and obj not in compounded:
                    yield subject, verb, obj


def _is_root(sentence: Sentence, verb: int) -> bool:
    """Return whether a word is labelled root; in any case of letters if it also has no head."""
    label = sentence.deprels[verb]
    return label == "root" or (sentence.heads[verb] == 0 and label.lower() == "root")


def _compounded(sentence: Sentence, *, particles: bool) -> set[int]:
    """Return the words that are, or have a dependent that is, `compound` or a subtype of it."""
    compounded = set()
    for word, relation in enumerate(sentence.deprels):
        if relation == PARTICLE and particles:
            continue
        if relation == "compound" or relation.startswith("compound:"):
            compounded |= {word, sentence.heads[word] - 1}
    return compounded


def _kept(sentence: Sentence, arguments: Arguments, patterns: Patterns) -> Arguments:
    """Return the arguments without those of clauses the patterns leave out."""
    verbs = {*arguments.subjects, *arguments.objects}
    dropped = {
        verb
        for verb in verbs
        if (patterns.drop_negated and is_negated(sentence, verb, arguments, patterns.roles))
        or (patterns.drop_modal and is_modal(sentence, verb))
    }
    return arguments._replace(
        subjects={verb: nouns for verb, nouns in arguments.subjects.items() if verb not in dropped},
        objects={verb: nouns for verb, nouns in arguments.objects.items() if verb not in dropped},
    )
