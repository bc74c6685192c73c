"""Back, reload, two tabs, a lost connection: the store holds what the person saw and sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plausibly.ratings import import_ratings
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from worlds.protocols import PROTOCOLS, protocol_folder
from worlds.served import form_address

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
CHOICE = re.compile(r'<input type="(radio|checkbox)" name="([^"]+)" value="([^"]+)"( checked)?')
RANGE = re.compile(r'<input type="range" [^>]*?name="([^"]+)"[^>]*? value="([^"]*)"')

# Which option is taken where it matters; else the first, or the last where a page is revised.
CHOSEN = {"grammaticality": -1, "coherence": -1, "breakpoint": -1, "plausible": -1}


@dataclass
class Seen:
    """A person at a browser, and what they sent about which text."""

    client: TestClient
    sent: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def look(self, address: str = "/work") -> tuple[str, str]:
        """Return a page and the address it is at."""
        response = self.client.get(address)
        return response.text, response.url.path

    def fill(self, page: str, *, other: bool = False) -> dict[str, list[str]]:
        """Answer everything a page asks, in one way or in another."""
        given: dict[str, list[str]] = {}
        options: dict[str, list[str]] = {}
        for _, name, value, _ in CHOICE.findall(page):
            options.setdefault(name, []).append(value)
        for name, values in options.items():
            given[name] = [values[CHOSEN.get(name.partition(":")[0], -1 if other else 0)]]
            if other and name in {"plausible", "conflict_sentence", "preference"}:
                given[name] = [values[1]]
        for name, _ in RANGE.findall(page):
            given[name] = ["5" if other else "1"]
        return given

    def send(self, page: str, given: dict[str, list[str]], *, heard: bool = True) -> str:
        """Send answers, remember them if the server was heard, and return where that leads."""
        data: dict[str, Any] = {**dict(HIDDEN.findall(page)), **given}
        response = self.client.post(form_address(page), data=data)
        assert response.status_code == 200, response.text
        if heard:
            text = text_of(page)
            self.sent.update({(text, name): values for name, values in given.items()})
        return str(response.url.path)

    def finish(self) -> None:
        """Answer whatever is left."""
        while not (reading := self.look())[1].endswith("/done"):
            self.send(reading[0], self.fill(reading[0]))


def text_of(page: str) -> str:
    shown = re.search(r'id="text"[^>]*>(.*?)</(?:p|ol)>', page, flags=re.DOTALL)
    assert shown is not None
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown.group(1))).split())


def shown_answers(page: str) -> dict[str, list[str]]:
    """Return what a page shows as answered."""
    answers: dict[str, list[str]] = {}
    for _, name, value, checked in CHOICE.findall(page):
        if checked:
            answers.setdefault(name, []).append(value)
    return answers | {name: [value] for name, value in RANGE.findall(page)}


@pytest.fixture(params=PROTOCOLS)
def study(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    return request.param, protocol_folder(tmp_path, request.param, server={"interface": "en"})


@pytest.fixture
def person(study: tuple[str, Path]) -> Iterator[Seen]:
    with TestClient(create_app(read_study(study[1]))) as client:
        page = client.get("/", params={"person": "ann"}).text
        agreed = {**dict(HIDDEN.findall(page)), "agree": "yes", "eligible": "yes"}
        client.post("/consent", data=agreed)
        yield Seen(client)


def stored(folder: Path) -> dict[tuple[str, str], list[str]]:
    """Return what is stored by the text of the item and the name of the field."""
    served = read_study(folder)
    answers: dict[tuple[str, str], list[str]] = {}
    for row in import_ratings(folder / "answers.sqlite", form="answers").ratings.to_dicts():
        item, _, candidate = row["item"].partition("#")
        content = served.contents[item]
        text = " ".join((" ".join(content.sentences) or content.text).split())
        name = f"{row['question']}:{candidate}" if candidate else row["question"]
        answers[text, name] = row["answer"].split(";")
    return answers


def test_the_store_holds_what_was_seen_and_sent(person: Seen, study: tuple[str, Path]) -> None:
    protocol, folder = study
    page, here = person.look()
    onward = person.send(page, person.fill(page))
    back, at = person.look(here)  # Back, or a reload of the page before
    if protocol == "iks":  # a step that is committed cannot be had again
        assert at == onward
        assert at != here
    else:
        assert at == here
        mine = {name: v for (text, name), v in person.sent.items() if text == text_of(back)}
        assert shown_answers(back) == mine
        person.send(back, person.fill(back, other=True))  # revised
        assert shown_answers(person.look(here)[0]) == person.fill(back, other=True)
    first, _ = person.look()
    second, _ = person.look()  # another tab with the same item
    assert text_of(first) == text_of(second)
    given = person.fill(second)
    person.send(second, given, heard=False)  # the connection was lost: sent, and never heard
    person.send(second, given)  # the same page, sent again
    person.finish()
    assert stored(folder) == person.sent


def test_of_two_tabs_the_one_that_was_sent_last_counts(
    person: Seen, study: tuple[str, Path]
) -> None:
    protocol, folder = study
    one, _ = person.look()
    two, _ = person.look()
    person.send(one, person.fill(one))
    if protocol == "iks":  # the step is closed: the other tab is told so, and nothing is lost
        data = {**dict(HIDDEN.findall(two)), **person.fill(two, other=True)}
        assert person.client.post(form_address(two), data=data).status_code == 409
    else:
        person.send(two, person.fill(two, other=True))
    person.finish()
    assert stored(folder) == person.sent


def test_who_rules_out_every_candidate_is_not_asked_which_is_closest(tmp_path: Path) -> None:
    folder = protocol_folder(tmp_path, "iks")
    with TestClient(create_app(read_study(folder))) as client:
        page = client.get("/", params={"person": "ann"}).text
        client.post("/consent", data={**dict(HIDDEN.findall(page)), "agree": "yes"})
        page = client.get("/work").text
        given = {f"grammaticality:{name}": "NO" for name in ("i", "ii", "iii")}
        given |= {**dict(HIDDEN.findall(page)), "content_a": "YES"}
        page = client.post(form_address(page), data=given).text
        assert 'id="q-comment"' in page
        assert 'id="q-comparison_c"' not in page
        done = client.post(form_address(page), data=dict(HIDDEN.findall(page)))
        assert done.url.path == "/done"
