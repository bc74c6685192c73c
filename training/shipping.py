"""A trained pipeline made ready to ship: small, without paths, with lemmas, card and licence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.util import load_config
from training.lemma_table import lemma_table
from training.tokenisation import follow_treebank
from training.treebank import read_trees

NAME = "plausibly_ewt"
VERSION = "1.2.0"
DESCRIPTION = (
    "English tagger and dependency parser trained on UD English EWT and on Wikipedia as larger "
    "parsers trained on EWT read it"
)
CONFIG = Path(__file__).parent / "config.cfg"
LICENCE = Path(__file__).parent / "LICENSE-MODEL.md"


def package(trained: Path, ud: Path, out: Path) -> None:
    """Write a shipped model to `out` from a pipeline that training left behind.

    The tokeniser follows the treebank, the lemma table comes from its training part, and only
    strings that labels need are kept.
    """
    nlp = spacy.load(trained)
    follow_treebank(nlp)
    _forget_training(nlp)
    shutil.rmtree(out, ignore_errors=True)
    nlp.to_disk(out)
    _write_json(out / "vocab" / "strings.json", sorted(_label_strings(nlp)))
    _write_json(out / "lemmas.json", lemma_table(read_trees(ud / "en_ewt-ud-train.conllu.gz")))
    shutil.copy(LICENCE, out / "LICENSE.md")


def _forget_training(nlp: Language) -> None:
    nlp.config["paths"] = dict.fromkeys(nlp.config["paths"])
    nlp.config["corpora"] = {}
    nlp.config["training"] = load_config(CONFIG)["training"]
    nlp.config["system"]["seed"] = 1
    nlp.config["initialize"]["vectors"] = None
    nlp.meta.update(
        name=NAME,
        version=VERSION,
        description=DESCRIPTION,
        author="The plausibly developers",
        license="CC BY-SA 4.0",
        email="",
        url="",
        sources=[
            {"name": "UD English EWT", "license": "CC BY-SA 4.0"},
            {"name": "English Wikipedia, text", "license": "CC BY-SA 4.0"},
            {"name": "GloVe 6B, 50 dimensions", "license": "PDDL 1.0"},
        ],
        performance={},
    )


def _label_strings(nlp: Language) -> set[str]:
    """Return every string that labels are made of; words are added as texts are read."""
    pipes: list[Any] = [pipe for _, pipe in nlp.pipeline]
    labels = {label for pipe in pipes for label in pipe.labels}
    features = {part for label in labels for part in label.split("|")}
    return labels | features | {side for part in features for side in part.split("=")}


def _write_json(path: Path, content: object) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=0, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")
