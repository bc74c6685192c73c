"""How the sentences and names of a story are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from plausibly.datasets.gita.findings import Severity
from plausibly.datasets.gita.stories import Story
from plausibly.proofreading.matching import matches
from plausibly.proofreading.plain import strange_sign, untidy

Remark = tuple[str, str, Severity]

_ARTICLED = re.compile(
    r"(?:il|lo|la|i|gli|le|un|uno|una|the|an?) |(?:l|un)['\u2019]", re.IGNORECASE
)


def form_remarks(story: Story) -> Iterator[Remark]:
    """Yield what is untidy in the sentences, objects and actor of a story."""
    for place, sentence in enumerate(story.sentences):
        for kind, what in _untidy(sentence):
            yield kind, f"sentence {place} {what}", "warning"
    written = [sentence for sentence in story.sentences if sentence.strip()]
    if len(set(written)) < len(written):
        yield "repeated_sentence", "the same sentence occurs twice", "warning"
    yield from _things(story)
    yield from _actor(story)


def _actor(story: Story) -> Iterator[Remark]:
    actor = story.fields.get("actor")
    if isinstance(actor, str) and actor and (actor != actor.strip() or strange_sign(actor)):
        yield "actor_form", f"the actor is written {actor!r}", "error"
    twice = [one for one, n in Counter(map(str.casefold, story.actors)).items() if n > 1]
    if twice:
        yield "actor_form", f"the actor {twice[0]!r} is named twice", "error"
    words = re.findall(r"\w+", " ".join(one[1:] for one in story.sentences))
    for name in story.actors:
        first = [one for one in story.sentences if one.startswith(f"{name.capitalize()} ")]
        if name[:1].islower() and len(first) > 1 and name not in words:
            yield "actor_form", f"the actor {name!r} has a capital in the sentences", "warning"


def _untidy(sentence: str) -> Iterator[tuple[str, str]]:
    body = sentence.strip()
    if sentence != body:
        yield "outer_space", "has spaces around it"
    if body[:1].islower():
        yield "lower_case_start", "begins with a lower-case letter"
    if body and len(re.findall(r"[^\W\d_]+", body)) < 2:
        yield "fragment", f"is not a sentence: {body[:20]!r}"
    yield from matches(body, "plausibly.proofreading.stories", "form")
    if odd := strange_sign(body):
        yield "odd_sign", f"has {odd}, which does not belong in a plain text"
    yield from untidy(body)


def _things(story: Story) -> Iterator[Remark]:
    folded = Counter(one.casefold() for one in story.objects)
    again = [one for one in story.objects if folded[one.casefold()] > 1]
    if again:
        yield "object_twice", f"the object {again[0]!r} is listed twice", "error"
    written = story.fields.get("objects")
    parts = written.split(",") if isinstance(written, str) and written.strip() else []
    if any(not part.strip() for part in parts):
        yield "object_form", f"the objects {written!r} have nothing between two commas", "error"
    for name in story.objects:
        if name in story.actors:
            yield "object_form", f"the object {name!r} is the actor", "error"
        elif _ARTICLED.match(name) or strange_sign(name) or re.search(r"[.;]|\s{2}", name):
            yield "object_form", f"the object {name!r} is not a plain noun", "error"
        elif len(name) > 3 and name.isupper():
            yield "object_form", f"the object {name!r} is in capitals", "warning"
