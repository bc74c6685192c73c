"""Items from any table: every row put into every template."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import polars as pl

from plausibly.errors import Problem, StudyError, TableError, UnknownName, option
from plausibly.io import Rows, read_toml
from plausibly.stimuli.built import Built
from plausibly.stimuli.ledger import LEDGER, sieve
from plausibly.stimuli.realise import Realiser
from plausibly.tables import ITEMS

KINDS = ("item", "check", "gold", "attention", "filler")
GROUP_ROW = "__row"
"""Given instead of a column: the items of one row form a group."""
_PLACE = re.compile(r"\{([^{}:()]+)(?::(\w+)(?:\(([^{}:()]+)\))?)?\}")
_KEYS = ("name", "text", "condition", "kind", "expected")


@dataclass(frozen=True, slots=True)
class Template:
    """A text with placeholders for columns: `{noun}`, or `{noun:a}` for another form.

    Forms: `a`, `the` and `the_plural` (with the article), `plural`, each also with the column of an
    adjective to put before the noun: `the(adjective)`; `cap` (capitalised), `s` (a verb in the
    third person), `s(column)` (a verb agreeing with the noun in that column), `like(column)` and
    `before(column)` (an adjective that agrees with the noun, after or before it).

    Args:
        name: Part of the name of its items.
        text: Text with at least one placeholder.
        condition: Of its items, or `{column}`.
        kind: item, check, gold, attention or filler.
        expected: The correct answer to a check, or `{column}`.
    """

    name: str
    text: str
    condition: str | None = None
    kind: str = "item"
    expected: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the text, condition and expected answer use."""
        found = [
            column
            for part in self.parts.values()
            for place in _PLACE.finditer(part)
            for column in (place[1], place[3])
            if column
        ]
        return tuple(dict.fromkeys(found))

    @property
    def forms(self) -> frozenset[str]:
        """The forms that the text asks for."""
        places = [place for part in self.parts.values() for place in _PLACE.finditer(part)]
        return frozenset(place[2] for place in places if place[2])

    @property
    def verbs(self) -> frozenset[str]:
        """The columns of verbs that the text puts into the third person."""
        places = [place for part in self.parts.values() for place in _PLACE.finditer(part)]
        return frozenset(place[1] for place in places if place[2] == "s")

    @property
    def parts(self) -> dict[str, str]:
        """The parts with placeholders: the text, and condition and expected answer if present."""
        written = {"text": self.text, "condition": self.condition, "expected": self.expected}
        return {name: part for name, part in written.items() if part is not None}


def read_templates(path: Path) -> tuple[Template, ...]:
    """Return the templates of a TOML file: `[[template]]` with text and optional keys.

    Raises:
        StudyError: Naming the file, the template and what is wrong with it.
    """
    document = read_toml(path)
    entries = document.get("template")
    if not isinstance(entries, list) or not entries:
        raise StudyError(f"{path}: no [[template]]. Each needs a text such as '{{subject}} ...'.")
    try:
        return templates_of(entries)
    except (StudyError, UnknownName) as error:
        raise StudyError(f"{path}: {error}") from error


def templates_of(entries: Sequence[object]) -> tuple[Template, ...]:
    """Return templates from mappings with text and optional keys.

    >>> templates_of([{"text": "It is {noun:a}."}])[0].name
    't1'
    """
    if not isinstance(entries, Sequence) or isinstance(entries, str | bytes):
        raise StudyError(
            f"{option('templates')}: expected a file, or a list of mappings with text; got "
            f"{entries!r:.60}.",
            parameter="templates",
        )
    templates = tuple(_template(entry, number) for number, entry in enumerate(entries, start=1))
    _check(templates)
    return templates


def _template(entry: object, number: int) -> Template:
    if not isinstance(entry, Mapping):
        raise StudyError(f"template {number} is {entry!r}. Write [[template]] and its text below.")
    strangers = sorted(set(entry) - set(_KEYS))
    if strangers:
        raise UnknownName(f"key of template {number}", strangers[0], _KEYS)
    if not _PLACE.search(str(entry.get("text", ""))):
        raise StudyError(f"template {number} has no text with a placeholder like {{noun}}.")
    fields = {key: str(value) for key, value in entry.items()}
    return Template(**{"name": f"t{number}"} | fields)


def _check(templates: Sequence[Template]) -> None:
    names = [template.name for template in templates]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise StudyError(f"two templates are called {twice[0]!r}. Give each a different name.")
    for template in templates:
        if template.kind not in KINDS:
            unknown = UnknownName("kind of item", template.kind, KINDS)
            raise StudyError(f"template {template.name!r}: {unknown}") from unknown
        for name, part in template.parts.items():
            _check_places(part, f"{name} of template {template.name!r}")


