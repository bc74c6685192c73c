"""Build, annotate, clean, aggregate, analyse and evaluate datasets of plausibility judgements.

Every command is a function here, with the same options as keywords:

    import plausibly as pb

    ratings = pb.read_ratings("answers.csv")
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
    "build": "plausibly.verbs.build",
    "check": "plausibly.verbs.check",
    "clean": "plausibly.verbs.clean",
    "compare": "plausibly.verbs.compare",
    "evaluate": "plausibly.verbs.evaluate",
    "experts": "plausibly.verbs.experts",
    "export": "plausibly.verbs.export",
    "export_r": "plausibly.verbs.ordinal",
    "extract": "plausibly.verbs.extract",
    "generate": "plausibly.verbs.generate",
    "import_ratings": "plausibly.verbs.ratings",
    "label": "plausibly.verbs.label",
    "load": "plausibly.verbs.load",
    "make_release": "plausibly.verbs.release",
    "merge_counts": "plausibly.verbs.counts",
    "models_audit": "plausibly.verbs.models_audit",
    "models_fit": "plausibly.verbs.models_fit",
    "models_fit_events": "plausibly.verbs.models_fit_events",
    "models_get": "plausibly.verbs.models_get",
    "models_list": "plausibly.verbs.models_list",
    "models_predict": "plausibly.verbs.models_predict",
    "PlausiblyError": "plausibly.errors",
    "ordinal": "plausibly.verbs.ordinal",
    "overlap": "plausibly.verbs.overlap",
    "promote": "plausibly.verbs.promote",
    "read_ratings": "plausibly.ratings.sources",
    "rehearse": "plausibly.web.rehearsal",
    "replicate": "plausibly.replications",
    "report": "plausibly.verbs.report",
    "score_candidates": "plausibly.verbs.score_candidates",
    "score_gita": "plausibly.verbs.score_gita",
    "score_gita_trip": "plausibly.verbs.score_gita_trip",
    "score_winograd": "plausibly.verbs.score_winograd",
    "start": "plausibly.study.folder",
    "Study": "plausibly.study.folder",
    "write_ratings": "plausibly.verbs.ratings",
}

__all__ = [
    "PlausiblyError",
    "Study",
    "agree",
    "analyse",
    "ask",
    "build",
    "check",
    "clean",
    "compare",
    "evaluate",
    "experts",
    "export",
    "export_r",
    "extract",
    "generate",
    "import_ratings",
    "label",
    "load",
    "make_release",
    "merge_counts",
    "models_audit",
    "models_fit",
    "models_fit_events",
    "models_get",
    "models_list",
    "models_predict",
    "ordinal",
    "overlap",
    "promote",
    "read_ratings",
    "rehearse",
    "replicate",
    "report",
    "score_candidates",
    "score_gita",
    "score_gita_trip",
    "score_winograd",
    "start",
    "write_ratings",
]

if TYPE_CHECKING:
    from plausibly.errors import PlausiblyError
    from plausibly.ratings.sources import read_ratings
    from plausibly.replications import replicate
    from plausibly.replications.analysis import analyse
    from plausibly.study.folder import Study, start
    from plausibly.verbs.agree import agree
    from plausibly.verbs.ask import ask
    from plausibly.verbs.build import build
    from plausibly.verbs.check import check
    from plausibly.verbs.clean import clean
    from plausibly.verbs.compare import compare
    from plausibly.verbs.counts import merge_counts
    from plausibly.verbs.evaluate import evaluate
    from plausibly.verbs.experts import experts
    from plausibly.verbs.export import export
    from plausibly.verbs.extract import extract
    from plausibly.verbs.generate import generate
    from plausibly.verbs.label import label
    from plausibly.verbs.load import load
    from plausibly.verbs.models_audit import models_audit
    from plausibly.verbs.models_fit import models_fit
    from plausibly.verbs.models_fit_events import models_fit_events
    from plausibly.verbs.models_get import models_get
    from plausibly.verbs.models_list import models_list
    from plausibly.verbs.models_predict import models_predict
    from plausibly.verbs.ordinal import export_r, ordinal
    from plausibly.verbs.overlap import overlap
    from plausibly.verbs.promote import promote
    from plausibly.verbs.ratings import import_ratings, write_ratings
    from plausibly.verbs.release import make_release
    from plausibly.verbs.report import report
    from plausibly.verbs.score_candidates import score_candidates
    from plausibly.verbs.score_gita import score_gita
    from plausibly.verbs.score_gita_trip import score_gita_trip
    from plausibly.verbs.score_winograd import score_winograd
    from plausibly.web.rehearsal import rehearse


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'plausibly' has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
