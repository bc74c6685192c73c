"""What ratings can support: the verdicts a methodologist would give, from every way of asking."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.analysis.figures import order_figure, unordered
from plausibly.cli import run

USES = (
    *("means", "ranking", "labels", "model comparison", "disagreement"),
    *("conditions", "people", "comparability", "test set", "publishing"),
)


def crowd(
    items: int = 100, people: int = 20, *, signal: float = 1.0, bots: int = 0, seed: int = 1
) -> pl.DataFrame:
    """Return ratings of all items by all people on a scale from 1 to 5; bots answer at random."""
    draw = np.random.default_rng(seed)
    item, person = np.repeat(np.arange(items), people), np.tile(np.arange(people), items)
    felt = (
        signal * draw.normal(0, 1, items)[item] + 0.4 * signal * draw.normal(0, 1, people)[person]
    )
    answer = np.clip(np.round(3 + felt + draw.normal(0, 1, len(item))), 1, 5).astype(int)
    answer = np.where(person < bots, draw.integers(1, 6, len(item)), answer)
    return pl.DataFrame(
        {
            "item": [f"t{number:03d}" for number in item],
            "annotator": [f"a{number:02d}" for number in person],
            "answer": answer,
        }
    )


def verdicts(result: Any) -> dict[str, str]:
    return {one["for"]: one["verdict"] for one in result.as_json()["verdicts"]}


def kinds(result: Any) -> dict[str, str]:
    return {one["kind"]: one["severity"] for one in result.as_json()["findings"]}


def test_the_document_has_ten_verdicts_each_with_its_reason_and_evidence() -> None:
    result = pb.audit(crowd())
    document = json.loads(json.dumps(result.as_json()))
    assert tuple(one["for"] for one in document["verdicts"]) == USES
    for one in document["verdicts"]:
        assert one["verdict"] in ("yes", "with care", "no", "cannot be told")
        assert one["because"].endswith(".")
        assert f'<section id="{one["evidence"]}"' in result.page
    assert document["findings"] == []


def test_good_ratings_support_a_ranking_although_people_differ() -> None:
    result = pb.audit(crowd(items=200, people=30))
    agreement = result.as_json()["sections"]["questions"]["rating"]["agreement"]
    assert agreement["alpha"]["value"] < 0.5
    assert verdicts(result)["ranking"] == "yes"
    assert verdicts(result)["people"] == "yes"


def test_noise_supports_nothing() -> None:
    result = pb.audit(crowd(signal=0.0))
    found = verdicts(result)
    for use in ("means", "ranking", "labels", "model comparison", "disagreement"):
        assert found[use] == "no", use
    assert found["people"] == "cannot be told"
    assert kinds(result) == {"no_signal": "serious"}
    assert not re.search(
        r"-0\.?0*(?![.\d])", " ".join(v["because"] for v in result.as_json()["verdicts"])
    )
    assert "perhaps no number is enough" in pb.audit(crowd(people=30, signal=0.15)).page


def test_one_bot_in_five_is_found_and_nobody_else() -> None:
    result = pb.audit(crowd(bots=4))
    assert verdicts(result)["people"] == "no"
    [finding] = result.as_json()["findings"]
    assert (finding["kind"], finding["severity"]) == ("people_unlike_others", "serious")
    assert finding["rows"] == ["a00", "a01", "a02", "a03"]


def test_three_raters_support_no_labels_and_no_study_of_disagreement() -> None:
    result = pb.audit(crowd(items=60, people=3))
    found = verdicts(result)
    assert (found["labels"], found["disagreement"], found["means"]) == ("no", "no", "no")
    assert found["ranking"] in ("no", "with care")
    assert found["people"] == "cannot be told"
    assert kinds(result) == {}


def test_three_raters_who_agree_are_still_only_three() -> None:
    item = np.repeat(np.arange(80), 3)
    answer = item % 5 + 1
    table = pl.DataFrame(
        {"item": [f"t{n}" for n in item], "annotator": ["a", "b", "c"] * 80, "answer": answer}
    )
    assert verdicts(pb.audit(table, scale="interval"))["ranking"] == "with care"


def test_ratings_without_names_say_nothing_about_people_and_that_is_not_a_finding() -> None:
    ratings = crowd().with_columns(annotator=pl.int_range(pl.len()).cast(pl.String))
    result = pb.audit(ratings)
    found = verdicts(result)
    assert found["people"] == found["comparability"] == "cannot be told"
    assert found["ranking"] == "with care"
    assert kinds(result) == {}


def test_categories_have_no_mean_and_no_ranking() -> None:
    draw = np.random.default_rng(1)
    ratings = crowd(people=6).with_columns(
        answer=pl.Series(draw.choice(["dog", "cat", "cow"], 600))
    )
    found = verdicts(pb.audit(ratings))
    assert (found["means"], found["ranking"]) == ("no", "no")


def test_straight_lines_and_copies_are_found() -> None:
    ratings = crowd(people=20)
    line = ratings.filter(pl.col("annotator") == "a00").with_columns(
        annotator=pl.lit("line"), answer=pl.lit(3, dtype=pl.Int64)
    )
    copy = ratings.filter(pl.col("annotator") == "a01").with_columns(annotator=pl.lit("copy"))
    result = pb.audit(pl.concat([ratings, line, copy]))
    rows = {one["kind"]: one["rows"] for one in result.as_json()["findings"]}
    assert rows == {"straight_lining": ["line"], "copied_answers": ["a01", "copy"]}


def test_a_line_is_not_a_fault_where_everyone_says_the_same() -> None:
    ratings = crowd().with_columns(answer=pl.lit("yes"))
    odd = pl.int_range(pl.len()) % 97 == 0
    mixed = ratings.with_columns(answer=pl.when(odd).then(pl.lit("no")).otherwise("answer"))
    assert "straight_lining" not in kinds(pb.audit(mixed))


def test_answers_that_drift_away_are_fatigue() -> None:
    draw = np.random.default_rng(2)
    ratings = crowd(items=60).with_columns(position=pl.int_range(pl.len()).over("annotator"))
    tired = pl.Series(draw.random(ratings.height)) < ratings["position"] / 80
    ratings = ratings.with_columns(
        answer=pl.when(tired)
        .then(pl.Series(draw.integers(1, 6, ratings.height)))
        .otherwise("answer")
    )
    assert kinds(pb.audit(ratings)).get("fatigue") == "minor"


def items_table(ratings: pl.DataFrame) -> pl.DataFrame:
    names = ratings["item"].unique().sort()
    place = pl.int_range(len(names), eager=True)
    return pl.DataFrame(
        {
            "item": names,
            "text": [f"the otter paints ladder number {n}" for n in place],
            "condition": ["odd" if n % 2 else "plain" for n in place],
            "split": ["test" if n % 5 == 0 else "train" for n in place],
        }
    )


def test_a_text_in_two_splits_is_a_serious_leak() -> None:
    ratings = crowd(items=50, people=5)
    items = items_table(ratings)
    assert verdicts(pb.audit(ratings, items=items))["test set"] == "yes"
    twice = pl.when(pl.col("item").is_in(["t000", "t001"])).then(pl.lit("Same, text!"))
    leaking = items.with_columns(text=twice.otherwise("text"))
    result = pb.audit(ratings, items=leaking)
    assert kinds(result)["leak"] == "serious"
    assert verdicts(result)["test set"] == "no"


def test_a_word_that_gives_the_condition_away_is_found() -> None:
    ratings = crowd(items=60, people=5)
    items = items_table(ratings)
    quiet = pb.audit(ratings, items=items)
    assert "condition_given_away" not in kinds(quiet)
    told = pl.when(pl.col("condition") == "odd").then(pl.lit(" never")).otherwise(pl.lit(" often"))
    result = pb.audit(ratings, items=items.with_columns(text=pl.col("text") + told))
    assert kinds(result)["condition_given_away"] == "serious"
    assert verdicts(result)["conditions"] != "yes"


def test_personal_data_and_secrets_are_found_and_never_repeated() -> None:
    ratings = crowd(items=20, people=5).with_columns(
        comment=pl.when(pl.int_range(pl.len()) == 7)
        .then(pl.lit("write to anna@example.org"))
        .when(pl.int_range(pl.len()) == 8)
        .then(pl.lit("https://anna:geheim@example.org/data"))
    )
    result = pb.audit(ratings)
    assert {"personal_data", "secret"} <= set(kinds(result))
    assert verdicts(result)["publishing"] == "no"
    shown = result.page + json.dumps(result.as_json()) + result.text()
    assert "anna" not in shown
    assert "geheim" not in shown


def test_ids_of_platforms_are_not_on_the_page() -> None:
    ratings = crowd(bots=4).with_columns(
        annotator=pl.concat_str(pl.lit("5f1b2c3d4e5f60718293a4"), pl.col("annotator").str.tail(2))
    )
    result = pb.audit(ratings)
    assert kinds(result)["personal_data"] == "serious"
    assert kinds(result)["people_unlike_others"] == "serious"
    assert "5f1b2c3d" not in result.page + json.dumps(result.as_json())


def test_several_questions_share_the_ten_lines() -> None:
    good, noise = crowd(people=30), crowd(people=30, signal=0.0)
    both = pl.concat(
        [
            good.with_columns(question=pl.lit("fit")),
            noise.with_columns(question=pl.lit("odd")),
        ]
    )
    result = pb.audit(both)
    [ranking] = [one for one in result.as_json()["verdicts"] if one["for"] == "ranking"]
    assert ranking["verdict"] == "no"
    assert ranking["because"].startswith("odd: ")
    assert "fit: yes" in ranking["because"]
    assert verdicts(pb.audit(both, question="fit"))["ranking"] == "yes"


def test_the_difference_that_matters_decides_about_means() -> None:
    ratings = crowd(people=30)
    assert verdicts(pb.audit(ratings, difference=1.0))["means"] == "yes"
    assert verdicts(pb.audit(ratings, difference=0.1))["means"] == "no"
    with pytest.raises(pb.PlausiblyError, match="difference= must be above 0"):
        pb.audit(ratings, difference=0.0)


def our_rules() -> str:
    from importlib.resources import files

    return (files("plausibly.auditing") / "verdicts.toml").read_text(encoding="utf-8")


def test_rules_are_one_file_that_can_be_replaced(tmp_path: Path) -> None:
    strict = re.sub(r"yes = 0\.8\n", "yes = 0.999\n", our_rules(), count=1)
    assert strict != our_rules()
    path = tmp_path / "strict.toml"
    path.write_text(strict, encoding="utf-8")
    ratings = crowd(people=30)
    assert verdicts(pb.audit(ratings))["ranking"] == "yes"
    assert verdicts(pb.audit(ratings, verdicts=path))["ranking"] == "with care"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('better = "lower"', 'worse = "lower"', "unknown key 'worse'"),
        ('for = "means"', "", "no 'for'"),
        ("power = 0.8", 'power = "high"', "power"),
        ("{half_width:.2g}", "{height:.2g}", "cannot be filled in"),
    ],
)
def test_rules_that_cannot_be_used_are_refused(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(our_rules().replace(old, new, 1), encoding="utf-8")
    with pytest.raises(pb.PlausiblyError, match=re.escape(said)):
        pb.audit(crowd(people=5), verdicts=path)


def test_command_and_function_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, page = tmp_path / "ratings.csv", tmp_path / "audit.html"
    crowd(people=6).write_csv(path)
    assert run(["audit", str(path), "--json", "-o", str(page)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(pb.audit(path).as_json()))
    assert page.read_text(encoding="utf-8") == pb.audit(path).page
    assert run(["audit", str(path), "-o", str(page)]) == 0  # written over its own page


def test_strict_exits_with_an_error_only_for_serious_findings(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    crowd(people=8).write_csv(good)
    crowd(signal=0.0).write_csv(bad)
    assert run(["audit", str(good), "--strict"]) == 0
    assert run(["audit", str(bad), "--strict"]) == 1


def test_a_study_is_audited_as_a_folder_and_as_a_step(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    assert run(["init", "custom", str(folder), "--example"]) == 0
    settings = (folder / "study.toml").read_text(encoding="utf-8")
    wanted = settings.replace("page = false", "page = true")
    (folder / "study.toml").write_text(wanted, encoding="utf-8")
    assert run(["run", str(folder), "--to", "audit"]) == 0
    written = json.loads((folder / "audit.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(pb.audit(folder, seed=_seed(folder)).as_json()))
    assert "<h1>" in (folder / "audit.html").read_text(encoding="utf-8")
    assert written["sections"]["source"]["kind"] == "study"


def _seed(folder: Path) -> int:
    found = re.search(r"^seed = (\d+)", (folder / "study.toml").read_text(encoding="utf-8"), re.M)
    assert found is not None
    return int(found[1])


def test_a_study_whose_protocol_is_code_from_outside_is_audited_without_running_it(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "protocol.py").write_text("raise SystemExit('was run')\n", encoding="utf-8")
    (folder / "study.toml").write_text(
        '[study]\nname = "x"\nprotocol = "ourlab_audit:PROTOCOL"\nseed = 1\n', encoding="utf-8"
    )
    crowd(people=5).with_columns(
        question=pl.lit("rating"), answer=pl.col("answer").cast(pl.String)
    ).write_parquet(folder / "ratings.parquet")
    assert verdicts(pb.audit(folder))["people"] == "yes"
    assert "ourlab_audit" not in sys.modules


def test_a_study_is_audited_on_the_scales_that_its_form_declares(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.toml").write_text(
        '[study]\nname = "x"\nprotocol = "custom"\nseed = 1\n[[form.questions]]\nid = "fit"\n'
        'type = "slider"\nmin = 0\nmax = 100\nstart = 50\ntext = "?"\n'
        '[[form.questions]]\nid = "why"\ntype = "text"\ntext = "?"\nrequired = false\n',
        encoding="utf-8",
    )
    rated = crowd(people=5).with_columns(answer=pl.col("answer").cast(pl.String))
    said = rated.filter(pl.int_range(pl.len()) % 9 == 0).with_columns(
        answer=pl.lit("so"), question=pl.lit("why")
    )
    pl.concat([rated.with_columns(question=pl.lit("fit")), said]).write_parquet(
        folder / "ratings.parquet"
    )
    document = pb.audit(folder).as_json()
    assert [*document["sections"]["questions"]] == ["fit"]
    assert "the difference that matters is 10" in str(document)


@pytest.mark.parametrize("name", ["nothing.csv", "no-such-folder"])
def test_what_is_not_there_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(pb.PlausiblyError, match="no such file or folder"):
        pb.audit(tmp_path / name)
    with pytest.raises(pb.PlausiblyError, match="neither a study nor a release"):
        pb.audit(tmp_path)


def test_the_page_needs_nothing_from_outside() -> None:
    page = pb.audit(crowd(people=6)).page
    addresses = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert addresses
    assert all(one.startswith(("#", "data:")) for one in addresses)
    anchors = {one[1:] for one in addresses if one.startswith("#")}
    assert all(f'id="{anchor}"' in page for anchor in anchors)
    assert "@import" not in page
    assert not re.search(r"<script[^>]*\bsrc\b|fetch\(|XMLHttpRequest", page)


def test_names_of_people_and_items_are_text_on_the_page() -> None:
    ratings = crowd(bots=4).with_columns(
        annotator=pl.concat_str(pl.lit("<b>&"), pl.col("annotator"))
    )
    page = pb.audit(ratings).page
    assert "<b>&a" not in page
    assert "&lt;b&gt;&amp;a00" in page


def test_a_release_is_audited_with_its_licence_and_card(tmp_path: Path) -> None:
    folder, out = tmp_path / "study", tmp_path / "release"
    assert run(["init", "custom", str(folder), "--example"]) == 0
    assert run(["run", str(folder)]) == 0
    assert run(["release", str(folder), "-o", str(out)]) == 0
    document = pb.audit(out).as_json()
    assert document["sections"]["source"]["kind"] == "release"
    assert document["sections"]["publishing"]["release"]["absent"] == []
    ratings = pb.load(out).ratings
    assert ratings is not None
    [own] = document["sections"]["questions"].values()
    assert 0 < own["design"]["ratings"] <= ratings.height


def in_sessions(order: Callable[[int], str], column: str = "order") -> str:
    """Return ratings that rise by 2 from the first to the last of 24 items, as CSV."""
    draw = np.random.default_rng(1)
    rows = [f"item,annotator,answer,{column}"]
    for person in range(12):
        items = draw.permutation(24)
        for place, item in enumerate(items):
            value = round(4 + (item % 5 - 2) * 0.5 + 2 * place / 23 - 1 + draw.normal(0, 0.3))
            rows.append(f"i{item},a{person},{value},{order(place)}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("column", "order"),
    [
        ("order", lambda place: str(place + 1)),
        ("trial", lambda place: str(place + 1)),
        ("submitted", lambda place: f"2026-05-01 {9 + place // 12:02d}:{place % 12 * 5:02d}:00"),
    ],
)
def test_the_order_of_a_text_file_is_that_of_numbers_and_times(
    tmp_path: Path, column: str, order: Callable[[int], str]
) -> None:
    path = tmp_path / "r.csv"
    path.write_text(in_sessions(order, column))
    section = pb.audit(path).as_json()["sections"]["questions"]["rating"]["order"]
    assert section["column"] == column
    assert section["drift"]["value"] == pytest.approx(2, abs=0.2)
    kept = pb.read(path).ratings
    figure = order_figure(kept)
    assert figure is not None
    means = figure.table["mean"].to_list()
    assert means[-1] - means[0] > 1


def test_times_that_cannot_be_sorted_show_no_order(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    times = in_sessions(
        lambda place: f"3/1/2026 {9 + place // 12}:{place % 12 * 5:02d}", "submitted"
    )
    path.write_text(times)
    assert not pb.audit(path).as_json()["sections"]["questions"]["rating"]["order"].get("known")
    kept = pb.read(path).ratings
    assert order_figure(kept) is None
    assert "cannot be put in order" in unordered(kept)


def page_text(audit: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", audit.page).split())


def test_the_page_of_a_slider_counts_all_ratings_and_draws_the_whole_scale() -> None:
    draw = np.random.default_rng(2)
    rows = [(f"t{i}", f"a{k}", int(draw.integers(0, 101))) for i in range(60) for k in range(15)]
    rows += [("t60", "a0", 0), ("t60", "a1", 100)]
    table = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    audit = pb.audit(table)
    scale = audit.as_json()["sections"]["questions"]["rating"]["scale"]
    values = table["answer"].to_numpy()
    expected, _ = np.histogram(values, bins=10, range=(0, 100))
    assert [one["ratings"] for one in scale["counts"]] == expected.tolist()
    assert [scale["counts"][0]["answer"], scale["counts"][-1]["answer"]] == ["0 to 10", "90 to 100"]
    assert "Share of 902 ratings. Each bar is a tenth of the scale" in page_text(audit)


def test_many_words_are_counted_to_the_last() -> None:
    words = [f"w{number:02d}" for number in range(40) for _ in range(number + 1)]
    rows = [(f"t{n % 60}", f"a{n // 60}", word) for n, word in enumerate(words)]
    table = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    scale = pb.audit(table).as_json()["sections"]["questions"]["rating"]["scale"]
    assert sum(one["ratings"] for one in scale["counts"]) == len(words)
    assert scale["counts"][0] == {"answer": "w39", "ratings": 40}
    assert scale["counts"][-1]["answer"] == "all others"


def test_yes_or_no_has_shares_and_labels_not_grades() -> None:
    table = crowd(60, 9).with_columns(
        answer=pl.when(pl.col("answer") > 3).then(pl.lit("yes")).otherwise(pl.lit("no"))
    )
    text = page_text(pb.audit(table))
    assert "The share of &#39;yes&#39; of a typical item" in text
    assert "on a graded question" not in text
    assert "the label that most of them give can still be stable" in text
    graded = page_text(pb.audit(crowd(60, 9)))
    assert "The mean of a typical item" in graded
    assert "on a graded question" in graded


def test_who_rated_what_is_reported_as_it_is() -> None:
    everybody = page_text(pb.audit(crowd(40, 10)))
    assert "Everybody rated nearly the same items" in everybody
    apart = crowd(40, 10).filter((pl.int_range(pl.len()) // 10 + pl.int_range(pl.len())) % 3 == 0)
    assert "People rated different items" in page_text(pb.audit(apart))


def test_names_of_items_are_not_taken_for_texts_that_give_conditions_away() -> None:
    names = [f"{condition}{number}" for number in range(30) for condition in "ab"]
    items = pl.DataFrame({"item": names, "condition": ["a", "b"] * 30})
    rows = [(name, f"p{k}", (n + k) % 5 + 1) for n, name in enumerate(names) for k in range(6)]
    ratings = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    document = pb.audit(ratings, items=items).as_json()
    assert "condition_given_away" not in {one["kind"] for one in document["findings"]}
    assert "probes" not in document["sections"]["balance"]


def test_answers_that_are_not_on_the_scale_are_left_out_and_counted(tmp_path: Path) -> None:
    table = crowd(40, 8).with_columns(answer=pl.col("answer").cast(pl.String))
    unsure = table.with_columns(
        answer=pl.when(pl.int_range(pl.len()) % 17 == 0)
        .then(pl.lit("not sure"))
        .otherwise(pl.col("answer"))
    )
    path = tmp_path / "r.csv"
    unsure.write_csv(path)
    audit = pb.audit(path)
    left = unsure.filter(pl.col("answer") != "not sure")
    ours, theirs = (one.as_json()["sections"]["questions"] for one in (audit, pb.audit(left)))
    assert ours["rating"]["design"]["ratings"] == left.height
    assert ours["rating"]["reliability"] == theirs["rating"]["reliability"]
    gone = unsure.height - left.height
    assert any(
        f"{gone} answers are not on the scale" in note
        for note in audit.as_json()["sections"]["source"]["notes"]
    )
    assert pb.audit(path, scale="ordinal").as_json()["verdicts"]


def test_too_few_people_are_called_too_few_and_none_nobody() -> None:
    crossed = [(f"i{i}", f"p{p}", 1 + (i + p) % 5) for i in range(30) for p in range(3)]
    alone = [(f"i{i}", f"p{i // 2}-{p}", 1 + (i + p) % 5) for i in range(30) for p in range(3)]
    said = {}
    for name, rows in (("crossed", crossed), ("alone", alone)):
        table = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
        verdicts = pb.audit(table).as_json()["verdicts"]
        said[name] = next(one["because"] for one in verdicts if one["for"] == "people")
    assert "Only 3 people" in said["crossed"]
    assert "too few to compare one with the others" in said["crossed"]
    assert said["alone"].startswith("Nobody gave enough ratings")
