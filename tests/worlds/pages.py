"""Pages of the documentation: what they tell a reader to type, and typing it.

A shell types the blocks; its `plausibly` is a short script that hands arguments, folder and
environment to this process, where the command runs, so that libraries are loaded once a page.
"""

from __future__ import annotations

import io
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from plausibly.cli import run

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 1 << 26
BLOCKS = re.DOTALL | re.MULTILINE
STUB = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as door:
    door.connect({door!r})
    asked = [sys.argv[1:], os.getcwd(), dict(os.environ)]
    door.sendall(json.dumps(asked).encode() + b"\\n")
    code, out, err = json.loads(door.makefile("rb").read())
sys.stdout.write(out)
sys.stderr.write(err)
sys.exit(code)
"""


def blocks(page: str, language: str) -> list[str]:
    """Return the blocks of a page in one language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page; `reason` is why a test does not run it, from a comment above it."""

    language: str
    text: str
    reason: str


def page_blocks(page: str) -> list[Block]:
    """Return the blocks of a page in their order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"(?:<!-- not run: (.+?) -->\n)?^```(\w+)\n(.*?)```", text, BLOCKS)
    return [Block(language, code, reason) for reason, language, code in found]


def type_in(page: str, folder: Path) -> None:
    """Run the shell blocks of a page that a test can run, in order; all must succeed."""
    run = [one for one in page_blocks(page) if one.language == "sh" and not one.reason]
    type_blocks(run, folder)


def type_blocks(blocks: Sequence[Block], folder: Path) -> None:
    """Run blocks of shell and Python in a folder, one after the other; all must succeed."""
    with TemporaryDirectory() as place, socket.socket(socket.AF_UNIX) as door:
        stub, path = Path(place, "plausibly"), Path(place, "door")
        stub.write_text(STUB.format(python=sys.executable, door=str(path)), encoding="utf-8")
        stub.chmod(0o755)
        door.bind(str(path))
        door.listen()
        door.settimeout(0.05)
        folders = (place, str(Path(sys.executable).parent), os.environ["PATH"])
        environment = {**os.environ, "PATH": os.pathsep.join(folders)}
        names: dict[str, object] = {}
        for block in blocks:
            if block.language == "sh":
                _typed(block.text, folder, environment, door)
                continue
            with _standing(str(folder), os.environ), redirect_stdout(io.StringIO()):
                exec(compile(block.text, "page", "exec"), names)  # noqa: S102 - our page


def _typed(block: str, folder: Path, environment: Mapping[str, str], door: socket.socket) -> None:
    with (
        (folder / ".typed").open("w+", encoding="utf-8") as said,
        subprocess.Popen(
            ["sh", "-e", "-c", block], cwd=folder, env=environment, stdout=said, stderr=said
        ) as shell,
    ):
        while shell.poll() is None:
            try:
                caller, _ = door.accept()
            except TimeoutError:
                continue
            with caller:
                _answer(caller)
        said.seek(0)
        assert shell.returncode == 0, f"{block}\n{said.read()}"
    (folder / ".typed").unlink()


def _answer(caller: socket.socket) -> None:
    """Run one command for the shell, and send it exit code, output and talk."""
    with caller.makefile("rb") as asked:
        arguments, folder, environment = json.loads(asked.readline(LONGEST))
    out, err = io.StringIO(), io.StringIO()
    with _standing(folder, environment), redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    caller.sendall(json.dumps([code, out.getvalue(), err.getvalue()]).encode())


@contextmanager
def _standing(folder: str, environment: Mapping[str, str]) -> Iterator[None]:
    before, known = Path.cwd(), dict(os.environ)
    os.chdir(folder)
    os.environ.update(environment)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(known)
