"""The outline of a protocol says what the protocol says, and runs nothing."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from plausibly.registry import PROTOCOLS as NAMES
from plausibly.study import PROTOCOLS, Protocol, Step, Study, Work
from plausibly.study.hooks import read_hook, written_hook
from plausibly.study.outline import outline_of, outline_of_folder
from plausibly.study.protocol_folder import protocol_of_folder
from plausibly.verbs.init import init

CODE = ("run", "make")
OF_PROTOCOL = ("name", "seed", "sections", "shared", "check", "languages", "conditions", "folder")


def declared(step: Step) -> dict[str, object]:
    return {one.name: getattr(step, one.name) for one in fields(step) if one.name not in CODE}


def assert_alike(outline: Protocol, protocol: Protocol) -> None:
    assert [declared(one) for one in outline.steps] == [declared(one) for one in protocol.steps]
    for name in OF_PROTOCOL:
        assert getattr(outline, name) == getattr(protocol, name), name
    assert outline.declared() == protocol.declared()
    assert outline.form_in() == protocol.form_in()
    assert (outline.example is None) == (protocol.example is None)


@pytest.mark.parametrize("name", NAMES)
def test_an_outline_declares_what_the_protocol_declares(name: str) -> None:
    assert_alike(outline_of(name), PROTOCOLS[name])


def test_so_does_that_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "protocol.toml").write_text('name = "own"\n[label]\nmethod = "mace"\n')
    (tmp_path / "form.toml").write_text(
        '[[questions]]\nid = "good"\ntype = "choice"\ntext = "?"\noptions = ["y", "n"]\n'
    )
    (tmp_path / "rules.toml").write_text('[[rules]]\nrule = "few_ratings"\nfewer_than = 3\n')
    assert_alike(outline_of_folder(tmp_path), protocol_of_folder(tmp_path))


def test_the_status_of_a_study_follows_from_its_outline(tmp_path: Path) -> None:
    study = init("pap", tmp_path / "s", example=True)
    study.run(to="label")
    done, to_do = (
        ("ratings", "clean", "label"),
        ("agree", "describe", "analyse", "browse", "report"),
    )
    states = {**dict.fromkeys(done, "done"), **dict.fromkeys(to_do, "to do")}
    assert {one.step: one.state for one in study.status()} == states
    text = (tmp_path / "s" / "study.toml").read_text(encoding="utf-8")
    changed = text.replace("model = []", 'model = ["mock:1"]')
    (tmp_path / "s" / "study.toml").write_text(changed, encoding="utf-8")
    own = Study(tmp_path / "s")
    assert [one.step for one in own.status()] == [one.name for one in own.active.steps]
    assert "ask" in [one.step for one in own.status()]


def test_an_outline_runs_nothing(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="an outline runs no step"):
        outline_of("custom").steps[0].run(Work(tmp_path, {}, {}, 1))


def test_a_hook_without_a_name_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="has no name"):
        written_hook(lambda: ())
    assert read_hook(None) is None


@pytest.mark.parametrize("name", NAMES)
def test_every_key_of_a_study_is_explained_above_it(name: str, tmp_path: Path) -> None:
    protocol = outline_of(name)
    texts = protocol.explained()
    unexplained = [
        (section, key)
        for section, keys in protocol.declared().items()
        for key in keys
        if not texts.get(section, {}).get(key)
    ]
    assert not unexplained, "explain them in the docstring of the verb, or in InStudy.explained"
    init(name, tmp_path / "s")
    lines = (tmp_path / "s" / "study.toml").read_text(encoding="utf-8").splitlines()
    place = lines.index("[ratings]")
    assert lines[place + 1 : place + 3] == [
        "# Target number of ratings per item.",
        f"target = {protocol.declared()['ratings']['target']}",
    ]
