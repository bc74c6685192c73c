"""The API does what its description says, whatever is sent to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from plausibly.web.participant import api as participant
from plausibly.web.researcher import api as researcher
from serving import TOKEN, Client, Participant, Server, hosted
from worlds.served import items_of, study_folder

DOCUMENT = json.loads(files("plausibly.web").joinpath("openapi.json").read_bytes())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    sections = {
        "ratings": {"target": 10, "batch": 6, "quota": 0},
        "server": {"requests_per_minute": 1_000_000},
    }
    study = study_folder(tmp_path_factory.mktemp("s"), items_of(20, 4), sections)
    with hosted(study) as running:
        person = Participant(running.port, "known", lambda *_: "4")
        person.join()
        person.step()
        yield running


schema = schemathesis.openapi.from_dict(DOCUMENT)
schema.config.phases.update(phases=["examples", "fuzzing"])
ADDRESS = {"url": ""}


@schema.auth()
class Bearer:
    """The researcher's token, or for a participant's operations the token of one who joined."""

    def get(self, case: schemathesis.Case[Any], context: schemathesis.AuthContext) -> str:
        del context
        if case.path.split("/")[-1] not in {"next", "answers"}:
            return TOKEN
        port = int(ADDRESS["url"].rsplit(":", 1)[1])
        person = Participant(port, f"tester-{case.id}", lambda *_: "4")
        assert person.join() == 200
        return person.token

    def set(
        self, case: schemathesis.Case[Any], data: str, context: schemathesis.AuthContext
    ) -> None:
        del context
        case.headers["Authorization"] = f"Bearer {data}"


@schema.parametrize()
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_schemathesis_finds_nothing(case: schemathesis.Case[Any], server: Server) -> None:
    ADDRESS["url"] = f"http://127.0.0.1:{server.port}"
    case.call_and_validate(base_url=ADDRESS["url"])


def test_every_route_of_the_api_is_described() -> None:
    served = {
        (re.sub(":(path|int)", "", route.path), method.lower())
        for route in [*participant.ROUTES, *researcher.ROUTES]
        for method in route.methods or ()
        if method != "HEAD"
    }
    described = {(path, method) for path, way in DOCUMENT["paths"].items() for method in way}
    assert described - served == {("/healthz", "get")}
    assert served <= described


def test_the_description_is_served(server: Server) -> None:
    status, document = Client(server.port).ask("GET", "/api/v1/openapi.json")
    assert status == 200
    assert document == DOCUMENT
