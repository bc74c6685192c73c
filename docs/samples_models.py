"""Write the files that the page on evaluating models reads; all of them are invented."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import polars as pl

import plausibly as pb
from worlds.pair_counts import ADJECTIVES, NOUNS, VERBS, counts
from worlds.trees import DOG, GIRL, conllu

EVENTS = (
    *("otter,eat,fish,1", "baker,slice,bread,1", "poet,write,book,1", "cat,see,boat,1"),
    *("child,paint,door,1", "girl,carry,lamp,1", "dog,chase,cat,1", "man,build,house,1"),
    *("woman,drink,tea,1", "horse,pull,cart,1", "ladder,eat,fish,0", "bread,slice,baker,0"),
    *("lamp,write,book,0", "door,see,cat,0", "egg,paint,child,0", "tea,drink,woman,0"),
)
PLACES = ("garden", "river", "house", "ladder", "horse", "kitchen")
SCHEMA = """<collection><schema><text><txt1>The cat saw the fan because </txt1><pron>it</pron>
<txt2> was big.</txt2></text><answers><answer>The cat</answer><answer>the fan</answer></answers>
<correctAnswer> A. </correctAnswer></schema></collection>"""
LOOKUPS = """question_id\thead_a\trole_a\thead_b\trole_b\tadjective\tanswer
1\tsee\tnsubj\tsee\tdobj\tbig\tA
2\teat\tnsubj\teat\tdobj\tfresh\tB
"""
EARLIER = {
    "mcrae.csv": "Verb,Noun,Agent,Patient\neat,otter,6.5,2.0\neat,bun,1.0,6.8\n",
    "pado.tsv": "verb\trole\tnoun\trating\neat\tARG0\totter\t6.5\neat\tARG1\tbun\t6.8\n",
}


def write_all(folder: Path) -> None:
    """Write pairs in ADEPT's form with predictions, events, counts, rated pairs and questions."""
    pairs = adept_pairs(folder / "val.json", ("old", "fake", "young"))
    adept_pairs(folder / "train.json", ("old", "small", "broken"), start=100)
    for name, model in (("predictions", "adept-lite"), ("a", "adept-lite"), ("b", "normative")):
        predicted = pb.models_predict(model, folder / "val.json")
        predicted.predictions.write_parquet(folder / f"{name}.parquet")
    rows = ["item,annotator,question,answer", *(f"{one['idx']},ann,change,2" for one in pairs)]
    (folder / "one-person.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    events = "\n".join(["subject,verb,object,label", *EVENTS, ""])
    (folder / "events.csv").write_text(events, encoding="utf-8")
    unlabelled = "subject,verb,object\ncat,see,boat\n"
    (folder / "other-events.csv").write_text(unlabelled, encoding="utf-8")
    corpora(folder)
    rated(folder)
    for name, text in {"wsc285.xml": SCHEMA, "question_lookups.tsv": LOOKUPS, **EARLIER}.items():
        (folder / name).write_text(text, encoding="utf-8")
    pb.init("adept", folder / "study", example=True).run(to="agree")


def adept_pairs(path: Path, modifiers: Sequence[str], start: int = 0) -> list[dict[str, object]]:
    """Write pairs of sentences in the form of ADEPT's release, and return them."""
    made = [
        {
            "sentence1": f"A {noun} is useful.",
            "sentence2": f"{'An' if modifier == 'old' else 'A'} {modifier} {noun} is useful.",
            "modifier": modifier,
            "noun": noun,
            "label": number % 5,
            "idx": start + number,
        }
        for number, (noun, modifier) in enumerate(product(PLACES, modifiers))
    ]
    path.write_text(json.dumps(made), encoding="utf-8")
    return made


def corpora(folder: Path) -> None:
    """Write three folders of counts, in which pairs of a few words are missing here and there."""
    trees = folder / "trees"
    trees.mkdir()
    (trees / "one.conllu").write_bytes(conllu(DOG, GIRL))
    for part, name in enumerate(("counts", "wikipedia", "news")):
        pb.extract([trees], output=folder / name, workers=1)
        seen = counts().with_row_index().filter(pl.col("index") % 3 != part).drop("index")
        seen.write_parquet(folder / name / "counts.parquet")


def rated(folder: Path) -> None:
    """Write pairs with scores, in one file and as SP-10K is released, and assertions."""
    place = folder / "sp10k"
    place.mkdir()
    rows = {
        "dobj": list(product(VERBS, NOUNS)),
        "nsubj": list(product(VERBS, NOUNS)),
        "amod": list(product(NOUNS, ADJECTIVES)),
        "dobj_amod": list(product(VERBS, ADJECTIVES)),
        "nsubj_amod": list(product(VERBS, ADJECTIVES)),
    }
    table = [
        (relation, head, dependent, float((7 * n) % 10))
        for relation, pairs in rows.items()
        for n, (head, dependent) in enumerate(pairs)
    ]
    names = ["relation", "head", "dependent", "score"]
    pairs = pl.DataFrame(table, schema=names, orient="row")
    pairs.write_csv(folder / "pairs.tsv", separator="\t")
    for relation in rows:
        own = pairs.filter(pl.col("relation") == relation).drop("relation")
        own.write_csv(place / f"{relation}.tsv", separator="\t", include_header=False)
    facts = json.dumps({"dataset": "/d/conceptnet/4/en", "weight": 1.0})
    edge = "\t".join(
        [
            "/a/[/r/UsedFor/,/c/en/apple/,/c/en/eat/]",
            "/r/UsedFor",
            "/c/en/apple",
            "/c/en/eat",
            facts,
        ]
    )
    with gzip.open(folder / "assertions.csv.gz", "wt", encoding="utf-8") as stream:
        stream.write(f"{edge}\n")
