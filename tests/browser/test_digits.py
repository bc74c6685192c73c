"""A digit answers the question that has the focus, and no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from serving import hosted
from worlds.served import items_of, study_folder

pytestmark = pytest.mark.browser
QUESTIONS: list[dict[str, Any]] = [
    {"id": "natural", "type": "likert", "text": "Natural?", "options": ["1", "2", "3", "4", "5"]},
    {"id": "sure", "type": "slider", "text": "Sure?", "min": 0, "max": 100, "start": 50},
    {"id": "vivid", "type": "slider", "text": "Vivid?", "min": 1, "max": 7, "start": 4},
]


def test_a_digit_answers_the_question_with_the_focus(chromium: Browser, tmp_path: Path) -> None:
    form = {"consent": ["You rate."]}
    folder = study_folder(tmp_path / "s", items_of(2), {"form": form}, protocol="custom")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        for one in QUESTIONS:
            file.write("[[form.questions]]\n")
            file.writelines(f"{key} = {json.dumps(value)}\n" for key, value in one.items())
    with hosted(folder) as server:
        page = chromium.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.get_by_label("I have read this").check()
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("link", name="Start").click()
        page.wait_for_load_state()
        natural, sure, vivid = (page.locator(f"[name={one['id']}]") for one in QUESTIONS)

        def said() -> tuple[list[str], str, str]:
            chosen = [radio.input_value() for radio in natural.all() if radio.is_checked()]
            return chosen, sure.input_value(), vivid.input_value()

        page.keyboard.press("2")
        assert said() == (["2"], "50", "4"), "the first scale of the page"
        natural.first.focus()
        page.keyboard.press("4")
        assert said() == (["4"], "50", "4")
        sure.focus()
        page.keyboard.press("7")
        assert said() == (["4"], "50", "4"), "a slider up to 100 is not moved to 7"
        vivid.focus()
        page.keyboard.press("6")
        assert said() == (["4"], "50", "6")
        page.close()
