"""How surprising every word of the items is to a language model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import polars as pl

from plausibly.backends.language_models import language_model
from plausibly.errors import StudyError
from plausibly.io.frames import Source, as_table
from plausibly.ports import SILENCE, Watch
from plausibly.study.hooks import Set
from plausibly.study.results import Result, text_table
from plausibly.study.verb import InStudy, Output, verb
from plausibly.tables import ITEMS

WORDS: dict[str, pl.DataType] = {
    "item": pl.String(),
    "position": pl.Int64(),
    "word": pl.String(),
    "start": pl.Int64(),
    "end": pl.Int64(),
    "bits": pl.Float64(),
    "tokens": pl.Int64(),
}
SUMS = ("surprisal", "surprisal_per_word")


@dataclass(frozen=True, eq=False, repr=False)
class SurprisalTables(Result):
    """Words with their bits, and items with their sums.

    Args:
        words: item, position (from 1), word, start and end (characters of the text, the end not
            included), bits and number of tokens.
        items: The items with surprisal (bits of the whole text) and surprisal_per_word.
        model: Name of the model.
        corrected: Whether the probability of a leading space belongs to the word before it.
    """

    words: pl.DataFrame
    items: pl.DataFrame
    model: str
    corrected: bool

    def as_json(self) -> dict[str, Any]:
        """Return the document of `surprisal --json`."""
        return {
            "model": self.model,
            "corrected": self.corrected,
            "items": self.items.height,
            "words": self.words.height,
            "tokens": int(self.words["tokens"].sum()),
            "bits_per_word": self.words["bits"].mean(),
        }

    def text(self) -> str:
        """Return the sums of the first items."""
        shown = self.items.select("item", "text", *SUMS).head(10)
        return text_table(shown.columns, shown.iter_rows())

    @property
    def talk(self) -> tuple[str, ...]:
        """Whether leading spaces were corrected for, and how many items are not shown."""
        space = "Bits are corrected for the leading space."
        if not self.corrected:
            space = "Bits are not corrected for the leading space."
        more = self.items.height - 10
        return (*([f"{more} more items are not shown."] if more > 0 else []), space)


@verb(
    reads={"items": "items"},
    writes={"words": "surprisal/words.parquet", "items": "surprisal/items.parquet"},
    output=Output("words", help="File for the table of words."),
    places=("sums",),
    unset=("sums",),
    study=InStudy(
        also={"model": None},
        wanted=Set("surprisal", "model"),
        begins="[surprisal] model",
    ),
)
def surprisal(
    items: Source,
    *,
    model: str,
    uncorrected: bool = False,
    sums: str | Path | None = None,
    watch: Watch = SILENCE,
) -> SurprisalTables:
    """Measure how surprising each word of the items is to a causal language model, in bits.

    A word is what is between two spaces. The first word follows the token that begins every
    text. Where tokens begin with a space, the probability that a new word begins goes to the word
    before it (Pimentel & Meister 2024; Oh & Schuler 2024). The sums per item become columns that
    `build match`, `check balance` and `analyse` can use.

    Args:
        items: Items with item and text.
        model: smollm2, gemma3-270m or hf:DIR: a model whose weights are on this machine.
        uncorrected: Do not correct for the leading space.
        sums: File for the items, with the sum (surprisal) and the mean (surprisal_per_word) of
            each.
        watch: Receives the progress of reading.

    Examples:
        plausibly surprisal items.csv --model smollm2 -o words.csv
        plausibly surprisal items.csv --model hf:gpt2 --sums items-with-sums.csv -o words.csv

    >>> surprisal(pl.DataFrame({"item": ["a"], "text": ["x"]}), model="mock:1")
    Traceback (most recent call last):
    plausibly.errors.StudyError: mock:1: surprisal needs the weights of a causal language model: \
smollm2, gemma3-270m or hf:DIR.
    """
    table = as_table(items, ITEMS)
    reader = _reader(model, correct=not uncorrected)
    found = reader.of(table["text"].to_list(), watch=watch)
    rows = [
        (item, position, *one)
        for item, words in zip(table["item"], found, strict=True)
        for position, one in enumerate(words, start=1)
    ]
    bits = [[one.bits for one in words] for words in found]
    summed = table.with_columns(
        pl.Series(SUMS[0], [sum(own) for own in bits], dtype=pl.Float64),
        pl.Series(SUMS[1], [sum(own) / len(own) if own else None for own in bits], pl.Float64),
    )
    result = SurprisalTables(
        pl.DataFrame(rows, schema=WORDS, orient="row"), summed, model, reader.corrected
    )
    if sums is not None:
        result.write_table("items", Path(sums))
    return result


def _reader(name: str, *, correct: bool) -> Any:
    """Return what reads texts with a model.

    Raises:
        StudyError: If the model is reached by its answers alone.
    """
    if name.partition(":")[0] not in ("hf", "smollm2", "gemma3-270m"):
        raise StudyError(
            f"{name}: surprisal needs the weights of a causal language model: smollm2, "
            "gemma3-270m or hf:DIR.",
            parameter="model",
        )
    from plausibly.backends.causal import CausalModel
    from plausibly.backends.surprisal import Surprisals

    return Surprisals(cast(CausalModel, language_model(name)), correct=correct)
