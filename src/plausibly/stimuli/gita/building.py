"""GITA: implausible variants of plausible five-sentence stories (Pensa et al., 2024, section 3).

Exchanging two sentences can be done by rule, so every exchange is proposed and ranked; whether it
breaks the story is for an author to say. A replaced sentence has to be written by an author; a
table of opposite verbs gives proposals, kept apart from the items.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from plausibly.datasets.gita.findings import StoryFinding
from plausibly.datasets.gita.states import one_state, state_source, state_table
from plausibly.datasets.gita.stories import TRANSLATION, Story
from plausibly.datasets.gita.variants import (
    OF_AUTHOR,
    BadCloze,
    kind_of,
    originals,
    written_cloze,
)
from plausibly.errors import StudyError
from plausibly.stimuli.built import Built
from plausibly.stimuli.gita._exchanges import SentenceExchange, exchanged, exchanges
from plausibly.stimuli.gita.conversion import first_form, revised_form
from plausibly.stimuli.gita.entities import entities
from plausibly.stimuli.gita.opposites import opposed_sentences
from plausibly.stimuli.ledger import LEDGER, Sieve, sieve
from plausibly.tables import ITEMS

FATAL = (
    *("missing_field", "wrong_type", "no_breakpoint", "empty_sentence", "sentence_count"),
    *("no_original", "bad_cloze", "faulty_cloze", "implausible_alone"),
)
_LETTER = {"order": "O", "cloze": "C"}
_OWN = {
    "story": pl.String(),
    "actor": pl.String(),
    "objects": pl.String(),
    "sentences": pl.String(),
    "translation": pl.String(),
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
ALONE = {
    "en": "Is this sentence plausible by itself?",
    "it": "Questa frase, presa da sola, è plausibile?",
}
"""What readers are asked about a sentence, by language; in English where there is no other."""


Check = Callable[[Sequence[Story]], Sequence[StoryFinding]]
"""Proofreads stories."""


def build_gita(
    stories: Sequence[Story],
    *,
    check: Check,
    swaps: int | None = None,
    opposites: Mapping[str, str] | None = None,
    lang: str = "it",
    alone: Mapping[str, bool] | None = None,
) -> Built:
    """Return the stories with their variants, and what a person has to look at.

    Args:
        stories: Plausible stories, with or without variants; a story may carry its author's
            replacements in a field `cloze`.
        check: Proofreads the stories and their variants; a story with a fatal finding is left out.
        swaps: Exchanges a story, best first; all ten without.
        opposites: From a verb, as it is in a sentence, to its opposite.
        lang: The language of the stories.
        alone: Sentences that were read without their story, and whether they are plausible.
    """
    candidates = [one for story in stories for one in (story, *written_cloze(story))]
    sound = [one for one in candidates if isinstance(one, Story)]
    findings = check(sound)
    usable, good = _usable(candidates, findings, alone or {})
    named = {item: _completed(item, story) for item, story in _named(good)}
    proposed, kept = _proposed(named, swaps)
    items = pl.DataFrame(
        [
            *(_row(item, story, status="written") for item, story in named.items()),
            *(_exchanged(one, named[one.item]) for one in kept),
        ],
        schema={**ITEMS.schema, **_OWN},
    )
    plausible = {item: story for item, story in named.items() if not story.breaks}
    return Built(
        items=ITEMS.sort(ITEMS.check(items)),
        ledger=LEDGER.sort(pl.concat([usable.ledger, proposed.ledger]).unique()),
        funnel=[*usable.steps("stories"), *proposed.steps("exchanges")],
        tables={
            "states": state_table(named),
            "proposals": _proposals(plausible, opposites or {}, lang),
            "reading": _reading(named, alone or {}, ask=ALONE.get(lang, ALONE["en"])),
            "entities": entities(named, lang=lang),
        },
        documents={
            "findings.json": [finding.as_json() for finding in findings],
            "revised.jsonl": [revised_form(story) for story in named.values()],
            "first.json": {"test": {item: first_form(story) for item, story in named.items()}},
        },
    )


def _usable(
    candidates: Sequence[Story | BadCloze],
    findings: Iterable[StoryFinding],
    alone: Mapping[str, bool],
) -> tuple[Sieve, list[Story]]:
    """Return the sieve of all stories, and those that are sound; one has to be plausible."""
    names = pl.Series([_place(one) for one in candidates], dtype=pl.String)
    rows = pl.DataFrame({"name": names, "place": range(len(candidates))})
    found = sieve(rows, candidate=pl.col("name")).sift(
        _refusals(candidates, findings, alone), rules=FATAL
    )
    good = [one for place in found.kept["place"] if isinstance(one := candidates[place], Story)]
    if all(story.breaks for story in good):
        first = "".join(f" (first: {row[0]}: {row[2]})" for row in found.ledger.rows()[:1])
        raise StudyError(
            f"no plausible story is left to build from; {found.ledger.height} cannot be used"
            f"{first}. See 'plausibly check gita'."
        )
    return found, good


def _place(one: Story | BadCloze) -> str:
    """Return what the ledger calls a story: its row, and the id it has or would have."""
    name = one.name if isinstance(one, BadCloze) else one.example or one.story
    return f"{one.row}|{name}"


def _refusals(
    candidates: Sequence[Story | BadCloze],
    findings: Iterable[StoryFinding],
    alone: Mapping[str, bool],
) -> list[tuple[str, str] | None]:
    """Return rule and reason for each story whose form is not sound enough, None for the others.

    A story of a released form may carry errors that do not bear on building; a variant written
    for this build may not.
    """
    errors: dict[tuple[int, str], list[StoryFinding]] = {}
    for finding in findings:
        if finding.severity == "error":
            errors.setdefault((finding.row, finding.example), []).append(finding)
    refusals = [_refusal(one, errors) or _odd_alone(one, alone) for one in candidates]
    pairs = zip(candidates, refusals, strict=True)
    left = [one for one, why in pairs if isinstance(one, Story) and not why]
    first = originals(left)
    orphan = ("no_original", "its plausible story cannot be used")
    return [
        orphan
        if why is None and isinstance(one, Story) and one.breaks and one.story not in first
        else why
        for one, why in zip(candidates, refusals, strict=True)
    ]


def _refusal(
    one: Story | BadCloze, errors: Mapping[tuple[int, str], Sequence[StoryFinding]]
) -> tuple[str, str] | None:
    if isinstance(one, BadCloze):
        return "bad_cloze", one.reason
    own = sorted(
        errors.get((one.row, one.example), ()),
        key=lambda error: FATAL.index(error.kind) if error.kind in FATAL else len(FATAL),
    )
    if own and own[0].kind in FATAL:
        return own[0].kind, own[0].message
    faulty = own and one.fields.get(OF_AUTHOR)
    return ("faulty_cloze", f"{own[0].kind}: {own[0].message}") if faulty else None


def _odd_alone(one: Story | BadCloze, alone: Mapping[str, bool]) -> tuple[str, str] | None:
    """Return rule and reason where readers found a sentence of a story implausible by itself."""
    sentences = one.sentences if isinstance(one, Story) else ()
    odd = next((sentence for sentence in sentences if not alone.get(sentence.strip(), True)), None)
    return None if odd is None else ("implausible_alone", f"implausible when read alone: {odd!r}")


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
    own = ("cloze", OF_AUTHOR)
    kept = {name: value for name, value in story.fields.items() if name not in own}
    shared = _shared_state(story)
    missing: dict[str, object] = {
        "type": story.kind if story.breaks else None,
        "example_id": item,
        "plausible": not story.breaks,
        "breakpoint": story.breakpoint,
        "confl_sents": [],
        "confl_pairs": [],
        "states": shared,
    }
    fields = {**kept, **{k: v for k, v in missing.items() if k not in kept}}
    return replace(story, fields=fields, state=story.state or shared)


def _shared_state(story: Story) -> str | None:
    """Return the state by which every variant breaks that an author wrote next to a story.

    The released plausible stories bear the state of their variants, too.
    """
    states = {one.state for one in written_cloze(story) if isinstance(one, Story)}
    return states.pop() if len(states) == 1 else None


def _row(item: str, story: Story, **own: object) -> dict[str, object]:
    lines = story.translation
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
        "translation": json.dumps(lines, ensure_ascii=False) if lines else None,
        "breakpoint": story.breakpoint if story.breaks else None,
        "conflict": story.conflict,
        "state": one_state(story),
        "state_source": state_source(story),
        **own,
    }


def _exchanged(exchange: SentenceExchange, story: Story) -> dict[str, object]:
    lines = exchanged(story.translation, exchange.pair) if story.translation else ()
    fields = {**story.fields, TRANSLATION: list(lines)}
    swapped = replace(story, sentences=exchange.sentences, fields=fields)
    return _row(exchange.name, swapped) | {
        "condition": "order",
        "expected": None,
        "status": "proposed",
        "changed": ",".join(map(str, exchange.pair)),
        "rank": exchange.rank,
        "state": None,
        "state_source": None,
    }


def _proposed(
    named: Mapping[str, Story], swaps: int | None
) -> tuple[Sieve, list[SentenceExchange]]:
    """Return the sieve of all exchanges of two sentences, and those that are proposed."""
    every = list(exchanges(named))
    names = pl.Series([one.name for one in every], dtype=pl.String)
    rows = pl.DataFrame({"name": names, "place": range(len(every))})
    found = sieve(rows, candidate=pl.col("name"), step="exchanged").sift(
        [_why_not(one, swaps) for one in every], rules=("already_written", "beyond_swaps")
    )
    return found, [every[place] for place in found.kept["place"]]


def _why_not(exchange: SentenceExchange, swaps: int | None) -> tuple[str, str] | None:
    """Return rule and reason why an exchange is not proposed, None if it is."""
    if exchange.rank is None:
        return "already_written", f"the written story {exchange.same_as} tells the same"
    if swaps is not None and exchange.rank > swaps:
        return "beyond_swaps", f"rank {exchange.rank}; {swaps} per story were asked for"
    return None


def _proposals(
    plausible: Mapping[str, Story], opposites: Mapping[str, str], lang: str
) -> pl.DataFrame:
    rows = [
        (item, one.place, one.verb, one.opposite, one.sentence)
        for item, story in plausible.items()
        for one in opposed_sentences(story.sentences, opposites, lang=lang)
    ]
    return pl.DataFrame(rows, schema=_PROPOSALS, orient="row")


def _reading(named: Mapping[str, Story], alone: Mapping[str, bool], *, ask: str) -> pl.DataFrame:
    """Return each distinct sentence without a judgement once, to be read without its story."""
    seen = set(alone)
    rows = []
    for item, story in named.items():
        for place, sentence in enumerate(story.sentences):
            if sentence.strip() not in seen:
                seen.add(sentence.strip())
                rows.append((item, place, sentence, ask))
    return pl.DataFrame(rows, schema=_READING, orient="row")
