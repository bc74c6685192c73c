"""Serves the pages authors write stories with, over a study folder."""

from __future__ import annotations

import hashlib
import hmac
import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from plausibly.errors import StudyError, TableError
from plausibly.io import read_rows
from plausibly.ratings.server import interface_of
from plausibly.study import Study
from plausibly.web.app import environment
from plausibly.web.author.app import AuthorDesk, author_app
from plausibly.web.keys import study_secret
from plausibly.web.locale.texts import Texts

OPPOSITES = "opposites.csv"


def author_of(folder: Path) -> Starlette:
    """Return the application of a folder whose protocol has stories that authors write."""
    study = Study(folder)
    if not study.protocol.authored:
        raise StudyError(
            f"{folder}: stories are written for the protocol 'gita'; this study's is "
            f"{study.protocol.name!r}. Start one with: plausibly init gita FOLDER"
        )
    sections = study.settings.sections
    server = sections["server"]
    desk = AuthorDesk(
        folder=folder,
        title=str(server["title"]) or folder.resolve().name,
        texts=Texts(interface_of(study.protocol, sections, folder), folder),
        templates=environment(),
        opposites=_opposites(folder / OPPOSITES),
        token=_token(folder),
        language=_language(study),
    )
    return author_app(desk)


def _token(folder: Path) -> str:
    """Return what the forms send: the same after a restart, so that older pages still save."""
    secret = study_secret(folder, str(folder.resolve()))
    return hmac.digest(secret, b"author", hashlib.sha256).hex()


def _language(study: Study) -> str:
    """Return the language stories are written in: that of [build], else that of the form."""
    sections = study.settings.sections
    named = (sections.get(name, {}).get("language") for name in ("build", "form"))
    return str(next(filter(None, named), None) or study.protocol.form["language"])


def _opposites(path: Path) -> dict[str, str]:
    """Return from a verb to its opposite; nothing if there is no such table."""
    if not path.is_file():
        return {}
    rows = read_rows(path)
    if not {"verb", "opposite"} <= set(rows.frame.columns):
        there = ", ".join(rows.frame.columns)
        raise TableError(f"{path}: columns verb and opposite are needed. Columns found: {there}.")
    rows.reject([])
    return dict(rows.frame.select("verb", "opposite").drop_nulls().iter_rows())


def serve_author(folder: Path, listening: socket.socket) -> None:
    """Serve the pages until the process gets a signal to stop."""
    app = author_of(folder)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[listening])
