"""Start a study folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from plausibly.errors import StudyError, option
from plausibly.io import make_folder, write_text
from plausibly.study.arguments import checked
from plausibly.study.folder import Study, folder_named, outline_named
from plausibly.study.protocol_folder import toml_files
from plausibly.study.settings import FILE, write_settings


@checked
def init(
    protocol: str, folder: str | Path, *, example: bool = False, seed: int | None = None
) -> Study:
    """Start a study folder: a study.toml with every parameter it may set.

    Args:
        protocol: Name of the protocol, the path of a folder with its TOML files, or
            `package.module:NAME`. A path has a `/`; a folder, and what an installed package names,
            is copied to `protocol/` in the study.
        folder: The folder to start, made if it is not there.
        example: Fill it with an example: items and their ratings.
        seed: Seed of the study (default: the protocol's).

    Examples:
        plausibly init pap my-study --example
        plausibly init ./my-protocol my-study

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     [state.step for state in init("custom", Path(place, "otters")).status()][:2]
    ['ratings', 'clean']
    """
    source = folder_named(protocol)
    named = protocol if source is None else f"{source}/"
    declared = outline_named(named)
    declared = declared if seed is None else replace(declared, seed=seed)
    target = Path(folder)
    if seed is not None and seed < 0:
        raise StudyError(f"{option('seed')} must be 0 or more; got {seed}.", parameter="seed")
    if (target / FILE).exists():
        raise StudyError(f"{target}: a study is there already. Choose another folder.")
    if example and declared.example is None:
        what = f"protocol {protocol!r} has no example yet. Omit {option('example')}."
        raise StudyError(what, parameter="example")
    if declared.check is not None:
        declared.check(declared, declared.declared(), protocol)
    make_folder(target)
    if source is not None:
        _copy(source, target / declared.folder)
    fill = declared.example if example else None
    overrides = fill(declared, target, declared.seed) if fill else {}
    if example:  # an example can be tried by anyone, in a browser and by a program
        server = {**overrides.get("server", {}), "api": True, "door": "open"}
        overrides = {**overrides, "server": server}
    write_settings(target, declared, name=target.resolve().name, overrides=overrides)
    return Study(target)


def _copy(source: Path, target: Path) -> None:
    """Copy the files of a protocol into the study, so that the study can be passed on."""
    if source.resolve() == target.resolve():
        return
    for name in toml_files(source):
        make_folder((target / name).parent)
        write_text(target / name, (source / name).read_text(encoding="utf-8"))
