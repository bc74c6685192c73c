"""A protocol as a folder: what its TOML files say, over steps that are given in order.

`protocol.toml` names the protocol and holds one table per step with its defaults; its tables
`[questions.NAME]` declare scales. The other files hold the form (`form.toml`, `form.it.toml`), how
ratings are collected (`collection.toml`), cleaning rules (`rules.toml`, and `rules.NAME.toml` for
another variant), prompts, words and an example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

from plausibly.errors import StudyError, UnknownName
from plausibly.io import parse_toml
from plausibly.registry import OPEN, PROTOCOLS, resolved
from plausibly.study.collection import collection
from plausibly.study.parameters import check_value
from plausibly.study.protocol import Protocol, TomlFile
from plausibly.study.settings import QUESTIONS, check_questions
from plausibly.study.steps import Step

PROTOCOL, FORM, COLLECTION = "protocol.toml", "form.toml", "collection.toml"
RULES, CHECKS, WORDS, EXAMPLE = "rules.toml", "checks.toml", "words.toml", "example/items.toml"
PROMPTS = "prompts.toml"
FOLDER = "protocol"
"""Where a study keeps the folder of its protocol."""
SOURCES = "sources"
HEAD: dict[str, Any] = {
    "name": str,
    "seed": int,
    "languages": Sequence[str],
    "conditions": Sequence[str],
    "split_by": Sequence[str],
    "authored": bool,
}
"""What protocol.toml says besides its tables."""
SAID = {
    "measured": "What is measured, as a sentence of the report.",
    "datasheet": "What is measured, as the end of a sentence in the datasheet of a release.",
}
"""What words.toml says."""


def declared_in(folder: Traversable, /, *, steps: Sequence[Step], **fields: Any) -> Protocol:
    """Return the protocol that the TOML files of a folder declare.

    Args:
        folder: The folder.
        steps: The steps in order; `protocol.toml` has a table with the defaults of each.
        fields: Fields of the protocol that need code.
    """
    where = str(folder / PROTOCOL)
    document = _document(folder, PROTOCOL)
    head = _head(document, where)
    tables = {name: one for name, one in document.items() if isinstance(one, Mapping)}
    form = _file(folder, FORM)
    collected = _document(folder, COLLECTION)
    sections = collection(collected, has_form=bool(form), where=str(folder / COLLECTION))
    sections[QUESTIONS] = dict(tables.pop(QUESTIONS, {}))
    check_questions(sections[QUESTIONS], where=where)
    return Protocol(
        **head,
        steps=_with_defaults(steps, tables, where),
        sections=sections,
        form=form,
        translations=_variants(folder, FORM),
        rules=rules_in(folder),
        prompts=_file(folder, PROMPTS),
        words=_words(folder),
        checks=_file(folder, CHECKS),
        sample=_file(folder, EXAMPLE),
        **fields,
    )


def protocol_of_folder(folder: Path, *, over: Protocol | None = None) -> Protocol:
    """Return the protocol of a folder of TOML files; what they do not say is as in `custom`.

    Args:
        folder: Holds `protocol.toml` and `form.toml`, and may hold the other files.
        over: The protocol whose steps it has (default: the one of study.toml alone).
    """
    names = toml_files(folder)
    open_ = over or cast(Protocol, resolved(PROTOCOLS[OPEN]))
    rules = {"preset": f"{FOLDER}/{RULES}"} if RULES in names else {}
    protocol = declared_in(
        folder,
        steps=[one.with_defaults(rules if one.name == "clean" else {}) for one in open_.steps],
        check=open_.check,
        example=open_.example if EXAMPLE in names else None,
        shared=open_.shared,
        folder=f"./{FOLDER}",
        place=folder,
    )
    if protocol.name in PROTOCOLS:
        raise StudyError(
            f"{folder / PROTOCOL}: name = {protocol.name!r} is a protocol of the package. Choose "
            "another name."
        )
    for language in protocol.languages[1:]:
        if language not in protocol.translations:
            raise StudyError(
                f"{folder / PROTOCOL}: languages names {language!r}, but there is no "
                f"form.{language}.toml. Add one."
            )
    steps = [replace(one, inputs=(*one.inputs, *_read_by(one, names))) for one in protocol.steps]
    form = {"id": protocol.name, **protocol.form}
    return replace(protocol, steps=tuple(steps), form=form)


def toml_files(folder: Path) -> list[str]:
    """Return the files of a protocol; raise if one is missing or has an unknown name."""
    if not folder.is_dir():
        raise StudyError(f"{folder}: no such folder. Name a folder with {PROTOCOL} and {FORM}.")
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.toml"))
    for required in (PROTOCOL, FORM):
        if required not in files:
            raise StudyError(f"{folder}: no {required}. A protocol needs {PROTOCOL} and {FORM}.")
    known = (PROTOCOL, FORM, COLLECTION, RULES, PROMPTS, CHECKS, WORDS, EXAMPLE)
    for name in files:
        stem, *variant, _ = name.split(".")
        if name not in known and not (len(variant) == 1 and f"{stem}.toml" in (FORM, RULES)):
            raise StudyError(f"{folder}: {UnknownName('file of a protocol', name, known)}")
    return files


def _read_by(step: Step, files: Sequence[str]) -> list[str]:
    """Return the files of the protocol that a step reads, from the study folder."""
    stems: dict[str, tuple[str, ...]] = {"build": ("checks",), "ratings": ("form",)}
    stems |= {"clean": ("form",), "report": ("form", "words")}
    stems |= dict.fromkeys(("label", "agree", "describe", "analyse"), ("form",))
    wanted = stems.get(step.name, ())
    return [f"{FOLDER}/{name}" for name in files if name.partition(".")[0] in wanted]


def rules_in(folder: Traversable) -> dict[str, Mapping[str, Any]]:
    """Return the cleaning rules in the folder of a protocol; the variant "" is `rules.toml`."""
    main = {"": TomlFile(folder / RULES)} if (folder / RULES).is_file() else {}
    return {**main, **_variants(folder, RULES)}


def rules_of(protocol: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the cleaning rules of a protocol by name, without loading its steps."""
    return rules_in(files(package_of(protocol)))


