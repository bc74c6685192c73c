"""A form put to a language model, question after question, as people see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from plausibly.asking.answers import written_number, written_option, written_options
from plausibly.asking.plan import Sample
from plausibly.asking.sittings import Put, Sitting, conversation, likeliest, sample_of
from plausibly.asking.wordings import BETWEEN, Endings, FormWording, listed
from plausibly.ports import LanguageModel, Reply
from plausibly.ratings.answers import Answer, is_skipped, one_answer, open_candidates
from plausibly.ratings.forms import SEPARATOR, Form, Question
from plausibly.ratings.served import Content
from plausibly.verbs.ask._examples import NO_EXAMPLES, ExampleSet
from plausibly.verbs.ask._form import FormSet, offered_grades, questions_of

MOST_REQUESTS = 20
"""Options that a model may be asked about one by one; with more, it writes its answer."""

Taken = dict[tuple[str, str], Answer]


def sittings_of(
    asked: FormSet,
    model: LanguageModel,
    wordings: Sequence[FormWording],
    *,
    samples: int,
    max_tokens: int,
    only: Sequence[str] = (),
    examples: Sequence[ExampleSet] = (NO_EXAMPLES,),
) -> Iterator[Sitting]:
    """Yield a sitting for every item, wording and sample.

    Args:
        asked: The items and their form.
        model: The model that answers.
        wordings: Ways to put the form in words.
        samples: How often everything is asked.
        max_tokens: How long a written answer may become at first.
        only: Items to ask about; all where none is named.
        examples: Sets of examples, each a way of asking with every wording.
    """
    for wording, shown in product(wordings, examples):
        for item in only or asked.contents:
            for repeat in range(samples):
                drawn = samples > 1
                talk = _Talk(asked, item, wording, model, repeat, drawn, max_tokens, shown)
                yield talk.sitting()


@dataclass
class _Talk:
    """One conversation about one item."""

    asked: FormSet
    item: str
    wording: FormWording
    model: LanguageModel
    repeat: int
    drawn: bool
    max_tokens: int
    examples: ExampleSet = NO_EXAMPLES

    def sitting(self) -> Sitting:
        """Ask question after question; each answer is checked as a person's is.

        After an answer that could not be read, the other questions of its step are asked as if it
        had not been; what depends on it is not, because nobody guesses.
        """
        form, content = self.asked.form(self.item), self.asked.contents[self.item]
        turns = self._example_turns(form)
        taken: Taken = {}
        samples: list[Sample] = []
        unread: list[Question] = []
        step = 0
        for question, candidate in questions_of(form, content):
            if _depends(question, unread) or is_skipped(question, candidate, taken):
                continue
            choices = open_candidates(question, content.names, taken)
            if question.type == "best-of-n" and not choices:
                continue
            new = question.form_step > step
            said = self._turns(
                form, content, question, (candidate, choices), new=new, first=not taken
            )
            known = bool(turns) and not taken  # the examples came with the instructions
            before = turns
            turns = [*turns, *(turn for turn in said if not known or turn[0] != "system")]
            put = self._put(question, candidate, turns, choices)
            reply = yield put
            if reply is None:
                break
            answer = _answered(put, reply, question, candidate, (taken, content.names))
            samples.append(sample_of(put, reply, None if answer is None else answer.answer))
            if answer is None:
                unread.append(question)
                turns = before
                continue
            step = question.form_step
            taken[question.id, candidate] = answer
            turns.append(("assistant", answer.answer))
        return samples

    @property
    def endings(self) -> Endings:
        """How an answer is asked for, in the language of the wording, the item or the form."""
        own = self.asked.languages[self.item] or self.asked.form(self.item).language
        return Endings(self.wording.language or own or "en", self.wording.endings)

    def _turns(
        self,
        form: Form,
        content: Content,
        question: Question,
        about: tuple[str, Sequence[str]],
        *,
        new: bool,
        first: bool,
    ) -> list[tuple[str, str]]:
        """Return what is said up to a question: the item before the first of each step."""
        candidate, choices = about
        places = {name: str(place) for place, name in enumerate(content.names, 1)}
        asked = BETWEEN.join(part for part in (question.text or question.id, question.hint) if part)
        if candidate:
            asked = f"{self.endings('about', name=places[candidate])} {asked}"
        options = _options_text(question, [places[name] for name in choices], self.endings)
        if first:
            sheet = {
                "instructions": BETWEEN.join(form.instructions),
                "text": _shown(form, content, 1, self.endings),
                "question": asked,
                "options": options,
                "examples": self._in_words(form) if content is self._content else "",
            }
            return self.wording.first_turns(sheet)
        later = _revealed(form, content, question.form_step) if new else ""
        return [("user", BETWEEN.join(part for part in (later, asked, options) if part))]

    @property
    def _content(self) -> Content:
        return self.asked.contents[self.item]

    def _example_turns(self, form: Form) -> list[tuple[str, str]]:
        """Return examples as turns before the item; none if the wording has a place for them."""
        turns: list[tuple[str, str]] = []
        if self.wording.shows_examples:
            return turns
        for item in self.examples.of(self.item):
            content, step = self.asked.contents[item], 0
            for number, (question, grade) in enumerate(self.examples.answers(form, item)):
                about, new = ("", ()), question.form_step > step
                said = self._turns(form, content, question, about, new=new, first=not number)
                turns += [turn for turn in said if not turns or turn[0] != "system"]
                turns.append(("assistant", grade))
                step = question.form_step
        return turns

    def _in_words(self, form: Form) -> str:
        """Return examples as one text: the item, its questions and their answers."""
        parts = []
        for item in self.examples.of(self.item):
            lines = [_shown(form, self.asked.contents[item], 1, self.endings)]
            for question, grade in self.examples.answers(form, item):
                lines += [question.text or question.id]
                lines += [f"{self.endings('answer')} {grade}"]
            parts.append("\n".join(lines))
        return BETWEEN.join(parts)

    def _put(
        self,
        question: Question,
        candidate: str,
        turns: Sequence[tuple[str, str]],
        choices: Sequence[str],
    ) -> Put:
        content = self.asked.contents[self.item]
        places = tuple(str(content.names.index(one) + 1) for one in choices)
        options = places if question.type == "best-of-n" else offered_grades(question)
        options = () if question.type == "set" or question.ties else options
        one_by_one = 0 < self.model.options_at_once < len(options)
        among = options
        if self.drawn or (one_by_one and len(options) > MOST_REQUESTS):
            options = ()
        name = f"{self.item}#{candidate}" if candidate else self.item
        query = conversation(
            turns,
            options,
            lead=self.endings("answer"),
            converses=self.model.converses,
            max_tokens=self.max_tokens,
            repeat=self.repeat,
            among=among,
            within=None if among else _range(question),
        )
        way = f"{question.id}|{name}|{self.wording.name}|{self.examples.name}"
        names = (f"{way}|{self.repeat}", way, f"{question.id}|{name}")
        record = {
            "dataset": self.asked.name,
            "task": question.id,
            "item": name,
            "prompt": self.wording.name,
            "shot_set": self.examples.name,
            "shots": self.examples.of(self.item),
            "sample": self.repeat,
        }
        return Put(replace(query, names=names), record)


def _depends(question: Question, unread: Sequence[Question]) -> bool:
    """Return whether a question is asked only once others are answered that could not be read."""
    named = {*question.skip_if, question.above}
    return any(one.id in named or one.form_step < question.form_step for one in unread)


def _shown(form: Form, content: Content, step: int, endings: Endings) -> str:
    """Return an item as it is shown: text, sentences by number, columns, candidates."""
    parts = [content.text]
    if content.sentences:
        parts = ["\n".join(f"{n}. {one}" for n, one in enumerate(content.sentences, 1))]
    parts += [f"{form.headings.get(k, k)}: {v}" for k, v in content.shown_at(step).items()]
    parts += [
        endings("candidate", name=place, text=text)
        for place, (_, text) in enumerate(content.candidates, 1)
    ]
    return "\n".join(parts)


def _revealed(form: Form, content: Content, step: int) -> str:
    """Return what a step shows that was hidden before."""
    shown = content.later.get(step, {})
    return "\n".join(f"{form.headings.get(name, name)}: {text}" for name, text in shown.items())


def _options_text(question: Question, choices: Sequence[str], endings: Endings) -> str:
    """Return how an answer is asked for: its options, or its range."""
    if question.type == "slider":
        return _range_text(question, endings)
    options = choices if question.type == "best-of-n" else question.options
    labels = options if question.type == "best-of-n" else question.labels
    many = question.type == "set" or question.ties
    return f"{endings('several' if many else 'one')}\n{listed(options, labels)}"


def _range(question: Question) -> tuple[float, float, float] | None:
    """Return least, greatest and step of a slider; None for other questions."""
    if question.type != "slider":
        return None
    return float(question.min or 0), float(question.max or 0), float(question.step)


def _range_text(question: Question, endings: Endings) -> str:
    low, high = f"{question.min:g}", f"{question.max:g}"
    whole = question.step == 1 and float(question.min or 0).is_integer()
    parts = []
    if question.labels:
        first, last = question.labels
        parts.append(endings("ends", low=low, high=high, first=first, last=last))
    kind = "whole" if whole else "number"
    parts.append(endings(kind, low=low, high=high, step=f"{question.step:g}"))
    return "\n".join(parts)


def _answered(
    put: Put,
    reply: Reply,
    question: Question,
    candidate: str,
    known: tuple[Taken, Sequence[str]],
) -> Answer | None:
    """Return the answer as a person's would be stored; None if the form would refuse it."""
    taken, names = known
    said = likeliest(put, reply)
    if said is None:
        said = _written(question, reply.text or "", names)
    if said is None:
        return None
    raw: object = said
    if question.type == "best-of-n":
        raw = _candidates(said, names, several=question.ties)
    elif question.type == "set":
        raw = said.split(SEPARATOR)
    elif question.type == "slider":
        raw = float(said)
    found = one_answer(question, candidate, raw, taken=taken, candidates=names)
    return found if isinstance(found, Answer) else None


def _candidates(said: str, names: Sequence[str], *, several: bool) -> object:
    """Return the names of candidates that a model named by their place."""
    places = {str(place): name for place, name in enumerate(names, 1)}
    chosen = [places.get(part.strip(), part) for part in said.split(SEPARATOR)]
    return chosen if several else chosen[0]


def _written(question: Question, text: str, names: Sequence[str]) -> str | None:
    """Return what a model wrote, as one of the answers; None if it is anything else."""
    if question.type == "slider":
        return written_number(text)
    options = question.options
    if question.type == "best-of-n":
        options = tuple(str(place) for place, _ in enumerate(names, 1))
    if question.type == "set" or question.ties:
        return written_options(text, options)
    return written_option(text, dict(zip(options, options, strict=True))) or written_option(
        text, dict(zip(options, question.labels or options, strict=True))
    )
