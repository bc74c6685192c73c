"""Score the embedded parser: python training/evaluate_parser.py --ud DIR [--model DIR]."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import click
from jinja2 import StrictUndefined, Template

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.scores import RELATIONS, attachment, loose_svo, placed, relation_f1, words_of
from training.treebank import Tree, bare_doc, passages, read_trees

from plausibly.backends.spacy import MODEL, EmbeddedParser, TextReader, embedded_reader
from plausibly.ports import Sentence

Parsed = list[list[Sentence]]
TEMPLATE = Path(__file__).parent / "card.md.jinja"


def gold_sentence(tree: Tree) -> Sentence:
    """Return a gold tree in the form parsers give."""
    return Sentence(tree.forms, tree.lemmas, tree.upos, tree.heads, tree.deprels)


def paragraphs(trees: list[Tree]) -> list[list[Tree]]:
    """Return the sentences of each paragraph."""
    return [list(group) for _, group in groupby(trees, key=lambda tree: tree.paragraph)]


def raw_text(trees: list[Tree]) -> str:
    """Return the text of a paragraph as it was written."""
    words = zip(
        chain.from_iterable(tree.forms for tree in trees),
        chain.from_iterable(tree.spaces for tree in trees),
        strict=True,
    )
    return "".join(form + " " * space for form, space in words)


def with_gold_words(read: TextReader, groups: Iterable[list[Tree]]) -> Parsed:
    """Return what the pipeline makes of each group when the words are given."""
    docs = [bare_doc(read.nlp.vocab, group) for group in groups]
    return [read.sentences(doc) for doc in read.nlp.pipe(docs, batch_size=64)]


def attachment_of(groups: list[list[Tree]], found: Parsed) -> dict[str, float]:
    """Return the attachment scores over all groups."""
    gold = words_of(gold_sentence(tree) for group in groups for tree in group)
    return attachment(list(gold), list(words_of(chain.from_iterable(found))))


def sentence_f1(groups: list[list[Tree]], found: Parsed) -> float:
    """Return F1 of sentences found with both ends right."""
    both = wanted = given = 0
    for group, sentences in zip(groups, found, strict=True):
        gold = set(_spans(gold_sentence(tree) for tree in group))
        mine = set(_spans(sentences))
        both, wanted, given = both + len(gold & mine), wanted + len(gold), given + len(mine)
    return 2 * both / (wanted + given)


def _spans(sentences: Iterable[Sentence]) -> Iterable[tuple[int, int]]:
    start = 0
    for sentence in sentences:
        end = start + sum(len(form) for form in sentence.forms)
        yield start, end
        start = end


def treebank_scores(parser: EmbeddedParser, trees: list[Tree]) -> dict[str, dict[str, float]]:
    """Return attachment with gold words, one sentence or eight at a time, and from raw text."""
    read = embedded_reader(parser.folder)
    single = [[tree] for tree in trees]
    eight = list(passages(trees, lambda: 8))
    raw = paragraphs(trees)
    found = list(parser.parse(map(raw_text, raw)))
    return {
        "gold words, gold sentences": attachment_of(single, with_gold_words(read, single)),
        "gold words, eight sentences": attachment_of(eight, with_gold_words(read, eight)),
        "raw text": {**attachment_of(raw, found), "sentences": sentence_f1(raw, found)},
    }


def relation_scores(
    parser: EmbeddedParser, trees: list[Tree]
) -> dict[str, dict[str, dict[str, float]]]:
    """Return F1 of the relations with gold words and sentences, and from raw paragraphs."""
    read = embedded_reader(parser.folder)
    single = [[tree] for tree in trees]
    raw = paragraphs(trees)
    ways = {
        "gold words, gold sentences": (single, with_gold_words(read, single)),
        "raw text": (raw, list(parser.parse(map(raw_text, raw)))),
    }
    measured: dict[str, dict[str, dict[str, float]]] = {}
    for way, (groups, found) in ways.items():
        gold = [[gold_sentence(tree) for tree in group] for group in groups]
        measured[way] = {name: relation_f1(gold, found, rule) for name, rule in RELATIONS.items()}
        measured[way]["svo, loose, lemmas not compared"] = relation_f1(
            [placed(group) for group in gold], [placed(group) for group in found], loose_svo
        )
    return measured


def words_per_second(parser: EmbeddedParser, trees: list[Tree]) -> float:
    """Return words per CPU second from raw text to sentences, the model loaded before."""
    texts = [raw_text(group) for group in paragraphs(trees)]
    list(parser.parse(["The dog barks."]))
    start = time.process_time()
    words = sum(len(sentence.forms) for found in parser.parse(texts) for sentence in found)
    return words / (time.process_time() - start)


def scores(parser: EmbeddedParser, ud: Path) -> dict[str, Any]:
    """Return everything the model card reports."""
    ewt = {
        part: read_trees(ud / f"en_ewt-ud-{part}.conllu.gz") for part in ("train", "dev", "test")
    }
    return {
        "model": parser.name,
        "bytes": sum(path.stat().st_size for path in parser.folder.rglob("*") if path.is_file()),
        "words_per_cpu_second": words_per_second(parser, ewt["train"]),
        "ewt_dev": treebank_scores(parser, ewt["dev"]),
        "ewt_test": treebank_scores(parser, ewt["test"]),
        "gum_dev": relation_scores(parser, read_trees(ud / "en_gum-ud-dev.conllu.gz")),
    }


def card(parser: EmbeddedParser, measured: dict[str, Any]) -> str:
    """Return the text of the model card."""
    meta = json.loads((parser.folder / "meta.json").read_text(encoding="utf-8"))
    nlp = embedded_reader(parser.folder).nlp
    template = Template(TEMPLATE.read_text(encoding="utf-8"), undefined=StrictUndefined)
    text: str = template.render(
        version=meta["version"],
        speed=f"{round(measured['words_per_cpu_second'], -3):,.0f}",
        size=f"{measured['bytes'] / 1e6:.1f}",
        rows=f"{len(nlp.vocab.vectors):,}",
        embed=nlp.config["components"]["tok2vec"]["model"]["embed"],
        encode=nlp.config["components"]["tok2vec"]["model"]["encode"],
        parser=nlp.config["components"]["parser"]["model"],
        treebanks={"EWT dev": measured["ewt_dev"], "EWT test": measured["ewt_test"]},
        relations=measured["gum_dev"],
        wrong=round(100 * (1 - measured["gum_dev"]["raw text"]["svo, loose"]["precision"])),
        missed=round(100 * (1 - measured["gum_dev"]["raw text"]["svo, loose"]["recall"])),
        pct=lambda share: f"{100 * share:.1f}",
    )
    return text


@click.command()
@click.option("--ud", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--model", type=click.Path(exists=True, path_type=Path), default=MODEL)
@click.option("--card", "card_path", type=click.Path(path_type=Path), help="Write the card there.")
def main(ud: Path, model: Path, card_path: Path | None) -> None:
    """Print the scores of a model as JSON; shares are fractions of 1."""
    parser = EmbeddedParser(model)
    measured = scores(parser, ud)
    if card_path is not None:
        card_path.write_text(card(parser, measured) + "\n", encoding="utf-8")
    print(json.dumps(measured, indent=2))


if __name__ == "__main__":
    main()
