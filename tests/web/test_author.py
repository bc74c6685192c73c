"""Authors write stories on pages, and the file that comes of it passes the check."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plausibly.datasets.gita.stories import read_stories
from plausibly.errors import StudyError, TableError
from plausibly.verbs.check import check_gita
from plausibly.web.author.drafts import STORIES, VERSIONS, drafts_in, proposed_exchanges
from plausibly.web.author.running import author_of

STORY = {
    "actor": "Ada",
    "objects": "forno, torta",
    "sentence-0": "Ada accende il forno.",
    "sentence-1": "Ada prepara la torta.",
    "sentence-2": "Ada inforna la torta nel forno.",
    "sentence-3": "Ada toglie la torta dal forno.",
    "sentence-4": "Ada spegne il forno.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.toml").write_text('[study]\nname = "x"\nprotocol = "gita"\n')
    (tmp_path / "opposites.csv").write_text("verb,opposite\naccende,spegne\ntoglie,butta\n")
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    with TestClient(author_of(folder)) as client:
        yield client


def token(client: TestClient) -> dict[str, str]:
    found = re.search(r'name="_csrf" value="([^"]+)"', client.get("/").text)
    assert found is not None
    return {"_csrf": found.group(1)}


def written(client: TestClient) -> str:
    """Write a story and return the page of its variants."""
    begun = client.post("/stories", data=token(client))
    assert begun.url.path == "/stories/1"
    page = client.post("/stories/1", data={**token(client), **STORY})
    assert page.url.path == "/stories/1/variants", page.text
    return page.text


def offered(page: str) -> dict[str, str]:
    """Return the fields of the variants as the page offers them."""
    fields = dict(re.findall(r'<input [^>]*name="((?:sentence|kind)-[^"]+)" value="([^"]*)"', page))
    for name, options in re.findall(r'<select name="([^"]+)">(.*?)</select>', page):
        chosen = re.search(r'value="(\d)" selected', options)
        fields[name] = chosen.group(1) if chosen else ""
    return {name: value.replace("&#39;", "'") for name, value in fields.items()}


def kept(client: TestClient) -> dict[str, str | list[str]]:
    """Keep the first exchange and the first replacement that are offered."""
    fields = offered(written(client))
    kinds = {n: fields[f"kind-{n}"] for n in range(6) if f"kind-{n}" in fields}
    cloze = next(n for n, kind in kinds.items() if kind == "cloze")
    states = {"state-0": "exist", f"state-{cloze}": "power"}
    return {**token(client), **fields, **states, "keep": ["0", str(cloze)]}


def test_what_is_written_passes_the_check(client: TestClient, folder: Path) -> None:
    review = client.post("/stories/1/variants", data=kept(client))
    assert review.url.path == "/stories/1/review"
    assert "+ Due frasi scambiate" in review.text
    stories = read_stories(folder / STORIES)
    assert [story.example for story in stories] == ["1", "1-O0", "1-C0"]
    findings = check_gita(folder / STORIES).findings
    assert not set(findings["severity"]) & {"error"}
    assert stories[1].conflict is not None
    assert stories[1].conflict < stories[1].breakpoint


def test_a_story_with_errors_is_kept_as_a_draft_and_not_in_the_file(
    client: TestClient, folder: Path
) -> None:
    client.post("/stories", data=token(client))
    page = client.post("/stories/1", data={**token(client), **STORY, "sentence-4": ""})
    assert page.status_code == 422
    assert "errore: la frase 5 è vuota" in page.text
    assert drafts_in(folder)[1].sentences[0] == STORY["sentence-0"]
    assert (folder / STORIES).read_text() == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"conflict-0": "3", "breakpoint-0": "1"}, "must come after"),
        ({"state-0": ""}, "Choose the state"),
    ],
)
def test_a_pair_in_the_wrong_order_is_told_at_once(
    folder: Path, change: dict[str, str], message: str
) -> None:
    study = folder / "study.toml"
    study.write_text(study.read_text() + '[server]\ninterface = "en"\n')
    with TestClient(author_of(folder)) as client:
        page = client.post("/stories/1/variants", data={**kept(client), **change})
        assert page.status_code == 422
        assert message in page.text
        assert drafts_in(folder)[1].variants == ()


def test_only_changes_of_states_are_entered_and_the_rest_is_filled_in(
    client: TestClient, folder: Path
) -> None:
    client.post("/stories/1/variants", data=kept(client))
    page = client.get("/stories/1/states").text
    fields = re.findall(r'<select name="(s-[^"]+)">(.*?)</select>', page)
    sent = {name: re.findall(r"<option selected>(\d)", options)[0] for name, options in fields}
    assert len(sent) == 3 * 5 * (5 + 2 * 15)
    sent["s-0-0-1-power"] = "4"  # in the first sentence, the oven is switched on
    client.post("/stories/1/states", data={**token(client), **sent})
    (change,) = drafts_in(folder)[1].changes
    assert (change.entity, change.attribute, change.code) == ("forno", "power", 4)
    story = read_stories(folder / STORIES)[0]
    assert len(story.blocks) == 5
    assert dict(story.blocks[0]["power"]) == {"forno": 4, "torta": 0}
    assert dict(story.blocks[1]["exist"]) == {"forno": 2, "torta": 2}
    assert not set(check_gita(folder / STORIES).findings["severity"]) & {"error"}


def test_a_second_reader_sees_what_changed(client: TestClient, folder: Path) -> None:
    client.post("/stories/1/variants", data=kept(client))
    client.post("/stories/1/review", data={**token(client), "reviewer": "Ugo"})
    assert drafts_in(folder)[1].reviewer == "Ugo"
    changed = {**STORY, "sentence-4": "Ada spegne il forno con calma."}
    client.post("/stories/1", data={**token(client), **changed})
    page = client.get("/stories/1/review").text
    assert "<del>- 5. Ada spegne il forno.</del>" in page
    assert "<ins>+ 5. Ada spegne il forno con calma.</ins>" in page
    lines = (folder / VERSIONS).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["number"] for line in lines] == [1] * len(lines)
    assert len(lines) == 5


def test_whoever_read_an_earlier_version_has_not_read_this_one(
    client: TestClient, folder: Path
) -> None:
    sent = kept(client)
    client.post("/stories/1/variants", data=sent)
    client.post("/stories/1/review", data={**token(client), "reviewer": "Ugo"})
    assert "Ugo" in client.get("/").text
    client.post("/stories/1", data={**token(client), **STORY})  # as it was
    assert drafts_in(folder)[1].reviewer == "Ugo"
    changed = {**STORY, "sentence-4": "Ada spegne il forno con calma."}
    client.post("/stories/1", data={**token(client), **changed})
    client.post("/stories/1/variants", data={**sent, "keep": "0"})  # and saved once more
    page = client.get("/stories/1/review").text
    assert "<del>- 5. Ada spegne il forno.</del>" in page
    assert "<ins>+ 5. Ada spegne il forno con calma.</ins>" in page
    assert drafts_in(folder)[1].reviewer == ""
    assert "Ugo" not in client.get("/").text


def test_exchanges_that_are_kept_are_not_proposed_again(client: TestClient, folder: Path) -> None:
    client.post("/stories/1/variants", data=kept(client))
    draft = drafts_in(folder)[1]
    told = {variant.sentences for variant in draft.variants}
    assert not told & {one.sentences for one in proposed_exchanges(draft, 10)}


def test_another_site_can_write_nothing(client: TestClient, folder: Path) -> None:
    assert client.post("/stories", data={"_csrf": "x"}).status_code == 403
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert drafts_in(folder) == {}


def test_stories_are_written_for_gita_only(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text('[study]\nname = "x"\nprotocol = "pap"\n')
    with pytest.raises(StudyError, match="plausibly init gita"):
        author_of(tmp_path)


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"number": 1, "variants": [{}]}'])
def test_a_version_that_was_damaged_is_named_by_its_line(folder: Path, line: str) -> None:
    (folder / VERSIONS).write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"versions\.jsonl:1: not a version"):
        drafts_in(folder)


def test_an_address_that_is_not_there_leads_to_all_stories(client: TestClient) -> None:
    assert client.get("/storie").url.path == "/"
