"""From counts, lexica and stories to items: one function for every protocol."""

from __future__ import annotations

from typing import Any

from plausibly.errors import StudyError, option
from plausibly.ports import SILENCE, Watch
from plausibly.registry import Registry
from plausibly.study.parameters import accepted, argument_docs
from plausibly.study.verb import Verb

BUILDERS: Registry[Verb[..., Any]] = Registry(
    "protocol",
    {
        "adept": "plausibly.verbs.build.adept:build_adept",
        "custom": "plausibly.verbs.build.custom:build_custom",
        "gita": "plausibly.verbs.build.gita:build_gita",
        "iks": "plausibly.verbs.build.iks:build_iks",
        "match": "plausibly.verbs.build.match:build_match",
        "pap": "plausibly.verbs.build.pap:build_pap",
        "sp10k": "plausibly.verbs.build.sp10k:build_sp10k",
    },
)


def build(protocol: str, *, watch: Watch = SILENCE, **options: Any) -> Any:
    """Build the items of a protocol; what did not become an item is in the ledger, with a reason.

    Args:
        protocol: adept, custom, gita, iks, match, pap or sp10k.
        watch: Receives the progress of a long build.
        options: What its builder takes, named like the options of `plausibly build PROTOCOL`.

    Returns:
        An `ItemSet`: `.items`, `.ledger`, further tables by name, `.as_json()`, `.write(folder)`.

    >>> import polars as pl
    >>> nouns = pl.DataFrame({"noun": ["owl", "hour"]})
    >>> templates = [{"text": "It is {noun}."}]
    >>> build("custom", table=nouns, templates=templates).items["text"].to_list()
    ['It is owl.', 'It is hour.']
    """
    builder = BUILDERS[protocol]
    known = builder.declaration.signature.parameters.items()
    first = [name for name, one in known if one.kind is one.POSITIONAL_OR_KEYWORD]
    for name in first:
        if name not in options:
            what = f"{protocol} needs {option(name)}: {argument_docs(builder)[name]}"
            raise StudyError(what, parameter=name)
    rest = {name: value for name, value in options.items() if name not in first}
    chosen = accepted(rest, of=BUILDERS, name=protocol, supplied={"watch": watch})
    return builder(**{name: options[name] for name in first}, **chosen)
