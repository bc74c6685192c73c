"""Items of your own: a table with one row per item, or any table put into templates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from plausibly.backends.english import LemminflectNouns
from plausibly.backends.frequency import recognised
from plausibly.datasets.lexica.detection import item_languages, require_languages
from plausibly.datasets.lexica.frequency import read_frequencies
from plausibly.datasets.lexica.italian import read_italian_nouns
from plausibly.datasets.lexica.italian_verbs import guesses
from plausibly.datasets.lexica.language import Language, language
from plausibly.errors import StudyError, TableError, UnknownName, option
from plausibly.io import read_rows
from plausibly.io.frames import Source, as_frame
from plausibly.ratings.collection import LATIN
from plausibly.stimuli.balance.report import norm_problems
from plausibly.stimuli.built import Built
from plausibly.stimuli.custom import (
    FORM_LANGUAGES,
    GROUP_ROW,
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
from plausibly.stimuli.long import build_long, check_long, long_columns, with_usual_names
from plausibly.stimuli.realise import Realiser
from plausibly.study.arguments import listed
from plausibly.study.verb import verb
from plausibly.verbs.build._items import NEW_FOLDER, ItemSet, guess_notes, require_at_least
from plausibly.verbs.build._lists import balanced, with_lists
from plausibly.verbs.build._study import building


@verb(output=NEW_FOLDER, study=building("custom", "table", made_if={"lists": "lists"}, spoken=True))
def build_custom(
    table: Source,
    *,
    templates: str | Path | Sequence[Mapping[str, object]] | None = None,
    text: str | None = None,
    name: str | None = None,
    group: str | None = None,
    condition: str | Sequence[str] | None = None,
    lists: str | None = None,
    per_list: int | None = None,
    frequency: str | Path | None = None,
    nouns: str | Path | None = None,
    language: str | None = None,
    seed: int = 1,
) -> ItemSet:
    """Make items from a table: one per row, or one per row and template.

    Without templates the table is long: one row per item, with its text and, if items come in
    groups, its group and condition (and language). With templates every row is put into every
    template: a text with places such as {noun}, {noun:a}, {noun:the}, {noun:plural}, {verb:s} or
    {verb:s(noun)}. Writes items.parquet, ledger.parquet, funnel.json and balance.json, with
    Latin-square lists also lists.parquet.

    Args:
        table: File or table with the rows.
        templates: TOML with [[template]] entries; without them, each row has its text.
        text: Column with the text of a row of a long table (default: text).
        name: Column that names a row (default: item if there is one; else group, condition and
            language of a long table, or the number of the row).
        group: Column with the group of a row, which becomes item_group (default: item_group or
            group).
        condition: Column with the condition of a row of a long table (default: condition). For a
            factorial design, name all factors: "verb,object".
        lists: latin: make lists in which every group occurs once and the conditions take turns. If
            rows have a language, there are separate lists for each language.
        per_list: Number of groups in a list (default: all).
        frequency: Frequency list for the balance report.
        nouns: Italian nouns: noun, gender[, plural]; for articles and plurals.
        language: Language of rows without a value in the column language (default: recognised from
            the texts); forms of words are made in en and it.
        seed: Seed for the order in which lists take groups.

    Examples:
        plausibly build custom events.csv --lists latin -o items
        plausibly build custom words.csv --templates templates.toml -o items

    >>> import polars as pl
    >>> nouns = pl.DataFrame({"noun": ["owl", "hour"]})
    >>> build_custom(table=nouns, templates=[{"text": "It is {noun}."}]).items["text"].to_list()
    ['It is owl.', 'It is hour.']
    >>> events = pl.DataFrame({"text": ["A dog barks.", "A dog sings."], "group": ["dog", "dog"],
    ...                        "condition": ["usual", "odd"]})
    >>> build_custom(events).items["item"].to_list()
    ['dog-odd', 'dog-usual']
    """
    _require_lists(lists, per_list)
    listed = read_frequencies(Path(frequency)) if frequency else None
    if templates is None:
        built = _long(table, text=text, group=group, condition=condition, name=name)
        guessed: tuple[str, ...] = ()
    else:
        for key, asked in (("condition", condition), ("text", text)):
            if asked is not None:
                what = f"{option(key)} is not for templates, which set the {key} of their items."
                raise StudyError(what, parameter=key)
        grouped = group or (GROUP_ROW if lists else None)
        built, guessed = _wide(table, templates, (language, nouns), name=name, group=grouped)
    spoken, said = item_languages(built.items, language, known=recognised)
    languages = dict(zip(built.items["item"], spoken, strict=True))
    built = balanced(built, languages, lists=lambda _: listed)
    built, notes = with_lists(built, lists, per_list=per_list, seed=seed)
    return ItemSet(built.items, built.ledger, "custom", built, notes=(*said, *guessed, *notes))


def _require_lists(lists: str | None, per_list: int | None) -> None:
    """Raise if lists cannot be meant."""
    if lists and lists not in LATIN:
        unknown = UnknownName("kind of lists", lists, LATIN)
        raise StudyError(f"{option('lists')}: {unknown}", parameter="lists") from unknown
    require_at_least({"per_list": 1}, {"per_list": per_list})
    if per_list is not None and not lists:
        what = f"{option('per_list')} is about lists. Add {option('lists')}."
        raise StudyError(what, parameter="per_list")


def _long(
    table: Source,
    *,
    text: str | None,
    group: str | None,
    condition: str | Sequence[str] | None,
    name: str | None,
) -> Built:
    """Return the items of a table with one row per item."""
    rows = read_rows(Path(table)) if isinstance(table, str | Path) else None
    frame = as_frame(table) if rows is None else rows.frame
    factors = listed(condition)
    one = factors[0] if len(factors) == 1 else None
    try:
        frame = with_usual_names(frame, text=text, factors=() if one else factors)
        columns = long_columns(frame.columns, group=group, condition=one, name=name)
    except (StudyError, UnknownName) as error:
        if rows is None:
            raise
        raise TableError(f"{rows.path}: {error}") from error
    if rows is not None:
        rows = replace(rows, frame=frame)
        check_long(rows, columns)
        rows.reject(norm_problems(frame))
    return build_long(frame, columns)


def _wide(
    table: Source,
    templates: str | Path | Sequence[Mapping[str, object]],
    words: tuple[str | None, str | Path | None],
    *,
    name: str | None,
    group: str | None,
) -> tuple[Built, tuple[str, ...]]:
    """Return the items of every row in every template, and notes on forms that are guesses."""
    if isinstance(templates, str | Path):
        sentences = read_templates(Path(templates))
    else:
        sentences = templates_of(templates)
    if isinstance(table, str | Path):
        rows = read_rows(Path(table))
        check_table(rows, sentences, name=name)
        rows.reject(norm_problems(rows.frame))
        frame = rows.frame
    else:
        frame = as_frame(table)
    asked, nouns = words
    lang = _spoken(frame, sentences, asked)
    forms = _forms(lang, sentences, nouns)
    built = custom_items(frame, sentences, forms, name=name, group=group)
    columns = {column for one in sentences for column in one.verbs} if lang == "it" else set()
    verbs = {verb for column in columns for verb in built.items[column].cast(pl.String)}
    return built, guess_notes({"verbs": guesses(verbs - {None})})


def _spoken(frame: pl.DataFrame, templates: Sequence[Template], asked: str | None) -> str | None:
    """Return the language of words whose forms are asked for; None if no form is.

    Raises:
        StudyError: If nothing shows it, or rows are in several.
    """
    if asked is not None or not any(one.forms for one in templates):
        return asked
    parts = [re.sub(r"\{.*?\}", "", part) for one in templates for part in one.parts.values()]
    words = frame.select(pl.col(pl.String).exclude("language").fill_null("")).rows()
    texts = pl.Series("text", [" ".join([*parts, *row]) for row in words], dtype=pl.String)
    own = [frame["language"]] if "language" in frame.columns else []
    read = pl.DataFrame([texts, *own])
    spoken, _ = item_languages(read, None, known=recognised)
    require_languages(spoken, "the form of a word")
    languages = sorted(set(spoken))
    if len(languages) > 1:
        raise StudyError(
            f"the rows are in several languages ({', '.join(languages)}), and templates are in "
            f"one. Build each language from a table of its rows, or pass {option('language')}.",
            parameter="language",
        )
    return str(languages[0])


def _forms(
    lang: str | None, templates: Sequence[Template], nouns: str | Path | None
) -> Realiser | Forms:
    """Return what gives words their form; English asks a larger lexicon where a form needs one."""
    if lang is None or not any(one.forms for one in templates):
        return Realiser(Language("", "no language"))
    require_forms(templates, lang, nouns=nouns is not None and lang == "it")
    if nouns is not None and lang != "it":
        raise StudyError(
            f"{option('nouns')} lists Italian nouns, but the words are in the language {lang!r}. "
            f"Leave it out, or pass {option('language')} it.",
            parameter="nouns",
        )
    if lang not in FORM_LANGUAGES:
        return Realiser(Language("", "no language"))
    if lang == "it" and nouns is not None:
        return read_italian_nouns(Path(nouns))
    asks = lang == "en" and any(one.forms & {"a", "plural", "the_plural"} for one in templates)
    return Realiser(language(lang), nouns=LemminflectNouns() if asks else None)
