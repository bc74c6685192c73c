"""What it costs an author to write a story with its variants: keystrokes and clicks, counted.

    PYTHONPATH=tests python -m benchmarks.author [--stories 2] [--json]

A script writes stories of our own in a browser, as an author would: it types every sentence, keeps
one proposed exchange and one proposed replacement as they stand, picks their states, and enters
one change of state. Keys and clicks are counted where the page receives them; characters that have
to be typed in any way (the story itself) are told apart from the rest.
"""

from __future__ import annotations

import argparse
import json
import socket
import tempfile
import threading
from pathlib import Path

import uvicorn
from playwright.sync_api import Page, sync_playwright

from needs import browser
from plausibly.verbs.check import check_gita
from plausibly.web.author.running import author_of

STORIES = (
    (
        "Ada",
        "forno, torta",
        "Ada accende il forno.",
        "Ada prepara la torta.",
        "Ada inforna la torta nel forno.",
        "Ada toglie la torta dal forno.",
        "Ada spegne il forno.",
    ),
    (
        "Ugo",
        "ombrello, porta",
        "Ugo apre la porta.",
        "Ugo prende l'ombrello.",
        "Ugo chiude la porta.",
        "Ugo apre l'ombrello sotto la pioggia.",
        "Ugo chiude l'ombrello alla fermata.",
    ),
)
# Fields between the objects and the first sentence that the author leaves empty.
OPTIONAL = ("room", "worker")
OPPOSITES = "verb,opposite\naccende,spegne\napre,chiude\n"
COUNT = """
for (const [event, name] of [["keydown", "keys"], ["pointerdown", "clicks"]]) {
  document.addEventListener(event, () => {
    sessionStorage[name] = Number(sessionStorage[name] || 0) + 1;
  }, true);
}
"""


def counted(page: Page) -> dict[str, int]:
    """Return keys and clicks so far."""
    return {name: int(page.evaluate(f"sessionStorage.{name} || 0")) for name in ("keys", "clicks")}


def choose(page: Page, name: str, value: str) -> None:
    """Pick an option by keyboard: focus by a click, then type its first letters."""
    field = page.locator(f"select[name='{name}']")
    field.focus()
    field.press_sequentially(value)


def write_story(page: Page, story: tuple[str, ...]) -> None:
    """Write one story with an exchange, a replacement and a change of state."""
    page.get_by_role("button").click()
    actor, objects, *sentences = story
    page.locator("#actor").press_sequentially(actor)
    page.keyboard.press("Tab")
    page.keyboard.type(objects)
    for _ in OPTIONAL:
        page.keyboard.press("Tab")
    for sentence in sentences:
        page.keyboard.press("Tab")
        page.keyboard.type(sentence)
    page.keyboard.press("Enter")
    page.wait_for_url("**/variants")
    kinds = [one.get_attribute("value") for one in page.locator("[name^='kind-']").all()]
    for place in (kinds.index("order"), kinds.index("cloze")):
        choose(page, f"state-{place}", "loc")
        page.locator(f"[name='keep'][value='{place}']").click()
    page.locator("button[type=submit]").click()
    page.wait_for_url("**/review")
    page.locator("a[href$='/states']").click()
    choose(page, "s-0-0-1-open", "4")
    page.locator("button[type=submit]").click()
    page.wait_for_url("**/review")
    page.locator("#reviewer").press_sequentially("Eva")
    page.keyboard.press("Enter")
    page.wait_for_url("**/")


def measure(folder: Path, stories: int) -> dict[str, object]:
    """Return what the stories cost, and what the check says of the file."""
    (folder / "study.toml").write_text('[study]\nname = "x"\nprotocol = "gita"\n', encoding="utf-8")
    (folder / "opposites.csv").write_text(OPPOSITES, encoding="utf-8")
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(author_of(folder), log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
            page = chromium.new_page()
            page.add_init_script(COUNT)
            page.goto(f"http://127.0.0.1:{listening.getsockname()[1]}/")
            for story in STORIES[:stories]:
                write_story(page, story)
            total = counted(page)
            chromium.close()
    finally:
        server.should_exit = True
        thread.join()
    typed = sum(len(part) for story in STORIES[:stories] for part in story)
    findings = check_gita(folder / "stories.jsonl").findings["severity"]
    return {
        "stories": stories,
        "keys_per_story": round(total["keys"] / stories, 1),
        "of_these_the_story_itself": round(typed / stories, 1),
        "clicks_per_story": round(total["clicks"] / stories, 1),
        "errors": int((findings == "error").sum()),
    }


def main() -> None:
    """Write the stories and print what they cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stories", type=int, default=2, choices=(1, 2))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        figures = measure(Path(name), options.stories)
    if options.json:
        print(json.dumps(figures))
        return
    for figure, value in figures.items():
        print(f"{figure:28} {value}")


if __name__ == "__main__":
    main()
