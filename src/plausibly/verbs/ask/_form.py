"""A form put to a language model: the same words, steps and checks as for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.asking.answers import written_number, written_option, written_options
from plausibly.asking.plan import Sample
from plausibly.asking.sittings import Put, Sitting, conversation, likeliest, sample_of
from plausibly.asking.wordings import BETWEEN, FormWording, ending, listed
from plausibly.errors import StudyError, option
from plausibly.io import read_table
from plausibly.ports import LanguageModel, Reply
from plausibly.ratings.answers import Answer, is_skipped, one_answer, open_candidates
from plausibly.ratings.collection import collection_form, form_texts
from plausibly.ratings.forms import SEPARATOR, Form, Question
from plausibly.ratings.served import Content, read_contents
from plausibly.study.folder import PROTOCOLS, Study, is_folder, protocol_named
from plausibly.study.protocol import Protocol
from plausibly.study.settings import FILE, read_settings
from plausibly.tables import ITEMS

ITEMS_FILE = "items.parquet"
MOST_GRADES = 101
"""Places of a slider that a model may be offered one by one; with more, it writes the number."""

Taken = dict[tuple[str, str], Answer]


@dataclass(frozen=True)
class FormSet:
    """Items with the form people answer about them, in every language they are in.

    Args:
        name: What it is called.
        items: The file of items.
        forms: From a language to the form in it; the form of items without one is under ``.
        contents: From an item to what is shown for it.
        languages: From an item to its language, empty where it has none.
        seed: What orders of candidates are drawn from.
    """

    name: str
    items: Path
    forms: Mapping[str, Form]
    contents: Mapping[str, Content]
    languages: Mapping[str, str]
    seed: int

    def form(self, item: str) -> Form:
        """Return the form an item is judged with."""
        return self.forms[self.languages[item]]

    @property
    def most_questions(self) -> int:
        """Return how many questions an item has at most, candidates counted one by one."""
        return max(
            (sum(1 for _ in _asked(self.form(item), one)) for item, one in self.contents.items()),
            default=0,
        )


def form_set(source: str, items: str | Path | None) -> FormSet:
    """Return what a study, a protocol or a folder with one asks about its items.

    Args:
        source: A folder with study.toml, a protocol's folder, or a protocol's name.
        items: The items; None for the study's own.

    Raises:
        StudyError: If there is no form or there are no items.
    """
    folder = Path(source)
    if (folder / FILE).is_file():
        study = Study(folder)
        settings = read_settings(folder, study.protocol)
        section, seed = settings.sections["form"], settings.seed
        language, name = str(settings.sections["server"]["interface"]), settings.name
        place = Path(items) if items is not None else folder / ITEMS_FILE
        return _read(study.protocol, section, place, (name, language, seed, str(folder / FILE)))
    protocol = _protocol(source)
    if items is None:
        raise StudyError(
            f"{source} has no items of its own. Pass {option('items')}.", parameter="items"
        )
    section = protocol.declared().get("form", {})
    return _read(protocol, section, Path(items), (protocol.name, "", 0, source))


def _protocol(source: str) -> Protocol:
    """Return the protocol of a folder or of a name."""
    if is_folder(source) or Path(source).is_dir():
        return protocol_named(source if is_folder(source) else f"./{source}")
    return PROTOCOLS[source]


def _read(
    protocol: Protocol, section: Mapping[str, Any], items: Path, about: tuple[str, str, int, str]
) -> FormSet:
    name, interface, seed, where = about
    if not protocol.form and not section.get("questions"):
        raise StudyError(f"{where}: has no form, so nothing can be asked.")
    table = read_table(items, ITEMS)
    spoken = _languages(table)
    forms = {
        language: collection_form(
            protocol,
            section,
            where=where,
            language=language or interface,
            texts=_texts(Path(where), language),
        )
        for language in sorted(set(spoken.values()))
    }
    first = next(iter(forms.values()))
    contents = {
        item: content
        for item, content in read_contents(items, first).items()
        if content.kind == "item"
    }
    return FormSet(name, items, forms, contents, spoken, seed)


def _texts(settings: Path, language: str) -> dict[str, Any]:
    """Return what people read about items of a language: form.LANGUAGE.toml of a study."""
    if not language or settings.name != FILE:
        return {}
    return {"language": language, **form_texts(settings.with_name(f"form.{language}.toml"))}


def _languages(items: pl.DataFrame) -> dict[str, str]:
    if "language" not in items.columns:
        return dict.fromkeys(items["item"], "")
    return dict(items.select("item", pl.col("language").fill_null("")).iter_rows())


def sittings_of(
    asked: FormSet,
    model: LanguageModel,
    wordings: Sequence[FormWording],
    *,
    samples: int,
    max_tokens: int,
    only: Sequence[str] = (),
) -> Iterator[Sitting]:
    """Yield a sitting for every item, wording and sample.

    Args:
        asked: The items and their form.
        model: The model that answers.
        wordings: Ways to put the form in words.
        samples: How often everything is asked.
        max_tokens: How long a written answer may become at first.
        only: Items to ask about; all where none is named.
    """
    for wording in wordings:
        for item in only or asked.contents:
            for repeat in range(samples):
                talk = _Talk(asked, item, wording, model, repeat, samples > 1, max_tokens)
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

    def sitting(self) -> Sitting:
        """Ask question after question; each answer is checked as a person's is."""
        form, content = self.asked.form(self.item), self.asked.contents[self.item]
        turns: list[tuple[str, str]] = []
        taken: Taken = {}
        samples: list[Sample] = []
        step = 0
        for question, candidate in _asked(form, content):
            if is_skipped(question, candidate, taken):
                continue
            choices = open_candidates(question, content.names, taken)
            if question.type == "best-of-n" and not choices:
                continue
            new = question.form_step > step
            turns += self._turns(
                form, content, question, (candidate, choices), new=new, turns=turns
            )
            step = question.form_step
            put = self._put(question, candidate, turns, choices)
            reply = yield put
            answer = _answered(put, reply, question, candidate, (taken, content.names))
            samples.append(sample_of(put, reply, None if answer is None else answer.answer))
            if answer is None:
                break  # what follows may depend on it, and nobody guesses
            taken[question.id, candidate] = answer
            turns.append(("assistant", answer.answer))
        return samples

    @property
    def language(self) -> str:
        """The language in which an answer is asked for."""
        own = self.asked.form(self.item).language or self.asked.languages[self.item]
        return self.wording.language or self.asked.languages[self.item] or own or "en"

    def _turns(
        self,
        form: Form,
        content: Content,
        question: Question,
        about: tuple[str, Sequence[str]],
        *,
        new: bool,
        turns: Sequence[tuple[str, str]],
    ) -> list[tuple[str, str]]:
        """Return what is said up to a question: the item before the first of each step."""
        candidate, choices = about
        places = {name: str(place) for place, name in enumerate(content.names, 1)}
        asked = BETWEEN.join(part for part in (question.text or question.id, question.hint) if part)
        if candidate:
            asked = f"{ending('about', self.language, name=places[candidate])} {asked}"
        options = _options_text(question, [places[name] for name in choices], self.language)
        if not turns:
            sheet = {
                "instructions": BETWEEN.join(form.instructions),
                "text": _shown(form, content, 1, self.language),
                "question": asked,
                "options": options,
            }
            return self.wording.first_turns(sheet)
        later = _revealed(form, content, question.form_step) if new else ""
        return [("user", BETWEEN.join(part for part in (later, asked, options) if part))]

    def _put(
        self,
        question: Question,
        candidate: str,
        turns: Sequence[tuple[str, str]],
        choices: Sequence[str],
    ) -> Put:
        content = self.asked.contents[self.item]
        options = _offered(question, [str(content.names.index(one) + 1) for one in choices])
        if self.drawn or (len(options) > 20 and self.model.options_at_once < len(options)):
            options = ()
        name = f"{self.item}#{candidate}" if candidate else self.item
        query = conversation(
            turns,
            options,
            lead=ending("answer", self.language),
            converses=self.model.converses,
            max_tokens=self.max_tokens,
            repeat=self.repeat,
        )
        names = (f"{question.id}|{name}|{self.wording.name}|{self.repeat}", f"{question.id}|{name}")
        record = {
            "dataset": self.asked.name,
            "task": question.id,
            "item": name,
            "prompt": self.wording.name,
            "shot_set": "0",
            "shots": [],
            "sample": self.repeat,
        }
        return Put(replace(query, names=names), record)


