"""Relations: each pattern on one tree, and what does not count."""

from __future__ import annotations

import pytest

from plausibly.corpus.relations import Patterns, find, relations_named
from plausibly.errors import StudyError, UnknownName
from trees_inline import DOG, GIRL, tree

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
    "negation", ["not/PART/2/advmod", "n't=not/PART/2/advmod", "never/ADV/2/advmod", "no/DET/3/det"]
)
def test_negated_triples_are_counted_apart_and_dropped_when_asked(negation: str) -> None:
    text = f"dog/NOUN/2/nsubj chases=chase/VERB/0/root cats=cat/NOUN/2/obj {negation}"
    assert find(tree(text), DEFAULTS).negated == 1
    assert rows(text, Patterns(drop_negated=True)) == set()
    assert find(tree(text), Patterns(relations=("amod",))).negated == 0


def test_a_negated_noun_elsewhere_negates_nothing() -> None:
    text = (
        "dog/NOUN/2/nsubj chases=chase/VERB/0/root cats=cat/NOUN/2/obj home/NOUN/2/obl no/DET/4/det"
    )
    assert find(tree(text), DEFAULTS).negated == 0


def test_modal_clauses_are_dropped_when_asked() -> None:
    text = "dog/NOUN/3/nsubj might/AUX/3/aux chase/VERB/0/root black/ADJ/5/amod cats=cat/NOUN/3/obj"
    assert ("svo", "chase", "dog", "cat") in rows(text)
    assert rows(text, Patterns(drop_modal=True)) == {("amod", "cat", "black")}


def test_unknown_relations_are_refused() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'nsubj'"):
        relations_named("nsbj")
    with pytest.raises(UnknownName):
        Patterns(relations=("subject",))
    with pytest.raises(StudyError, match="no relations"):
        Patterns(relations=())
