"""Repair: trees put right before relations are looked for, in both paths, and counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.backends.parsers import parser_named
from plausibly.corpus import Patterns, Request, Source, extract, find
from plausibly.corpus._repair import RULES, Repair, repaired
from plausibly.corpus._tally import Tally
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.io.conllu import write_block
from plausibly.io.conllu.columns import read_columns
from plausibly.ports import Sentence
from plausibly.verbs.extract import extract as extract_verb
from worlds.trees import DOG, HUNDREDS, SAYS, LineParser, conllu, tree

NEWS = Path(__file__).with_name("news.txt")
ROLES = Patterns().roles
MIN_RIGHT = 0.93

Row = tuple[str, str, str, str]

_CLAUSE = "root|ccomp|xcomp|conj|acl|acl:relcl|advcl|parataxis|csubj|nsubj|cc"
WORDS = (
    *(f"{form}/{lemma}/VERB/{_CLAUSE}" for form, lemma in (("says", "say"), ("show", "show"))),
    *(f"{form}/{lemma}/VERB/{_CLAUSE}" for form, lemma in (("found", "find"), ("asks", "ask"))),
    f"running/run/VERB/{_CLAUSE}",
    *(f"{form}/{lemma}/VERB/{_CLAUSE}" for form, lemma in (("became", "become"), ("gave", "give"))),
    f"call/call/VERB/{_CLAUSE}",
    f"prove/prove/VERB/{_CLAUSE}",
    *(f"{form}/{form}/VERB/{_CLAUSE}" for form in ("fall", "come", "play", "grow", "want")),
    *("to/to/PART/mark", "percent/percent/NOUN/obj|nsubj", "this/this/DET/det"),
    "friends/friend/NOUN/nsubj",
    *("morning/morning/NOUN/obj|nsubj", "last/last/ADJ/amod", "3/3/NUM/nummod", "di/di/ADP/case"),
    "numero/numero/NOUN/obj|nsubj",
    "cents/cent/NOUN/obj|nsubj",
    "big/big/ADJ/amod",
    "a/a/DET/det",
    *(f"{form}/{form}/AUX/aux|aux:pass|cop" for form in ("will", "be", "has")),
    *(f"{noun}/{noun}/NOUN/obj|obj|nsubj|nmod|nmod:poss" for noun in ("word", "test", "number")),
    *("hundreds/hundred/NOUN/obj|nsubj|nmod", "Rome/Rome/PROPN/obj|nsubj|nsubj:pass"),
    *("of/of/ADP/case|mark", ",/,/PUNCT/punct", "the/the/DET/det", "soon/soon/ADV/advmod|cc"),
)


def rows(text: str) -> tuple[set[tuple[str, ...]], list[str]]:
    """Return what a repaired tree holds, and the rules that changed it."""
    sentence, actions = repaired(tree(text), ROLES)
    return {tuple(filter(None, row)) for row in find(sentence, Patterns()).rows}, actions


@pytest.fixture(scope="module")
def news() -> list[tuple[Row, list[Sentence]]]:
    """Sentences that we wrote in the style of news, with verb, subject, object, and parsed."""
    lines = NEWS.read_text(encoding="utf-8").splitlines()
    parts = [line.split(" | ") for line in lines if not line.startswith("#")]
    split = [(answer.split(), text) for answer, text in parts]
    answers: list[Row] = [(one[0], one[1], one[2], text) for one, text in split]
    parser = parser_named("embedded")
    trees = parser.parse(text for _, _, _, text in answers)
    return list(zip(answers, trees, strict=True))


def answered(sentences: list[Sentence], verb: str, repair: Repair) -> tuple[set[str], set[str]]:
    """Return the noun subjects and noun objects of a verb."""
    trees = [repaired(one, ROLES)[0] if repair == "on" else one for one in sentences]
    found = [row for one in trees for row in find(one, Patterns()).rows if row[1] == verb]
    subjects, objects = ({r[2] for r in found if r[0] == name} for name in ("nsubj", "dobj"))
    return subjects, objects


def test_news_is_read_right_far_more_often_with_repair(
    news: list[tuple[Row, list[Sentence]]],
) -> None:
    right: Counter[str] = Counter()
    for (verb, subject, obj, _), sentences in news:
        wanted = ({subject} - {"-"}, {obj} - {"-"})
        for repair in ("on", "none"):
            right[repair] += answered(sentences, verb, repair) == wanted
    assert len(news) >= 150
    assert right["on"] / len(news) >= MIN_RIGHT
    assert right["on"] - right["none"] > 40


def test_no_noun_is_said_in_news_but_what_can_be_said(
    news: list[tuple[Row, list[Sentence]]],
) -> None:
    said = {noun for _, sentences in news for noun in answered(sentences, "say", "on")[1]}
    assert said == {"prayer", "word", "name", "truth"}


def test_no_right_object_is_lost_to_repair(news: list[tuple[Row, list[Sentence]]]) -> None:
    for (verb, _, obj, text), sentences in news:
        before, after = (answered(sentences, verb, repair)[1] for repair in ("none", "on"))
        assert obj not in before or obj in after, text


def test_a_noun_becomes_the_subject_of_the_clause_it_opens() -> None:
    found, actions = rows(SAYS)
    assert found == {("nsubj", "say", "firm"), ("nsubj", "show", "test"), ("dobj", "show", "gold")}
    assert actions == ["clause"]


def test_the_subject_of_a_passive_clause_is_not_an_agent() -> None:
    text = "Firm=firm/NOUN/2/nsubj says=say/VERB/0/root mine/NOUN/2/obj was=be/AUX/5/aux:pass"
    assert rows(f"{text} closed=close/VERB/2/ccomp") == ({("nsubj", "say", "firm")}, ["clause"])


@pytest.mark.parametrize("link", ["that/SCONJ/5/mark", "and/CCONJ/5/cc", "it/PRON/5/nsubj"])
def test_a_clause_with_a_subject_or_a_link_takes_no_other(link: str) -> None:
    text = f"Jury=jury/NOUN/2/nsubj believes=believe/VERB/0/root him/NOUN/2/obj {link}"
    found, actions = rows(f"{text} works=work/VERB/2/ccomp")
    assert ("dobj", "believe", "him") in found
    assert actions == []


def test_a_noun_before_another_subject_is_no_object() -> None:
    text = "Poll/NOUN/2/nsubj shows=show/VERB/0/root trust/NOUN/2/obj in/ADP/6/case big/ADJ/6/amod"
    found, actions = rows(
        f"{text} banks=bank/NOUN/8/nsubj has=have/AUX/8/aux fallen=fall/VERB/2/ccomp"
    )
    assert ("dobj", "show", "trust") not in found
    assert actions == ["elsewhere"]


@pytest.mark.parametrize(
    ("verb", "noun"), [("promises=promise", "voter"), ("finds=find", "evidence")]
)
def test_people_spoken_to_and_nouns_with_a_clause_stay_objects(verb: str, noun: str) -> None:
    text = f"Party/NOUN/2/nsubj {verb}/VERB/0/root {noun}/NOUN/2/obj taxes=tax/NOUN/6/nsubj"
    found, actions = rows(f"{text} will/AUX/6/aux fall/VERB/2/ccomp")
    assert ("dobj", verb.partition("=")[2], noun) in found
    assert actions == []


def test_a_noun_with_a_copula_is_a_clause() -> None:
    text = "Study/NOUN/2/nsubj predicts=predict/VERB/0/root Perth/PROPN/6/nsubj will/AUX/6/aux"
    found, actions = rows(f"{text} be/AUX/6/cop hub/NOUN/2/obj")
    assert found == {("nsubj", "predict", "study")}
    assert actions == ["elsewhere"]


FINDS = "Ann=ann/NOUN/2/nsubj finds=find/VERB/0/root shoe/NOUN/2/obj"


@pytest.mark.parametrize(
    "rest",
    [
        ",/PUNCT/5/punct lights=light/VERB/2/parataxis lamp/NOUN/5/obj",
        ":/PUNCT/7/punct gold/NOUN/7/nsubj has=have/AUX/7/aux melted=melt/VERB/2/parataxis",
        "when/ADV/5/advmod attacked=attack/VERB/2/advcl",
        "as/SCONJ/5/case melted=melt/VERB/2/advcl",
    ],
)
def test_a_mark_or_a_conjunction_ends_the_clause_of_a_verb_that_may_have_an_object(
    rest: str,
) -> None:
    found, actions = rows(f"{FINDS} {rest}")
    assert ("dobj", "find", "shoe") in found
    assert actions == []


@pytest.mark.parametrize("relation", ["conj", "obj"])
def test_a_unit_that_is_read_as_a_verb_opens_no_clause(relation: str) -> None:
    text = "Firm/NOUN/2/nsubj reports=report/VERB/0/root profit/NOUN/2/obj 7/NUM/3/nummod"
    rest = f"dollars=dollar/VERB/2/{relation} a/DET/7/det share/NOUN/5/obj"
    found, actions = rows(f"{text} {rest}")
    assert ("dobj", "report", "profit") in found
    assert actions == []


def test_a_verb_after_an_aside_that_reports_takes_no_object_from_before_it() -> None:
    text = "Ann/NOUN/2/nsubj denies=deny/VERB/0/root links=link/NOUN/2/obj to/ADP/5/case"
    aside = "club/NOUN/3/nmod ,/PUNCT/9/punct which/PRON/9/nsubj some/PRON/9/nsubj say/VERB/5/acl"
    found, actions = rows(f"{text} {aside} has=have/VERB/2/ccomp debts=debt/NOUN/10/obj")
    assert ("dobj", "deny", "link") in found
    assert actions == []


@pytest.mark.parametrize(
    ("text", "kept", "lost", "rule"),
    [
        (
            "Song/NOUN/2/nsubj becomes=become/VERB/0/root hit/NOUN/2/obj",
            None,
            ("become", "hit"),
            "predicate",
        ),
        (
            "Heat/NOUN/2/nsubj proves=prove/VERB/0/root good/ADJ/4/amod news/NOUN/2/obj",
            None,
            ("prove", "news"),
            "predicate",
        ),
        (
            "Price/NOUN/2/nsubj falls=fall/VERB/0/root two/NUM/4/nummod cents=cent/NOUN/2/obj",
            None,
            ("fall", "cent"),
            "extent",
        ),
        (
            "Fan/NOUN/2/nsubj calls=call/VERB/0/root film/NOUN/2/obj a/DET/5/det joke/NOUN/2/obj",
            ("call", "film"),
            ("call", "joke"),
            "predicate",
        ),
        (
            "Guide/NOUN/2/nsubj shows=show/VERB/0/root guest/NOUN/2/obj the/DET/5/det "
            "cave/NOUN/2/obj",
            ("show", "cave"),
            ("show", "guest"),
            "receiver",
        ),
        (
            "Board/NOUN/2/nsubj wants=want/VERB/0/root growers=grower/NOUN/2/obj to/PART/5/mark "
            "test/VERB/2/xcomp soil/NOUN/5/obj",
            ("test", "soil"),
            ("want", "grower"),
            "infinitive",
        ),
        (
            "Export/NOUN/2/nsubj grows=grow/VERB/0/root five/NUM/4/nummod percent/NOUN/2/obj",
            None,
            ("grow", "percent"),
            "extent",
        ),
        (
            "They/PRON/2/nsubj pay/VERB/0/root dollars=dollar/NOUN/2/obj two/NUM/3/nummod "
            "a/DET/6/det day/NOUN/2/obj",
            ("pay", "dollar"),
            ("pay", "day"),
            "extent",
        ),
        (
            "Frost/NOUN/2/nsubj cuts=cut/VERB/0/root crop/NOUN/2/obj this/DET/5/det "
            "season/NOUN/2/obj",
            ("cut", "crop"),
            ("cut", "season"),
            "time",
        ),
    ],
)
def test_predicates_and_receivers_are_no_objects(
    text: str, kept: tuple[str, str] | None, lost: tuple[str, str], rule: str
) -> None:
    found, actions = rows(text)
    assert ("dobj", *lost) not in found
    assert kept is None or ("dobj", *kept) in found
    assert actions == [rule]
    assert same_in_columns([tree(text)]) == {rule: 1}


@pytest.mark.parametrize(
    "text",
    [
        "They/PRON/2/nsubj make/VERB/0/root film/NOUN/2/obj",
        "They/PRON/2/nsubj prove/VERB/0/root a/DET/4/det point/NOUN/2/obj",
        "They/PRON/2/nsubj drop/VERB/0/root two/NUM/4/nummod bombs=bomb/NOUN/2/obj",
        "They/PRON/2/nsubj prove/VERB/0/root the/DET/4/det success/NOUN/2/obj",
        "They/PRON/2/nsubj grow/VERB/0/root five/NUM/4/nummod tonnes=tonne/NOUN/2/obj",
        "They/PRON/2/nsubj want/VERB/0/root change/NOUN/2/obj rest=rest/VERB/2/xcomp",
        "Firms=firm/NOUN/4/nsubj out/ADP/4/compound -/PUNCT/4/punct compete/VERB/0/root "
        "rivals=rival/NOUN/4/obj",
        "They/PRON/2/nsubj enjoy/VERB/0/root this/DET/4/det summer/NOUN/2/obj",
        "which/PRON/3/obj they/PRON/3/nsubj made=make/VERB/0/root strides=stride/NOUN/3/obj",
    ],
)
def test_one_object_stays(text: str) -> None:
    assert rows(text)[1] == []


def test_a_verb_joined_to_a_gerund_keeps_its_object() -> None:
    text = (
        "Making=make/VERB/6/csubj money/NOUN/1/obj and/CCONJ/4/cc maintaining=maintain/VERB/1/conj"
    )
    found, actions = rows(f"{text} peace/NOUN/4/obj matters=matter/VERB/0/root")
    assert ("dobj", "maintain", "peace") in found
    assert actions == []


def same_in_columns(trees: list[Sentence]) -> dict[str, int]:
    """Count trees one by one and as a block, compare both, and return what was repaired."""
    alone, together = Tally(Patterns()), Tally(Patterns())
    for one in trees:
        alone.add(one)
    words, odd = read_columns(write_block(trees))
    assert odd == []
    together.columns.add(words)
    same = ("relation", "head", "dependent", "object")
    frames = [tally._finished().group_by(same).sum().sort(same) for tally in (alone, together)]
    assert frames[0].equals(frames[1])
    assert alone.report == together.report
    return alone.report.repaired


def test_blocks_of_parsed_news_hold_what_their_trees_hold(
    news: list[tuple[Row, list[Sentence]]],
) -> None:
    repairs = same_in_columns([one for _, sentences in news for one in sentences])
    assert sum(repairs.values()) > 40


@st.composite
def trees_of_reports(draw: st.DrawFn) -> Sentence:
    """Return words of reports in any order, each with any head and relation."""
    words = [word.split("/") for word in draw(st.lists(st.sampled_from(WORDS), min_size=3))]
    heads = [draw(st.integers(0, len(words))) for _ in words]
    relations = [draw(st.sampled_from(roles.split("|"))) for _, _, _, roles in words]
    forms, lemmas, upos = (tuple(word[place] for word in words) for place in range(3))
    return Sentence(forms, lemmas, upos, tuple(heads), tuple(relations))


@settings(max_examples=150, deadline=None)
@given(st.lists(trees_of_reports(), min_size=1, max_size=12))
def test_blocks_of_any_trees_hold_what_the_trees_hold(trees: list[Sentence]) -> None:
    same_in_columns(trees)


def test_a_speaker_after_the_verb_is_its_subject_and_the_old_one_goes() -> None:
    text = "Road/NOUN/5/nsubj needs=need/VERB/1/acl work/NOUN/2/obj ,/PUNCT/5/punct"
    found, actions = rows(f"{text} says=say/VERB/0/root union/NOUN/5/obj")
    assert found == {("dobj", "need", "work"), ("nsubj", "say", "union")}
    assert actions == ["speaker"]


def test_the_verb_of_a_subject_between_commas_keeps_it() -> None:
    text = "Firm/NOUN/6/nsubj ,/PUNCT/3/punct based=base/VERB/1/acl here/ADV/3/advmod"
    text += " ,/PUNCT/3/punct says=say/VERB/0/root tests=test/NOUN/6/obj"
    assert rows(text) == ({("nsubj", "say", "firm")}, ["unsayable"])


def test_the_noun_after_of_takes_the_place_of_a_quantity() -> None:
    found, actions = rows(HUNDREDS)
    assert ("svo", "chase", "dog", "cat") in found
    assert actions == ["quantity"]


@pytest.mark.parametrize(
    ("article", "noun", "kept"),
    [("the", "number", "number"), ("a", "number", "accident"), ("the", "host", "host")],
)
def test_a_definite_number_or_host_does_not_measure(article: str, noun: str, kept: str) -> None:
    text = f"Bans=ban/NOUN/2/nsubj cut/VERB/0/root {article}/DET/4/det {noun}/NOUN/2/obj"
    found, _ = rows(f"{text} of/ADP/6/case accidents=accident/NOUN/4/nmod")
    assert ("dobj", "cut", kept) in found


def test_a_negated_quantity_still_negates_its_verb() -> None:
    text = "No=no/DET/2/det number/NOUN/5/nsubj of/ADP/4/case dogs=dog/NOUN/2/nmod"
    sentence, _ = repaired(tree(f"{text} chase/VERB/0/root cats=cat/NOUN/5/obj"), ROLES)
    assert find(sentence, Patterns()).negated == 1


@pytest.fixture
def engine() -> Iterator[DuckdbEngine]:
    running = DuckdbEngine(workers=1)
    yield running
    running.close()


def test_blocks_and_sentences_are_repaired_alike_and_the_manifest_counts_it(
    tmp_path: Path, engine: DuckdbEngine
) -> None:
    (tmp_path / "a.conllu").write_bytes(conllu(SAYS, DOG, HUNDREDS, DOG, SAYS))
    lines = "\n".join([SAYS, DOG, HUNDREDS, DOG, SAYS])
    (tmp_path / "a.txt").write_text(lines + "\n", encoding="utf-8")
    columns = extract(
        [tmp_path / "a.conllu"], tmp_path / "c", Request(Source("conllu")), engine=engine
    )
    trees = extract(
        [tmp_path / "a.txt"],
        tmp_path / "t",
        Request(Source("text")),
        engine=engine,
        parser=LineParser(),
    )
    for one in (columns, trees):
        assert one.manifest["repaired"] == dict.fromkeys(RULES, 0) | {"clause": 2, "quantity": 1}
        assert one.manifest["parameters"]["repair"] == "on"
        assert (one.manifest["statistics"]["sentences"], one.manifest["statistics"]["words"]) == (
            5,
            29,
        )
    for table in ("counts.parquet", "svo.parquet"):
        assert columns.manifest["outputs"][table] == trees.manifest["outputs"][table]


def test_without_repair_the_old_counts_come_back(tmp_path: Path, engine: DuckdbEngine) -> None:
    (tmp_path / "a.conllu").write_bytes(conllu(SAYS, HUNDREDS))
    request = Request(Source("conllu"), Patterns(repair="none"))
    done = extract([tmp_path / "a.conllu"], tmp_path / "out", request, engine=engine)
    triples = pl.read_parquet(tmp_path / "out" / "svo.parquet")
    assert triples[:, :3].rows() == [("firm", "say", "test"), ("hundred", "chase", "cat")]
    assert done.manifest["repaired"] == dict.fromkeys(RULES, 0)


def test_repair_has_two_values() -> None:
    with pytest.raises(UnknownName, match="'off'"):
        Patterns(repair="off")  # type: ignore[arg-type]


CAFE = "The old caf\N{LATIN SMALL LETTER E WITH ACUTE}s"


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "utf-8-sig"])
def test_a_text_is_read_in_the_encoding_it_has(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.txt").write_bytes(f"{CAFE} sell coffee.\n\nDogs chase cats.\n".encode(encoding))
    done = extract_verb(tmp_path / "a.txt", output=tmp_path / "out", encoding=encoding, workers=1)
    words = set(done.counts.collect()["dependent"])
    assert {"caf\N{LATIN SMALL LETTER E WITH ACUTE}", "coffee", "dog", "cat"} <= words


def test_bytes_in_another_encoding_are_refused_with_the_option_to_use(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(f"{CAFE} sell coffee.\n".encode("cp1252"))
    with pytest.raises(TableError, match="encoding="):
        extract_verb(tmp_path / "a.txt", output=tmp_path / "out", workers=1)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("form", "encoding"), [("text", "cp1253x"), ("conllu", "cp1252")])
def test_an_encoding_is_known_and_for_texts(form: str, encoding: str) -> None:
    with pytest.raises(StudyError, match="encoding"):
        Source(form, encoding=encoding)


@pytest.mark.parametrize(("repair", "verb"), [("on", "chase"), ("none", None)])
def test_entities_are_decoded_and_counted(tmp_path: Path, repair: Repair, verb: str | None) -> None:
    text = {"text": "Dogs=dog/NOUN/2/nsubj ch&#97;se/VERB/0/root cats=cat/NOUN/2/obj AT&T/X/2/dep"}
    (tmp_path / "a.jsonl").write_text(json.dumps(text) + "\n", encoding="utf-8")
    engine = DuckdbEngine(workers=1)
    source = Source("jsonl", entities=repair == "on")
    request = Request(source, Patterns(repair=repair))
    done = extract(
        [tmp_path / "a.jsonl"], tmp_path / "out", request, engine=engine, parser=LineParser()
    )
    engine.close()
    verbs = pl.read_parquet(tmp_path / "out" / "svo.parquet")["verb"].to_list()
    assert verbs == [verb or "ch&#97;se"]
    assert done.manifest["repaired"]["entity"] == (repair == "on")
