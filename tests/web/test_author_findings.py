"""Authors see everything that the check reports, in their language, sentences counted from 1."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from plausibly.datasets.gita.stories import read_stories
from plausibly.verbs.check import check_gita
from plausibly.web.author.app import LONGEST_VISIT, AuthorDesk, author_app
from plausibly.web.author.drafts import STORIES, drafts_in, written_stories
from plausibly.web.author.messages import is_listed, on_page, wordings
from plausibly.web.author.running import author_of
from worlds.faults import STORY_FAULTS, with_fault

STORY = {
    "actor": "Ada",
    "objects": "scatola, tappo, brocca",
    "sentence-0": "Ada apre la scatola.",
    "sentence-1": "Ada prende il tappo dalla scatola.",
    "sentence-2": "Ada riempie la brocca.",
    "sentence-3": "Ada chiude la brocca con il tappo.",
    "sentence-4": "Ada sposta la brocca.",
}
# What an author may type: where, the wrong text, and what the check calls it.
PLANTED = [
    ("sentence-2", "", "empty_sentence"),
    ("sentence-2", "ada riempie la brocca.", "lower_case_start"),
    ("sentence-2", "Ada riempie la brocca", "not_declarative"),
    ("sentence-2", "Ada riempie il brocca.", "article"),
    ("sentence-2", "Ada e riempie la brocca.", "spelling"),
    ("sentence-2", "Ada lavera la brocca.", "spelling"),
    ("sentence-2", "Ada riempie lo brocca.", "article"),
    ("sentence-2", "Ada riempie la brocche.", "article"),
    ("sentence-2", "Ada riempirà la brocca.", "tense"),
    ("sentence-2", "Ada riempire la brocca.", "verb_form"),
    ("sentence-2", "Ada ha riempire la brocca.", "verb_form"),
    ("sentence-2", "Ada riempie la la brocca.", "word_twice"),
    ("sentence-2", "Ada riempie la brocca .", "space_before_sign"),
    ("sentence-2", "Ada riempie la broccqua.", "unknown_word"),
    ("sentence-2", "Ada riempie la br0cca.", "mixed_word"),
    ("sentence-2", "Ada a riempito la brocca.", "verb_form"),
    ("sentence-2", "Ada riempie la brocca. Poi dorme.", "several_sentences"),
    ("sentence-2", "Ada fills the big jug.", "other_language"),
    ("sentence-2", "Ada pensa alla brocca.", "mental_verb"),
    ("sentence-2", "Ada riempie <b>la brocca.", "odd_sign"),
    ("sentence-4", "Ada apre la scatola.", "repeated_sentence"),
    ("objects", "scatola, tappo, brocca, astronave", "absent_object"),
    ("objects", "scatola, tappo, brocca, scatola", "object_twice"),
    ("actor", "Zebedeo", "absent_actor"),
    ("room", "Ada", "location"),
    ("worker", "Ada", "worker"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.toml").write_text('[study]\nname = "x"\nprotocol = "gita"\n')
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    with TestClient(author_of(folder)) as client:
        yield client


def token(client: TestClient) -> dict[str, str]:
    found = re.search(r'name="_csrf" value="([^"]+)"', client.get("/").text)
    assert found is not None
    return {"_csrf": found.group(1)}


def listed(page: str) -> list[str]:
    """Return the findings a page shows, without the name of a variant."""
    found = re.findall(r"<li>(?:[^<]*\) \S )?((?:errore|avviso|nota|error): .*?)</li>", page)
    return [html.unescape(one) for one in found]


def checked(folder: Path) -> list[dict[str, str]]:
    """Return what the check reports on a file with the draft as it was saved."""
    file = folder / "all.jsonl"
    lines = [json.dumps(one) for one in written_stories(drafts_in(folder)[1])]
    file.write_text("\n".join(lines), encoding="utf-8")
    return check_gita(file).findings.to_dicts()


def shown(finding: dict[str, str]) -> str:
    labels = {"error": "errore", "warning": "avviso", "note": "nota"}
    return f"{labels[finding['severity']]}: {on_page(finding['message'], 'it')}"


@pytest.mark.parametrize(("field", "text", "kind"), PLANTED)
def test_a_planted_fault_is_on_the_page_as_the_check_reports_it(
    client: TestClient, folder: Path, field: str, text: str, kind: str
) -> None:
    sent = token(client)
    client.post("/stories", data=sent)
    typed = {**sent, **STORY, field: text}
    before = client.post("/stories/1/findings", data=typed)
    saved = client.post("/stories/1", data=typed)
    findings = checked(folder)
    assert kind in {finding["kind"] for finding in findings}
    assert all(is_listed(finding["message"]) for finding in findings)
    expected = sorted(map(shown, findings))
    assert sorted(listed(before.text)) == sorted(listed(saved.text)) == expected
    if field == "sentence-2":
        assert any("frase 3" in one for one in expected)


def test_sentences_not_yet_written_are_only_called_empty(client: TestClient) -> None:
    sent = token(client)
    client.post("/stories", data=sent)
    half = {**STORY, "sentence-2": "Il tappo cade.", "sentence-3": "", "sentence-4": ""}
    found = " ".join(listed(client.post("/stories/1/findings", data={**sent, **half}).text))
    assert "la frase 4 è vuota" in found
    assert "due volte" not in found
    assert "la frase 3 non comincia con chi agisce" in found


def test_several_sentences_without_the_actor_take_a_plural() -> None:
    message = "sentences 1, 3 do not begin with the actor"
    assert on_page(message, "it") == "le frasi 2, 4 non cominciano con chi agisce"
    assert on_page(message, "en") == "sentences 2, 4 do not begin with the actor"


def test_nothing_is_saved_by_looking(client: TestClient, folder: Path) -> None:
    sent = token(client)
    client.post("/stories", data=sent)
    client.post("/stories/1/findings", data={**sent, **STORY})
    assert not any(drafts_in(folder)[1].sentences)
    assert client.post("/stories/1/findings", data={**STORY, "_csrf": "x"}).status_code == 403


def test_a_variant_is_checked_before_it_is_kept(client: TestClient, folder: Path) -> None:
    sent = token(client)
    client.post("/stories", data=sent)
    client.post("/stories/1", data={**sent, **STORY})
    told = {f"sentence-0-{n}": STORY[f"sentence-{n}"] for n in range(5)}
    variant = {**told, "sentence-0-0": "Ada chiude il scatola.", "kind-0": "cloze", "keep": "0"}
    places = {"conflict-0": "0", "breakpoint-0": "1", "state-0": "open"}
    before = client.post("/stories/1/findings", data={**sent, **variant, **places})
    assert "nota: frase 1: 'il scatola': articolo e nome non concordano" in listed(before.text)
    review = client.post("/stories/1/variants", data={**sent, **variant, **places})
    assert listed(review.text) == listed(before.text)
    assert sorted(listed(review.text)) == sorted(map(shown, checked(folder)))


def test_findings_on_english_pages_count_from_one_too(folder: Path) -> None:
    study = folder / "study.toml"
    study.write_text(study.read_text() + '[server]\ninterface = "en"\n')
    with TestClient(author_of(folder)) as client:
        client.post("/stories", data=token(client))
        page = client.post("/stories/1", data={**token(client), **STORY, "sentence-4": ""})
    assert "error: sentence 5 is empty" in listed(page.text)


def test_stories_are_checked_in_the_language_of_the_study(folder: Path) -> None:
    study = folder / "study.toml"
    study.write_text(study.read_text() + '[build]\nlanguage = "en"\n')
    told = {**STORY, "sentence-2": "Ada riempie il brocca."}
    with TestClient(author_of(folder)) as client:
        client.post("/stories", data=token(client))
        page = client.post("/stories/1/findings", data={**token(client), **told})
        assert 'lang="en"' in client.get("/stories/1").text
    assert not any("articolo" in one for one in listed(page.text))


def test_a_page_from_before_a_restart_still_saves(client: TestClient, folder: Path) -> None:
    sent = token(client)
    client.post("/stories", data=sent)
    with TestClient(author_of(folder)) as anew:
        anew.post("/stories/1", data={**sent, **STORY})
    assert drafts_in(folder)[1].sentences[4] == STORY["sentence-4"]


def test_room_worker_and_idx_are_in_the_file(client: TestClient, folder: Path) -> None:
    sent = token(client)
    client.post("/stories", data=sent)
    client.post("/stories/1", data={**sent, **STORY, "room": "cucina", "worker": "GAP"})
    told = {f"sentence-0-{n}": STORY[f"sentence-{n}"] for n in range(5)}
    variant = {**told, "sentence-0-0": "Ada chiude la scatola.", "kind-0": "cloze", "keep": "0"}
    places = {"conflict-0": "0", "breakpoint-0": "1", "state-0": "open", "idx-0": "2"}
    client.post("/stories/1/variants", data={**sent, **variant, **places})
    plausible, broken = read_stories(folder / STORIES)
    assert broken.example == "1-C2"
    assert [one.fields["idx"] for one in (plausible, broken)] == [None, 2]
    for one in (plausible, broken):
        assert (one.fields["location"], one.fields["worker_id"]) == ("cucina", "GAP")
        assert (one.fields["length"], one.fields["aug"]) == (5, False)


def test_a_missing_state_is_told_once_about_its_variant(client: TestClient) -> None:
    sent = token(client)
    client.post("/stories", data=sent)
    client.post("/stories/1", data={**sent, **STORY})
    told = {f"sentence-0-{n}": STORY[f"sentence-{n}"] for n in range(5)}
    variant = {**told, "sentence-0-0": "Ada chiude la scatola.", "kind-0": "cloze", "keep": "0"}
    places = {"conflict-0": "0", "breakpoint-0": "1", "state-0": ""}
    page = client.post("/stories/1/findings", data={**sent, **variant, **places}).text
    found = re.findall(r"<li>(.*) \S errore: non è stato scelto nessuno stato</li>", page)
    assert found == ["Una frase sostituita (1, 2)"]


def test_time_on_pages_adds_up_and_a_page_left_open_does_not(folder: Path) -> None:
    desk: AuthorDesk = author_of(folder).state.author
    now = [1000.0]
    app = author_app(replace(desk, clock=lambda: now[0]))
    sent = {"_csrf": desk.token}
    with TestClient(app) as client:
        client.post("/stories", data=sent)
        for spent, total in ((90, 90), (10**6, 90 + LONGEST_VISIT), (-50, 90 + LONGEST_VISIT)):
            page = client.get("/stories/1").text
            began = re.search(r'name="shown" value="(\d+)"', page)
            assert began is not None
            now[0] += spent
            client.post("/stories/1", data={**sent, "shown": began[1], **STORY})
            assert drafts_in(folder)[1].seconds == total
        assert "31,5 min" in client.get("/").text


@pytest.mark.parametrize("name", STORY_FAULTS)
def test_every_message_of_the_check_has_its_words(name: str, tmp_path: Path) -> None:
    where, fault = STORY_FAULTS[name]
    file = tmp_path / "stories.json"
    for rows in samples(where):
        file.write_text(json.dumps(with_fault(rows, len(rows) - 1, fault)), encoding="utf-8")
        messages = check_gita(file).findings["message"]
        assert [message for message in messages if not is_listed(message)] == []


def samples(where: str) -> Iterator[list[dict[str, object]]]:
    """Yield stories whose last one can have a fault."""
    told = [STORY[f"sentence-{n}"] for n in range(5)]
    first: dict[str, object] = {
        "story_id": 7,
        "type": None,
        "idx": None,
        "actor": "Ada",
        "objects": STORY["objects"],
        "sentences": told,
        "length": 5,
        "example_id": "7",
        "plausible": True,
        "breakpoint": -1,
        "confl_sents": [],
        "confl_pairs": [],
        "states": "open",
    }
    broken = {"type": "cloze", "idx": 0, "example_id": "7-C0", "plausible": False}
    broken |= {"breakpoint": 1, "confl_sents": [0], "confl_pairs": [0, 1]}
    broken["sentences"] = ["Ada chiude la scatola.", *told[1:]]
    if "first" in where.split():
        return
    if "broken" not in where:
        yield [first]
    if "plausible" not in where:
        yield [first, first | broken]


@given(st.integers(0, 4), st.integers(0, 4), st.sampled_from(["it", "en"]))
def test_only_numbers_of_sentences_are_counted_from_one(one: int, two: int, language: str) -> None:
    pair = on_page(f"confl_pairs is [{one}, {two}], the fields [0, 1]", language)
    assert f"[{one + 1}, {two + 1}]" in pair
    assert "[1, 2]" in pair
    blocks = on_page(f"{one} blocks of states for {two} sentences", language)
    assert [int(number) for number in re.findall(r"\d", blocks)] == [one, two]


def test_words_of_a_message_have_the_slots_of_the_message() -> None:
    for wording in wordings("it"):
        slots = [set(re.findall(r"\{(\w+)\}", text)) for text in (wording.written, wording.shown)]
        assert slots[0] == slots[1], wording.written
    assert on_page("something new", "it") == "something new"


def test_a_story_that_repeats_an_earlier_one_is_not_in_the_file(
    client: TestClient, folder: Path
) -> None:
    sent = token(client)
    for number in (1, 2):
        client.post("/stories", data=sent)
        client.post(f"/stories/{number}", data={**sent, **STORY})
    lines = (folder / STORIES).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["story_id"] for line in lines] == [1]
    assert not any(one["severity"] == "error" for one in check_gita(folder / STORIES).as_json())


def test_a_story_is_not_blamed_for_a_later_one_that_repeats_it(
    client: TestClient, folder: Path
) -> None:
    sent = token(client)
    for number in (1, 2):
        client.post("/stories", data=sent)
        client.post(f"/stories/{number}", data={**sent, **STORY})
    assert [drafts_in(folder)[n].sentences[0] for n in (1, 2)] == [STORY["sentence-0"]] * 2
    assert "errore" not in client.get("/stories/1/review").text
    assert "ha le stesse frasi" in client.get("/stories/2/review").text
