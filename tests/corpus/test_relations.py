"""Relations: each pattern on one tree, and what does not count."""

from __future__ import annotations

import pytest

from plausibly.corpus._columns import ColumnCounter
from plausibly.corpus.relations import Patterns, find, relations_named
from plausibly.errors import StudyError, UnknownName
from plausibly.io.conllu.columns import read_columns
from worlds.trees import DOG, GIRL, conllu, tree

DEFAULTS = Patterns()


def rows(text: str, patterns: Patterns = DEFAULTS) -> set[tuple[str, ...]]:
    return {tuple(part for part in row if part) for row in find(tree(text), patterns).rows}


def test_the_six_relations_of_one_sentence() -> None:
    assert rows(DOG) == {
        ("nsubj", "chase", "dog"),
        ("dobj", "chase", "cat"),
        ("amod", "cat", "black"),
        ("dobj_amod", "chase", "black"),
        ("svo", "chase", "dog", "cat"),
    }
    assert ("nsubj_amod", "eat", "hungry") in rows(GIRL)


def test_keys_are_lower_cased_lemmas_or_forms_without_one() -> None:
    text = "Ärzte=_/NOUN/2/nsubj HELFEN=Helfen/VERB/0/root"
    assert rows(text) == {("nsubj", "helfen", "ärzte")}


@pytest.mark.parametrize("tag", ["PROPN", "PRON", "ADJ"])
def test_only_nouns_are_arguments(tag: str) -> None:
    assert rows(f"Rex/{tag}/2/nsubj barks=bark/VERB/0/root") == set()


@pytest.mark.parametrize("relation", ["nsubj:pass", "nsubj:outer", "csubj", "obj:lvc", "iobj"])
def test_subtypes_are_other_relations(relation: str) -> None:
    assert rows(f"dog/NOUN/2/{relation} bark/VERB/0/root") == set()


def test_an_auxiliary_or_adjective_is_no_verb() -> None:
    assert rows("dog/NOUN/2/nsubj black/ADJ/0/root") == set()
    assert rows("dog/NOUN/2/nsubj is=be/AUX/0/root") == set()


def test_a_verb_may_stand_anywhere_for_pairs_but_is_the_root_of_a_triple() -> None:
    text = "Said=say/VERB/0/root dogs=dog/NOUN/3/nsubj chase/VERB/1/ccomp cats=cat/NOUN/3/obj"
    assert rows(text) == {("nsubj", "chase", "dog"), ("dobj", "chase", "cat")}


def test_several_subjects_and_objects_give_every_combination() -> None:
    text = "a/NOUN/3/nsubj b/NOUN/3/nsubj see/VERB/0/root c/NOUN/3/obj d/NOUN/3/obj"
    triples = {row[1:] for row in rows(text) if row[0] == "svo"}
    assert triples == {("see", s, o) for s in "ab" for o in "cd"}


@pytest.mark.parametrize("compound", ["compound", "compound:prt"])
@pytest.mark.parametrize("of", [1, 2, 3])
def test_a_compound_on_any_of_the_three_forbids_the_triple_alone(compound: str, of: int) -> None:
    text = f"dog/NOUN/2/nsubj takes=take/VERB/0/root ball/NOUN/2/obj up/ADP/{of}/{compound}"
    assert rows(text) == {("nsubj", "take", "dog"), ("dobj", "take", "ball")}


def test_a_compound_on_one_subject_leaves_the_other_its_triple() -> None:
    text = "a/NOUN/4/nsubj b/NOUN/4/nsubj x/NOUN/2/compound see/VERB/0/root c/NOUN/4/obj"
    assert {row for row in rows(text) if row[0] == "svo"} == {("svo", "see", "a", "c")}


@pytest.mark.parametrize("label", ["root", "ROOT", "Root"])
def test_a_root_may_be_written_in_any_case(label: str) -> None:
    text = f"dog/NOUN/2/nsubj chases=chase/VERB/0/{label} cats=cat/NOUN/2/obj"
    assert ("svo", "chase", "dog", "cat") in rows(text)
    counter = ColumnCounter(DEFAULTS)
    counter.add(read_columns(conllu(text))[0])
    assert counter.triples == [("svo", "chase", "dog", "cat")]


def test_another_label_without_a_head_is_no_root() -> None:
    assert not any(r[0] == "svo" for r in rows("a/NOUN/2/nsubj eat/VERB/0/dep b/NOUN/2/obj"))


def test_a_relation_to_the_root_of_the_file_is_none() -> None:
    assert rows("dog/NOUN/0/nsubj black/ADJ/0/amod bark/VERB/0/root") == set()


