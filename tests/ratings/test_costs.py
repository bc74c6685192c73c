"""What a collection cost: counted in the store, and stated in report and release."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.io import write_json
from plausibly.ratings.costs import WORKED, cost_of, work_done
from plausibly.ratings.store.erasing import erase
from plausibly.ratings.store.schema import people
from worlds.served import NOW, answered, joined, served_of, store_of, works_through

SERVER = {"reward": 2.0, "currency": "GBP", "platform": "prolific", "platform_fee": 0.25}
NOTHING = {"whole": 0, "short": {}, "part": {}, "returned": 0, "working": 0, "screened": 0}
COUNTS: dict[str, Any] = {**NOTHING, "erased": 0, "round": 4}


def test_whole_partial_and_returned_work_is_counted(tmp_path: Path) -> None:
    served = served_of(8, batch=4, quota=4, target=5)
    engine = store_of(tmp_path, served)
    with engine.begin() as connection:
        for name in ("ann", "bob", "cy"):
            joined(connection, name, served)
            works_through(connection, name, served)
        connection.execute(
            people.update().where(people.c.annotator == "bob").values(unpaid="Not done.")
        )
        joined(connection, "dee", served)
        answered(connection, "dee", served)
        erase(connection, "cy", person="hash", now=NOW)
    engine.dispose()
    worked = work_done(tmp_path / "answers.sqlite")
    expected = {**COUNTS, "whole": 1, "part": {"1": 1}, "returned": 1, "erased": 1}
    assert worked == expected
    cost = cost_of(worked, SERVER)
    assert cost is not None
    assert cost.as_json() == {
        "base": 2.0,
        "bonuses": 0.5,
        "screened": 0.0,
        "fee": 0.62,
        "total": 3.12,
        "currency": "GBP",
    }
    assert cost.text() == (
        "The collection cost 3.12 GBP (2.00 for 1 whole round, 0.50 for 1 partial round, 0.62 in "
        "fees of the platform). Pay of 1 person whose data were erased is not included."
    )


@pytest.mark.parametrize(
    ("server", "said"),
    [
        ({**SERVER, "platform_fee": 0.0}, "Fees of the platform are not included."),
        ({**SERVER, "screened_reward": 0.1}, "0.30 for 3 people screened out"),
        ({"item_reward": 0.2}, "1.60 for 2 short rounds"),
    ],
)
def test_what_is_not_declared_is_named(server: dict[str, Any], said: str) -> None:
    cost = cost_of({**COUNTS, "short": {"4": 2}, "screened": 3}, server)
    assert cost is not None
    assert said in cost.text()


def test_without_pay_as_a_number_there_is_no_cost() -> None:
    assert cost_of(COUNTS, {"pay": "a coffee"}) is None
    assert cost_of({}, SERVER) is None


def test_a_release_states_the_cost(tmp_path: Path) -> None:
    folder = pb.init("custom", tmp_path / "s").folder
    settings = (folder / "study.toml").read_text(encoding="utf-8")
    paid = re.sub(r"(?m)^reward = .*$", "reward = 2.0", settings)
    paid = re.sub(r"(?m)^currency = .*$", 'currency = "GBP"', paid)
    (folder / "study.toml").write_text(paid, encoding="utf-8")
    items = pl.DataFrame({"item": ["t1"], "text": ["otter paints ladder"]})
    items.write_parquet(folder / "items.parquet")
    write_json(folder / "ratings.json", {WORKED: {**COUNTS, "whole": 3}})
    pb.release(folder).write(tmp_path / "release")
    sheet = (tmp_path / "release" / "datasheet.md").read_text(encoding="utf-8")
    assert "The collection cost 6.00 GBP (6.00 for 3 whole rounds)." in sheet
