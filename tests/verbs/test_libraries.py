"""Each table comes back in the library it came in, with ids of the type and in the order passed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import plausibly as pb

RATED = pd.DataFrame(
    {
        "item": [10, 10, 2, 2, 1, 1],
        "annotator": ["a", "b"] * 3,
        "answer": [1, 2, 5, 5, 3, 4],
    }
)
MAJORITY: dict[str, Any] = {"method": "strict-majority", "min_share": 0.6}


@pytest.mark.parametrize(
    ("ratings", "kind"),
    [(RATED, pd.DataFrame), (pl.from_pandas(RATED), pl.DataFrame), (pa.table(RATED), pa.Table)],
    ids=["pandas", "polars", "arrow"],
)
def test_a_table_comes_back_in_the_library_it_came_in(ratings: Any, kind: type) -> None:
    assert isinstance(pb.label(ratings, **MAJORITY).labels, kind)
    assert isinstance(pb.read(ratings).ratings, kind)
    assert isinstance(pb.label(pb.read(ratings), **MAJORITY).tables["labels"], kind)


@pytest.mark.parametrize(
    ("library", "kind"),
    [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("arrow", pa.Table)],
)
def test_the_library_can_be_chosen(library: str, kind: type, tmp_path: Path) -> None:
    RATED.to_csv(tmp_path / "ratings.csv", index=False)
    of_file = pb.label(tmp_path / "ratings.csv", as_=library, **MAJORITY)
    assert isinstance(of_file.labels, kind)
    of_frame = pb.label(RATED, **MAJORITY)
    assert isinstance(of_frame.as_(library).labels, kind)
    assert isinstance(of_frame.get_table("labels", as_=library), kind)


def test_an_unknown_library_is_named() -> None:
    with pytest.raises(pb.PlausiblyError, match="unknown library of tables 'excel'") as caught:
        pb.label(RATED, as_="excel", **MAJORITY)
    assert caught.value.parameter == "as_"


def test_items_keep_their_type_and_order_so_that_merging_works() -> None:
    labels: Any = pb.label(RATED, method="mean").labels
    assert labels["item"].tolist() == [10, 2, 1]
    assert labels["item"].dtype == RATED["item"].dtype
    assert len(RATED.merge(labels, on="item")) == len(RATED)


def test_ids_under_another_name_keep_their_type() -> None:
    renamed = RATED.rename(columns={"item": "stimulus"})
    labels: Any = pb.label(renamed, method="mean", columns={"item": "stimulus"}).labels
    assert labels["item"].tolist() == [10, 2, 1]


def test_texts_keep_their_order() -> None:
    names = [f"t{number}" for number in range(12)]
    rated = pl.DataFrame({"item": names, "annotator": ["a"] * 12, "answer": [1] * 12})
    assert pb.label(rated, method="plurality").labels["item"].to_list() == names


def test_means_are_numbers_in_memory_and_texts_in_files(tmp_path: Path) -> None:
    labelled = pb.label(RATED, method="mean")
    labels: Any = labelled.labels
    assert labels["label"].mean() == pytest.approx(10 / 3)
    labelled.write(tmp_path / "out")
    stored = pl.read_parquet(tmp_path / "out" / "labels.parquet")
    assert stored["item"].to_list() == ["1", "10", "2"]
    assert stored["label"].dtype == pl.String


def test_a_distribution_is_a_mapping_or_columns() -> None:
    labelled = pb.label(RATED, **MAJORITY)
    labels: Any = labelled.labels
    assert labels["distribution"][0] == {"1": 0.5, "2": 0.5, "3": 0.0, "4": 0.0, "5": 0.0}
    wide = labelled.get_table("labels", wide=True)
    assert wide["distribution_5"].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_labels_in_memory_are_accepted_where_labels_are(library: str) -> None:
    labels = pb.label(RATED, method="plurality", as_=library).labels
    judged = pb.experts_compare(RATED, labels=labels)
    assert judged.as_json()["kappa_with_crowd"]["a"]["n"] == 3


def test_a_view_does_what_the_result_does() -> None:
    labelled = pb.label(RATED, **MAJORITY)
    bare = pb.label(pl.from_pandas(RATED), **MAJORITY)
    assert labelled.as_json() == bare.as_json()
    assert repr(labelled) == repr(bare)
    assert labelled.labels is labelled.labels


@pytest.mark.parametrize(
    "frame",
    [
        RATED.assign(answer=[1, "no", np.nan, 2.0, "no", 1]),
        RATED.astype({"item": "category", "annotator": "category"}),
        RATED.astype({"item": "Int64", "answer": "Int8"}),
        RATED.astype({"answer": "category"}),
        RATED.set_index("item"),
        RATED.set_index(["item", "annotator"]),
        RATED.set_axis(list("uvwxyz")),
        RATED.assign(item=pd.to_datetime("2026-01-01") + pd.to_timedelta(RATED["item"], "D")),
        RATED.assign(item=[1, 1, "b", "b", 2.5, 2.5]),
        RATED.assign(comment=pd.Series([None, float("nan"), pd.NA, 1, "x", ""], dtype=object)),
    ],
    ids=[
        *("mixed", "categories", "nullable", "answers", "index", "two indexes", "unnamed index"),
        *("dates", "mixed ids", "mixed comment"),
    ],
)
def test_columns_of_every_kind_are_read(frame: Any) -> None:
    assert len(pb.read(frame).ratings) >= 5


def test_two_columns_of_one_name_are_refused_by_name() -> None:
    twice = pd.concat([RATED, RATED[["answer"]]], axis=1)
    with pytest.raises(pb.PlausiblyError, match="two columns are named 'answer'") as caught:
        pb.read(twice)
    assert caught.value.parameter == "ratings"


def test_lists_and_mappings_say_what_the_texts_of_options_say() -> None:
    listed: Any = {"sides": [[1, 2], [4, 5]]}
    assert pb.agree(RATED, **listed).as_json() == pb.agree(RATED, sides="1,2|4,5").as_json()
    mapped: Any = {"scheme": {"no": [1, 2], "yes": [4, np.int64(5)]}}
    written = pb.label(RATED, method="plurality", scheme="no=1,2|yes=4,5")
    assert pb.label(RATED, method="plurality", **mapped).as_json() == written.as_json()


def test_numbers_of_numpy_are_numbers() -> None:
    chosen: Any = {"min_share": np.float64(0.6)}
    labelled = pb.label(RATED, method="strict-majority", **chosen)
    assert labelled.manifest["parameters"]["min_share"] == 0.6


@pytest.mark.parametrize(
    ("parameter", "arguments"),
    [
        ("sides", {"sides": object()}),
        ("seed", {"seed": "seven"}),
        ("ratings", {"ratings": ""}),
        ("ratings", {"ratings": 3.5}),
        ("resample", {"resample": b"items"}),
        ("sidse", {"sidse": "1,2|4,5"}),
        ("columns", {"columns": {"item": 3}}),
    ],
)
def test_a_wrong_argument_is_named(parameter: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(pb.PlausiblyError) as caught:
        pb.agree(**{"ratings": RATED, **arguments})
    assert caught.value.parameter == parameter
