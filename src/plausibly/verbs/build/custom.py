"""Items of your own: any table put into templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from plausibly.backends.english import LemminflectNouns
from plausibly.datasets.lexica.frequency import read_frequencies
from plausibly.datasets.lexica.italian import read_italian_nouns
from plausibly.datasets.lexica.language import language
from plausibly.io import read_rows
from plausibly.io.frames import Source, as_frame
from plausibly.stimuli.balance.report import norm_problems
from plausibly.stimuli.custom import (
    Forms,
    Template,
    check_table,
    read_templates,
    require_forms,
    templates_of,
)
from plausibly.stimuli.custom import (
    build_custom as custom_items,
)
from plausibly.stimuli.realise import Realiser
from plausibly.study.verb import verb
from plausibly.verbs.build._items import NEW_FOLDER, ItemSet, with_balance
from plausibly.verbs.build._study import building


@verb(output=NEW_FOLDER, study=building("custom", "table"))
def build_custom(
    table: Source,
    *,
    templates: str | Path | Sequence[Mapping[str, object]],
    name: str | None = None,
    frequency: str | Path | None = None,
    nouns: str | Path | None = None,
    language: str = "en",
) -> ItemSet:
    """Put every row of a table into every template.

    Writes items.parquet, ledger.parquet, funnel.json and balance.json. A template's text has
    places such as {noun}, {noun:a}, {noun:the}, {noun:plural}, {verb:s} or {verb:s(noun)}.

    Args:
        table: Any rows.
        templates: TOML with [[template]] entries.
        name: Column that names a row (default: its number).
        frequency: Frequency list for the balance report.
        nouns: Italian nouns: noun, gender[, plural]; for articles and plurals.
        language: Language of the words: en, it.

    Examples:
        plausibly build custom words.csv --templates templates.toml -o items
        plausibly build custom words.csv --templates templates.toml --language it -o items

    >>> import polars as pl
    >>> nouns = pl.DataFrame({"noun": ["owl", "hour"]})
    >>> build_custom(table=nouns, templates=[{"text": "It is {noun}."}]).items["text"].to_list()
    ['It is owl.', 'It is hour.']
    """
    if isinstance(templates, str | Path):
        told = read_templates(Path(templates))
    else:
        told = templates_of(templates)
    if isinstance(table, str | Path):
        rows = read_rows(Path(table))
        check_table(rows, told, name=name)
        rows.reject(norm_problems(rows.frame))
        frame = rows.frame
    else:
        frame = as_frame(table)
    built = custom_items(frame, told, _forms(language, told, nouns), name=name)
    listed = read_frequencies(Path(frequency)) if frequency else None
    built = with_balance(built, frequency=listed, lang=language)
    return ItemSet(built.items, built.ledger, "custom", built)


def _forms(lang: str, templates: Sequence[Template], nouns: str | Path | None) -> Realiser | Forms:
    """Return what gives words their form; English asks a larger lexicon where a form needs one."""
    require_forms(templates, lang, nouns=nouns is not None and lang == "it")
    if lang == "it" and nouns is not None:
        return read_italian_nouns(Path(nouns))
    asks = lang == "en" and any(one.forms & {"a", "plural", "the_plural"} for one in templates)
    return Realiser(language(lang), nouns=LemminflectNouns() if asks else None)