def test_only_the_relations_asked_for_are_found() -> None:
    assert rows(DOG, Patterns(relations=("amod",))) == {("amod", "cat", "black")}
    assert {row[0] for row in rows(DOG, Patterns(relations=("svo",)))} == {"svo"}


def test_passives_turn_subjects_into_objects_and_agents_into_subjects() -> None:
    text = "cat/NOUN/3/nsubj:pass was=be/AUX/3/aux:pass chased=chase/VERB/0/root by/ADP/5/case"
    text += " dog/NOUN/3/obl:agent"
    assert rows(text) == set()
    assert rows(text, Patterns(passives=True)) == {
        ("nsubj", "chase", "dog"),
        ("dobj", "chase", "cat"),
        ("svo", "chase", "dog", "cat"),
    }


def test_conjuncts_share_verbs_nouns_and_subjects() -> None:
    text = "Big/ADJ/4/amod and/CCONJ/3/cc old/ADJ/1/conj dogs=dog/NOUN/6/nsubj cats=cat/NOUN/4/conj"
    text += " run/VERB/0/root bark/VERB/6/conj"
    plain, shared = rows(text), rows(text, Patterns(conjuncts=True))
    assert plain < shared
    assert {("amod", "dog", "old"), ("nsubj", "run", "cat"), ("nsubj", "bark", "dog")} <= shared
    assert ("nsubj", "bark", "cat") in shared


AGENT = "crabs=crab/NOUN/3/nsubj:pass were=be/AUX/3/aux:pass caught=catch/VERB/0/root by/ADP/5/case"
AGENT += " otters=otter/NOUN/3/obl:agent"


def test_the_agent_of_a_passive_is_no_subject_of_the_verb_joined_to_it() -> None:
    text = f"{AGENT} and/CCONJ/7/cc died=die/VERB/3/conj"
    assert rows(text, Patterns(passives=True, conjuncts=True)) == rows(
        AGENT, Patterns(passives=True)
    )


def test_agents_share_their_verb_with_nouns_joined_to_them() -> None:
    text = f"{AGENT} and/CCONJ/7/cc seals=seal/NOUN/5/conj and/CCONJ/9/cc died=die/VERB/3/conj"
    found = rows(text, Patterns(passives=True, conjuncts=True))
    assert ("svo", "catch", "seal", "crab") in found
    assert not any(row[1] == "die" for row in found)


def test_subjects_joined_after_a_joined_verb_are_shared_too() -> None:
    text = "run/VERB/0/root bark/VERB/1/conj dogs=dog/NOUN/1/nsubj cats=cat/NOUN/3/conj"
    assert ("nsubj", "bark", "cat") in rows(text, Patterns(conjuncts=True))


@pytest.mark.parametrize("own", ["he/PRON/5/nsubj", "was=be/AUX/5/aux:pass"])
def test_a_conjunct_with_a_subject_or_voice_of_its_own_shares_none(own: str) -> None:
    text = f"dogs=dog/NOUN/2/nsubj run/VERB/0/root and/CCONJ/5/cc {own} bit=bite/VERB/2/conj"
    assert rows(text, Patterns(conjuncts=True)) == {("nsubj", "run", "dog")}


def test_a_noun_stands_in_for_its_relative_pronoun() -> None:
    text = "dogs=dog/NOUN/0/root that/PRON/3/nsubj chase/VERB/1/acl:relcl cats=cat/NOUN/3/obj"
    assert rows(text) == {("dobj", "chase", "cat")}
    seen = rows(text, Patterns(relative_clauses=True))
    assert seen == {("dobj", "chase", "cat"), ("nsubj", "chase", "dog")}


def test_a_pronoun_that_is_not_relative_stands_for_itself() -> None:
    text = "dogs=dog/NOUN/0/root she/PRON/3/nsubj saw=see/VERB/1/acl:relcl"
    assert rows(text, Patterns(relative_clauses=True)) == set()


def test_proper_nouns_count_when_asked_for() -> None:
    text = "Rex/PROPN/2/nsubj barks=bark/VERB/0/root"
    assert rows(text, Patterns(proper_nouns=True)) == {("nsubj", "bark", "rex")}


@pytest.mark.parametrize(
    "negation",
    [
        *("not/PART/2/advmod", "n't=not/PART/2/advmod", "never/ADV/2/advmod", "no/DET/3/det"),
        *("non/ADV/2/advmod", "nessun=nessuno/DET/1/det"),
    ],
)
def test_negated_triples_are_counted_apart_and_dropped_when_asked(negation: str) -> None:
    text = f"dog/NOUN/2/nsubj chases=chase/VERB/0/root cats=cat/NOUN/2/obj {negation}"
    assert find(tree(text), DEFAULTS).negated == 1
    assert rows(text, Patterns(drop_negated=True)) == set()
    assert find(tree(text), Patterns(relations=("amod",))).negated == 0


