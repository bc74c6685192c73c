"""Laws of the corpus stage: how input is cut, ordered, packed or batched never matters."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar, get_args

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.corpus._columns import ColumnCounter
from plausibly.corpus._outputs import write_sorted
from plausibly.corpus._repair import Repair, repaired
from plausibly.corpus._sampling import draw
from plausibly.corpus.documents import Document
from plausibly.corpus.relations import RELATIONS, Found, Marks, Patterns, Row, find
from plausibly.corpus.wikitext import paragraphs
from plausibly.io import file_hash
from plausibly.io.conllu import BadLine, blocks, read_block, write_block
from plausibly.io.conllu.columns import read_columns
from plausibly.io.ranks import rank
from plausibly.ports import Sentence
from plausibly.tables import COUNTS
from worlds.trees import fixed

T = TypeVar("T")

LAW = settings(deadline=None, max_examples=60)

TAGS = ("VERB", "NOUN", "NOUN", "ADJ", "PROPN", "PRON", "DET", "AUX", "PART")
DEPRELS = (
    *("nsubj", "obj", "amod", "root", "compound", "compound:prt", "conj", "det", "advmod"),
    *("nsubj:pass", "obl:agent", "acl:relcl", "aux", "aux:pass", "dep"),
    *("ROOT", "Root", "cc", "ccomp", "case", "nmod", "parataxis"),
)
WORDS = (
    "nobody",
    "neither",
    "or",
    "dog",
    "Katze",
    "that",
    "not",
    "no",
    "might",
    "naïve",
    "日本",
    "a b",
    "_",
    "#x",
    "?",
    *("say", "Say", "hope", "have", "hundred", "of", ","),
)


@st.composite
def trees(draw: st.DrawFn) -> Sentence:
    size = draw(st.integers(1, 9))

    def column(cell: st.SearchStrategy[T]) -> tuple[T, ...]:
        return tuple(draw(st.lists(cell, min_size=size, max_size=size)))

    return Sentence(
        column(st.sampled_from(WORDS)),
        column(st.sampled_from(WORDS)),
        column(st.sampled_from(TAGS)),
        column(st.integers(0, size)),
        column(st.sampled_from(DEPRELS)),
    )


NOISE = (
    b"# a comment with\ttabs\n",
    b"1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n",
    b"1.1\tx\tx\tNOUN\t_\t_\t_\t_\t_\t_\n",
    b"1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\n",
    b"01\tx\tx\tNOUN\t_\t_\t0\troot\t_\t_\n",
    b"1\tx\tx\tNOUN\t_\t_\t00\troot\t_\t_\n",
    b"1-x\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n",
    b"1\tx\tx\tNOUN\t_\t_\t0\troot\t_\t_\n",
    b"1\tx\tx\tNOUN\n",
    b"not conll\n",
    b"1\t\tx\tNOUN\t_\t_\t0\troot\t_\t_\n",
    b"1\tx\tx\tNOUN\t_\t_\t99\troot\t_\t_\n",
    b"1\tx\tx\tNOUN\t_\t_\t99999999999\troot\t_\t_\n",
    b"\xff\xfe\n",
    b"\n",
)
corpora = st.lists(st.one_of(trees().map(lambda one: write_block([one])), st.sampled_from(NOISE)))
patterns = st.builds(
    Patterns,
    passives=st.booleans(),
    conjuncts=st.booleans(),
    relative_clauses=st.booleans(),
    proper_nouns=st.booleans(),
    drop_negated=st.booleans(),
    drop_modal=st.booleans(),
    repair=st.sampled_from(get_args(Repair)),
)


Marked = Counter[tuple[Row, Marks]]


def counted(block: bytes, wanted: Patterns) -> tuple[Counter[Row], Marked, int, list[BadLine]]:
    rows: Counter[Row] = Counter()
    marked: Marked = Counter()
    words = 0
    bad: list[BadLine] = []
    for one in read_block(block):
        if isinstance(one, BadLine):
            bad.append(one)
            continue
        found = found_in(one, wanted)
        rows.update(found.rows)
        marked.update(marks_of(found))
        words += len(one.forms)
    return rows, marked, words, bad


def found_in(one: Sentence, wanted: Patterns) -> Found:
    tree = repaired(one, wanted.roles)[0] if wanted.repair == "on" else one
    return find(tree, wanted)


def marks_of(found: Found) -> list[tuple[Row, Marks]]:
    triples = [row for row in found.rows if row[0] == "svo"]
    return list(zip(triples, found.marks, strict=True))


@LAW
@given(st.lists(trees()))
def test_writing_then_reading_is_identity(sentences: list[Sentence]) -> None:
    read = list(read_block(write_block(sentences)))
    assert [fixed(one) for one in read if isinstance(one, Sentence)] == sentences


@settings(deadline=None, max_examples=250)
@given(
    corpora,
    st.sampled_from([b"\n", b"\r\n"]),
    st.sampled_from([RELATIONS, ("svo",), ("amod",)]),
    st.sampled_from(get_args(Repair)),
)
def test_a_block_searched_at_once_holds_what_its_sentences_hold(
    parts: list[bytes], newline: bytes, relations: tuple[str, ...], repair: Repair
) -> None:
    block = b"".join(parts).replace(b"\n", newline)
    wanted = Patterns(relations=relations, repair=repair)
    counter = ColumnCounter(wanted)
    words, odd = read_columns(block)
    counter.add(words)
    rows = Counter(counter.triples)
    for relation, head, dependent, count in counter.frame().rows():
        rows[relation, head, dependent, ""] += count
    marked = Counter(zip(counter.triples, counter.marks, strict=True))
    size, sentences, bad = counter.words, counter.sentences, list[BadLine]()
    for one in odd:
        if isinstance(one, BadLine):
            bad.append(one)
            continue
        more = found_in(one, wanted)
        rows.update(more.rows)
        marked.update(marks_of(more))
        size, sentences = size + len(one.forms), sentences + 1
    assert (rows, marked, size, bad) == counted(block, wanted)
    assert sentences == sum(isinstance(one, Sentence) for one in read_block(block))


@LAW
@given(corpora, st.integers(1, 300), patterns)
def test_where_a_corpus_is_cut_never_matters(
    parts: list[bytes], size: int, wanted: Patterns
) -> None:
    content = b"".join(parts)
    together: Counter[Row] = Counter()
    bad = lines = 0
    for block in blocks(io.BytesIO(content), size):
        rows, _, _, wrong = counted(block, wanted)
        together += rows
        bad += len(wrong)
        lines += block.count(b"\n")
    rows, _, _, wrong = counted(content, wanted)
    assert together == rows
    assert bad == len(wrong)
    assert lines == content.count(b"\n")


@LAW
@given(st.lists(trees()).flatmap(lambda all_: st.tuples(st.just(all_), st.permutations(all_))))
def test_the_order_of_sentences_never_matters(
    orders: tuple[list[Sentence], list[Sentence]],
) -> None:
    first, second = (counted(write_block(order), Patterns())[0] for order in orders)
    assert first == second


@LAW
@given(trees(), patterns)
def test_seeing_through_only_adds_and_dropping_only_takes(one: Sentence, wanted: Patterns) -> None:
    plain = set(find(one, Patterns(proper_nouns=wanted.proper_nouns)).rows)
    seen = Patterns(
        passives=wanted.passives,
        conjuncts=wanted.conjuncts,
        relative_clauses=wanted.relative_clauses,
        proper_nouns=wanted.proper_nouns,
    )
    assert plain <= set(find(one, seen).rows)
    assert set(find(one, wanted).rows) <= set(find(one, seen).rows)


@LAW
@given(trees())
def test_nothing_but_nouns_verbs_and_adjectives_is_counted(one: Sentence) -> None:
    words = {"VERB": set[str](), "NOUN": set[str](), "ADJ": set[str]()}
    for form, lemma, tag in zip(one.forms, one.lemmas, one.upos, strict=True):
        if tag in words:
            words[tag].add((form if lemma == "_" else lemma).lower())
    for relation, head, dependent, obj in find(one, Patterns()).rows:
        assert head in words["NOUN" if relation == "amod" else "VERB"]
        assert dependent in words["ADJ" if relation.endswith("amod") else "NOUN"]
        assert obj in words["NOUN"] if relation == "svo" else not obj


documents = st.lists(
    st.integers(0, 500).map(lambda number: Document("f", 0, str(number), f"text {number}")),
    unique_by=lambda document: document.name,
    max_size=30,
)


@LAW
@given(documents.flatmap(lambda all_: st.tuples(st.just(all_), st.permutations(all_))))
def test_the_order_of_documents_never_matters_to_a_sample(
    orders: tuple[list[Document], list[Document]],
) -> None:
    first, second = (
        {document.name for document in draw(order, articles=7, seed=3)} for order in orders
    )
    assert first == second


@LAW
@given(documents, st.integers(1, 30), st.integers(0, 3))
def test_a_sample_is_the_documents_of_least_rank_in_their_order(
    all_: list[Document], articles: int, seed: int
) -> None:
    drawn = draw(all_, articles=articles, seed=seed)
    least = sorted(all_, key=lambda one: (rank(seed, one.name), one.name))[:articles]
    assert drawn == [one for one in all_ if one in least]


@LAW
@given(documents, st.integers(1, 30))
def test_a_filtered_sample_is_a_sample_of_the_filtered(all_: list[Document], articles: int) -> None:
    def even(one: Document) -> bool:
        return int(one.name) % 2 == 0

    filtered = draw(all_, articles=articles, seed=1, keep=even)
    assert filtered == draw(filter(even, all_), articles=articles, seed=1)


@LAW
@given(st.text(alphabet="ab .'=*#:;|{}[]<>/-!\n(),", max_size=200))
def test_any_wikitext_gives_paragraphs_without_markup(text: str) -> None:
    for paragraph in paragraphs(text):
        assert paragraph == " ".join(paragraph.split())
        assert paragraph
        assert not any(mark in paragraph for mark in ("{{", "}}", "[[", "]]", "''", "\x00"))


plain_words = st.lists(st.sampled_from(["dog", "Café", "the", "ran", "42"]), min_size=1, max_size=8)


@LAW
@given(plain_words, plain_words, st.sampled_from(["<ref>x. Y</ref>", "{{sfn|A|p=1}}", "<ref a />"]))
def test_a_footnote_neither_runs_into_nor_tears_sentences(
    first: list[str], second: list[str], note: str
) -> None:
    one, two = " ".join(first), " ".join(second)
    wanted = [f"{one}. {two}."]
    assert paragraphs(f"{one}.{note} {two}.") == wanted
    assert paragraphs(f"{one}.{note}{two}.") == wanted
    assert paragraphs(f"{one} {note}. {two}{note}.") == wanted


@settings(deadline=None, max_examples=20)
@given(
    st.lists(st.tuples(*[st.text(max_size=3)] * 3), unique=True, max_size=40).map(sorted),
    st.integers(1, 50),
)
def test_how_rows_are_batched_never_matters_to_the_file(
    keys: list[tuple[str, str, str]], size: int
) -> None:
    columns = [list(column) for column in zip(*keys, strict=True)] or [[], [], []]
    names = ["relation", "head", "dependent"]
    table = pa.table(
        {**dict(zip(names, columns, strict=True)), "count": list(range(len(keys)))},
        schema=pa.schema([*((name, pa.large_string()) for name in names), ("count", pa.int64())]),
    )
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / "a.parquet", Path(folder) / "b.parquet"]
        assert write_sorted(table.to_batches(), paths[0], COUNTS) == len(keys)
        assert write_sorted(table.to_batches(max_chunksize=size), paths[1], COUNTS) == len(keys)
        assert file_hash(paths[0]) == file_hash(paths[1])