def _check_places(part: str, where: str) -> None:
    for place in _PLACE.finditer(part):
        if place[2] is not None and place[2] not in _FORMS:
            unknown = UnknownName("form of a word", place[2], _FORMS)
            raise StudyError(f"{where}: {unknown}") from unknown
        if place[2] in _NEED_NOUN and place[3] is None:
            raise StudyError(
                f"{where}: {place[0]!r} does not name its noun. Write {{adjective:like(noun)}}."
            )
    left = _PLACE.sub("", part)
    if "{" in left or "}" in left:
        raise StudyError(
            f"{where}: a brace in {part!r} belongs to no placeholder. "
            "Write placeholders as {column}, {column:form} or {column:s(column)}."
        )


def check_table(rows: Rows, templates: Sequence[Template], *, name: str | None = None) -> None:
    """Raise, naming file and line, if a table cannot be put into templates."""
    rows.reject([])
    if rows.frame.is_empty():
        raise TableError(f"{rows.path}: no rows, only a header. Add a row for each item.")
    wanted = {column: f"template {t.name!r}" for t in reversed(templates) for column in t.columns}
    if name is not None:
        wanted[name] = option("name")
    for column, needed in wanted.items():
        if column not in rows.frame.columns:
            unknown = UnknownName("column", column, rows.frame.columns)
            raise TableError(f"{rows.path}: {needed}: {unknown}") from unknown
    if name is None:
        return
    named = rows.frame[name].cast(pl.String)
    empty = named.is_null() | (named == "").fill_null(False)
    again = ~named.is_first_distinct() & ~empty
    problems = [Problem(row, f"no {name}") for row in empty.arg_true()]
    problems += [
        Problem(row, f"more than one row for {name}={named[row]!r}") for row in again.arg_true()
    ]
    rows.reject(problems)


def build_custom(
    table: pl.DataFrame,
    templates: tuple[Template, ...],
    realiser: Realiser | Forms,
    *,
    name: str | None = None,
    group: str | None = None,
) -> Built:
    """Return one item for every row and template.

    Rows with an empty cell that a template needs, and rows that repeat a text, go to the ledger.
    The items keep the other columns of the table.

    Args:
        table: The rows.
        templates: The templates, in the order of their items.
        realiser: Inflects words.
        name: The column that names a row; by default, rows are numbered.
        group: The column that becomes item_group, or `GROUP_ROW` for a group of each row.
    """
    _check(templates)
    needed = [one for one in (name, group) if one and one != GROUP_ROW]
    for template in templates:
        for column in (*template.columns, *needed):
            if column not in table.columns:
                raise UnknownName("column", column, table.columns)
    own = pl.col(name).cast(pl.String) if name else _numbered(table.height)
    rows = table.with_columns(own.alias(GROUP_ROW))
    if group and not (group == GROUP_ROW and "item_group" in table.columns):
        rows = rows.with_columns(pl.col(group).cast(pl.String).alias("item_group"))
    parts = [rows.with_columns(pl.lit(template.name).alias("template")) for template in templates]
    found = sieve(pl.concat(parts), candidate=pl.concat_str("__row", "template", separator="/"))
    gap = _missing(templates)
    found = found.drop("empty_cell", where=gap.is_not_null(), reason=gap)
    found = found.with_columns(_worded(found.kept, templates, realiser))
    again = ~found.kept["text"].is_first_distinct()
    reason = pl.format("the text '{}' was made before", "text")
    found = found.split("repeated", goes=again, reason=reason)
    if found.kept.is_empty():
        gone = found.ledger.height
        raise StudyError(f"no item can be made: {gone} rows have an empty cell. Fill them in.")
    made = found.kept.with_columns(
        item=pl.concat_str("__row", "template", separator="-")
        if len(templates) > 1
        else pl.col("__row")
    ).drop("__row")
    return Built(ITEMS.sort(ITEMS.check(made)), LEDGER.sort(found.ledger), found.as_json())


def _missing(templates: Sequence[Template]) -> pl.Expr:
    """Name the first empty cell that a row's template needs; null if all are filled."""
    gaps = [
        pl.when(
            pl.col("template") == template.name,
            pl.col(column).is_null() | (pl.col(column).cast(pl.String) == ""),
        ).then(pl.lit(f"no {column}"))
        for template in templates
        for column in template.columns
    ]
    return pl.coalesce(gaps)


def _numbered(rows: int) -> pl.Expr:
    width = len(str(max(rows, 1)))
    return pl.int_range(1, pl.len() + 1).cast(pl.String).str.zfill(width)


