"""Fixtures every test may use, and the rule for what pip cannot bring.

A test marked `browser`, `java`, `postgres`, `weights` or `harness` needs something from outside:
it is skipped with one line where that is missing, and with CI=true the skip is a failure. A test
marked `data` needs the published datasets and is skipped without them everywhere.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from needs import NEEDS, Need

# A slow machine is no counterexample, and a run for others must be the same every time.
settings.register_profile("house", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("house")

# Tests share the cores: threads of linear algebra would only wait for each other.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")
# Spark's programs live for seconds here: compiling them well costs more than it gives.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = ROOT.parent / "shared" / "data"

if "PLAUSIBLY_DATA" not in os.environ and PUBLISHED.is_dir():
    os.environ["PLAUSIBLY_DATA"] = str(PUBLISHED)


def pytest_configure(config: pytest.Config) -> None:
    """Declare one marker per thing from outside."""
    for need in NEEDS.values():
        config.addinivalue_line("markers", f"{need.name}: needs {need.what}")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector what is loaded once and stays: a third of collecting tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run here, or fail it where nothing may be missing."""
    for need in NEEDS.values():
        if item.get_closest_marker(need.name) is not None and not need.present():
            _absent(need)


def _absent(need: Need) -> None:
    message = f"needs {need.what}: {need.how}"
    if need.required_in_ci and os.environ.get("CI") == "true":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """End every run with what was skipped and how to get it."""
    counts: dict[str, int] = {}
    for report in terminalreporter.getreports("skipped"):
        for need in NEEDS.values():
            if f"needs {need.what}" in str(report.longrepr):
                counts[need.name] = counts.get(need.name, 0) + 1
    if counts:
        terminalreporter.section("skipped for want of something")
        for name, count in sorted(counts.items()):
            terminalreporter.line(f"{name:10} {count:4} tests   {NEEDS[name].how}")


@pytest.fixture
def data_folder() -> Path:
    """Return the folder with the published datasets; mark the test `data` as well."""
    return Path(os.environ["PLAUSIBLY_DATA"])


@pytest.fixture
def without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test as on a machine without published data."""
    monkeypatch.delenv("PLAUSIBLY_DATA", raising=False)


@pytest.fixture(scope="session")
def plausibly_command() -> str:
    """Return the installed command, for tests that need a process of its own."""
    found = shutil.which("plausibly", path=str(Path(sys.executable).parent))
    assert found is not None, "the package is not installed: pip install -e ."
    return found
