"""Winograd questions answered by comparing two scores (Zhang et al. 2019, section 6, Table 9).

To turn questions into pairs to look up, the publication parses a sentence, takes the verb each
candidate is the subject or object of and the one adjective that describes the pronoun, and
compares the scores of verb and adjective in `nsubj_amod` or `dobj_amod`. What it leaves open is
decided here, once and for all questions:

- A candidate is looked for before the pronoun, by its words without article; its noun is the word
  whose head lies outside of them.
- The subject of a passive is an object, the agent after `by` a subject; an object behind a
  preposition (`yell at Kevin`) is an object; a noun joined by `and` has the role of the first.
- A verb that only leads to another (`tried to call`) gives its subject to that verb.
- The adjective is the predicate of the pronoun (`he was upset`, `he looked upset`). A pronoun with
  none, or with two, is not asked about. The word is taken unchanged: it is not reversed
  after `not` or `too`, as the authors did by hand in 19 questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import polars as pl

from plausibly.errors import UnknownName
from plausibly.ports import Parser, Sentence

NoAnswer = Literal["equal", "either-missing"]
POLICIES: tuple[NoAnswer, ...] = get_args(NoAnswer)


@dataclass(frozen=True, slots=True)
class Winograd:
    """How many questions were answered right, wrong and not at all.

    >>> result = Winograd(correct=36, wrong=19, none=17)
    >>> round(result.a_p or 0, 3), round(result.a_o or 0, 3)
    (0.655, 0.618)
    """

    correct: int
    wrong: int
    none: int

    @property
    def total(self) -> int:
        """How many questions there are."""
        return self.correct + self.wrong + self.none

    @property
    def a_p(self) -> float | None:
        """The share of right answers among the questions answered; None if none was."""
        answered = self.correct + self.wrong
        return self.correct / answered if answered else None

    @property
    def a_o(self) -> float | None:
        """The share of right answers if an unanswered question is a coin flip."""
        return (self.correct + 0.5 * self.none) / self.total if self.total else None

    def as_json(self) -> dict[str, float | int | None]:
        """Return the result with the keys of `winograd --json`."""
        return {
            "correct": self.correct,
            "wrong": self.wrong,
            "none": self.none,
            "a_p": self.a_p,
            "a_o": self.a_o,
        }


def winograd(scores: pl.DataFrame, *, no_answer: NoAnswer = "equal") -> Winograd:
    """Return how often the candidate with the higher score is the right one.

    Args:
        scores: question, score_a, score_b (null = not known) and answer (A or B).
        no_answer: When there is no answer: on `equal` scores, a score that is not known counting
            as 0 and never winning; or also when `either-missing`, a known score of 0 being the
            released way of writing a missing pair.
    """
    said = pl.col("predicted")
    counts = with_predictions(scores, no_answer=no_answer).select(
        correct=(said == pl.col("answer")).sum(),
        wrong=(said != pl.col("answer")).sum(),
        none=said.is_null().sum(),
    )
    return Winograd(*map(int, counts.row(0)))


def with_predictions(scores: pl.DataFrame, *, no_answer: NoAnswer = "equal") -> pl.DataFrame:
    """Return the scores with `predicted`: A, B, or null if there is no answer."""
    if no_answer not in POLICIES:
        raise UnknownName("policy for no answer", no_answer, POLICIES)
    return scores.with_columns(predicted=_predicted(no_answer))


def _predicted(no_answer: NoAnswer) -> pl.Expr:
    """Return A, B or null for each question, from the scores alone."""
    a, b = pl.col("score_a"), pl.col("score_b")
    # An unknown score is 0, but lower than any known score below 0.
    low_a, low_b = a.fill_null(pl.min_horizontal(b, 0.0)), b.fill_null(pl.min_horizontal(a, 0.0))
    by_score = (
        pl.when((low_a > low_b) | (b.is_null() & (a < 0)))
        .then(pl.lit("A"))
        .when((low_b > low_a) | (a.is_null() & (b < 0)))
        .then(pl.lit("B"))
    )
    if no_answer == "equal":
        return by_score
    missing = (a.fill_null(0) == 0) | (b.fill_null(0) == 0)
    return pl.when(~missing).then(by_score)


LOOKUPS = {
    name: pl.String()
    for name in ("question", "head_a", "role_a", "head_b", "role_b", "adjective", "answer")
}
SUBJECT, OBJECT = "nsubj", "dobj"
ROOT = 0
_ARTICLE = re.compile(r"^(the|a|an|his|her|their|its|my|your|our)\s+", re.IGNORECASE)
_DIRECT = {"obj": OBJECT, "iobj": OBJECT, "nsubj:pass": OBJECT, "obl:agent": SUBJECT}


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a parsed text: what it is, what it hangs on, and where it begins."""

    lemma: str
    upos: str
    head: int
    deprel: str
    start: int


def words_of(text: str, sentences: Sequence[Sentence]) -> list[Word]:
    """Return the words of all sentences, heads counted from 1 through the text, 0 for a root."""
    words: list[Word] = []
    place = 0
    for sentence in sentences:
        before = len(words)
        for form, lemma, upos, head, deprel in zip(*sentence, strict=True):
            found = text.find(form, place)
            start = found if found >= 0 else place
            place = start + len(form) if found >= 0 else place
            above = head + before if head else ROOT
            words.append(Word((lemma or form).lower(), upos, above, deprel, start))
    return words


