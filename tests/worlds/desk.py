"""Small studies with a desk, and people who answer in them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
from starlette.testclient import TestClient

from plausibly.web.app import create_app
from plausibly.web.desk.access import links_of
from plausibly.web.study import read_study
from worlds.served import Clock, items_of, joins, study_folder

COMMENT = "zanzibarquux"
SECTIONS: dict[str, dict[str, Any]] = {
    "ratings": {"target": 3, "batch": 6, "quota": 6, "checks_per_batch": 1},
    "server": {"reward": 3.0, "currency": "GBP", "min_hourly": 6.0},
}


def two_conditions() -> pl.DataFrame:
    """Return items of two conditions and checks, of which the second expects too much."""
    number = pl.col("item").str.extract(r"(\d+)").cast(pl.Int64) % 2
    named = pl.when(number == 0).then(pl.lit("attested")).otherwise(pl.lit("perturbed"))
    return items_of(12, 2).with_columns(
        condition=pl.when(pl.col("kind") == "item").then(named).otherwise(None)
    )


def answers(client: TestClient, person: str, number: int, always: str = "") -> str:
    """Let a person answer so many items, attested ones high; return what the table calls them."""
    joined = joins(client, person).json()
    bearer = {"Authorization": f"Bearer {joined['token']}"}
    for _ in range(number):
        shown = client.get("/api/v1/next", headers=bearer).json()
        if shown.get("done"):
            break
        odd = shown["item"][-1] in "13579"
        given = {"plausible": always or ("2" if odd else "5"), "comment": COMMENT if odd else ""}
        sent = {"answers": given, "reservation": shown["reservation"], "key": shown["item"]}
        assert client.post("/api/v1/answers", json=sent, headers=bearer).status_code < 300
    client.get("/api/v1/next", headers=bearer)
    return str(joined["annotator"])


def desk_of(
    path: Path, clock: Clock | None = None, *, interface: str = "en", **desk: Any
) -> TestClient:
    """Return a study of two conditions; keywords are what [desk] says."""
    server = {**SECTIONS["server"], "interface": interface}
    sections = {**SECTIONS, "server": server, **({"desk": desk} if desk else {})}
    folder = study_folder(path / "s", two_conditions(), sections)
    return TestClient(create_app(read_study(folder), clock=clock or Clock()))


def entered(client: TestClient, role: str) -> TestClient:
    """Return a browser that opened a link to the desk."""
    browser = TestClient(client.app)
    link = links_of(client.app.state.desk)[role]  # type: ignore[attr-defined]
    found = browser.get(f"/desk/enter?key={link}")
    assert found.url.path == "/desk/"
    assert found.status_code == 200
    return browser


def sends(browser: TestClient, action: str, **fields: str) -> Any:
    csrf = re.search(r'name="_csrf" value="(\w+)"', browser.get("/desk/").text)
    sent = {"_csrf": csrf.group(1) if csrf else "", **fields}
    return browser.post(action, data=sent, follow_redirects=False)
