"""Relations of gold treebanks, read a second time by other means."""

from __future__ import annotations

import gzip
import io
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import conllu
import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.corpus import Patterns, Request, Source, extract, find_files
from plausibly.io import read_table
from plausibly.tables import COUNTS, SVO

pytestmark = pytest.mark.data

TREEBANKS = ("en_gum-ud-dev", "en_ewt-ud-dev", "en_ewt-ud-test")


def lemma(token: Any) -> str:
    return str(token["form"] if token["lemma"] in (None, "_", "") else token["lemma"]).lower()


class Reading:
    """One sentence, read from the definitions and for no other use."""

    def __init__(self, sentence: Any) -> None:
        self.words = [token for token in sentence if isinstance(token["id"], int)]
        self.children = defaultdict(list)
        for word in self.words:
            self.children[word["head"]].append(word)

    def below(self, word: Any, label: str, tag: str) -> list[Any]:
        under = self.children[word["id"]]
        return [child for child in under if (child["deprel"], child["upos"]) == (label, tag)]

    def free(self, word: Any) -> bool:
        family = [word, *self.children[word["id"]]]
        return all(one["deprel"].split(":")[0] != "compound" for one in family)

    def pairs(self) -> Iterator[tuple[str, ...]]:
        for noun in self.words:
            for adjective in self.below(noun, "amod", "ADJ") if noun["upos"] == "NOUN" else []:
                yield "amod", lemma(noun), lemma(adjective)
        for verb in self.words:
            if verb["upos"] == "VERB":
                for name, label in (("nsubj", "nsubj"), ("dobj", "obj")):
                    for noun in self.below(verb, label, "NOUN"):
                        yield name, lemma(verb), lemma(noun)
                        for adjective in self.below(noun, "amod", "ADJ"):
                            yield f"{name}_amod", lemma(verb), lemma(adjective)

    def triples(self) -> Iterator[tuple[str, ...]]:
        for verb in self.words:
            if (verb["upos"], verb["deprel"]) == ("VERB", "root"):
                nouns = [self.below(verb, label, "NOUN") for label in ("nsubj", "obj")]
                for subject, obj in product(*nouns):
                    if self.free(subject) and self.free(verb) and self.free(obj):
                        yield "svo", lemma(subject), lemma(verb), lemma(obj)


def read_again(path: Path) -> Iterator[tuple[str, ...]]:
    with gzip.open(path, "rt", encoding="utf-8") as source:
        for sentence in conllu.parse_incr(io.StringIO(source.read())):
            reading = Reading(sentence)
            yield from reading.pairs()
            yield from reading.triples()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", TREEBANKS)
def test_all_six_relations_equal_an_independent_reading(
    data_folder: Path, tmp_path: Path, name: str, workers: int
) -> None:
    path = data_folder / "ud" / f"{name}.conllu.gz"
    engine = DuckdbEngine(workers=workers)
    as_parsed = Request(Source("conllu"), Patterns(repair="none"))
    extract([path], tmp_path, as_parsed, engine=engine)
    engine.close()
    found: Counter[tuple[str, ...]] = Counter()
    for *pair, count in read_table(tmp_path / "counts.parquet", COUNTS).rows():
        found[tuple(pair)] = count
    for *triple, count in (
        read_table(tmp_path / "svo.parquet", SVO).select((*SVO.key, "count")).rows()
    ):
        found["svo", *triple] = count
    assert found == Counter(read_again(path))
    assert {row[0] for row in found} == {
        *("nsubj", "dobj", "amod", "nsubj_amod", "dobj_amod", "svo"),
    }


def test_seven_of_seventy_triples_of_gum_dev_are_negated(data_folder: Path, tmp_path: Path) -> None:
    files = find_files([data_folder / "ud" / "en_gum-ud-dev.conllu.gz"])
    engine = DuckdbEngine(workers=1)
    done = extract(files, tmp_path / "all", Request(Source("conllu")), engine=engine)
    svo = done.manifest["statistics"]["svo"]
    assert (svo["triples"], svo["negated"]["value"]) == (70, 0.1)
    affirmed = Request(Source("conllu"), Patterns(drop_negated=True))
    done = extract(files, tmp_path / "affirmed", affirmed, engine=engine)
    engine.close()
    assert done.manifest["statistics"]["svo"]["triples"] == 63
