"""Locks of files, and what Windows lacks: nothing of it is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from plausibly.io import locks

HIDDEN = ("fcntl", "grp", "pwd", "resource", "termios", "uvloop")
IMPORTS = f"""
import pkgutil, sys
for name in {HIDDEN!r}:
    sys.modules[name] = None  # importing it fails, as on Windows
import plausibly
failed = []
for one in pkgutil.walk_packages(plausibly.__path__, "plausibly."):
    if one.name.endswith("__main__") or ".protocols." in one.name or ".replications." in one.name:
        continue
    try:
        __import__(one.name)
    except ImportError as error:
        if getattr(error, "name", None) in {HIDDEN!r}:
            failed.append(f"{{one.name}}: {{error}}")
print(failed)
"""
CLAIM = """
import os, sys
from plausibly.io.locks import claim
print(claim(os.open(sys.argv[1], os.O_RDWR)))
"""


def test_every_module_is_imported_without_what_windows_lacks() -> None:
    out = subprocess.run(
        [sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == "[]"


def test_one_process_holds_a_file(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.touch()

    def elsewhere() -> str:
        command = [sys.executable, "-c", CLAIM, str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    descriptor = os.open(path, os.O_RDWR)
    assert locks.claim(descriptor)
    assert elsewhere() == "False"
    os.close(descriptor)
    assert elsewhere() == "True"


@pytest.mark.parametrize("held", [False, True])
def test_windows_locks_a_byte_behind_the_content(
    tmp_path: Path, held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = []

    def locking(descriptor: int, mode: int, length: int) -> None:
        places.append((os.lseek(descriptor, 0, os.SEEK_CUR), mode, length))
        if held:
            raise PermissionError

    windows = SimpleNamespace(locking=locking, LK_NBLCK=2)
    monkeypatch.setattr(locks, "_module", {"msvcrt": windows}.get)
    path = tmp_path / "lock"
    path.write_bytes(b"abc")
    descriptor = os.open(path, os.O_RDWR)
    os.lseek(descriptor, 2, os.SEEK_SET)
    assert locks.claim(descriptor) is not held
    assert places == [(locks.FAR, 2, 1)]
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == 2
    os.close(descriptor)
