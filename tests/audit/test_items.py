"""Items: reporting verbs without false objects, and Italian items in the form of their checks."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.datasets.lexica.language import language
from plausibly.ratings.collection import collection_form
from plausibly.stimuli.pap.checks import check_items
from plausibly.stimuli.realise import Realiser
from plausibly.study import PROTOCOLS
from plausibly.verbs.extract import Extracted, extract
from worlds.svo import ROLES, invented_svo, write_norms

CLAUSES = (
    "The company says tests done last month have shown gold.",
    "The company says tests, which began in May, have shown gold.",
    "The company says tests now have shown it works.",
    "The company says drilling results from the site show gold.",
    "The council says people living near the river should boil their water.",
    "The group says fruit grown in the valley is selling well.",
    "The bureau says rain falling on the ranges will fill dams.",
    "An industry body says imports, mostly from Asia, have hurt growers.",
)
SPEAKERS = {
    "scientist": "The new vaccine protects children, say scientists.",
    "researcher": "The new wheat could feed millions, say researchers at the university.",
    "resident": "The road needs repairs, say residents.",
    "economist": "Cattle producers will lose money this year, says a leading economist.",
    "leader": "The ban has closed three factories, say union leaders.",
    "angler": "The fish are dying because the river is too warm, say local anglers.",
}
OTHER_VERBS = {
    "believe": "Scientists believe lizards living on the island evolved from a single pair.",
    "hope": "Authorities hope rain forecast for the weekend will fill reservoirs.",
    "suggest": "The data suggest people living near the coast sleep longer.",
    "fear": "Farmers fear locusts will destroy crops.",
}


def extracted(folder: Path, *sentences: str) -> Extracted:
    """Return what the embedded parser finds, each sentence a document."""
    (folder / "news.txt").write_text("\n\n".join(sentences) + "\n", encoding="utf-8")
    return extract([folder / "news.txt"], output=folder / "out", parser="embedded", workers=1)


def pairs(made: Extracted, relation: str, *verbs: str) -> set[tuple[str, str]]:
    """Return verb and noun of a relation, for these verbs."""
    chosen = (pl.col("relation") == relation) & pl.col("head").is_in(verbs)
    return set(made.counts.filter(chosen).select("head", "dependent").collect().rows())


def triples(made: Extracted, *verbs: str) -> set[tuple[str, str, str]]:
    """Return the triples of these verbs."""
    return set(made.svo.filter(pl.col("verb").is_in(verbs)).select(ROLES).collect().rows())


def test_the_subject_of_what_is_said_is_not_an_object(tmp_path: Path) -> None:
    made = extracted(tmp_path, *CLAUSES)
    assert pairs(made, "nsubj", "say") >= {("say", "company"), ("say", "council")}
    assert triples(made, "say") == set()
    assert pairs(made, "dobj", "say") == set()


def test_a_speaker_after_the_verb_is_its_subject(tmp_path: Path) -> None:
    made = extracted(tmp_path, *SPEAKERS.values())
    assert pairs(made, "dobj", "say") == set()
    assert pairs(made, "nsubj", "say") == {("say", speaker) for speaker in SPEAKERS}


@pytest.mark.parametrize("verb", OTHER_VERBS)
def test_the_subject_of_what_is_believed_is_not_an_object(tmp_path: Path, verb: str) -> None:
    made = extracted(tmp_path, OTHER_VERBS[verb])
    assert len(pairs(made, "nsubj", verb)) == 1
    assert triples(made, verb) == set()
    assert pairs(made, "dobj", verb) == set()


def test_what_can_be_said_or_believed_stays_an_object(tmp_path: Path) -> None:
    sentences = ("The priest says a prayer.", "The judge believes the witness.")
    made = extracted(tmp_path, *sentences)
    assert triples(made, "say", "believe") == {
        ("priest", "say", "prayer"),
        ("judge", "believe", "witness"),
    }


NOUNS = (
    *("gatto", "topo", "libro", "tavolo", "treno", "vino", "muro", "forno", "tetto", "gelato"),
    *("nonno", "cuoco", "sarto", "maestro", "mela", "casa", "porta", "strada", "penna", "barca"),
    *("torta", "lampada", "camicia", "patata", "nonna", "maestra", "idea", "paura", "gioia"),
    *("vita", "storia", "colpa", "ricordo", "sogno", "dubbio", "motivo", "segreto", "rischio"),
)
THIRD_PERSON = {
    "mangiare": "mangia",
    "portare": "porta",
    "guardare": "guarda",
    "cercare": "cerca",
    "lasciare": "lascia",
    "vedere": "vede",
    "prendere": "prende",
    "leggere": "legge",
    "chiudere": "chiude",
    "perdere": "perde",
    "aprire": "apre",
    "seguire": "segue",
    "capire": "capisce",
    "costruire": "costruisce",
    "avere": "ha",
    "fare": "fa",
    "dare": "dà",
    "tenere": "tiene",
    "scegliere": "sceglie",
    "produrre": "produce",
}


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """The command that builds a small Italian set, without the folder it goes to."""
    words = {"noun": NOUNS, "verb": list(THIRD_PERSON)}
    norms = pl.concat(
        pl.DataFrame({"word": each}).with_columns(
            pos=pl.lit(pos), concreteness=1 + 4 * pl.int_range(pl.len()) / (pl.len() - 1)
        )
        for pos, each in words.items()
    )
    invented_svo(norms, rows=3000).write_parquet(tmp_path / "svo.parquet")
    write_norms(norms, tmp_path / "norms.tsv")
    files = ["--svo", str(tmp_path / "svo.parquet"), "--norms", str(tmp_path / "norms.tsv")]
    options = ["--min-zipf", "0", "--per-cell", "2", "--short-cells", "take-all"]
    return ["build", "pap", *files, "--language", "it", "--seed", "1", *options]


def test_verbs_of_italian_items_are_in_the_third_person(command: list[str], tmp_path: Path) -> None:
    assert run([*command, "-o", str(tmp_path / "out")]) == 0
    items = pl.read_parquet(tmp_path / "out" / "items.parquet").filter(pl.col("kind") == "item")
    assert items.height > 20
    assert items["text"].to_list() == [
        f"{subject} {THIRD_PERSON[verb]} {thing}"
        for subject, verb, thing in items.select(ROLES).iter_rows()
    ]


def test_an_italian_check_has_the_text_an_item_of_its_words_would_have() -> None:
    realiser = Realiser(language("it"))
    checks = check_items(realiser)
    assert checks.height == 200
    assert checks["text"].to_list() == [
        realiser.event(*words) for words in checks.select(ROLES).iter_rows()
    ]


def test_italian_items_can_be_sentences(command: list[str], tmp_path: Path) -> None:
    assert run([*command, "--sentences", "-o", str(tmp_path / "out")]) == 0
    items = pl.read_parquet(tmp_path / "out" / "items.parquet")
    assert items["text"].str.contains(r"^\p{Lu}.* .* .*\.$").all()
    assert not items["text"].str.contains(r"(?i)\ba \w+ \w+ an? ").any()
    verbs = items.filter(pl.col("kind") == "item").select("text", "verb").iter_rows()
    assert all(f" {THIRD_PERSON[verb]} " in text for text, verb in verbs)


def test_practice_is_in_the_language_and_form_of_italian_items() -> None:
    realiser = Realiser(language("it"))
    section = {"language": "it"}
    form = collection_form(PROTOCOLS["pap"], section, where="study.toml", language="it")
    assert [one.text for one in form.practice] == [
        realiser.event("giardiniere", "annaffiare", "rosa"),
        realiser.event("rosa", "leggere", "giardiniere"),
    ]


@pytest.mark.parametrize("protocol", ["pap", "sp10k"])
@pytest.mark.parametrize(("pages", "words"), [("en", "Italian"), ("it", "L'italiano")])
def test_speakers_of_italian_judge_italian_items(protocol: str, pages: str, words: str) -> None:
    section = {"language": "it"}
    form = collection_form(PROTOCOLS[protocol], section, where="study.toml", language=pages)
    assert words in form.eligibility
    assert not any("Can one" in one.text or "waters" in one.text for one in form.practice)
    asked = collection_form(PROTOCOLS[protocol], {}, where="study.toml", language=pages)
    assert words not in asked.eligibility
