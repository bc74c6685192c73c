"""Words that no annotator should have to read: our list, and an optional classifier."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import polars as pl

from plausibly.datasets.lexica.provenance import Provenance, of_file
from plausibly.errors import StudyError
from plausibly.io import parse_toml, read_settings

# Returns the probability that each text is profane.
Classifier = Callable[[Sequence[str]], list[float]]
NO_LIST = (
    "No profanity list was applied: ours is English. Pass a list (profanity), one lemma per line, "
    "to drop offensive items."
)
# Characters between or around words, but not inside them.
_SEVERAL = re.compile(r'[,;\t"]')


@dataclass(frozen=True, eq=False)
class Profanity:
    """A list of profane words, and an optional classifier.

    Args:
        provenance: Where the list comes from.
        words: The kind of offence of each lemma (case-folded), for the ledger.
        classifier: Also judges whole texts; None, the default, uses only the list.
        at_least: The classifier's probability from which on a text is profane.
    """

    provenance: Provenance
    words: Mapping[str, str]
    classifier: Classifier | None = None
    at_least: float = 0.9

    def reasons(self, frame: pl.DataFrame, columns: Sequence[str]) -> pl.Series:
        """Return for every row why it is profane, null if it is not.

        The list checks each column by itself, the classifier all of them as one text.
        """
        listed = pl.coalesce(
            *(
                pl.when(pl.col(column).str.to_lowercase().is_in(list(self.words))).then(
                    pl.format(
                        f"{column} '{{}}' is in the profanity list ({{}})",
                        pl.col(column),
                        pl.col(column)
                        .str.to_lowercase()
                        .replace_strict(dict(self.words), default="", return_dtype=pl.String),
                    )
                )
                for column in columns
            ),
            pl.lit(None, dtype=pl.String),
        )
        reasons = frame.select(listed.alias("reason"))["reason"]
        if self.classifier is None or frame.is_empty():
            return reasons
        texts = frame.select(pl.concat_str(list(columns), separator=" ").alias("t"))["t"]
        distinct = texts.unique(maintain_order=True).to_list()
        judged = dict(zip(distinct, self.classifier(distinct), strict=True))
        found = [
            f"the classifier gives {judged[text]:.3f}; the limit is {self.at_least}"
            if judged[text] >= self.at_least
            else None
            for text in texts.to_list()
        ]
        return reasons.zip_with(reasons.is_not_null(), pl.Series("reason", found, dtype=pl.String))


def own_list() -> Profanity:
    """Return the list that comes with the package: short, and meant to be edited."""
    place = resources.files("plausibly.datasets.lexica") / "profanity.toml"
    words = _words(place.read_text(encoding="utf-8"), "profanity.toml")
    return Profanity(Provenance("profanity", "profanity.toml of plausibly", len(words)), words)


def read_profanity(path: Path) -> Profanity:
    """Return the list in a user's file: TOML like ours, or plain text with one lemma per line.

    Raises:
        StudyError: For a file that is not text, has no word, or has a line of several words.
    """
    text = read_settings(path)
    words = _words(text, str(path)) if path.suffix == ".toml" else _lines(text, path)
    if not words:
        raise StudyError(f"{path}: no words. Write one per line, or omit the file.")
    return Profanity(of_file("profanity", path, entries=len(words)), words)


def no_list(note: str) -> Profanity:
    """Return an empty list, with a note on the reason."""
    return Profanity(Provenance("profanity", "none", 0, note=note), {})


def profanity_for(path: Path | None, lang: str) -> Profanity:
    """Return the user's list, or ours; ours is English, so other languages have none."""
    if path is not None:
        return read_profanity(path)
    return own_list() if lang == "en" else no_list(NO_LIST)


def with_classifier(profanity: Profanity, classifier: Classifier, *, at_least: float) -> Profanity:
    """Return the list together with a classifier of texts."""
    if not 0 < at_least <= 1:
        raise StudyError(f"at_least must be in (0, 1]; got {at_least}.")
    return replace(profanity, classifier=classifier, at_least=at_least)


def _lines(text: str, path: Path) -> dict[str, str]:
    words = {}
    for number, line in enumerate(re.split(r"\r\n?|\n", text), start=1):
        word = line.partition("#")[0].strip()
        if _SEVERAL.search(word):
            raise StudyError(
                f"{path}:{number}: {word!r} is not one word. "
                "One word per line, without commas, tabs or quotes."
            )
        if not word.isprintable():
            raise StudyError(f"{path}:{number}: {word!r} is not text. One word per line, as text.")
        if word:
            words[word.casefold()] = "your list"
    return words


def _words(text: str, place: str) -> dict[str, str]:
    document = parse_toml(text, where=place)
    odd = [name for name, words in document.items() if not isinstance(words, list)]
    if odd:
        raise StudyError(f"{place}: {odd[0]!r} must be a list of lemmas.")
    found = [(word, kind) for kind, words in document.items() for word in words]
    for word, kind in found:
        if not isinstance(word, str) or not word.strip():
            raise StudyError(f"{place}: {kind!r} holds {word!r}, which is not a word.")
    return {word.strip().casefold(): kind for word, kind in found}
