"""Reads a study folder for the server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.ratings.collection import (
    collection_form,
    form_texts,
    plan_of,
    refuse_undecidable,
)
from plausibly.ratings.lists import LISTS, latin_square
from plausibly.ratings.retests import with_retests
from plausibly.ratings.served import Served, read_contents, read_surveys
from plausibly.ratings.server import pages_file, paid_once, server_of
from plausibly.study import Study, read_settings
from plausibly.study.settings import FILE


def read_study(folder: Path) -> Served:
    """Return the study in a folder that holds study.toml and items.parquet."""
    study = Study(folder).protocol
    if "form" not in study.sections:
        raise StudyError(f"{folder}: the protocol {study.name!r} has no form, so nothing is asked.")
    settings = read_settings(folder, study)
    where = str(folder / FILE)
    server = server_of(study, settings.sections, where=where)
    language = server["interface"]
    form = collection_form(study, settings.sections["form"], where=where, language=language)
    items = folder / "items.parquet"
    if not items.is_file():
        raise StudyError(
            f"{items}: no such file. Fill in [build] in {FILE} and run the study, or copy the "
            f"items that plausibly build {study.name} wrote into the folder."
        )
    plan = plan_of(settings.sections["ratings"], seed=settings.seed, where=where)
    plan = paid_once(plan, server)
    contents = read_contents(items, form)
    if plan.lists:
        square = latin_square(contents, batch=plan.batch, seed=plan.seed, where=str(items))
        surveys = read_surveys(folder / LISTS) or square
    else:
        surveys = read_surveys(folder / "surveys.parquet")
    refuse_undecidable(plan, form, surveys=bool(surveys), where=where)
    forms = {
        one: collection_form(
            study,
            settings.sections["form"],
            where=f"{folder / f'form.{one}.toml'}",
            language=one,
            texts={"language": one, **form_texts(folder / f"form.{one}.toml")},
        )
        for one in sorted({content.language for content in contents.values() if content.language})
    }
    return Served(
        folder=folder,
        name=settings.name,
        plan=plan,
        form=form,
        contents=with_retests(contents, where=str(items)) if plan.retest else contents,
        server=server,
        surveys=surveys,
        forms=forms,
        published=study.languages if study.form else (),
        desk=settings.sections.get("desk", {}),
    )


@contextmanager
def previewed(served: Served) -> Iterator[Served]:
    """Yield a study whose answers and key are in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="plausibly-preview-") as folder:
        for pages in served.folder.glob(str(pages_file(Path(), "*"))):
            shutil.copy(pages, folder)
        yield replace(served, folder=Path(folder), preview=True)
