"""What is on one page: an item, or several that are answered together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plausibly.ratings.answers import Refusal
from plausibly.ratings.served import Content, Served
from plausibly.ratings.store.places import Slot
from plausibly.web.context import Desk
from plausibly.web.participant.fields import (
    Block,
    Field,
    Given,
    Settled,
    blocks_of,
    by_place,
    fields_of,
    labels_of,
    settled_of,
)


@dataclass(frozen=True, slots=True)
class Filled:
    """What a part of a page shows in its fields, and what is wrong with it."""

    given: Given
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One item as a page shows it."""

    place: int  # on the page, 0 where it stands alone
    content: Content
    columns: Mapping[str, str]
    fields: Sequence[Field]
    blocks: Sequence[Block]
    labels: Mapping[str, str]
    settled: Sequence[Settled]
    questions: str = ""  # as they are shown, where they were shown before

    @property
    def text_id(self) -> str:
        """Where its text is on the page."""
        return f"text-{self.place}" if self.place else "text"


def prefix_of(place: int) -> str:
    """Return what names of fields begin with, so that two items of a page have their own.

    >>> prefix_of(0), prefix_of(2)
    ('', '2.')
    """
    return f"{place}." if place else ""


def own_fields(sent: Mapping[str, Sequence[str]], place: int) -> dict[str, Sequence[str]]:
    """Return the fields of one item of a page, under the names its questions give them.

    >>> own_fields({"1.effect": ["less"], "2.effect": ["more"]}, 2)
    {'effect': ['more']}
    """
    prefix = prefix_of(place)
    names = {name: name.replace(prefix, "", 1) for name in sent if prefix in name}
    return {own: sent[name] for name, own in names.items()} if prefix else dict(sent)


def place_of(slot: Slot, served: Served) -> int:
    """Return the place of a slot on its page, 0 if it is alone."""
    per_page = served.form.per_page
    return (slot.position - 1) % per_page + 1 if per_page > 1 else 0


def part_of(desk: Desk, seen: tuple[Slot, str], step: int, filled: Filled) -> Part:
    """Return an item with its fields as a person sees it."""
    slot, annotator = seen
    desk = desk.speaking(desk.served.languages.get(slot.item))
    served, place = desk.served, place_of(slot, desk.served)
    own = served.seen(slot.item, annotator)
    form, content = own.form, own.content
    columns = {form.headings.get(k, k): v for k, v in content.shown_at(step).items()}
    blank = not (filled.given or filled.refusals or content.candidates)
    if blank and (step, place) in desk.blank:  # what most people see of most items
        questions = desk.blank[step, place]
        return Part(place, content, columns, (), (), {}, (), questions)
    errors: Mapping[tuple[str, str], str] = {}
    if filled.refusals:
        messages = [one["message"] for one in desk.refused(filled.refusals)]
        errors = by_place(filled.refusals, messages)
    fields = fields_of(
        form, content, step=step, given=filled.given, refusals=errors, prefix=prefix_of(place)
    )
    part = Part(
        place=place,
        content=content,
        columns=columns,
        fields=fields,
        blocks=blocks_of(fields, content),
        labels=labels_of(form, content),
        settled=settled_of(form, content, step=step, given=filled.given),
    )
    if not blank or any(one.question.sentences for one in fields):
        return part
    return replace(part, questions=_render_blank(desk, part, step))


def _render_blank(desk: Desk, part: Part, step: int) -> str:
    """Return the questions of an item nobody has answered, which look alike for every item."""
    questions = desk.templates.get_template("questions.html.jinja")
    made = questions.render(texts=desk.texts, study=desk.served, blocks=part.blocks)
    desk.blank[step, part.place] = made
    return made


def help_about(desk: Desk, guide: tuple[str, ...]) -> str:
    """Return what can be looked up under an item, which looks alike wherever the guide does."""
    if guide not in desk.help:
        template = desk.templates.get_template("help.html.jinja")
        desk.help[guide] = template.render(texts=desk.texts, study=desk.served, guide=guide)
    return desk.help[guide]
