"""Write the files that the blocks of a how-to page read, so that each block runs as printed.

PYTHONPATH=tests python docs/make_samples.py clean-ratings FOLDER; all files are invented.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
from samples_models import write_all

import plausibly as pb
from plausibly.datasets.gita import CONFLICT, STATE, STORY
from plausibly.web.study import read_study
from worlds.gita import chain, stories, write
from worlds.pap import write_norms, write_release
from worlds.served import items_of, store_of, study_folder, works_through
from worlds.trees import DOG, GIRL, conllu

WORDS = ("otter", "baker", "child", "engine", "river", "lamp", "poet", "goat")
SHEET = """item,annotator,candidate,system,relation,Grammaticality,Coherence,Content A,Content B,\
Content C,Content D,Comparison A,Comparison B,Comparison C
one,anna,i,gpt,support,YES,YES,YES,YES,YES,i;ii,YES,GS,i
one,anna,ii,bart,support,YES,PARTLY,,YES,NEUTRAL,,NO,RS,
one,ben,i,gpt,support,ALMOST,YES,YES,YES,YES,i,YES,BOTH,i
one,ben,ii,bart,support,NO,-,,-,-,,-,-,
"""
TRIP = {"story_label": 1, "story_pred": 1, "conflict_label": [1], "conflict_pred": [1]} | {
    "preconditions_label": {"cup": {"1": {"power": 1}}},
    **{key: {} for key in ("preconditions_pred", "effects_label", "effects_pred")},
}
ARTICLE = """<nitf><head/><body><body.content><block class="full_text">
<p>A firm sold a plant.</p></block></body.content></body></nitf>"""
Study = Callable[[], Path]


def texts(folder: Path, files: Mapping[str, str]) -> None:
    """Write small files by name."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def items(size: int = 96) -> pl.DataFrame:
    """Return sentences in pairs, one of each condition, in two languages."""
    return pl.DataFrame(
        {
            "item": [f"t{n:02}" for n in range(size)],
            "text": [f"The {WORDS[n // 2 % 8]} finds number {n}." for n in range(size)],
            "condition": ["usual" if n % 2 else "odd" for n in range(size)],
            "language": ["en" if n // 2 % 2 else "it" for n in range(size)],
            "relation": ["dobj" if n // 4 % 2 else "amod" for n in range(size)],
            "item_group": [f"g{n // 2:02}" for n in range(size)],
        }
    )


def ratings(rated: int = 48, *, yes: bool = False) -> pl.DataFrame:
    """Return five answers to each item, from 1 to 5 or yes and no; usual ones are higher."""
    draw = np.random.default_rng(1)
    rows = []
    for n in range(rated):
        for person in sorted(draw.permutation(12)[:5]):
            value = min(5, max(1, 2 + 2 * (n % 2) + int(draw.choice((-1, 0, 0, 1)))))
            answer = ("yes" if value > 3 else "no") if yes else str(value)
            row = {"item": f"t{n:02}", "annotator": f"p{person}", "question": "plausible"}
            rows.append({**row, "answer": answer})
    return pl.DataFrame(rows)


def predictions(size: int = 96, *, yes: bool = False) -> pl.DataFrame:
    """Return what an invented model says about every item, rated or not."""
    draw = np.random.default_rng(2)
    scores = [2 + 2 * (n % 2) + draw.random() for n in range(size)]
    table = pl.DataFrame({"item": [f"t{n:02}" for n in range(size)], "question": "plausible"})
    table = table.with_columns(model=pl.lit("mine"), score=pl.Series(scores) / (5 if yes else 1))
    label = [("yes" if one > 3.4 else "no") if yes else str(round(one)) for one in scores]
    return table.with_columns(label=pl.Series(label))


def csv_files(folder: Path, *, yes: bool = False) -> None:
    """Write ratings, items and predictions as CSV."""
    ratings(yes=yes).write_csv(folder / "ratings.csv")
    items().write_csv(folder / "items.csv")
    predictions(yes=yes).write_csv(folder / "predictions.csv")


def tables_of(study: Path, folder: Path) -> None:
    """Copy the tables of a finished study."""
    for name in ("ratings", "items", "annotators", "labels"):
        shutil.copyfile(study / f"{name}.parquet", folder / f"{name}.parquet")


def study_and_release(study: Path, folder: Path) -> None:
    """Write a finished study, its release, a file of ratings, and a set in PAP's form."""
    shutil.copytree(study, folder / "my-study")
    pb.release(study).write(folder / "my-release")
    published(folder / "data")
    csv_files(folder)


def published(folder: Path) -> None:
    """Write a few invented events in the form of PAP's release."""
    write_release(folder)
    write_norms(folder)


def for_analysing(folder: Path, study: Study) -> None:
    """Write a study and files."""
    shutil.copytree(study(), folder / "my-study")
    csv_files(folder)


def for_asking(folder: Path, study: Study) -> None:
    """Write a study, ratings by people, and what two models answered."""
    shutil.copytree(study(), folder / "my-study")
    table = ratings()
    table.write_parquet(folder / "ratings.parquet")
    (folder / "answers").mkdir()
    predictions().write_parquet(folder / "answers" / "predictions.parquet")
    for name, right in (("base-answers", [0]), ("instruct-answers", [0, 1])):
        (folder / name).mkdir()
        write(folder / name, chain(stories(4), {STORY: right, CONFLICT: right, STATE: [2]}))


def for_building(folder: Path, study: Study) -> None:
    """Write sentences in two conditions, and words for templates."""
    del study
    events = "1,usual,en,The baker slices the bread.\n1,odd,en,The bread slices the baker.\n"
    events += "2,usual,en,The goat eats the grass.\n2,odd,en,The grass eats the goat.\n"
    texts(
        folder,
        {
            "events.csv": f"group,condition,language,text\n{events}",
            "nouns.csv": "owner,verb,noun,group\nengineer,own,horse,usual\nchild,own,hour,odd\n",
            "templates.toml": '[[template]]\nname = "owns"\ncondition = "{group}"\n'
            'text = "{owner:a} {verb:s(owner)} {noun:a}"\n',
        },
    )
    items().drop("language").write_parquet(folder / "items.parquet")


def for_cleaning(folder: Path, study: Study) -> None:
    """Write the tables of a study."""
    tables_of(study(), folder)


def for_counting(folder: Path, study: Study) -> None:
    """Write parsed sentences, reviews, texts, news, and two folders of counts."""
    del study
    reviews = ["The old dog chased a cat.", "A girl read the long book."]
    lines = [json.dumps({"review": text, "text": text}) + "\n" for text in reviews]
    texts(
        folder,
        {
            "treebank/one.conllu": conllu(DOG, GIRL).decode(),
            "reviews.jsonl": "".join(lines),
            "nitf/1.xml": ARTICLE,
        },
    )
    for name, tree in (("wikipedia", DOG), ("corpora/news-2020", GIRL)):
        with TemporaryDirectory() as place:
            texts(Path(place), {"one.conllu": conllu(tree).decode()})
            pb.extract([place], output=folder / name, workers=1)


def for_experts(folder: Path, study: Study) -> None:
    """Write ratings from 0 to 4, their labels, judgements of two experts, and decisions."""
    del study
    table = ratings().with_columns((pl.col("answer").cast(pl.Int64) - 1).cast(pl.String))
    table.write_parquet(folder / "ratings.parquet")
    items(120).write_parquet(folder / "items.parquet")
    pb.label(table, method="plurality").labels.write_parquet(folder / "labels.parquet")
    judged = [
        f"t{n:02},{who},{(n + extra) % 5}"
        for n in range(20)
        for who, extra in (("a", 0), ("b", n % 2))
    ]
    texts(
        folder,
        {
            "judged.csv": "\n".join(["item,annotator,answer", *judged, ""]),
            "decisions.csv": "item,decision,reason\nt01,3,The otter may well find it.\n",
        },
    )


def for_evaluating(folder: Path, study: Study) -> None:
    """Write pairs, events, counts and questions, and a finished study of ADEPT."""
    del study
    write_all(folder)


def for_exploring(folder: Path, study: Study) -> None:
    """Write a study, its release, a published set, and files."""
    study_and_release(study(), folder)


def for_getting(folder: Path, study: Study) -> None:
    """Write a file of labelled sentences."""
    del study
    texts(folder, {"events.csv": "sentence,gold\nAn otter swims.,yes\nA ladder swims.,no\n"})


def for_importing(folder: Path, study: Study) -> None:
    """Write answers, a survey of one row per person, and two finished studies."""
    del study
    ratings().write_csv(folder / "answers.csv")
    rows = ["ResponseId,The otter swims.,The ladder swims.", "r1,5,1", "r2,4,2", "r3,5,1"]
    texts(folder, {"survey.csv": "\n".join([*rows, ""])})
    pb.init("custom", folder / "english", example=True).run(to="clean")
    settings = shutil.copytree(folder / "english", folder / "italian") / "study.toml"
    settings.write_text(settings.read_text("utf-8").replace('"english"', '"italian"'), "utf-8")


def for_labelling(folder: Path, study: Study) -> None:
    """Write answers from 1 to 5, ratings of yes and no, and predictions."""
    del study
    ratings().write_csv(folder / "answers.csv")
    ratings().write_parquet(folder / "ratings.parquet")
    csv_files(folder, yes=True)


def for_nothing(folder: Path, study: Study) -> None:
    """Write nothing: the page makes all it reads."""
    del folder, study


def for_people(folder: Path, study: Study) -> None:
    """Write a study in which two people took part, and an export of their platform."""
    del study
    place = study_folder(folder / "my-study", items_of(6), {})
    served = read_study(place)
    engine = store_of(place, served)
    with engine.begin() as connection:
        for name in ("p1a2b3", "p4c5d6"):
            works_through(connection, name, served)
    engine.dispose()
    rows = ["Submission id,Participant id,Status", "s1,p1a2b3,AWAITING REVIEW"]
    texts(folder, {"export.csv": "\n".join([*rows, "s2,p4c5d6,AWAITING REVIEW", ""])})


def for_replicating(folder: Path, study: Study) -> None:
    """Write a set in PAP's form."""
    del study
    published(folder / "DIR")


def for_scoring(folder: Path, study: Study) -> None:
    """Write scores, outputs of a model about stories, pairs of stories, and a sheet."""
    del study
    (folder / "OUTPUTS").mkdir()
    write(folder / "OUTPUTS", chain(stories(4), {STORY: [0], CONFLICT: [1], STATE: [2]}))
    texts(
        folder,
        {
            "scores.csv": "1,2,1,B,A\n2,2,1,,A\n3,0,0,A,A\n",
            "pairs.jsonl": json.dumps(TRIP) + "\n",
            "sheet.csv": SHEET,
        },
    )


SAMPLES: dict[str, Callable[[Path, Study], None]] = {
    "analyse-answers": for_analysing,
    "ask-models": for_asking,
    "audit-ratings": for_exploring,
    "build-items": for_building,
    "clean-ratings": for_cleaning,
    "count-relations": for_counting,
    "evaluate-models": for_evaluating,
    "expert-pass": for_experts,
    "explore": for_exploring,
    "get-datasets": for_getting,
    "import-ratings": for_importing,
    "label-items": for_labelling,
    "look-after-people": for_people,
    "measure-agreement": for_cleaning,
    "rehearse": for_nothing,
    "release-a-dataset": for_nothing,
    "replicate": for_replicating,
    "score-published-tasks": for_scoring,
}


def finished_study(folder: Path) -> Path:
    """Run the example of PAP in a new folder, and return the folder."""
    study = pb.init("pap", folder, example=True)
    study.run()
    return folder


if __name__ == "__main__":
    page, target = sys.argv[1], Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        SAMPLES[page](target, lambda: finished_study(Path(place) / "my-study"))