def package_of(protocol: str) -> str:
    """Return the package whose folder declares a protocol.

    >>> package_of("custom")
    'plausibly.protocols.custom'
    """
    return PROTOCOLS[protocol].partition(":")[0].rpartition(".")[0]


def _head(document: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return what stands above the tables of protocol.toml."""
    head = {name: one for name, one in document.items() if not isinstance(one, Mapping)}
    for key, value in head.items():
        if key not in HEAD:
            raise StudyError(f"{where}: {UnknownName('key', key, HEAD)}")
        check_value(f"{where}: {key}", HEAD[key], value)
    if not head.get("name"):
        raise StudyError(f'{where}: a protocol needs a name. Write name = "…" in the first line.')
    return {name: tuple(one) if isinstance(one, list) else one for name, one in head.items()}


def _with_defaults(
    steps: Sequence[Step], tables: Mapping[str, Mapping[str, Any]], where: str
) -> tuple[Step, ...]:
    """Return the steps with the defaults of their tables; an unknown table or key raises."""
    names = [step.name for step in steps]
    sources = tables.get(SOURCES, {})
    for name in (*(one for one in tables if one != SOURCES), *sources):
        if name not in names:
            raise StudyError(f"{where}: {UnknownName('step', name, names)}")
    for step in steps:
        for key in tables.get(step.name, {}):
            if key not in step.parameters:
                wrong = UnknownName(f"key of [{step.name}]", key, step.parameters)
                raise StudyError(f"{where}: {wrong}")
    return tuple(
        step.with_defaults(tables.get(step.name, {}), source=str(sources.get(step.name, "")))
        for step in steps
    )


def _words(folder: Traversable) -> Mapping[str, str]:
    words = _document(folder, WORDS)
    for key, value in words.items():
        if key not in SAID:
            raise StudyError(f"{folder / WORDS}: {UnknownName('key', key, SAID)}")
        check_value(f"{folder / WORDS}: {key}", str, value)
    return words


def _file(folder: Traversable, name: str) -> Mapping[str, Any]:
    """Return what a file of the folder says, read on first use; nothing if there is none."""
    place = folder.joinpath(*name.split("/"))
    return TomlFile(place) if place.is_file() else {}


def _document(folder: Traversable, name: str) -> dict[str, Any]:
    place = folder / name
    if not place.is_file():
        return {}
    return parse_toml(place.read_text(encoding="utf-8"), where=str(place))


def _variants(folder: Traversable, name: str) -> dict[str, Mapping[str, Any]]:
    """Return the variants of a file by name: `form.it.toml` of `form.toml` is `it`."""
    stem = name.removesuffix("toml")
    return {
        one.name.removeprefix(stem).removesuffix(".toml"): TomlFile(one)
        for one in sorted(folder.iterdir(), key=lambda each: each.name)
        if one.name.startswith(stem) and one.name.endswith(".toml") and one.name != name
    }
