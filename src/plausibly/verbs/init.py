"""Start a study folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.io import make_folder
from plausibly.study.folder import PROTOCOLS, Study
from plausibly.study.settings import FILE, write_settings


def init(
    protocol: str, folder: str | Path, *, example: bool = False, seed: int | None = None
) -> Study:
    """Start a study folder: a study.toml with every parameter it may set.

    Args:
        protocol: Name of the protocol.
        folder: The folder to start, made if it is not there.
        example: Fill it with an example: items and their ratings.
        seed: Seed of the study (default: the protocol's).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     [state.step for state in init("custom", Path(place, "otters")).status()][:2]
    ['ratings', 'clean']
    """
    declared = PROTOCOLS[protocol]
    declared = declared if seed is None else replace(declared, seed=seed)
    target = Path(folder)
    if seed is not None and seed < 0:
        raise StudyError(f"seed must be 0 or more; got {seed}.")
    if (target / FILE).exists():
        raise StudyError(f"{target}: a study is there already. Choose another folder.")
    if example and declared.example is None:
        raise StudyError(f"protocol {protocol!r} has no example yet. Leave --example away.")
    make_folder(target)
    overrides = declared.example(target, declared.seed) if example and declared.example else {}
    if example:  # an example can be tried by anyone, in a browser and by a program
        server = {**overrides.get("server", {}), "api": True, "door": "open"}
        overrides = {**overrides, "server": server}
    write_settings(target, declared, name=target.resolve().name, overrides=overrides)
    return Study(target)
