"""Reads a study folder for the server."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.ratings.collection import COLLECTION, collection_form, plan_of, server_of
from plausibly.ratings.served import Served, read_contents, read_surveys
from plausibly.study import PROTOCOLS, Protocol, read_head, read_settings
from plausibly.study.settings import FILE


def read_study(folder: Path, protocol: Protocol | None = None) -> Served:
    """Return the study in a folder.

    Args:
        folder: Holds study.toml and items.parquet.
        protocol: The protocol, if it is not the one study.toml names.
    """
    name = read_head(folder)["protocol"]
    study = protocol or PROTOCOLS[name]
    if study.name not in COLLECTION:
        known = ", ".join(sorted(COLLECTION))
        raise StudyError(f"{folder}: no form is known for {study.name!r}. Known: {known}.")
    settings = read_settings(folder, study)
    where = str(folder / FILE)
    form = collection_form(study.name, settings.sections["form"], where=where)
    return Served(
        folder=folder,
        name=settings.name,
        plan=plan_of(settings.sections["ratings"], seed=settings.seed, where=where),
        form=form,
        contents=read_contents(folder / "items.parquet", form),
        server=server_of(settings.sections["server"], where=where),
        surveys=read_surveys(folder / "surveys.parquet"),
    )


@contextmanager
def previewed(served: Served) -> Iterator[Served]:
    """Yield a study whose answers and key lie in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="plausibly-preview-") as folder:
        yield replace(served, folder=Path(folder), preview=True)
