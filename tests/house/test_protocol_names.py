"""No module asks for a protocol by name: what is specific to one is a field of its `Protocol`."""

from __future__ import annotations

import ast
from pathlib import Path

from plausibly.registry import PROTOCOLS

SOURCE = Path(__file__).resolve().parents[2] / "src" / "plausibly"
FREE = ("protocols", "datasets", "replications")

PUBLISHED = "reads the published files of the datasets, which the catalogue names so"
FORMAT = "a file format is named after the dataset that has it"
SCHEME = "a label scheme is named after the dataset that has it"
SERVES_ONE = "serves one protocol, whose name the command has: "
LISTED = {
    "registry.py": "the table of the protocols",
    "asking/gita.py": PUBLISHED,
    "asking/judged.py": PUBLISHED,
    "asking/subjects.py": "the published datasets models can be asked about",
    "cli/source.py": FORMAT,
    "evaluation/asked.py": PUBLISHED,
    "evaluation/clusters.py": SCHEME,
    "evaluation/pairs.py": SCHEME,
    "evaluation/people.py": SCHEME,
    "evaluation/scoring.py": SCHEME,
    "evaluation/truth.py": SCHEME,
    "models/lite/adept.py": "weights of the package, named after the dataset they were fitted on",
    "ratings/formats.py": FORMAT,
    "ratings/server.py": "a platform people come from may be one of the user's: custom",
    "verbs/ask/_step.py": "the step of the protocol gita asks about stories",
    "verbs/build/__init__.py": "the words of the commands: build pap, build adept …",
    "verbs/build/adept.py": SERVES_ONE + "build adept",
    "verbs/build/custom.py": SERVES_ONE + "build custom",
    "verbs/build/gita.py": SERVES_ONE + "build gita",
    "verbs/build/iks.py": SERVES_ONE + "build iks",
    "verbs/build/pap.py": SERVES_ONE + "build pap",
    "verbs/build/sp10k.py": SERVES_ONE + "build sp10k",
    "verbs/compare/_stories.py": SCHEME,
    "verbs/compare/_verb.py": SCHEME,
    "verbs/generate.py": "serves one protocol: it writes sentences for iks",
    "verbs/models/_named.py": PUBLISHED,
    "verbs/score_iks.py": SERVES_ONE + "score iks",
}
"""Modules that may name a protocol, with the reason; this list only shrinks."""


def names_in(source: str) -> list[int]:
    """Return the lines with a text that is the name of a protocol, whatever it is used for."""
    return sorted(
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value in PROTOCOLS
    )


def naming() -> dict[str, list[int]]:
    files = {path.relative_to(SOURCE).as_posix(): path for path in SOURCE.rglob("*.py")}
    lines = {
        name: names_in(path.read_text(encoding="utf-8"))
        for name, path in files.items()
        if name.partition("/")[0] not in FREE
    }
    return {name: numbers for name, numbers in lines.items() if numbers}


def test_keys_defaults_and_comparisons_are_found() -> None:
    assert names_in('WORDS = {"pap": "events"}') == [1]
    assert names_in('def form(protocol: str = "custom") -> None: ...') == [1]
    assert names_in('def is_pap(name: str) -> bool:\n    return name == "pap"') == [2]
    assert names_in('"""Reads files of pap."""\nPRESET = "pap-text"') == []


def test_no_module_asks_for_a_protocol_by_name() -> None:
    assert {name: lines for name, lines in naming().items() if name not in LISTED} == {}


def test_what_is_listed_still_names_a_protocol() -> None:
    assert sorted(set(LISTED) - set(naming())) == []


def test_every_protocol_is_a_folder_of_the_same_shape() -> None:
    for name in PROTOCOLS:
        folder = SOURCE / "protocols" / name
        assert {"protocol.toml", "collection.toml", "protocol.py", "example"} <= {
            one.name for one in folder.iterdir()
        }
        code = (folder / "protocol.py").read_text(encoding="utf-8")
        assert len(code.splitlines()) <= 150, name
