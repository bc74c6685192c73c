"""PAP: physical and abstract plausibility of events (Eichel and Schulte im Walde, 2023)."""

from __future__ import annotations

from importlib.resources import files

from plausibly.datasets import pap
from plausibly.datasets.pap.released import SCHEMES
from plausibly.datasets.pap.released import released as released_files
from plausibly.labels.mace import mace
from plausibly.labels.strict_majority import strict_majority
from plausibly.protocols.pap.exhibits import exhibits
from plausibly.protocols.pap.made_up import write_example
from plausibly.ratings.collection import check_collection
from plausibly.study.protocol import Finished, ReleaseFiles
from plausibly.study.protocol_folder import declared_in
from plausibly.verbs import agree, analyse, ask, clean, compare, describe, evaluate, extract, label
from plausibly.verbs.audit import audit
from plausibly.verbs.browse import browse
from plausibly.verbs.build.checks import build_checks
from plausibly.verbs.build.match import build_match
from plausibly.verbs.build.pap import build_pap
from plausibly.verbs.describe_frequency import describe_frequency
from plausibly.verbs.experts import experts_compare
from plausibly.verbs.experts_coding import experts_codes, experts_sheet
from plausibly.verbs.models.predict import models_predict
from plausibly.verbs.models.tune import models_tune
from plausibly.verbs.read import read
from plausibly.verbs.report import report

KEPT = {"ratings": clean.KEPT_RATINGS}

ALONE = "The data do not show who gave which answer, so MACE's files are left out."


def released(study: Finished) -> tuple[ReleaseFiles, tuple[str, ...]]:
    """Return PAP's files: ratings, and strict majorities and MACE's labels of both schemes."""
    kept = study.ratings
    majorities = {
        kind: strict_majority(kept, min_share=pap.MIN_SHARE, scheme=scheme)
        for kind, scheme in SCHEMES.items()
    }
    if kept["annotator"].n_unique() == kept.height:  # nobody rated twice: nothing to learn
        return released_files(study.items, kept, majorities=majorities), (ALONE,)
    fitted = {
        kind: mace(kept, seed=study.seed, scheme=scheme).labels for kind, scheme in SCHEMES.items()
    }
    return released_files(study.items, kept, majorities=majorities, mace=fitted), ()


PAP = declared_in(
    files(__package__),
    steps=(
        extract.extract.step(),
        build_pap.step(),
        build_match.step(),
        build_checks.step(),
        read.step(),
        clean.clean.step(),
        label.label.step(files=KEPT),
        agree.agree.step(files=KEPT),
        ask.step("pap"),
        evaluate.RATINGS_STEP.step(files=KEPT),
        models_tune.step(),
        models_predict.step(),
        evaluate.STEP.step(scheme="pap-binary", files=KEPT),
        compare.STEP.step(files=KEPT),
        describe.describe.step(files=KEPT),
        describe_frequency.step(files=KEPT),
        analyse.analyse.step(files=KEPT),
        experts_compare.step(),
        experts_sheet.step(files=KEPT),
        experts_codes.step(),
        audit.step(files={"source": clean.KEPT_RATINGS}),
        browse.step(),
        report.step(),
    ),
    check=check_collection,
    example=write_example,
    released=released,
    exhibits=exhibits,
)
