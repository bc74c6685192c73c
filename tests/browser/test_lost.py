"""A connection that is lost in every protocol: the store holds what the person saw and sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from serving import Client, Server, hosted
from worlds.protocols import PROTOCOLS, protocol_folder

pytestmark = pytest.mark.browser
SENT = "() => Array.from(new FormData(document.getElementById('form')))"
Seen = set[tuple[str, str, str]]


@pytest.fixture(scope="module", params=PROTOCOLS)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    said = {"interface": "en"}
    folder = protocol_folder(tmp_path_factory.mktemp("lost"), request.param, server=said)
    with hosted(folder) as server:
        yield server


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def begin(page: Page, server: Server) -> None:
    page.goto(f"http://127.0.0.1:{server.port}/?person=ann")
    if page.locator("#eligible").count():
        page.locator("#eligible").check()
    page.locator("#agree").check()
    page.locator("button[type=submit]").click()
    page.wait_for_url("**/instructions")
    page.goto(f"http://127.0.0.1:{server.port}/work")


def fill(page: Page) -> Seen:
    """Answer what is asked and return what the page would send."""
    asked = page.locator(".field[data-unanswered]:visible")
    place = 0
    while place < asked.count():  # an answer may ask for more, or for less
        field = asked.nth(place)
        if field.locator("input[type=range]").count():
            field.locator("input[type=range]").press("ArrowRight")
        else:
            inputs = field.locator("input:enabled")
            first = inputs.first.get_attribute("name") == "conflict_sentence"
            (inputs.first if first else inputs.last).check()  # a breakpoint comes after it
        place += 1
    return seen(page)


def seen(page: Page) -> Seen:
    """Return what a page shows as answers, as the store would say it."""
    given: dict[tuple[str, str], list[str]] = {}
    for name, value in page.evaluate(SENT):
        question, _, candidate = name.partition(":")
        if not name.startswith("_") and value:
            given.setdefault((question, candidate), []).append(value)
    return {(*place, ";".join(values)) for place, values in given.items()}


def stored(server: Server) -> Seen:
    rows: list[dict[str, Any]] = Client(server.port).ratings("?state=all")
    return {(row["question"], row["item"].partition("#")[2], row["answer"]) for row in rows}


def deaf(route: Route) -> None:
    """An answer arrives, and what the server says to it does not."""
    if route.request.method == "POST":
        route.fetch(max_redirects=0)
        route.abort("connectionreset")
    else:
        route.continue_()


def dumb(route: Route) -> None:
    """An answer does not arrive."""
    if route.request.method == "POST":
        route.abort("connectionreset")
    else:
        route.continue_()


def fails(page: Page, how: Callable[[Route], None]) -> None:
    """Send, and wait until the browser has given up."""
    page.route("**/work/**", how)
    page.locator("#form button[type=submit]").click(no_wait_after=True)
    for _ in range(600):
        if page.url.startswith("chrome-error"):  # the page a browser shows of its own
            break
        page.wait_for_timeout(50)
    page.unroute("**/work/**")


def test_the_store_holds_what_was_seen_whenever_the_connection_is_lost(
    page: Page, server: Server
) -> None:
    begin(page, server)
    first = fill(page)
    # Offline, nothing is sent and nothing is lost.
    page.context.set_offline(True)
    page.locator("#form button[type=submit]").click()
    expect(page.locator(".offline")).to_be_visible()
    assert seen(page) == first
    assert stored(server) == set()
    page.context.set_offline(False)
    expect(page.locator(".offline")).to_have_count(0)

    fails(page, deaf)
    held = stored(server)
    assert first <= held or not held  # the steps of an item count when all are answered
    page.goto(f"http://127.0.0.1:{server.port}/work")
    second = fill(page)

    fails(page, dumb)
    assert stored(server) == held
    page.goto(f"http://127.0.0.1:{server.port}/work")
    assert seen(page) == second
    told = first | second
    while "/done" not in page.url:
        told |= fill(page)
        address = page.url
        page.locator("#form button[type=submit]").click()
        page.wait_for_url(lambda url: url != address)  # noqa: B023 - waited for here
    assert stored(server) == told
