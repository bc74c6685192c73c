"""A Chromium for the tests of pages, and a study for it to look at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from needs import browser as find_browser
from plausibly.protocols.pap.made_up import example_items
from serving import Server, hosted
from worlds.compared import compared_folder
from worlds.served import study_folder

FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
)


# A busy machine is slow and not wrong: what is expected is waited for, as everything else is.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")  # not the session: its event loop is in the way of others
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A PAP study of which everyone gets four items and a check."""
    folder: Path = tmp_path_factory.mktemp("pap")
    sections: dict[str, dict[str, object]] = {
        "ratings": {"target": 10, "batch": 4, "quota": 4},
        "server": {"title": "How plausible is it?", "contact": "plausibility@example.org"},
    }
    with hosted(study_folder(folder, example_items(seed=1), sections)) as server:
        yield server


@pytest.fixture(scope="module")
def custom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A study of one's own that compares candidates."""
    with hosted(compared_folder(tmp_path_factory.mktemp("custom"))) as server:
        yield server
