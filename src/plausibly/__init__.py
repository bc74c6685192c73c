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
    "analyse": "plausibly.verbs.analyse",
    "ask": "plausibly.verbs.ask",
    "audit": "plausibly.verbs.audit",
    "backup": "plausibly.web.backup",
    "browse": "plausibly.verbs.browse",
    "build": "plausibly.verbs.build",
    "build_adept": "plausibly.verbs.build.adept",
    "build_checks": "plausibly.verbs.build.checks",
    "build_custom": "plausibly.verbs.build.custom",
    "build_gita": "plausibly.verbs.build.gita",
    "build_iks": "plausibly.verbs.build.iks",
    "build_match": "plausibly.verbs.build.match",
    "build_pap": "plausibly.verbs.build.pap",
    "build_sp10k": "plausibly.verbs.build.sp10k",
    "check_adept": "plausibly.verbs.check",
    "check_balance": "plausibly.verbs.check",
    "check_gita": "plausibly.verbs.check",
    "check_leaks": "plausibly.verbs.check",
    "check_protocol": "plausibly.web.check_protocol",
    "clean": "plausibly.verbs.clean",
    "compare": "plausibly.verbs.compare",
    "counts_merge": "plausibly.verbs.counts_merge",
    "data_get": "plausibly.verbs.data",
    "data_list": "plausibly.verbs.data",
    "data_verify": "plausibly.verbs.data",
    "demo": "plausibly.replications.demo",
    "describe": "plausibly.verbs.describe",
    "describe_frequency": "plausibly.verbs.describe_frequency",
    "describe_pairs": "plausibly.verbs.describe_pairs",
    "doctor": "plausibly.verbs.doctor",
    "ethics": "plausibly.web.ethics",
    "evaluate": "plausibly.verbs.evaluate",
    "experts_codes": "plausibly.verbs.experts_coding",
    "experts_compare": "plausibly.verbs.experts",
    "experts_confident": "plausibly.verbs.experts",
    "experts_decide": "plausibly.verbs.experts",
    "experts_sample": "plausibly.verbs.experts",
    "experts_sheet": "plausibly.verbs.experts_coding",
    "experts_subset": "plausibly.verbs.experts",
    "export_inspect": "plausibly.verbs.export",
    "export_lm_eval": "plausibly.verbs.export",
    "export_r": "plausibly.verbs.analyse",
    "extract": "plausibly.verbs.extract",
    "generate": "plausibly.verbs.generate",
    "init": "plausibly.verbs.init",
    "join": "plausibly.verbs.join",
    "label": "plausibly.verbs.label",
    "load": "plausibly.verbs.load",
    "models_audit": "plausibly.verbs.models.audit",
    "models_fit": "plausibly.verbs.models.fit",
    "models_fit_events": "plausibly.verbs.models.fit_events",
    "models_get": "plausibly.verbs.models.get",
    "models_list": "plausibly.verbs.models.list",
    "models_predict": "plausibly.verbs.models.predict",
    "models_tune": "plausibly.verbs.models.tune",
    "people_admit": "plausibly.web.people",
    "people_close": "plausibly.web.people",
    "people_desk": "plausibly.web.people",
    "people_erase": "plausibly.web.people",
    "people_exclude": "plausibly.web.people",
    "people_list": "plausibly.web.people",
    "people_objections": "plausibly.web.people",
    "people_pause": "plausibly.web.people",
    "people_pay": "plausibly.web.people",
    "people_reopen": "plausibly.web.people",
    "people_restore": "plausibly.web.people",
    "people_withdraw": "plausibly.web.people",
    "PlausiblyError": "plausibly.errors",
    "prolific_approve": "plausibly.web.people.prolific",
    "prolific_bonus": "plausibly.web.people.prolific",
    "prolific_draft": "plausibly.web.people.prolific",
    "prolific_publish": "plausibly.web.people.prolific",
    "prolific_sync": "plausibly.web.people.prolific",
    "read": "plausibly.verbs.read",
    "rehearse": "plausibly.web.rehearsal",
    "release": "plausibly.verbs.release",
    "replicate": "plausibly.replications",
    "report": "plausibly.verbs.report",
    "restore": "plausibly.web.restore",
    "run": "plausibly.verbs.run",
    "score_candidates": "plausibly.verbs.score_candidates",
    "score_gita": "plausibly.verbs.score_gita",
    "score_gita_trip": "plausibly.verbs.score_gita_trip",
    "score_iks": "plausibly.verbs.score_iks",
    "score_overlap": "plausibly.verbs.score_overlap",
    "score_pseudo": "plausibly.verbs.models.pseudo",
    "score_winograd": "plausibly.verbs.score_winograd",
    "serve": "plausibly.web.serve",
    "status": "plausibly.verbs.status",
    "surprisal": "plausibly.verbs.surprisal",
    "Study": "plausibly.study.folder",
    "write": "plausibly.verbs.write",
}

