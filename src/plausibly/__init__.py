"""Build, annotate, clean, aggregate, analyse and evaluate datasets of plausibility judgements.

Every command is a function here, with the same options as keywords:

    import plausibly as pb

    ratings = pb.read("answers.csv")
    pb.agree(ratings, sides="1,2|4,5")
    pb.label(ratings, method="mace", seed=1).labels

Tables may be paths, Polars, pandas or Arrow; what comes back is frozen, shows itself in a
notebook, and writes itself with `.write(folder)`. Nothing heavy is loaded before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# From a name of the front door to the place it stands.
_PLACES = {
    "agree": "plausibly.verbs.agree",
    "analyse": "plausibly.replications.analysis",
    "ask": "plausibly.verbs.ask",
    "ask_table": "plausibly.verbs.ask",
    "audit": "plausibly.verbs.audit",
    "beside": "plausibly.verbs.beside",
    "build": "plausibly.verbs.build",
    "check": "plausibly.verbs.check",
    "clean": "plausibly.verbs.clean",
    "compare": "plausibly.verbs.compare",
    "contrast": "plausibly.verbs.contrast",
    "evaluate": "plausibly.verbs.evaluate",
    "experts": "plausibly.verbs.experts",
    "export": "plausibly.verbs.export",
    "export_r": "plausibly.verbs.ordinal",
    "extract": "plausibly.verbs.extract",
    "fit": "plausibly.verbs.fit",
    "fit_events": "plausibly.verbs.fit_events",
    "generate": "plausibly.verbs.generate",
    "get_model": "plausibly.verbs.get_model",
    "init": "plausibly.verbs.init",
    "label": "plausibly.verbs.label",
    "load": "plausibly.verbs.load",
    "merge_counts": "plausibly.verbs.counts",
    "PlausiblyError": "plausibly.errors",
    "ordinal": "plausibly.verbs.ordinal",
    "overlap": "plausibly.verbs.overlap",
    "predict": "plausibly.verbs.predict",
    "promote": "plausibly.verbs.promote",
    "read": "plausibly.verbs.read",
    "rehearse": "plausibly.web.rehearsal",
    "release": "plausibly.verbs.release",
    "replicate": "plausibly.replications",
    "report": "plausibly.verbs.report",
    "run": "plausibly.verbs.run",
    "score": "plausibly.verbs.score",
    "score_candidates": "plausibly.verbs.candidates",
    "solve_winograd": "plausibly.verbs.solve_winograd",
    "status": "plausibly.verbs.status",
    "Study": "plausibly.study.folder",
    "winograd": "plausibly.verbs.winograd",
    "write": "plausibly.verbs.write",
}

__all__ = [
    "PlausiblyError",
    "Study",
    "agree",
    "analyse",
    "ask",
    "ask_table",
    "audit",
    "beside",
    "build",
    "check",
    "clean",
    "compare",
    "contrast",
    "evaluate",
    "experts",
    "export",
    "export_r",
    "extract",
    "fit",
    "fit_events",
    "generate",
    "get_model",
    "init",
    "label",
    "load",
    "merge_counts",
    "ordinal",
    "overlap",
    "predict",
    "promote",
    "read",
    "rehearse",
    "release",
    "replicate",
    "report",
    "run",
    "score",
    "score_candidates",
    "solve_winograd",
    "status",
    "winograd",
    "write",
]

if TYPE_CHECKING:
    from plausibly.errors import PlausiblyError
    from plausibly.replications import replicate
    from plausibly.replications.analysis import analyse
    from plausibly.study.folder import Study
    from plausibly.verbs.agree import agree
    from plausibly.verbs.ask import ask, ask_table
    from plausibly.verbs.audit import audit
    from plausibly.verbs.beside import beside
    from plausibly.verbs.build import build
    from plausibly.verbs.candidates import score_candidates
    from plausibly.verbs.check import check
    from plausibly.verbs.clean import clean
    from plausibly.verbs.compare import compare
    from plausibly.verbs.contrast import contrast
    from plausibly.verbs.counts import merge_counts
    from plausibly.verbs.evaluate import evaluate
    from plausibly.verbs.experts import experts
    from plausibly.verbs.export import export
    from plausibly.verbs.extract import extract
    from plausibly.verbs.fit import fit
    from plausibly.verbs.fit_events import fit_events
    from plausibly.verbs.generate import generate
    from plausibly.verbs.get_model import get_model
    from plausibly.verbs.init import init
    from plausibly.verbs.label import label
    from plausibly.verbs.load import load
    from plausibly.verbs.ordinal import export_r, ordinal
    from plausibly.verbs.overlap import overlap
    from plausibly.verbs.predict import predict
    from plausibly.verbs.promote import promote
    from plausibly.verbs.read import read
    from plausibly.verbs.release import release
    from plausibly.verbs.report import report
    from plausibly.verbs.run import run
    from plausibly.verbs.score import score
    from plausibly.verbs.solve_winograd import solve_winograd
    from plausibly.verbs.status import status
    from plausibly.verbs.winograd import winograd
    from plausibly.verbs.write import write
    from plausibly.web.rehearsal import rehearse


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'plausibly' has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
