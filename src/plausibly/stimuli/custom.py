"""Items from any table: every row put into every template."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from plausibly.errors import StudyError, UnknownName
from plausibly.stimuli.ledger import LEDGER, Sieve, sieve
from plausibly.stimuli.realise import Realiser, plural
from plausibly.tables import ITEMS

KINDS = ("item", "check", "gold", "attention")
_PLACE = re.compile(r"\{(\w+)(?::(\w+)(?:\((\w+)\))?)?\}")
_KEYS = ("name", "text", "condition", "kind", "expected")


@dataclass(frozen=True, slots=True)
class Template:
    """A text with places for columns: `{noun}`, or `{noun:a}` in another form.

    Forms: `a` (with its article), `plural`, `cap` (first letter large), `s` (a verb in the third
    person), `s(column)` (a verb agreeing with the noun in that column).

    Args:
        name: Part of the name of its items.
        text: With at least one place.
        condition: Of its items, or `{column}`.
        kind: item, check, gold or attention.
        expected: The answer a check wants, or `{column}`.
    """

    name: str
    text: str
    condition: str | None = None
    kind: str = "item"
    expected: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns the text, condition and expected answer need."""
        found = [
            column
            for part in (self.text, self.condition or "", self.expected or "")
            for place in _PLACE.finditer(part)
            for column in (place[1], place[3])
            if column
        ]
        return tuple(dict.fromkeys(found))


def read_templates(path: Path) -> tuple[Template, ...]:
    """Return the templates of a TOML file: `[[template]]` with text and what else they need."""
    if not path.is_file():
        raise StudyError(f"{path}: no such file.")
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{path}: not TOML ({error}).") from error
    entries = document.get("template")
    if not isinstance(entries, list) or not entries:
        raise StudyError(f"{path}: no [[template]]. Each needs a text such as '{{subject}} ...'.")
    templates = []
    for number, entry in enumerate(entries, start=1):
        strangers = sorted(set(entry) - set(_KEYS))
        if strangers:
            raise UnknownName(f"key of template {number}", strangers[0], _KEYS)
        if not _PLACE.search(str(entry.get("text", ""))):
            raise StudyError(f"{path}: template {number} has no text with a place like {{noun}}.")
        fields = {key: str(value) for key, value in entry.items()}
        templates.append(Template(**{"name": f"t{number}"} | fields))
    _check(templates)
    return tuple(templates)


def _check(templates: list[Template]) -> None:
    names = [template.name for template in templates]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise StudyError(f"two templates are called {twice[0]!r}. Give each a name of its own.")
    for template in templates:
        if template.kind not in KINDS:
            raise UnknownName("kind of item", template.kind, KINDS)
        for place in _PLACE.finditer(template.text):
            if place[2] is not None and place[2] not in _FORMS:
                raise UnknownName("form of a word", place[2], _FORMS)


@dataclass(frozen=True, eq=False)
class CustomSet:
    """The items made, and the rows that gave none."""

    items: pl.DataFrame
    sieve: Sieve


def build_custom(
    table: pl.DataFrame,
    templates: tuple[Template, ...],
    realiser: Realiser,
    *,
    name: str | None = None,
) -> CustomSet:
    """Return one item for every row and template.

    Rows with an empty cell that a template needs, and rows whose text was made before, go to the
    ledger. The other columns of the table stay with the items.

    Args:
        table: Any rows.
        templates: In the order their items are made.
        realiser: Gives words their form.
        name: The column that names a row; the number of the row without one.
    """
    _check(list(templates))
    for template in templates:
        for column in (*template.columns, *((name,) if name else ())):
            if column not in table.columns:
                raise UnknownName("column", column, table.columns)
    own = pl.col(name).cast(pl.String) if name else _numbered(table.height)
    rows = table.with_columns(own.alias("__row"))
    parts = [rows.with_columns(pl.lit(template.name).alias("template")) for template in templates]
    found = sieve(pl.concat(parts), candidate=pl.concat_str("__row", "template", separator="/"))
    for template in templates:
        for column in template.columns:
            gap = (pl.col("template") == template.name) & (
                pl.col(column).is_null() | (pl.col(column).cast(pl.String) == "")
            )
            found = found.drop("empty_cell", where=gap, reason=f"no {column}")
    found = found.with_columns(_told(found.kept, templates, realiser))
    again = ~found.kept["text"].is_first_distinct()
    reason = pl.format("the text '{}' was made before", "text")
    found = found.split("repeated", goes=again, reason=reason)
    made = found.kept.with_columns(
        item=pl.concat_str("__row", "template", separator="-")
        if len(templates) > 1
        else pl.col("__row")
    ).drop("__row")
    return CustomSet(
        ITEMS.sort(ITEMS.check(made)), replace(found, ledger=LEDGER.sort(found.ledger))
    )


def _numbered(rows: int) -> pl.Expr:
    width = len(str(max(rows, 1)))
    return pl.int_range(1, pl.len() + 1).cast(pl.String).str.zfill(width)


def _told(rows: pl.DataFrame, templates: tuple[Template, ...], realiser: Realiser) -> pl.DataFrame:
    """Return the rows with text, condition, kind and expected answer."""
    by_name = {template.name: template for template in templates}
    told: dict[str, list[str | None]] = {key: [] for key in _KEYS[1:]}
    for row in rows.iter_rows(named=True):
        template = by_name[row["template"]]
        told["text"].append(filled(template.text, row, realiser))
        told["kind"].append(template.kind)
        for key in ("condition", "expected"):
            text = getattr(template, key)
            told[key].append(None if text is None else filled(text, row, realiser))
    columns = [pl.Series(key, values, dtype=pl.String) for key, values in told.items()]
    return rows.drop([key for key in told if key in rows.columns]).with_columns(columns)


def filled(text: str, row: Mapping[str, object], realiser: Realiser) -> str:
    """Return a template's text with the words of a row in their form.

    >>> from plausibly.stimuli.lexica.language import language
    >>> row = {"who": "engineer", "verb": "carry"}
    >>> filled("{who:a} {verb:s(who)} water.", row, Realiser(language("en")))
    'an engineer carries water.'
    """

    def word(place: re.Match[str]) -> str:
        plain = str(row[place[1]])
        if place[2] is None:
            return plain
        other = str(row[place[3]]) if place[3] else None
        return _FORMS[place[2]](plain, other, realiser)

    return _PLACE.sub(word, text)


_FORMS: dict[str, Callable[[str, str | None, Realiser], str]] = {
    "a": lambda noun, _, realiser: realiser.phrase(noun),
    "cap": lambda text, _, __: text[:1].upper() + text[1:],
    "plural": lambda noun, _, realiser: plural(noun, realiser.language, nouns=realiser.nouns),
    "s": lambda verb, noun, realiser: realiser.agreeing(verb, noun or ""),
}
