"""The server as it is started from the command line, driven over loopback."""

from __future__ import annotations

import http.client
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from plausibly.cli import run
from plausibly.ratings import import_ratings
from serving import TOKEN, Client, Participant, Server, ledger_of, serving, stored
from worlds import served
from worlds.served import items_of, study_folder

SMALL = {"target": 3, "batch": 6, "quota": 6}


def careful(person: str, item: str) -> str:
    if item.startswith("c"):
        return ("5", "1")[int(item[1:]) % 2]
    return "1245"[crc32(f"{person}|{item}".encode()) % 4]


@pytest.fixture(scope="module", autouse=True)
def _open_to_all() -> Iterator[None]:
    """Open every study of this file to programs, as a researcher would for a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(served.OPENED, "door", "open")
        patch.setitem(served.OPENED, "api", True)
        yield


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    study = study_folder(tmp_path_factory.mktemp("s"), items_of(20, 4), {"ratings": SMALL})
    with serving(study) as running:
        yield running


def together(people: list[Participant]) -> None:
    threads = [threading.Thread(target=person.work) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_an_independent_client_gets_from_join_to_code_and_its_ledger_is_what_is_stored(
    server: Server,
) -> None:
    people = [Participant(server.port, f"person {n}", careful) for n in range(10)]
    assert {person.join() for person in people} == {200}
    together(people)
    assert all(person.code for person in people)
    assert len({person.code for person in people}) == len(people)
    assert all(len(person.seen) == len(set(person.seen)) == 7 for person in people)
    ratings = Client(server.port).ratings()
    assert stored(ratings) == ledger_of(people)
    counts = Counter(row["item"] for row in ratings if row["item"].startswith("t"))
    assert set(counts.values()) == {3}
    assert len(counts) == 20
    assert Participant(server.port, "too late", careful).join() == 403
    assert people[0].join() == 200
    progress = Client(server.port).progress()
    assert progress["items"]["complete"] == progress["items"]["total"] == 20
    assert progress["slots"]["open"] == progress["slots"]["reserved"] == 0
    people_now = {"joined": 10, "finished": 10, "excluded": 0, "unconfirmed": 0, "held": 0}
    assert progress["people"] == people_now


def test_what_was_collected_is_read_as_a_table(server: Server) -> None:
    imported = import_ratings(server.study / "answers.sqlite", form="answers")
    assert imported.ratings.height == len(Client(server.port).ratings())
    assert imported.annotators is not None
    assert imported.ratings["annotator"].unique().sort().to_list() == sorted(
        imported.annotators["annotator"]
    )
    assert {"batch", "started", "submitted", "seconds", "revision", "form"} <= set(
        imported.ratings.columns
    )


def test_sixty_people_on_two_hundred_places_take_exactly_two_hundred(tmp_path: Path) -> None:
    ratings = {"target": 10, "batch": 5, "quota": 5}
    study = study_folder(tmp_path / "s", items_of(20), {"ratings": ratings})
    with serving(study) as server:
        people = [Participant(server.port, f"p{n}", careful) for n in range(60)]
        in_time = [person for person in people if person.join() == 200]
        together(in_time)
        ratings_ = Client(server.port).ratings()
    assert stored(ratings_) == ledger_of(in_time)
    assert set(Counter(row["item"] for row in ratings_).values()) == {10}
    assert all(len(set(person.seen)) == len(person.seen) <= 5 for person in people)


def test_two_processes_share_one_database(tmp_path: Path) -> None:
    study = study_folder(
        tmp_path / "s", items_of(12), {"ratings": {"target": 5, "batch": 4, "quota": 4}}
    )
    with serving(study, "--workers", "2") as server:
        people = [Participant(server.port, f"p{n}", careful) for n in range(15)]
        for person in people:
            person.join()
        together(people)
        ratings = Client(server.port).ratings()
    assert stored(ratings) == ledger_of(people)
    assert set(Counter(row["item"] for row in ratings).values()) == {5}


@pytest.mark.parametrize(("workers", "kills"), [("1", 6), ("2", 6)])
def test_killed_at_any_moment_the_server_has_every_acknowledged_answer(
    tmp_path: Path, workers: str, kills: int
) -> None:
    study = study_folder(
        tmp_path / "s", items_of(200, 4), {"ratings": {"target": 4, "batch": 24, "quota": 0}}
    )
    with serving(study, "--workers", workers) as server:
        people = [Participant(server.port, f"p{n}", careful) for n in range(6)]
        for person in people:
            person.join()
        moments = np.random.default_rng(1)
        for _ in range(kills):
            over = threading.Event()
            threads = [
                threading.Thread(target=until_it_breaks, args=(person, over)) for person in people
            ]
            for thread in threads:
                thread.start()
            time.sleep(moments.uniform(0.02, 0.3))
            server.kill()
            over.set()
            for thread in threads:
                thread.join()
            server.start()
            kept = stored(Client(server.port).ratings())
            acknowledged = ledger_of(people)
            assert acknowledged <= kept
            assert len(kept - acknowledged) <= len(people)  # sent, and the answer never arrived
            for person in people:
                person.client = Client(server.port)
                mine = {item: given for who, item, given in kept if who == person.annotator}
                person.ledger |= mine
                assert person.step() or person.code
        assert len(ledger_of(people)) > 10


def until_it_breaks(person: Participant, over: threading.Event) -> None:
    with suppress(OSError, http.client.HTTPException):
        while not over.is_set() and person.step():
            pass


def test_after_a_stop_the_same_people_go_on(tmp_path: Path) -> None:
    study = study_folder(tmp_path / "s", items_of(10, 1), {"ratings": SMALL})
    with serving(study) as server:
        person = Participant(server.port, "ann", careful)
        person.join()
        assert person.step()
        assert server.stop() in {0, -15}
        server.start()
        person.client = Client(server.port)
        assert person.step()
        assert len(stored(Client(server.port).ratings())) == 2


def test_a_taken_port_is_said_without_a_traceback(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", str(server.study), "--port", str(server.port)]) == 1
    assert f":{server.port}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ('[study]\nprotocol = "pap"\n[ratings]\ntargets = 5\n', "Did you mean 'target'"),
        ('[study]\nprotocol = "pap"\n[ratings]\nrule = "most"\n', "rule must be one of"),
        ('[study]\nprotocol = "papp"\n', "Did you mean 'pap'"),
        ('[study]\nprotocol = "custom"\n', "needs at least one question"),
    ],
)
def test_a_study_that_cannot_be_served_is_said_without_a_traceback(
    tmp_path: Path, toml: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    study = study_folder(tmp_path / "s", items_of(2), {})
    (study / "study.toml").write_text(toml, encoding="utf-8")
    assert run(["serve", str(study), "--port", "0"]) == 2
    assert message in capsys.readouterr().err
    assert not (study / "answers.sqlite").exists()


@pytest.mark.parametrize("url", ["postgresql://localhost/x", "nonsense", "mysql://x"])
def test_a_database_that_is_not_sqlite_is_refused(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    study = study_folder(tmp_path / "s", items_of(2), {})
    assert run(["serve", str(study), "--port", "0", "--database", url]) == 2
    assert "--database" in capsys.readouterr().err


def test_a_database_elsewhere_is_used(tmp_path: Path) -> None:
    study = study_folder(tmp_path / "s", items_of(2), {})
    with serving(study, "--database", f"sqlite:///{tmp_path / 'other.sqlite'}") as server:
        assert Participant(server.port, "ann", careful).join() == 200
    assert (tmp_path / "other.sqlite").exists()
    assert not (study / "answers.sqlite").exists()


def test_the_researcher_needs_the_token(server: Server) -> None:
    client = Client(server.port)
    for path in ("/api/v1/ratings", "/api/v1/progress"):
        assert client.ask("GET", path)[0] == 401
        assert client.ask("GET", path, token="guess")[0] == 401  # noqa: S106
        assert client.raw("GET", path, token=TOKEN)[0] == 200
