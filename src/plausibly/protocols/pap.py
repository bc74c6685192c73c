"""PAP: physical and abstract plausibility of events (Eichel and Schulte im Walde, 2023)."""

from __future__ import annotations

from plausibly.datasets.pap import MIN_SHARE, SIDE_NAMES, SIDES
from plausibly.ratings.collection import COLLECTION, check_collection
from plausibly.ratings.example import write_example
from plausibly.study import Protocol
from plausibly.verbs import (
    agree,
    ask,
    clean,
    compare,
    evaluate,
    extract,
    label,
)
from plausibly.verbs.build.match import build_match
from plausibly.verbs.build.pap import build_pap
from plausibly.verbs.models.predict import models_predict
from plausibly.verbs.read import read
from plausibly.verbs.report import report

KEPT = {"ratings": clean.KEPT_RATINGS}

PAP = Protocol(
    "pap",
    seed=1,
    steps=(
        extract.extract.step(),
        build_pap.step(source="Section 3: 40 triples of each combination, attested and perturbed"),
        build_match.step(),
        read.step(source="Section 4.1: ten ratings a triple, batches of 24 and one check"),
        clean.clean.step(
            preset="pap", source="Appendix B.3, Table 3: the rules in the order of its rows"
        ),
        label.label.step(
            method="strict-majority",
            scheme="pap-binary",
            min_share=MIN_SHARE,
            at_least=2,
            files=KEPT,
            source="Section 5.2: at least 70 % of all ratings of a triple",
        ),
        agree.agree.step(sides=SIDES, files=KEPT, source="Appendix B.3: soft pairwise Jaccard"),
        ask.step("pap"),
        evaluate.RATINGS_STEP.step(files=KEPT),
        models_predict.step(),
        evaluate.STEP.step(scheme="pap-binary", files=KEPT),
        compare.STEP.step(files=KEPT),
        report.step(label_names=SIDE_NAMES),
    ),
    sections=COLLECTION["pap"],
    check=check_collection,
    example=write_example,
)