@pytest.mark.parametrize(
    "subject",
    [
        "no/DET/2/det one/NOUN/3/nsubj",
        "no/DET/2/det one/PRON/3/nsubj",
        "not/PART/2/advmod nobody/PRON/3/nsubj",
        "neither/CCONJ/2/cc:preconj she/PRON/3/nsubj",
    ],
)
def test_a_pronoun_negates_its_verb_too(subject: str) -> None:
    text = f"{subject} eats=eat/VERB/0/root grass/NOUN/3/obj"
    assert rows(text, Patterns(drop_negated=True)) == set()


def test_nobody_negates_a_passive_when_passives_are_seen_through() -> None:
    text = AGENT.replace("crabs=crab/NOUN", "nobody/PRON")
    assert rows(text, Patterns(passives=True, drop_negated=True)) == set()
    assert rows(text, Patterns(passives=True)) == {("nsubj", "catch", "otter")}


@pytest.mark.parametrize(("joint", "kept"), [("or", False), ("nor", False), ("but", True)])
def test_a_negation_reaches_what_or_joins_and_not_what_but_does(joint: str, kept: bool) -> None:
    text = "otters=otter/NOUN/4/nsubj do/AUX/4/aux not/PART/4/advmod eat/VERB/0/root"
    text += " kill/VERB/4/conj seals=seal/NOUN/5/obj"
    text += f" {joint}/CCONJ/8/cc catch/VERB/4/conj crabs=crab/NOUN/8/obj"
    found = rows(text, Patterns(drop_negated=True))
    assert found == ({("dobj", "kill", "seal"), ("dobj", "catch", "crab")} if kept else set())


def test_a_verb_with_a_subject_of_its_own_is_not_negated_by_another() -> None:
    text = "dogs=dog/NOUN/3/nsubj never/ADV/3/advmod bark/VERB/0/root or/CCONJ/6/cc"
    text += " cats=cat/NOUN/6/nsubj miaow/VERB/3/conj"
    assert rows(text, Patterns(drop_negated=True)) == {("nsubj", "miaow", "cat")}


def test_a_negated_noun_elsewhere_negates_nothing() -> None:
    text = (
        "dog/NOUN/2/nsubj chases=chase/VERB/0/root cats=cat/NOUN/2/obj home/NOUN/2/obl no/DET/4/det"
    )
    assert find(tree(text), DEFAULTS).negated == 0


@pytest.mark.parametrize("modal", ["might", "può=potere"])
def test_modal_clauses_are_dropped_when_asked(modal: str) -> None:
    text = f"dog/NOUN/3/nsubj {modal}/AUX/3/aux chase/VERB/0/root black/ADJ/5/amod"
    text += " cats=cat/NOUN/3/obj"
    assert ("svo", "chase", "dog", "cat") in rows(text)
    assert rows(text, Patterns(drop_modal=True)) == {("amod", "cat", "black")}


def test_unknown_relations_are_refused() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'nsubj'"):
        relations_named("nsbj")
    with pytest.raises(UnknownName):
        Patterns(relations=("subject",))
    with pytest.raises(StudyError, match="no relations"):
        Patterns(relations=())


ATE = "Otters=otter/NOUN/{v}/nsubj {aux}eat/VERB/0/root crabs=crab/NOUN/{v}/obj {more}"


@pytest.mark.parametrize(
    ("aux", "more", "marks"),
    [
        ("", "./PUNCT/2/punct", (0, 0, 0, 0)),
        ("may/AUX/3/aux ", "./PUNCT/3/punct", (0, 1, 0, 0)),
        ("never/ADV/3/advmod ", '?/PUNCT/3/punct "/PUNCT/3/punct', (1, 0, 1, 0)),
    ],
)
def test_triples_bear_marks(aux: str, more: str, marks: tuple[int, ...]) -> None:
    sentence = tree(ATE.format(aux=aux, more=more, v=3 if aux else 2))
    assert find(sentence, DEFAULTS).marks == [marks]


def test_a_verb_with_a_particle_counts_when_asked_for_and_says_so() -> None:
    sentence = tree(
        "Rain/NOUN/2/nsubj put/VERB/0/root off/ADP/2/compound:prt games=game/NOUN/2/obj"
    )
    assert find(sentence, DEFAULTS).marks == []
    found = find(sentence, Patterns(particles=True))
    assert found.rows[-1] == ("svo", "put", "rain", "game")
    assert found.marks == [(False, False, False, True)]