__all__ = [
    "PlausiblyError",
    "Study",
    "agree",
    "analyse",
    "ask",
    "audit",
    "backup",
    "browse",
    "build",
    "build_adept",
    "build_checks",
    "build_custom",
    "build_gita",
    "build_iks",
    "build_match",
    "build_pap",
    "build_sp10k",
    "check_adept",
    "check_balance",
    "check_gita",
    "check_leaks",
    "check_protocol",
    "clean",
    "compare",
    "counts_merge",
    "data_get",
    "data_list",
    "data_verify",
    "demo",
    "describe",
    "describe_frequency",
    "describe_pairs",
    "doctor",
    "ethics",
    "evaluate",
    "experts_codes",
    "experts_compare",
    "experts_confident",
    "experts_decide",
    "experts_sample",
    "experts_sheet",
    "experts_subset",
    "export_inspect",
    "export_lm_eval",
    "export_r",
    "extract",
    "generate",
    "init",
    "join",
    "label",
    "load",
    "models_audit",
    "models_fit",
    "models_fit_events",
    "models_get",
    "models_list",
    "models_predict",
    "models_tune",
    "people_admit",
    "people_close",
    "people_desk",
    "people_erase",
    "people_exclude",
    "people_list",
    "people_objections",
    "people_pause",
    "people_pay",
    "people_reopen",
    "people_restore",
    "people_withdraw",
    "prolific_approve",
    "prolific_bonus",
    "prolific_draft",
    "prolific_publish",
    "prolific_sync",
    "read",
    "rehearse",
    "release",
    "replicate",
    "report",
    "restore",
    "run",
    "score_candidates",
    "score_gita",
    "score_gita_trip",
    "score_iks",
    "score_overlap",
    "score_pseudo",
    "score_winograd",
    "serve",
    "status",
    "surprisal",
    "write",
]

if TYPE_CHECKING:
    from plausibly.errors import PlausiblyError
    from plausibly.replications import replicate
    from plausibly.replications.demo import demo
    from plausibly.study.folder import Study
    from plausibly.verbs.agree import agree
    from plausibly.verbs.analyse import analyse, export_r
    from plausibly.verbs.ask import ask
    from plausibly.verbs.audit import audit
    from plausibly.verbs.browse import browse
    from plausibly.verbs.build import build
    from plausibly.verbs.build.adept import build_adept
    from plausibly.verbs.build.checks import build_checks
    from plausibly.verbs.build.custom import build_custom
    from plausibly.verbs.build.gita import build_gita
    from plausibly.verbs.build.iks import build_iks
    from plausibly.verbs.build.match import build_match
    from plausibly.verbs.build.pap import build_pap
    from plausibly.verbs.build.sp10k import build_sp10k
    from plausibly.verbs.check import check_adept, check_balance, check_gita, check_leaks
    from plausibly.verbs.clean import clean
    from plausibly.verbs.compare import compare
    from plausibly.verbs.counts_merge import counts_merge
    from plausibly.verbs.data import data_get, data_list, data_verify
    from plausibly.verbs.describe import describe
    from plausibly.verbs.describe_frequency import describe_frequency
    from plausibly.verbs.describe_pairs import describe_pairs
    from plausibly.verbs.doctor import doctor
    from plausibly.verbs.evaluate import evaluate
    from plausibly.verbs.experts import (
        experts_compare,
        experts_confident,
        experts_decide,
        experts_sample,
        experts_subset,
    )
    from plausibly.verbs.experts_coding import experts_codes, experts_sheet
    from plausibly.verbs.export import export_inspect, export_lm_eval
    from plausibly.verbs.extract import extract
    from plausibly.verbs.generate import generate
    from plausibly.verbs.init import init
    from plausibly.verbs.join import join
    from plausibly.verbs.label import label
    from plausibly.verbs.load import load
    from plausibly.verbs.models.audit import models_audit
    from plausibly.verbs.models.fit import models_fit
    from plausibly.verbs.models.fit_events import models_fit_events
    from plausibly.verbs.models.get import models_get
    from plausibly.verbs.models.list import models_list
    from plausibly.verbs.models.predict import models_predict
    from plausibly.verbs.models.pseudo import score_pseudo
    from plausibly.verbs.models.tune import models_tune
    from plausibly.verbs.read import read
    from plausibly.verbs.release import release
    from plausibly.verbs.report import report
    from plausibly.verbs.run import run
    from plausibly.verbs.score_candidates import score_candidates
    from plausibly.verbs.score_gita import score_gita
    from plausibly.verbs.score_gita_trip import score_gita_trip
    from plausibly.verbs.score_iks import score_iks
    from plausibly.verbs.score_overlap import score_overlap
    from plausibly.verbs.score_winograd import score_winograd
    from plausibly.verbs.status import status
    from plausibly.verbs.surprisal import surprisal
    from plausibly.verbs.write import write
    from plausibly.web.backup import backup
    from plausibly.web.check_protocol import check_protocol
    from plausibly.web.ethics import ethics
    from plausibly.web.people import (
        people_admit,
        people_close,
        people_desk,
        people_erase,
        people_exclude,
        people_list,
        people_objections,
        people_pause,
        people_pay,
        people_reopen,
        people_restore,
        people_withdraw,
    )
    from plausibly.web.people.prolific import (
        prolific_approve,
        prolific_bonus,
        prolific_draft,
        prolific_publish,
        prolific_sync,
    )
    from plausibly.web.rehearsal.rehearse import rehearse
    from plausibly.web.restore import restore
    from plausibly.web.serve import serve


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'plausibly' has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
