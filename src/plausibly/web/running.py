"""Runs the application: one process, or several on the same socket."""

from __future__ import annotations

import os
import socket
import time
from typing import Any

import uvicorn

from plausibly.errors import StudyError
from plausibly.web.app import DATABASE, STUDY, TOKEN, create_app, open_desk
from plausibly.web.served import Served

FACTORY = "plausibly.web.app:from_environment"
OPTIONS: dict[str, Any] = {
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
    "lifespan": "on",
    "ws": "none",
    "timeout_keep_alive": 30,
    "timeout_graceful_shutdown": 5,
}


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raise if the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise StudyError(
            f"cannot listen on {host}:{port} ({error.strerror or error}). Pass another --port."
        ) from error
    return listening


def serve(served: Served, listening: socket.socket, *, database: str | None, workers: int) -> None:
    """Serve a study until the process is told to stop."""
    if workers == 1:
        app = create_app(served, database=database, token=os.environ.get(TOKEN, ""))
        uvicorn.Server(uvicorn.Config(app, **OPTIONS)).run(sockets=[listening])
        return
    _prepare(served, database)
    os.environ[STUDY] = str(served.folder.resolve())
    os.environ[DATABASE] = database or ""
    host, port = listening.getsockname()[:2]
    listening.close()
    uvicorn.run(FACTORY, factory=True, workers=workers, host=host, port=port, **OPTIONS)


def _prepare(served: Served, database: str | None) -> None:
    """Create the database before the workers meet there; what is wrong with it is said once."""
    desk = open_desk(served, database=database, token="", clock=time.time)
    desk.store.dispose()
