"""Money is forecast before it is spent, places are told from answers, and dates from dates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from worlds.gita import data_folder
from worlds.hostile import hostile


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return data_folder(tmp_path / "data", 4)


def test_a_forecast_stands_before_the_first_paid_call(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hostile(lambda *_: "sound") as server:
        command = ["ask", "gita", "--model", f"openai:{server.url}#tiny", "--data", str(data)]
        command += ["-o", str(tmp_path / "out"), "--price", "2,8", "--shots", "0", "--json"]
        assert run([*command, "--budget", "0.000001"]) == 1
        assert not server.asked
        assert "nothing was sent" in capsys.readouterr().err
        assert run([*command, "--budget", "1"]) == 0
    said = capsys.readouterr()
    assert said.err.index("Forecast:") < said.err.index("answered now")
    account = json.loads(said.out)["account"]
    asked = len(server.answered)
    assert account["cost"] == pytest.approx((7 * asked * 2 + 1 * asked * 8) / 1e6)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["forecast"]["to_send_at_most"] == asked
    assert manifest["forecast"]["cost_about"] > account["cost"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"price": "cheap"}, "million tokens"),
        ({"price": "1"}, "million tokens"),
        ({"price": "-1,2"}, "million tokens"),
        ({"price": "nan,2"}, "million tokens"),
        ({"budget": 1.0}, "needs a price"),
        ({"budget": float("nan"), "price": "1,1"}, "budget= must be a number"),
        ({"cutoff": "August"}, "a month such as"),
        ({"cutoff": "2024-13"}, "a month such as"),
        ({"timeout": -1.0}, "timeout must be a number of seconds"),
        ({"max_wait": -1.0}, "max_wait must be a number of seconds"),
    ],
)
def test_a_wrong_price_month_or_time_is_one_line(
    data: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(StudyError, match=message):
        pb.ask("gita", model="mock:1", data=data, **options)  # type: ignore[call-overload]


def test_the_note_on_contamination_compares_months(data: Path) -> None:
    early = pb.ask("gita", model="mock:1", data=data, cutoff="2024-04", shots="0")
    late = pb.ask("gita", model="mock:1", data=data, cutoff="2024-05", shots="0")
    assert "they do not contain it" in early.about["contamination"]
    assert "may have seen" in late.about["contamination"]


def test_of_own_items_nobody_says_when_the_published_came_out(tmp_path: Path) -> None:
    items = tmp_path / "items.csv"
    items.write_text("subject,verb,object\nowl,eats,bell\nbell,eats,owl\n", encoding="utf-8")
    said = pb.ask("pap", model="mock:1", items=items, cutoff="2024-05").about["contamination"]
    assert said.startswith("The model's training data end in 2024-05. The items are your own")
    assert "came out" not in said


def test_a_model_that_prefers_a_place_is_told_from_one_that_is_right(data: Path) -> None:
    tasks = "story_choice,story_choice_swapped"
    same = pb.ask("gita", model="constant:0", data=data, tasks=tasks, shots="0").as_json()
    position = same["position"]
    assert position["same_place"] == {"first": 1.0}
    assert position["right_in_both_orders"] == position["wrong_in_both_orders"] == 0.0
    drawn = pb.ask("gita", model="mock:1", data=data, tasks=tasks, prompts="all").as_json()
    shares = drawn["position"]
    whole = shares["right_in_both_orders"] + shares["wrong_in_both_orders"]
    assert whole + sum(shares["same_place"].values()) == pytest.approx(1.0)
    one = pb.ask("gita", model="mock:1", data=data, tasks="story_choice").as_json()
    assert "position" not in one
