"""Words that no annotator should have to read: our own list, and an optional classifier."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import polars as pl

from plausibly.errors import StudyError
from plausibly.stimuli.lexica.provenance import Provenance, of_file

# From texts to the probability that each is profane.
Classifier = Callable[[Sequence[str]], list[float]]


@dataclass(frozen=True, eq=False)
class Profanity:
    """What counts as profane.

    Args:
        provenance: Where the list comes from.
        words: From lemma (case-folded) to the kind of offence, for the ledger.
        classifier: Judges whole texts as well; None, the default, leaves it to the list.
        at_least: Probability from which the classifier's word is taken.
    """

    provenance: Provenance
    words: Mapping[str, str]
    classifier: Classifier | None = None
    at_least: float = 0.9

    def reasons(self, frame: pl.DataFrame, columns: Sequence[str]) -> pl.Series:
        """Return for every row why it is profane, null where it is not.

        The list looks at each column by itself, the classifier at all of them as one text.
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
            f"the classifier gives {judged[text]:.3f}, at least {self.at_least} was set"
            if judged[text] >= self.at_least
            else None
            for text in texts.to_list()
        ]
        return reasons.zip_with(reasons.is_not_null(), pl.Series("reason", found, dtype=pl.String))


def own_list() -> Profanity:
    """Return the list that comes with the package: short, and meant to be edited."""
    place = resources.files("plausibly.stimuli.lexica") / "profanity.toml"
    words = _words(place.read_text(encoding="utf-8"), "profanity.toml")
    return Profanity(Provenance("profanity", "profanity.toml of plausibly", len(words)), words)


def read_profanity(path: Path) -> Profanity:
    """Return the list in a user's file: TOML as ours, or plain text with one lemma a line."""
    if not path.is_file():
        raise StudyError(f"{path}: no such file.")
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        words = _words(text, str(path))
    else:
        lines = [line.partition("#")[0].strip().casefold() for line in text.splitlines()]
        words = {line: "own list" for line in lines if line}
    return Profanity(of_file("profanity", path, entries=len(words)), words)


def with_classifier(profanity: Profanity, classifier: Classifier, *, at_least: float) -> Profanity:
    """Return the list together with a classifier of texts."""
    if not 0 < at_least <= 1:
        raise StudyError(f"at_least must lie in (0, 1]; got {at_least}.")
    return replace(profanity, classifier=classifier, at_least=at_least)


def _words(text: str, place: str) -> dict[str, str]:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{place}: not TOML ({error}).") from error
    odd = [name for name, words in document.items() if not isinstance(words, list)]
    if odd:
        raise StudyError(f"{place}: {odd[0]!r} must be a list of lemmas.")
    return {str(word).casefold(): kind for kind, words in document.items() for word in words}
