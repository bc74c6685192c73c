"""A form of one's own in the browser: what is asked, what is missing, and what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from plausibly.web.locale.texts import Texts
from serving import Client, Server
from worlds.compared import CANDIDATES

pytestmark = pytest.mark.browser
NUMBERS = count()
TEXTS = Texts("en")
QUESTIONS = [
    *(
        f"Candidate {place}: {question}"
        for place in (1, 2, 3)
        for question in ("Is it grammatical?", "Does it fit?")
    ),
    "Which is best?",
]
MISSING = [
    TEXTS("work.problem", question=question, what=TEXTS("refused.required"))
    for question in QUESTIONS
]


@pytest.fixture
def page(chromium: Browser, custom: Server) -> Iterator[Page]:
    """The first item as a person of their own sees it."""
    context = chromium.new_context()
    context.set_default_timeout(30_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"http://127.0.0.1:{custom.port}/?person=p{next(NUMBERS)}")
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("#text")).to_be_visible()
    yield page
    context.close()
    assert not complaints


def candidate(page: Page, name: str) -> Locator:
    """Return what stands about a candidate, found by its text."""
    return page.locator(".candidate").filter(has_text=CANDIDATES[name])


def ask(page: Page, name: str, question: str) -> Locator:
    return candidate(page, name).get_by_role("group", name=question)


def grammar(page: Page, name: str, answer: str) -> None:
    ask(page, name, "Is it grammatical?").get_by_label(answer, exact=True).check()


def fits(page: Page, name: str, answer: str) -> None:
    ask(page, name, "Does it fit?").get_by_label(answer, exact=True).check()


def best(page: Page, name: str) -> Locator:
    """Return the box that names a candidate the best."""
    heading = candidate(page, name).get_by_role("heading").inner_text()
    return page.get_by_role("group", name="Which is best?").get_by_label(heading)


def send(page: Page) -> None:
    page.wait_for_load_state()  # before it, the script does not hear a click
    page.get_by_role("button", name="Send").click()


def answer_all(page: Page) -> None:
    grammar(page, "rules", "No")
    for name in ("gold", "gpt"):
        grammar(page, name, "Yes")
        fits(page, name, "yes")
    best(page, "gpt").check()


def test_what_is_not_asked_is_hidden_and_answers_bear_the_candidates_names(
    page: Page, custom: Server
) -> None:
    before = len(Client(custom.port).ratings())
    answer_all(page)
    expect(ask(page, "rules", "Does it fit?")).to_be_hidden()
    page.get_by_role("slider").press("ArrowRight")
    page.reload()
    expect(ask(page, "rules", "Does it fit?")).to_be_hidden()
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 2")
    rows = Client(custom.port).ratings()
    assert len(rows) == before + 7
    last = max(row["submitted"] for row in rows)
    answers = {
        (row["item"].partition("#")[2], row["question"]): row["answer"]
        for row in rows
        if row["submitted"] == last
    }
    assert answers == {
        ("rules", "grammar"): "NO",
        ("gold", "grammar"): "YES",
        ("gpt", "grammar"): "YES",
        ("gold", "coherent"): "yes",
        ("gpt", "coherent"): "yes",
        ("", "best"): "gpt",
        ("", "sure"): "6",
    }


def test_a_candidate_that_is_ruled_out_cannot_be_the_best(page: Page) -> None:
    best(page, "rules").check()
    grammar(page, "rules", "No")
    ruled_out = best(page, "rules")
    expect(ruled_out).to_be_hidden()
    expect(ruled_out).to_be_disabled()
    expect(best(page, "gold")).to_be_visible()
    grammar(page, "rules", "Almost")
    expect(best(page, "rules")).to_be_checked()
    for name in CANDIDATES:
        grammar(page, name, "No")
    expect(page.get_by_role("group", name="Which is best?")).to_be_hidden()
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 2")


def test_everything_missing_is_named_and_settled_by_an_answer(page: Page) -> None:
    page.get_by_label("Comments").fill("kept")
    send(page)
    problems = page.get_by_role("alert").get_by_role("link")
    expect(problems).to_have_text(MISSING)
    expect(page.get_by_label("Comments")).to_have_value("kept")
    third = page.locator(".candidate").nth(2)
    wrong = third.get_by_role("group", name="Is it grammatical?")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    wrong.get_by_label("No", exact=True).check()
    expect(wrong.locator(".error")).to_be_hidden()
    expect(wrong).not_to_have_attribute("aria-invalid", "true")
    expect(problems).to_have_count(5)  # two less: the other one is not asked any more
    expect(page.get_by_role("alert")).not_to_contain_text("Candidate 3")
    problems.first.click()
    expect(page.locator(".candidate").first).to_be_in_viewport()
    answer_all(page)
    expect(page.get_by_role("alert")).to_be_empty()
    expect(page.locator(".error:visible")).to_have_count(0)
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 2")


def test_a_box_that_was_unticked_again_stays_unticked(page: Page) -> None:
    answer_all(page)
    kinds = page.get_by_role("group", name="What is it about?")
    kinds.get_by_label("cause").check()
    kinds.get_by_label("part").check()
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 2")
    page.get_by_role("link", name="Back to the one before").click()
    expect(kinds.get_by_label("cause")).to_be_checked()
    kinds.get_by_label("cause").uncheck()
    page.reload()
    expect(kinds.get_by_label("cause")).not_to_be_checked()
    expect(kinds.get_by_label("part")).to_be_checked()
    kinds.get_by_label("part").uncheck()
    page.reload()
    expect(kinds.get_by_label("part")).not_to_be_checked()
    expect(best(page, "gpt")).to_be_checked()


def test_without_script_everything_missing_is_named(chromium: Browser, custom: Server) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{custom.port}/?person=plain")
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    send(page)
    expect(page.get_by_role("alert").get_by_role("link")).to_have_text(MISSING)
    context.close()
