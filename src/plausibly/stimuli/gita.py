"""GITA: implausible variants of plausible five-sentence stories (Pensa et al., 2024, section 3).

Exchanging two sentences can be done by rule, so every exchange is proposed and ranked; whether it
breaks the story is for an author to say. A replaced sentence has to be written by an author; a
table of opposite verbs gives proposals, kept apart from the items.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from plausibly.datasets.gita.states import one_state, state_source, state_table
from plausibly.datasets.gita.stories import APART, FORMS, Story, story_of
from plausibly.errors import StudyError
from plausibly.stimuli.gita_checks import Finding, check_stories
from plausibly.stimuli.gita_conversion import first_form, revised_form
from plausibly.stimuli.gita_exchanges import Exchange, exchanges
from plausibly.stimuli.gita_reading import absent_objects, mental_verbs
from plausibly.stimuli.gita_variants import kind_of, originals
from plausibly.stimuli.ledger import LEDGER
from plausibly.tables import ITEMS

FATAL = (
    *("missing_field", "wrong_type", "no_breakpoint", "empty_sentence", "sentence_count"),
    "no_original",
)
_CLOZE = {"replace", "sentence", "conflict", "breakpoint"}
_LETTER = {"order": "O", "cloze": "C"}
_OWN = {
    "story": pl.String(),
    "actor": pl.String(),
    "objects": pl.String(),
    "sentences": pl.String(),
    "status": pl.String(),
    "changed": pl.String(),
    "rank": pl.Int64(),
    "breakpoint": pl.Int64(),
    "conflict": pl.Int64(),
    "state": pl.String(),
    "state_source": pl.String(),
}
_PROPOSALS = {
    "item": pl.String(),
    "sentence": pl.Int64(),
    "verb": pl.String(),
    "opposite": pl.String(),
    "proposal": pl.String(),
}
_READING = {"item": pl.String(), "sentence": pl.Int64(), "text": pl.String(), "ask": pl.String()}
ALONE = "Is this sentence plausible by itself?"


@dataclass(frozen=True, eq=False)
class Built:
    """What was built.

    Args:
        items: Plausible stories, the variants somebody wrote, and every exchange, ranked.
        states: One row per item, sentence, entity and attribute, where blocks are written.
        proposals: Sentences with an opposite verb, for an author to take or leave.
        reading: Sentences a reader has to judge by themselves.
        findings: What the checks of form say about the stories.
        ledger: Stories that could not be used, and exchanges that were not proposed.
        funnel: Stories, then exchanges, left after each step.
        revised: The written stories with one state each, as in the revised release.
        first: The same with blocks of 20 attributes, as in the first release.
    """

    items: pl.DataFrame
    states: pl.DataFrame
    proposals: pl.DataFrame
    reading: pl.DataFrame
    findings: list[Finding]
    ledger: pl.DataFrame
    funnel: list[dict[str, str | int]]
    revised: list[dict[str, Any]]
    first: dict[str, dict[str, Any]]


def build_gita(
    stories: Sequence[Story],
    *,
    lang: str = "it",
    swaps: int | None = None,
    opposites: Mapping[str, str] | None = None,
) -> Built:
    """Return the stories with their variants, and what a person has to look at.

    Args:
        stories: Plausible stories, with or without variants; a story may carry its author's
            replacements in a field `cloze`.
        lang: For the verbs of the mind.
        swaps: Exchanges a story, best first; all ten without.
        opposites: From a verb, as it stands in a sentence, to its opposite.
    """
    told = [one for story in stories for one in (story, *_written_cloze(story))]
    findings = [*check_stories(told), *mental_verbs(told, lang=lang), *absent_objects(told)]
    good, gone = _usable(told, findings)
    if not any(not story.breaks for story in good):
        first = "".join(f" (first: {name}: {reason})" for name, _, reason in gone[:1])
        raise StudyError(
            f"no plausible story is left to build from; {len(gone)} cannot be used{first}. "
            "See 'plausibly check gita'."
        )
    named = {item: _completed(item, story) for item, story in _named(good)}
    every = list(exchanges(named))
    kept = [one for one in every if _why_not(one, swaps) is None]
    dropped = [(one.name, *why) for one in every if (why := _why_not(one, swaps)) is not None]
    rows = [_row(item, story, status="written") for item, story in named.items()]
    rows += [_proposed(one, named[one.item]) for one in kept]
    items = pl.DataFrame(rows, schema={**ITEMS.schema, **_OWN})
    plausible = {item: story for item, story in named.items() if not story.breaks}
    return Built(
        items=ITEMS.sort(ITEMS.check(items)),
        states=state_table(named),
        proposals=_proposals(plausible, opposites or {}),
        reading=_reading(named),
        findings=findings,
        ledger=_ledger([*gone, *dropped]),
        funnel=[
            *_steps("stories", len(told), gone, FATAL),
            *_steps("exchanges", len(every), dropped, ("already_written", "beyond_swaps")),
        ],
        revised=[revised_form(story) for story in named.values()],
        first={item: first_form(story) for item, story in named.items()},
    )


def _written_cloze(story: Story) -> Iterator[Story]:
    """Yield the variants an author wrote into the field `cloze` of a plausible story."""
    written = story.fields.get("cloze")
    if not isinstance(written, list | None):
        raise StudyError(f"story {story.place()}: 'cloze' is a list of variants. Put [] around it.")
    for number, one in enumerate(written or ()):
        if not isinstance(one, Mapping) or not set(one) >= _CLOZE:
            raise StudyError(
                f"story {story.place()}: each cloze variant needs 'replace' (a sentence from 0), "
                "'sentence', 'conflict' and 'breakpoint'; 'state' may follow."
            )
        place, sentences = one["replace"], list(story.sentences)
        if not isinstance(place, int) or not 0 <= place < len(sentences):
            raise StudyError(
                f"story {story.place()}: cloze replaces sentence {place!r}, not there."
            )
        sentences[place] = str(one["sentence"])
        state = one.get("state", story.state)
        left_out = ("cloze", *APART, *FORMS)
        fields = {name: value for name, value in story.fields.items() if name not in left_out}
        fields |= {
            "type": "cloze",
            "idx": number,
            "sentences": sentences,
            "example_id": f"{story.story}-C{number}",
            "plausible": False,
            "breakpoint": one["breakpoint"],
            "confl_sents": [one["conflict"]],
            "confl_pairs": [one["conflict"], one["breakpoint"]],
            "states": state,
        }
        if state is not None and "state" not in one:
            fields["states_inferred"] = True
        yield story_of(fields, row=story.row)


def _usable(
    told: Sequence[Story], findings: Iterable[Finding]
) -> tuple[list[Story], list[tuple[str, str, str]]]:
    """Return the stories whose form is sound enough; name, rule and reason of the others."""
    fatal: dict[tuple[int, str], Finding] = {}
    errors = [f for f in findings if f.kind in FATAL and f.severity == "error"]
    for finding in sorted(errors, key=lambda error: FATAL.index(error.kind)):
        fatal.setdefault((finding.row, finding.example), finding)
    sound = [story for story in told if (story.row, story.example) not in fatal]
    first = originals(sound)
    good, gone = [], []
    for story in told:
        name, finding_of = f"{story.row}|{story.example}", fatal.get((story.row, story.example))
        if finding_of is not None:
            gone.append((name, finding_of.kind, finding_of.message))
        elif story.breaks and story.story not in first:
            gone.append((name, "no_original", "its plausible story cannot be used"))
        else:
            good.append(story)
    return good, gone


def _ledger(gone: Iterable[tuple[str, str, str]]) -> pl.DataFrame:
    ledger = pl.DataFrame(list(dict.fromkeys(gone)), schema=LEDGER.schema, orient="row")
    return LEDGER.sort(LEDGER.check(ledger))


def _named(stories: Sequence[Story]) -> Iterator[tuple[str, Story]]:
    """Yield each story under a name of its own, whatever it calls itself."""
    first = originals(stories)
    seen: dict[str, int] = {}
    for story in stories:
        kind = kind_of(story, first.get(story.story))
        name = story.story if kind == "plausible" else f"{story.story}-{_LETTER[kind]}"
        number = seen.setdefault(name, 0)
        seen[name] += 1
        if kind == "plausible":
            yield (name if number == 0 else f"{name}-P{number}"), story
        else:
            yield f"{name}{number}", replace(story, kind=kind)


def _completed(item: str, story: Story) -> Story:
    """Return the story with the fields its author left out; its variants stand for themselves."""
    told = {name: value for name, value in story.fields.items() if name != "cloze"}
    missing: dict[str, object] = {
        "type": story.kind if story.breaks else None,
        "example_id": item,
        "plausible": not story.breaks,
        "breakpoint": story.breakpoint,
        "confl_sents": [],
        "confl_pairs": [],
        "states": None,
    }
    return replace(story, fields={**told, **{k: v for k, v in missing.items() if k not in told}})


def _row(item: str, story: Story, **own: object) -> dict[str, object]:
    return {
        "item": item,
        "text": " ".join(sentence.strip() for sentence in story.sentences),
        "condition": story.kind if story.breaks else "plausible",
        "kind": "item",
        "expected": "implausible" if story.breaks else "plausible",
        "story": story.story,
        "actor": story.actor,
        "objects": ", ".join(story.objects),
        "sentences": json.dumps(story.sentences, ensure_ascii=False),
        "breakpoint": story.breakpoint if story.breaks else None,
        "conflict": story.conflict,
        "state": one_state(story),
        "state_source": state_source(story),
        **own,
    }


def _proposed(exchange: Exchange, story: Story) -> dict[str, object]:
    return _row(exchange.name, replace(story, sentences=exchange.sentences)) | {
        "condition": "order",
        "expected": None,
        "status": "proposed",
        "changed": ",".join(map(str, exchange.pair)),
        "rank": exchange.rank,
        "state": None,
        "state_source": None,
    }


def _why_not(exchange: Exchange, swaps: int | None) -> tuple[str, str] | None:
    """Return rule and reason why an exchange is not proposed, None if it is."""
    if exchange.rank is None:
        return "already_written", f"the written story {exchange.same_as} tells the same"
    if swaps is not None and exchange.rank > swaps:
        return "beyond_swaps", f"rank {exchange.rank}; {swaps} a story were asked for"
    return None


def _steps(
    of: str, number: int, gone: Iterable[tuple[str, str, str]], rules: Iterable[str]
) -> Iterator[dict[str, str | int]]:
    """Yield how many stories or exchanges were left after each rule."""
    counts = Counter(rule for _, rule, _ in gone)
    yield {"step": "read" if of == "stories" else "exchanged", "of": of, "rows": number}
    for rule in rules:
        number -= counts[rule]
        yield {"step": rule, "of": of, "rows": number}


def _proposals(plausible: Mapping[str, Story], opposites: Mapping[str, str]) -> pl.DataFrame:
    rows = []
    for item, story in plausible.items():
        for place, sentence in enumerate(story.sentences):
            for verb, opposite in opposites.items():
                found = re.sub(rf"(?<!\w){re.escape(verb)}(?!\w)", opposite, sentence, count=1)
                if found != sentence and found not in story.sentences:
                    rows.append((item, place, verb, opposite, found))
    return pl.DataFrame(rows, schema=_PROPOSALS, orient="row")


def _reading(named: Mapping[str, Story]) -> pl.DataFrame:
    """Return each distinct sentence once, for a reader to judge without its story."""
    seen: set[str] = set()
    rows = []
    for item, story in named.items():
        for place, sentence in enumerate(story.sentences):
            if sentence not in seen:
                seen.add(sentence)
                rows.append((item, place, sentence, ALONE))
    return pl.DataFrame(rows, schema=_READING, orient="row")
