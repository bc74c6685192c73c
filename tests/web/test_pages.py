"""The pages without a browser: who sees what, and what the server says when something is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.study import read_study
from worlds.served import Clock, form_address, items_of, study_folder

RATINGS = {"target": 1, "batch": 2, "quota": 2, "lease_minutes": 1.0}
RESEARCHER = {"Authorization": "Bearer secret-of-the-researcher"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    server = {"code": "SHARED1", "return_url": "https://panel.example.org/?cc={code}"}
    study = study_folder(tmp_path, items_of(2), {"ratings": RATINGS, "server": server})
    app = create_app(read_study(study), token="secret-of-the-researcher", clock=clock)  # noqa: S106
    with TestClient(app) as client:
        yield client


def fields(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def consent(client: TestClient, person: str, **said: str) -> TestClient:
    """Return a browser of its own after its person said so much on the consent page."""
    visitor = TestClient(client.app)
    page = visitor.get("/", params={"person": person} if person else {})
    visitor.post("/consent", data={**fields(page.text), **said})
    return visitor


def joined(client: TestClient, person: str) -> TestClient:
    return consent(client, person, agree="yes", eligible="yes")


def answer(visitor: TestClient, given: str = "5") -> None:
    page = visitor.get("/work").text
    sent = {**fields(page), "plausible": given}
    assert visitor.post(form_address(page), data=sent).status_code == 200


def test_from_consent_to_code_and_back_to_the_panel(client: TestClient) -> None:
    visitor = joined(client, "ann")
    for _ in range(2):
        answer(visitor)
    done = visitor.get("/done")
    assert "SHARED1" in done.text
    assert "https://panel.example.org/?cc=SHARED1" in done.text
    assert visitor.get("/").url.path == "/done"


def test_the_code_is_not_on_any_page_before_the_end(client: TestClient) -> None:
    visitor = joined(client, "ann")
    for path in ("/work", "/done", "/instructions"):
        assert "SHARED1" not in visitor.get(path).text
    answer(visitor)
    assert "SHARED1" not in visitor.get("/done").text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({"agree": "yes"}, "refused.required"),
        ({"eligible": "yes"}, "consent.agree_first"),
    ],
)
def test_nobody_takes_part_without_having_agreed(
    client: TestClient, said: dict[str, str], text: str
) -> None:
    visitor = TestClient(client.app)
    page = visitor.post("/consent", data={**fields(visitor.get("/?person=x").text), **said})
    assert page.status_code == 422
    assert Texts("en")(text) in page.text
    asks = "refused" in text
    assert asks == ('id="eligible-error"' in page.text) == ('aria-invalid="true"' in page.text)
    question = "Is English your native language?"
    named = Texts("en")("work.problem", question=question, what=Texts("en")(text))
    assert asks == (named in page.text)
    assert visitor.get("/work").status_code == 401


def test_who_is_not_eligible_does_not_join(client: TestClient) -> None:
    consent(client, "ann", agree="yes", eligible="no")
    progress = client.get("/api/v1/progress", headers=RESEARCHER).json()
    assert progress["people"]["joined"] == 0


def test_who_comes_too_late_is_told_so(client: TestClient) -> None:
    visitor = joined(client, "ann")
    for _ in range(2):
        answer(visitor)
    page = TestClient(client.app).get("/?person=late")  # before consent
    assert page.status_code == 403
    assert Texts("en")("denied.full") in page.text


def test_who_comes_while_places_are_only_reserved_is_told_when_to_come_back(
    client: TestClient,
) -> None:
    late, other = TestClient(client.app), TestClient(client.app)
    sent = {**fields(late.get("/?person=late").text), "agree": "yes", "eligible": "yes"}
    assert joined(client, "ann").get("/work").status_code == 200
    assert other.get("/?person=other").status_code == 409
    page = late.post("/consent", data=sent)
    assert (page.status_code, page.headers["retry-after"]) == (409, "60")
    assert Texts("en")("denied.taken", minutes=1) in page.text


def test_who_joined_and_finds_nothing_left_is_not_given_a_code(
    client: TestClient, clock: Clock
) -> None:
    bob = joined(client, "bob")
    clock.now += 61
    assert joined(client, "ann").get("/work").status_code == 200
    page = bob.get("/work")
    assert Texts("en")("done.nothing") in page.text
    assert "SHARED1" not in page.text


def test_an_excluded_person_is_told_so(client: TestClient) -> None:
    visitor = joined(client, "ann")
    client.post("/api/v1/people/ann/exclude", headers=RESEARCHER)
    for path in ("/work", "/done"):
        page = visitor.get(path)
        assert page.status_code == 403
        assert Texts("en")("excluded.title") in page.text


def test_who_is_excluded_after_finishing_still_sees_the_code(client: TestClient) -> None:
    visitor = joined(client, "ann")
    for _ in range(2):
        answer(visitor)
    assert "SHARED1" in visitor.get("/done").text
    client.post("/api/v1/people/ann/exclude", headers=RESEARCHER)
    assert "SHARED1" in visitor.get("/done").text
    assert visitor.get("/work").url.path == "/done"


@pytest.mark.parametrize("key", ["", "k" * 201, "a\nb", "a\x00b"])
def test_a_page_with_a_key_the_api_would_not_take_is_refused(client: TestClient, key: str) -> None:
    visitor = joined(client, "ann")
    page = visitor.get("/work").text
    sent = {**fields(page), "plausible": "5", "_key": key}
    assert visitor.post(form_address(page), data=sent).status_code == 422
    assert client.get("/api/v1/ratings", headers=RESEARCHER).text == ""


def test_anyone_may_take_part_without_a_number_where_that_is_allowed(
    client: TestClient, clock: Clock
) -> None:
    one = joined(client, "")
    assert one.get("/work").status_code == 200
    clock.now += 61
    other = joined(client, "")
    assert other.get("/work").status_code == 200
    progress = client.get("/api/v1/progress", headers=RESEARCHER).json()
    assert progress["people"]["joined"] == 2


def test_nobody_may_take_part_without_a_number_where_it_is_not(tmp_path: Path) -> None:
    study = study_folder(tmp_path, items_of(2), {"server": {"door": "list"}})
    with TestClient(create_app(read_study(study))) as client:
        assert Texts("en")("consent.number") in client.get("/").text
        page = client.get("/?person=x")
        sent = {**fields(page.text), "person": "", "agree": "yes", "eligible": "yes"}
        assert client.post("/consent", data=sent).status_code == 403


def test_the_middle_comes_back_with_what_was_written(client: TestClient) -> None:
    visitor = joined(client, "ann")
    form = visitor.get("/work").text
    sent = {**fields(form), "plausible": "3", "comment": "a <b> & c"}
    page = visitor.post(form_address(form), data=sent)
    assert page.status_code == 422
    assert Texts("en")("refused.middle") in page.text
    assert "a &lt;b&gt; &amp; c</textarea>" in page.text


def test_a_new_link_of_another_person_starts_a_session_of_its_own(
    client: TestClient, clock: Clock
) -> None:
    visitor = joined(client, "ann")
    clock.now += 61  # ann's places are free again
    page = visitor.get("/?person=bob")
    assert page.url.path == "/"
    assert 'value="bob"' in page.text
    assert visitor.get("/?person=ann").status_code in {200, 401}


def test_what_pages_load_is_kept_for_ever_under_a_name_of_its_content(client: TestClient) -> None:
    page = client.get("/").text
    (style,) = re.findall(r'href="(/static/[^"]+)"', page)
    response = client.get(style)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/css")
    assert "immutable" in response.headers["cache-control"]
    assert client.get("/static/style.000000000000.css").status_code == 404


def test_a_page_that_is_not_there_says_so_to_people_and_to_programs(client: TestClient) -> None:
    assert "<h1>" in client.get("/nothing").text
    assert client.get("/api/v1/nothing").json() == {
        "ok": False,
        "error": "There is nothing here.",
        "errors": [],
    }


def test_the_script_of_the_pages_is_short() -> None:
    script = Path(create_app.__code__.co_filename).parent / "static" / "form.js"
    assert len(script.read_text(encoding="utf-8").splitlines()) <= 300


def test_every_text_the_code_names_is_in_the_catalogue() -> None:
    folder = Path(create_app.__code__.co_filename).parent
    texts = Texts("en")
    sources = [*folder.rglob("*.py"), *folder.rglob("*.jinja")]
    named = {
        name
        for source in sources
        for name in re.findall(
            r'"((?:page|consent|instructions|work|done|status)\.[a-z_]+)"',
            source.read_text(encoding="utf-8"),
        )
    }
    assert len(named) > 25
    for name in named:
        assert texts(name)
