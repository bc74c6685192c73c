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
from typing import Any

__version__ = "0.1.0"

# From each public name to the module that defines it; types are in __init__.pyi.
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
    "export_inspect": "plausibly.verbs.ask",
    "export_lm_eval": "plausibly.verbs.ask",
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

__all__ = list(_PLACES)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'plausibly' has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