def _inside(words: Sequence[Word], start: int, end: int) -> list[int]:
    return [n for n, word in enumerate(words, start=1) if start <= word.start < end]


def _noun(words: Sequence[Word], text: str, candidate: str, end: int) -> int | None:
    """Return the number of the candidate's noun, None if it does not stand before the pronoun."""
    plain = _ARTICLE.sub("", candidate)
    found = re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", text[:end], re.IGNORECASE)
    if found is None or not plain:
        return None
    span = _inside(words, found.start(), found.end())
    return next((n for n in span if words[n - 1].head not in span), None)


def _below(words: Sequence[Word], above: int) -> Iterator[tuple[int, Word]]:
    return ((n, word) for n, word in enumerate(words, start=1) if word.head == above)


def _led_to(words: Sequence[Word], verb: int) -> int:
    """Return the verb that a verb leads to (`tried to call`), itself if to none."""
    for _ in words:
        further = (n for n, w in _below(words, verb) if w.deprel == "xcomp" and w.upos == "VERB")
        deeper = next(further, None)
        if deeper is None:
            return verb
        verb = deeper
    return verb


def role_of(words: Sequence[Word], noun: int) -> tuple[str, str] | None:
    """Return the verb a noun is the subject or object of, and which; None if of none."""
    word = words[noun - 1]
    for _ in words:
        if word.deprel != "conj" or word.head == ROOT:
            break
        word = words[word.head - 1]
    if word.head == ROOT or words[word.head - 1].upos != "VERB":
        return None
    if word.deprel == SUBJECT:
        return words[_led_to(words, word.head) - 1].lemma, SUBJECT
    role = _DIRECT.get(word.deprel)
    if role is None and word.deprel.partition(":")[0] == "obl":
        cases = {child.lemma for _, child in _below(words, noun) if child.deprel == "case"}
        passive = any(child.deprel == "nsubj:pass" for _, child in _below(words, word.head))
        role = (SUBJECT if "by" in cases and passive else OBJECT) if cases else None
    return (words[word.head - 1].lemma, role) if role else None


def adjective_of(words: Sequence[Word], pronoun: int) -> str | None:
    """Return the only adjective that describes the pronoun; None for none or several."""
    word = words[pronoun - 1]
    if word.deprel.partition(":")[0] != SUBJECT or word.head == ROOT:
        return None
    said = [word.head] if words[word.head - 1].upos == "ADJ" else []
    said += [n for n, w in _below(words, word.head) if w.deprel == "xcomp" and w.upos == "ADJ"]
    said += [
        n
        for first in tuple(said)
        for n, w in _below(words, first)
        if w.deprel == "conj" and w.upos == "ADJ"
    ]
    return words[said[0] - 1].lemma if len(said) == 1 else None


def parsed_lookups(questions: pl.DataFrame, parser: Parser) -> pl.DataFrame:
    """Return what is looked up for each question whose pronoun one adjective describes.

    Args:
        questions: question, before, pronoun, after, candidate_a, candidate_b, answer.
        parser: What parses the texts.
    """
    rows = questions.rows(named=True)
    texts = [" ".join((row["before"], row["pronoun"], row["after"])).strip() for row in rows]
    found = [
        _lookup(row, words_of(text, sentences), text)
        for row, text, sentences in zip(rows, texts, parser.parse(texts), strict=True)
    ]
    return pl.DataFrame([one for one in found if one], schema=LOOKUPS, orient="row")


def _lookup(row: dict[str, str], words: Sequence[Word], text: str) -> tuple[str | None, ...] | None:
    place = len(row["before"]) + 1 if row["before"] else 0
    pronoun = next(iter(_inside(words, place, place + len(row["pronoun"]))), None)
    adjective = adjective_of(words, pronoun) if pronoun else None
    if adjective is None:
        return None
    roles: list[str | None] = []
    for side in ("a", "b"):
        noun = _noun(words, text, row[f"candidate_{side}"], place)
        role = role_of(words, noun) if noun else None
        roles += role or (None, None)
    return row["question"], *roles, adjective, row["answer"]


def pairs_in(table: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs that look-ups ask about: relation, head, dependent, each once."""
    sides = [
        table.select(
            relation=pl.concat_str(f"role_{side}", pl.lit("_amod")),
            head=f"head_{side}",
            dependent="adjective",
        )
        for side in ("a", "b")
    ]
    return pl.concat(sides).drop_nulls().unique(maintain_order=True)


def scored(
    table: pl.DataFrame, scores: Iterable[tuple[str, str, str, float | None]]
) -> pl.DataFrame:
    """Return the look-ups with score_a and score_b; null if there is no pair or no score.

    Args:
        table: Look-ups.
        scores: relation, head, dependent and the score of it.
    """
    known = {(relation, head, word): score for relation, head, word, score in scores}

    def of(side: str) -> pl.Series:
        names = (f"role_{side}", f"head_{side}", "adjective")
        rows = table.select(names).iter_rows()
        found = [known.get((f"{role}_amod", head, word)) for role, head, word in rows]
        return pl.Series(f"score_{side}", found, dtype=pl.Float64)

    return table.with_columns(of("a"), of("b"))
