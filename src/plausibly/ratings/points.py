"""Points of a numbered rating scale: its ends, and words at the ends and in the middle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plausibly.errors import StudyError
from plausibly.io.setting_lines import Spot
from plausibly.ratings.guides import text_lines

MOST_POINTS = 21


def numbered(raw: Mapping[str, Any], place: Spot) -> dict[str, Any]:
    """Return a likert question with its options and, where it has labels, one for each of them."""
    options = text_lines(raw, "options", place) or _options(raw, place)
    labels = _labels(options, text_lines(raw, "labels", place))
    written = {key: value for key, value in raw.items() if key not in {"min", "max", "step"}}
    return written | {"options": options, "labels": labels}


def _options(raw: Mapping[str, Any], place: Spot) -> tuple[str, ...]:
    """Return the points of a likert question that names its ends, `min` and `max`.

    >>> _options({"min": 1, "max": 4}, Spot("study.toml", "form.questions"))
    ('1', '2', '3', '4')
    """
    ends = [raw.get("min"), raw.get("max"), raw.get("step", 1)]
    if any(isinstance(end, bool) or not isinstance(end, int) for end in ends):
        raise StudyError(
            f"{place}: a likert needs 'options', or whole numbers as 'min' and 'max'. Add them."
        )
    low, high, step = ends
    points = range(low, high + 1, step) if step > 0 else range(0)
    if not 2 <= len(points) <= MOST_POINTS or points[-1] != high:
        raise StudyError(
            f"{place.at('max')}: a likert has 2 to {MOST_POINTS} points, the last of them 'max'; "
            f'got {low} to {high} by {step}. For a longer scale, use type = "slider".'
        )
    return tuple(str(point) for point in points)


def _labels(options: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """Return what is read at each point: words for both ends, or for the ends and the middle.

    Words for every point are returned unchanged, as is any other number of words. A point with an
    empty word is read as its number: a button that says nothing cannot be chosen by ear.

    >>> _labels(["1", "2", "3", "4"], ["never", "always"])
    ('1: never', '2', '3', '4: always')
    >>> _labels(["1", "2", "3"], ["never", "", "always"])
    ('1: never', '2', '3: always')
    """
    if len(words) == len(options) and not all(words) and any(words):
        pairs = zip(options, words, strict=True)
        return tuple(f"{one}: {word}" if word else one for one, word in pairs)
    last = len(options) - 1
    places = {2: (0, last), 3: (0, last // 2, last)}.get(len(words), ())
    named = dict(zip(places, words, strict=True)) if places else {}
    if last < len(words) or (len(words) == 3 and last % 2) or not named:
        return tuple(words)
    return tuple(f"{one}: {named[n]}" if n in named else one for n, one in enumerate(options))
