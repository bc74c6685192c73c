"""A study in the file forms of the papers: what is written reads back as it was."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.datasets.adept import CLASSES
from plausibly.datasets.adept import released as adept
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.gita import TASKS
from plausibly.datasets.gita import released as gita
from plausibly.datasets.gita.tables import file_tables as gita_tables
from plausibly.datasets.iks.sheets import read_iks
from plausibly.datasets.pap import MIN_SHARE
from plausibly.datasets.pap import released as pap
from plausibly.datasets.pap.events import read_computed, read_pap
from plausibly.datasets.pap.mace import KINDS, read_mace
from plausibly.datasets.pap.tables import tables as pap_tables
from plausibly.datasets.sp10k import released as sp10k
from plausibly.datasets.sp10k.pairs import read_pairs as read_scores
from plausibly.errors import StudyError
from plausibly.io import write_frame, write_text
from plausibly.labels.strict_majority import strict_majority
from plausibly.tables import ITEMS, LABELS, RATINGS


def put(files: dict[str, pl.DataFrame | str], folder: Path) -> Path:
    for name, form in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(form, str):
            write_text(folder / name, form)
        else:
            write_frame(form, folder / name)
    return folder


def ratings_of(answers: dict[str, str], question: str = "plausible") -> pl.DataFrame:
    rows = [
        (item, f"p{place}", question, answer, float(answer))
        for item, given in answers.items()
        for place, answer in enumerate(given)
    ]
    schema = ["item", "annotator", "question", "answer", "value"]
    return RATINGS.check(pl.DataFrame(rows, schema=schema, orient="row"))


def labels_of(
    labels: dict[tuple[str, str], str | None], shares: dict[str, float] | None = None
) -> pl.DataFrame:
    rows = [
        {
            "item": item,
            "question": question,
            "method": "given",
            "label": label,
            "ratings": 3,
            "distribution": None if shares is None else json.dumps(shares),
        }
        for (item, question), label in labels.items()
    ]
    return LABELS.check(pl.DataFrame(rows))


EVENTS = ITEMS.check(
    pl.DataFrame(
        {
            "item": ["e1", "e2"],
            "text": ["otter paints ladder", "tea drinks tea"],
            "condition": ["attested", "perturbed"],
            "combination": ["c-m-c", "c-c-c"],
        }
    )
)


def test_paps_table_has_majorities_and_distributions(tmp_path: Path) -> None:
    ratings = ratings_of({"e1": "5554", "e2": "1124"})
    majorities = {
        kind: strict_majority(ratings, min_share=MIN_SHARE, scheme=scheme)
        for kind, scheme in pap.SCHEMES.items()
    }
    mace = {
        "binary": labels_of({("e1", "q"): "1", ("e2", "q"): "0"}, {"0": 0.25, "1": 0.75}),
        "multiclass": labels_of(
            {("e1", "q"): "5", ("e2", "q"): "1"}, {"1": 0.5, "2": 0.0, "4": 0.0, "5": 0.5}
        ),
    }
    files = pap.released(EVENTS, ratings, majorities=majorities, mace=mace)
    folder = put(files, tmp_path)
    table = folder / "events_with_ratings.tsv"
    back = read_pap(table, names={})
    assert back.items is not None
    assert back.items["condition"].to_list() == ["attested", "perturbed"]
    assert back.ratings["answer"].to_list() == list("55541124")
    computed = read_computed(table)
    assert computed["majority_multiclass"].to_list() == ["5", "unsure"]
    assert computed["majority_binary"].to_list() == ["1", "0"]
    assert computed["distribution_multiclass"].to_list() == [[0, 0, 25, 75], [50, 25, 25, 0]]
    assert computed["distribution_binary"].to_list() == [[100, 0], [25, 75]]
    paths = {kind: folder / f"mace/{kind}_distributions.txt" for kind in KINDS}
    read = read_mace(folder / "mace/predicted_labels.tsv", paths)
    assert read.labels["binary"].to_list() == ["1", "0"]
    assert read.distributions["binary"][0] == [("1", 0.75), ("0", 0.25)]


def test_events_of_no_condition_are_refused() -> None:
    odd = EVENTS.with_columns(condition=pl.lit("new"))
    with pytest.raises(StudyError, match="2 are neither"):
        pap.released(odd, ratings_of({"e1": "1"}), majorities={})
    with pytest.raises(StudyError, match="column combination"):
        pap.released(EVENTS.drop("combination"), ratings_of({"e1": "1"}), majorities={})


@pytest.mark.data
def test_paps_own_ratings_give_paps_own_file(data_folder: Path) -> None:
    tables = pap_tables(data_folder)
    majorities = {
        kind: strict_majority(tables["ratings"], min_share=MIN_SHARE, scheme=scheme)
        for kind, scheme in pap.SCHEMES.items()
    }
    files = pap.released(tables["items"], tables["ratings"], majorities=majorities)
    ours = files["events_with_ratings.tsv"]
    assert isinstance(ours, pl.DataFrame)
    path = data_folder / "pap/events_with_ratings.tsv"
    theirs = pl.read_csv(path, separator="\t", infer_schema=False).sort("event")
    ours = ours.sort("event").select(theirs.columns)
    for column in ("event", "original_label", "abstractness_combination", "rating"):
        assert ours[column].equals(theirs[column]), column
    assert ours["majority_binary"].equals(theirs["majority_binary"])
    # The released column names the majority of one answer alone, 5; 61 others are missing in it.
    assert (ours["majority_multiclass"] != theirs["majority_multiclass"]).sum() == 61
    for column in ("distribution_multiclass", "distribution_binary"):
        for mine, published in zip(ours[column], theirs[column], strict=True):
            assert json.loads(mine) == pytest.approx(json.loads(published))


def test_adepts_pairs_are_those_people_agreed_on(tmp_path: Path) -> None:
    items = ITEMS.check(
        pl.DataFrame(
            {
                "item": ["7", "9", "11"],
                "text": ["a", "b", "c"],
                "sentence1": ["A cat purrs."] * 3,
                "sentence2": ["An old cat purrs.", "A fake cat purrs.", "A big cat purrs."],
                "modifier": ["old", "fake", "big"],
                "noun": ["cat"] * 3,
                "split": ["train", "test", "train"],
            }
        )
    )
    labels = labels_of(
        {("7", "effect"): CLASSES[2], ("9", "effect"): CLASSES[0], ("11", "effect"): None}
    )
    folder = put(adept.released(items, labels), tmp_path)
    train = read_pairs(folder / "train.json")
    assert train.select("idx", "label", "modifier").rows() == [(7, 2, "old")]
    assert read_pairs(folder / "test.json")["label"].to_list() == [0]
    with pytest.raises(StudyError, match="is not one of ADEPT's"):
        adept.released(items, labels_of({("7", "effect"): "maybe"}))


def test_adepts_alternates_carry_the_class_of_the_annotated_one() -> None:
    trace = {
        "item": "adept-00000",
        "noun": "cat",
        "predicate": "purr",
        "surface": None,
        "original": "Cats purr.",
        "adjectives": [{"adjective": "old"}, {"adjective": "fake"}],
        "variants": ["Old cats purr.", "Fake cats purr."],
        "annotated": 1,
    }
    text = adept.alternates([trace], labels_of({("adept-00000", "effect"): CLASSES[0]}))
    [record] = json.loads(text)
    assert (record["alternate1"], record["alternate2"]) == ("[Old] cats purr.", "[Fake] cats purr.")
    assert record["original_modifiers"] == ["old", "fake"]
    assert record["labelled_plausibilities"] == [None, CLASSES[0]]


def test_sp10ks_scores_run_from_0_to_10_without_those_not_sure(tmp_path: Path) -> None:
    items = ITEMS.check(
        pl.DataFrame(
            {
                "item": ["x", "y"],
                "text": ["eat bread", "eat idea"],
                "relation": ["dobj", "dobj"],
                "head": ["eat", "eat"],
                "dependent": ["bread", "idea"],
            }
        )
    )
    sure = ratings_of({"x": "554", "y": "1"}, "preference")
    unsure = pl.DataFrame(
        {"item": ["x"], "annotator": ["z"], "question": ["preference"], "answer": ["not sure"]}
    )
    ratings = pl.concat([sure, RATINGS.check(unsure)])
    folder = put(sp10k.released(items, ratings), tmp_path)
    pairs = read_scores(folder / "dobj.tsv", "dobj")
    assert pairs["score"].to_list() == pytest.approx([(14 / 3 - 1) * 2.5, 0.0])


def test_gitas_stories_come_back_with_their_labels(tmp_path: Path) -> None:
    story = {
        "story_id": 1,
        "type": "order",
        "actor": "Ada",
        "objects": "mela",
        "sentences": ["a.", "b.", "c.", "d.", "e."],
        "example_id": "1-O0",
        "plausible": False,
        "breakpoint": 3,
        "confl_sents": [1],
        "confl_pairs": [],
        "states": "open",
    }
    write_text(tmp_path / "in.jsonl", json.dumps(story) + "\n")
    tables = gita_tables(tmp_path / "in.jsonl")
    folder = put(gita.released(tables["items"], tables["labels"]), tmp_path)
    again = gita_tables(folder / "stories.jsonl")
    assert again["items"].equals(tables["items"])
    assert again["labels"].equals(tables["labels"])


def story_items(**columns: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"item": ["s", "t"], "text": ["a. b.", "c. d."], **columns})


def story_labels(**said: str) -> pl.DataFrame:
    """Return labels of the story s; t has none."""
    rows = {"item": ["s"] * len(said), "question": list(said), "label": list(said.values())}
    return pl.DataFrame(rows).with_columns(method=pl.lit("agreed-by"), ratings=pl.lit(3))


BROKEN = {"plausible": "false", "conflict_sentence": "2", "breakpoint": "4", "state": "open"}
SENTENCES = ['["a.", "b."]', '["c.", "d."]']


@pytest.mark.parametrize(
    ("change", "lacking"),
    [
        ({}, {"plausible": 1}),
        ({"plausible": "maybe"}, None),
        ({"breakpoint": "2"}, {"plausible": 1, "conflict_sentence": 1}),
        ({"breakpoint": "two"}, {"plausible": 1, "breakpoint": 1}),
        ({"conflict_sentence": "9"}, {"plausible": 1, "conflict_sentence": 1}),
        ({"state": "other"}, {"plausible": 1, "state": 1}),
        ({"plausible": "true"}, {"plausible": 1}),
    ],
)
def test_a_story_is_decided_where_labels_say_all_that_is_scored(
    change: dict[str, str], lacking: dict[str, int] | None
) -> None:
    items, labels = story_items(sentences=SENTENCES), story_labels(**BROKEN | change)
    if lacking is None or len(lacking) > 1:
        with pytest.raises(StudyError, match="none of 2 stories"):
            gita.decided_stories(items, labels, tasks=TASKS)
        return
    text, left_out = gita.decided_stories(items, labels, tasks=TASKS)
    assert left_out == lacking
    story = json.loads(text)
    broken = change.get("plausible") != "true"
    assert story["item"] == story["story_id"] == story["example_id"] == "s"
    assert (story["plausible"], story["breakpoint"]) == (not broken, 3 if broken else -1)
    assert (story["confl_sents"], story["states"]) == (([1], "open") if broken else ([], None))


def test_an_early_tier_needs_fewer_labels() -> None:
    items, labels = (
        story_items(sentences=SENTENCES),
        story_labels(plausible="false", breakpoint="4"),
    )
    text, _ = gita.decided_stories(items, labels, tasks=TASKS[:1])
    assert json.loads(text)["breakpoint"] == 3
    with pytest.raises(StudyError, match="none of 2 stories"):
        gita.decided_stories(items, labels, tasks=TASKS[:2])


def test_stories_are_told_by_the_column_there_is() -> None:
    labels = story_labels(**BROKEN)
    items = story_items(sentences=SENTENCES, item_group=["g", "h"])
    assert json.loads(str(gita.released(items, labels)["stories.jsonl"]))["story_id"] == "g"
    both = items.with_columns(story=pl.Series(["n", "n"]))
    assert json.loads(str(gita.released(both, labels)["stories.jsonl"]))["story_id"] == "n"


@pytest.mark.parametrize("sentences", [["no list", "[]"], ["[1, 2]", "[]"], ['{"a": 1}', "[]"]])
def test_sentences_that_are_no_list_of_texts_are_one_line(sentences: list[str]) -> None:
    with pytest.raises(StudyError, match="the sentences of 's' are not a JSON list of texts"):
        gita.released(story_items(sentences=sentences), story_labels(**BROKEN))
    with pytest.raises(StudyError, match="a column sentences"):
        gita.released(story_items(), story_labels(**BROKEN))


@pytest.mark.data
def test_gitas_release_survives_a_round_trip(data_folder: Path, tmp_path: Path) -> None:
    tables = gita_tables(data_folder / "gita/gita4calamita_356.jsonl")
    put(gita.released(tables["items"], tables["labels"]), tmp_path)
    again = gita_tables(tmp_path / "stories.jsonl")
    assert again["labels"].height == tables["labels"].height
    assert again["items"]["sentences"].sort().equals(tables["items"]["sentences"].sort())


def test_a_sheet_is_a_sheet_again(tmp_path: Path) -> None:
    from plausibly.datasets.iks import released as iks

    text = (
        "item,annotator,candidate,sentence,Grammaticality,Coherence,Content A,Content B,Content C,"
        "Content D,Comparison A,Comparison B,Comparison C\n"
        "ex1,ann,i,cars move,YES,YES,YES,NO,YES,i,YES,GS,i\n"
        "ex1,ann,ii,cars moves,NO,-,-,-,-,-,-,-,-\n"
    )
    write_text(tmp_path / "in.csv", text)
    sheet = read_iks(tmp_path / "in.csv", names={})
    assert sheet.items is not None
    put(iks.released(sheet.items, sheet.ratings), tmp_path)
    again = read_iks(tmp_path / "sheet.csv", names={})
    columns = list(RATINGS.schema)
    assert again.ratings.select(columns).equals(sheet.ratings.select(columns))