def _asked(form: Form, content: Content) -> Iterator[tuple[Question, str]]:
    """Yield every question with the candidate it is about; texts are not asked for."""
    for question in form.questions:
        if question.type == "text":
            continue
        for candidate in content.names if question.per == "candidate" else ("",):
            yield question, candidate


def _shown(form: Form, content: Content, step: int, language: str) -> str:
    """Return an item as it is shown: text, sentences by number, columns, candidates."""
    parts = [content.text]
    if content.sentences:
        parts = ["\n".join(f"{n}. {one}" for n, one in enumerate(content.sentences, 1))]
    parts += [f"{form.headings.get(k, k)}: {v}" for k, v in content.shown_at(step).items()]
    parts += [
        ending("candidate", language, name=place, text=text)
        for place, (_, text) in enumerate(content.candidates, 1)
    ]
    return "\n".join(parts)


def _revealed(form: Form, content: Content, step: int) -> str:
    """Return what a step shows that was hidden before."""
    shown = content.later.get(step, {})
    return "\n".join(f"{form.headings.get(name, name)}: {text}" for name, text in shown.items())


def _options_text(question: Question, choices: Sequence[str], language: str) -> str:
    """Return how an answer is asked for: its options, or its range."""
    if question.type == "slider":
        return _range_text(question, language)
    options = choices if question.type == "best-of-n" else question.options
    labels = options if question.type == "best-of-n" else question.labels
    many = question.type == "set" or question.ties
    return f"{ending('several' if many else 'one', language)}\n{listed(options, labels)}"


def _range_text(question: Question, language: str) -> str:
    low, high = f"{question.min:g}", f"{question.max:g}"
    whole = question.step == 1 and float(question.min or 0).is_integer()
    parts = []
    if question.labels:
        first, last = question.labels
        parts.append(ending("ends", language, low=low, high=high, first=first, last=last))
    kind = "whole" if whole else "number"
    parts.append(ending(kind, language, low=low, high=high, step=f"{question.step:g}"))
    return "\n".join(parts)


def _offered(question: Question, choices: Sequence[str]) -> tuple[str, ...]:
    """Return the answers a model chooses from; none where it writes."""
    if question.type == "set" or question.ties:
        return ()
    if question.type == "best-of-n":
        return tuple(choices)
    if question.type != "slider":
        return question.options
    low, high = float(question.min or 0), float(question.max or 0)
    count = round((high - low) / question.step) + 1
    if count > MOST_GRADES:
        return ()
    grades = (low + n * question.step for n in range(count))
    unmeant = question.start if question.middle == "refuse" else None
    return tuple(f"{one:g}" for one in grades if one != unmeant)


def _answered(
    put: Put,
    reply: Reply,
    question: Question,
    candidate: str,
    known: tuple[Taken, Sequence[str]],
) -> Answer | None:
    """Return the answer as a person's would be stored; None where the form would refuse it."""
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
    """Return what a model wrote, as one of the answers; None where it is anything else."""
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
