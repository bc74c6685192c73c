"""What the check reports on a draft, as pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plausibly.datasets.gita.findings import StoryFinding
from plausibly.datasets.gita.stories import Story, story_of
from plausibly.verbs.check import story_findings
from plausibly.web.author.drafts import StoryDraft, drafts_in, sound_drafts, written_stories
from plausibly.web.author.messages import on_page
from plausibly.web.locale.texts import Texts


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """One finding on a page.

    Args:
        severity: `error`, `warning` or `note`.
        label: The same in the language of the page.
        variant: What the page calls the variant; empty for the story itself.
        message: What was found, in the language of the page, sentences from 1.
    """

    severity: str
    label: str
    variant: str
    message: str


def folder_findings(folder: Path, draft: StoryDraft, *, lang: str) -> list[StoryFinding]:
    """Return what `plausibly check gita` reports on a draft next to the other stories of a folder.

    The draft is checked as it is here, saved or not.
    """
    others = sound_drafts({**drafts_in(folder), draft.number: draft}, lang=lang)
    stories: list[Story] = []
    own = set()
    for number, one in sorted({**others, draft.number: draft}.items()):
        for fields in written_stories(one):
            if number == draft.number:
                own.add(len(stories))
            stories.append(story_of(fields, row=len(stories)))
    return [finding for finding in story_findings(stories, lang) if finding.row in own]


def shown_findings(
    folder: Path, draft: StoryDraft, *, lang: str, texts: Texts
) -> list[ShownFinding]:
    """Return the findings on a draft: errors, warnings, then notes; none for an empty one.

    The state of the story is that of its first variant; what is wrong with it is listed there.
    """
    if not any(draft.sentences):
        return []
    order = ("error", "warning", "note")
    variants = {
        fields["example_id"]: f"{texts(f'author.{one.kind}')} "
        f"({one.conflict + 1}, {one.breakpoint + 1})"
        for fields, one in zip(written_stories(draft)[1:], draft.variants, strict=True)
    }
    found = sorted(
        folder_findings(folder, draft, lang=lang), key=lambda one: order.index(one.severity)
    )
    return [
        ShownFinding(
            severity=one.severity,
            label=texts(f"author.{one.severity}"),
            variant=variants.get(one.example, ""),
            message=on_page(one.message, texts.language),
        )
        for one in found
        if one.kind != "unknown_state" or one.example in variants
    ]
