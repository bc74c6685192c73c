"""Which language stories are in: what they or the caller say, else what their words show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from plausibly.datasets.gita.stories import Story
from plausibly.datasets.lexica.detection import in_one_language
from plausibly.ports import Frequencies

_NO_WORD = "en"  # without a word, the checks of every language are the same


def story_language(
    stories: Sequence[Story],
    asked: str | None,
    *,
    known: Callable[[], Mapping[str, Frequencies]],
) -> tuple[str, tuple[str, ...]]:
    """Return the language of stories, and a note where their words showed it.

    Args:
        stories: The stories; a field `language` names theirs.
        asked: The language asked for, which comes first.
        known: Returns how frequent words are in each language that can be recognised.

    Raises:
        StudyError: If nothing shows the language, or the stories are in several.
    """
    texts = [sentence for story in stories for sentence in story.sentences]
    if asked is not None or not any(texts):
        return asked or _NO_WORD, ()
    named = [str(one) for story in stories if (one := story.fields.get("language"))]
    frame = pl.DataFrame({"text": texts})
    if len(named) == len(stories):
        frame = pl.DataFrame({"text": named, "language": named})
    return in_one_language(frame, None, known=known)[1:]