def _worded(
    rows: pl.DataFrame, templates: tuple[Template, ...], realiser: Realiser | Forms
) -> pl.DataFrame:
    """Return the rows with text, condition, kind and expected answer."""
    by_name = {template.name: template for template in templates}
    cells: dict[str, list[str | None]] = {key: [] for key in _KEYS[1:]}
    for row in rows.iter_rows(named=True):
        template = by_name[row["template"]]
        cells["text"].append(filled(template.text, row, realiser))
        cells["kind"].append(template.kind)
        for key in ("condition", "expected"):
            text = getattr(template, key)
            cells[key].append(None if text is None else filled(text, row, realiser))
    columns = [pl.Series(key, values, dtype=pl.String) for key, values in cells.items()]
    return rows.drop([key for key in cells if key in rows.columns]).with_columns(columns)


def filled(text: str, row: Mapping[str, object], realiser: Realiser | Forms) -> str:
    """Return a template's text filled with the inflected words of a row.

    >>> from plausibly.datasets.lexica.language import language
    >>> row = {"who": "engineer", "verb": "carry"}
    >>> filled("{who:a} {verb:s(who)} water.", row, Realiser(language("en")))
    'an engineer carries water.'
    """
    made, last = "", 0
    for place in _PLACE.finditer(text):
        made, last = made + text[last : place.start()], place.end()
        plain = str(row[place[1]])
        other = str(row[place[3]]) if place[3] else None
        word = plain if place[2] is None else _FORMS[place[2]](plain, other, realiser)
        made = realiser.join(made, word) if place[2] in _WITH_ARTICLE else made + word
        if place[2] in _BEFORE and word.endswith("'") and text[last : last + 1] == " ":
            last += 1
    return made + text[last:]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class Forms(Protocol):
    """Inflects words: nouns with their article, adjectives and verbs in agreement."""

    def phrase(self, noun: str, before: str | None = None) -> str:
        """Return a noun with its article, and an adjective between them if given."""
        ...

    def plural(self, noun: str, before: str | None = None) -> str:
        """Return the plural of a noun, after an adjective if given."""
        ...

    def definite(self, noun: str, before: str | None = None, *, many: bool = False) -> str:
        """Return a noun, or its plural, with the definite article."""
        ...

    def before(self, adjective: str, noun: str, *, many: bool = False) -> str:
        """Return an adjective that agrees with the noun after it."""
        ...

    def agreeing(self, verb: str, subject: str) -> str:
        """Return a verb in the present tense that agrees with its subject."""
        ...

    def join(self, text: str, phrase: str) -> str:
        """Return a text and a phrase after it, contracted as the language requires."""
        ...

    def like(self, adjective: str, noun: str, *, many: bool = False) -> str:
        """Return an adjective that agrees with a noun, or with its plural."""
        ...


_FORMS: dict[str, Callable[[str, str | None, Realiser | Forms], str]] = {
    "a": lambda noun, adjective, forms: forms.phrase(noun, adjective),
    "before": lambda word, noun, forms: forms.before(word, noun or ""),
    "before_plural": lambda word, noun, forms: forms.before(word, noun or "", many=True),
    "cap": lambda text, _, __: _capital(text),
    "like": lambda word, noun, forms: forms.like(word, noun or ""),
    "like_plural": lambda word, noun, forms: forms.like(word, noun or "", many=True),
    "plural": lambda noun, adjective, forms: forms.plural(noun, adjective),
    "s": lambda verb, noun, forms: forms.agreeing(verb, noun or ""),
    "the": lambda noun, adjective, forms: forms.definite(noun, adjective),
    "the_plural": lambda noun, adjective, forms: forms.definite(noun, adjective, many=True),
}
_WITH_ARTICLE = frozenset({"a", "the", "the_plural"})
_BEFORE = frozenset({"before", "before_plural"})
_OF_NOUNS = frozenset({"like", "like_plural", "plural"}) | _WITH_ARTICLE | _BEFORE
_ANY_LANGUAGE = frozenset({"cap"})
FORM_LANGUAGES = ("en", "it")
_NEED_NOUN = ("like", "like_plural", "before", "before_plural")


def require_forms(templates: Sequence[Template], lang: str, *, nouns: bool) -> None:
    """Raise if templates ask for forms that a language does not support.

    Args:
        templates: The templates to fill.
        lang: Language of the words.
        nouns: Whether a list of nouns with their gender is available.
    """
    if lang == "en":
        return
    asked = {form for template in templates for form in template.forms}
    made_here = sorted(asked - _ANY_LANGUAGE) if lang not in FORM_LANGUAGES else []
    if made_here:
        raise StudyError(
            f"the form ':{made_here[0]}' is made in English and Italian, not in the language "
            f"{lang!r}. Write the form into a column of the table and use that column."
        )
    refused = [] if nouns else sorted(asked & _OF_NOUNS)
    if refused:
        raise StudyError(
            f"the form ':{refused[0]}' needs the gender of nouns in the language {lang!r}. Pass "
            f"{option('nouns')} with noun and gender, or write the form into a column of the table."
        )
