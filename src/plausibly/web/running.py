"""Runs the application: one process, or several on the same socket."""

from __future__ import annotations

import asyncio
import errno
import gc
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.supervisors import Multiprocess

from plausibly.errors import StudyError, option
from plausibly.ratings.served import Served
from plausibly.ratings.store.changes import Change, changes_so_far
from plausibly.ratings.store.dialect import database_url
from plausibly.web.addresses import forget_run_key
from plausibly.web.app import LONGEST_CLEARING, TOKEN, create_app, open_desk
from plausibly.web.context import Desk
from plausibly.web.draining import SECONDS as DRAIN
from plausibly.web.guard import LONGEST_HEAD
from plausibly.web.logs import CONFIG
from plausibly.web.study import read_study

SECONDS = float(os.environ.get("PLAUSIBLY_PATIENCE", "20"))
START_SECONDS = 30.0  # for a thread to begin or to end
WORKER_SECONDS = 120  # a worker is replaced if it is silent for longer, also while it starts
ANSWER_SECONDS = 1.0  # between two looks at whether a stop was asked for meanwhile
END_SECONDS = DRAIN + LONGEST_CLEARING + 5  # in which a worker that heeds signals has ended
HEAD_TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Closes a connection on which no request has arrived whole in time, or whose head never ends.

    While a request is being answered nobody is timed; the time a body may take is watched where
    it is read.
    """

    _until: asyncio.TimerHandle | None = None
    _head: int | None = None  # bytes that arrived since a head began; None outside one

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._until = self.loop.call_later(SECONDS, self._give_up)

    def on_message_begin(self) -> None:
        """Begin to count the bytes of a head."""
        super().on_message_begin()
        self._head = 0

    def on_headers_complete(self) -> None:
        """Stop counting; the guard measures heads that are whole."""
        self._head = None
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """Go on waiting where no request has come of what has arrived so far.

        Single bytes do not buy more time.
        """
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > LONGEST_HEAD:
                self._refuse_head()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._until is None:
            self._until = self.loop.call_later(SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._until is not None:
            self._until.cancel()
            self._until = None

    def _refuse_head(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(HEAD_TOO_LONG)
            self.transport.close()

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


class Supervisor(Multiprocess):
    """Starts the workers; when it stops, nobody new is let wait at a door that stays shut.

    It stops although a worker starts, hangs or died without a word, and where its terminal is
    closed, unless that is ignored, as `nohup` has it.
    """

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        """Take over the signals."""
        hung_up = getattr(signal, "SIGHUP", signal.SIGTERM)
        ignored = signal.getsignal(hung_up) is signal.SIG_IGN
        super().__init__(config, sockets)
        if ignored:
            signal.signal(hung_up, signal.SIG_IGN)

    def handle_hup(self) -> None:
        """Stop."""
        self.handle_term()

    def keep_subprocess_alive(self) -> None:
        """Replace workers that are gone or silent for too long; hear a stop while one is silent."""
        for worker in self.processes:
            until = time.monotonic() + WORKER_SECONDS
            while worker.process.is_alive() and not worker.ping(ANSWER_SECONDS):
                self.handle_signals()
                if self.should_exit.is_set():
                    return
                if time.monotonic() > until:
                    worker.process.kill()
                    worker.process.join()
        super().keep_subprocess_alive()

    def terminate_all(self) -> None:
        """Stop listening, then ask the workers to stop."""
        for one in self.sockets:
            one.close()
        super().terminate_all()

    def join_all(self) -> None:
        """Wait for the workers; kill one that does not end."""
        until = time.monotonic() + END_SECONDS
        for worker in self.processes:
            worker.process.join(max(until - time.monotonic(), 0.0))
            if worker.process.is_alive():
                worker.process.kill()
        super().join_all()


FACTORY = "plausibly.web.running:from_environment"
STUDY = "PLAUSIBLY_SERVE_STUDY"
DATABASE = "PLAUSIBLY_SERVE_DATABASE"
DOOR = "PLAUSIBLY_SERVE_DOOR"
OPTIONS: dict[str, Any] = {
    "log_config": CONFIG,
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
    "lifespan": "on",
    "ws": "none",
    "timeout_keep_alive": 30,
    "timeout_graceful_shutdown": DRAIN,
    "timeout_worker_healthcheck": WORKER_SECONDS,
    "http": Patient,
}


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound; raise if there is no such host or the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named, so that asyncio switches Nagle's algorithm off: else a kept connection waits 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, UnicodeError) as error:
        listening.close()
        raise StudyError(_cannot_listen(host, port, error)) from error
    return listening


def _cannot_listen(host: str, port: int, error: OSError | UnicodeError) -> str:
    taken = isinstance(error, OSError) and error.errno in {errno.EADDRINUSE, errno.EACCES}
    why = error.strerror if isinstance(error, OSError) and error.strerror else error
    other = option("port" if taken else "host")
    return f"cannot listen on {host}:{port} ({why}). Pass another {other}."


def serve(
    served: Served,
    listening: socket.socket,
    *,
    database: str | None,
    workers: int,
    ready: Callable[[Desk, Sequence[Change]], None],
) -> None:
    """Serve a study until the process gets a signal to stop.

    Args:
        served: The study.
        listening: Where people reach it.
        database: Where the answers lie; by default in the study folder.
        workers: How many processes answer.
        ready: Called when database, key and items were found to be right, with the desk and with
            what changed after people had begun.
    """
    place = Path(str(database_url(served.folder, database).database))
    forget_run_key(place)  # of a server that was killed
    try:
        _serve(served, listening, database=database, workers=workers, ready=ready)
    finally:
        forget_run_key(place)


def _serve(
    served: Served,
    listening: socket.socket,
    *,
    database: str | None,
    workers: int,
    ready: Callable[[Desk, Sequence[Change]], None],
) -> None:
    token = os.environ.get(TOKEN, "")
    if workers == 1:
        app = create_app(served, database=database, token=token)
        gc.freeze()  # what is loaded by now stays: collections need not look at it again
        ready(app.state.desk, changes_of(app.state.desk))
        uvicorn.Server(uvicorn.Config(app, **OPTIONS)).run(sockets=[listening])
        return
    # Created before the workers meet there, so that what is wrong with it is said once.
    desk = open_desk(served, database=database, token=token, clock=time.time)
    ready(desk, changes_of(desk))
    desk.dispose()
    os.environ[STUDY] = str(served.folder.resolve())
    os.environ[DATABASE] = database or ""
    os.environ[DOOR] = str(served.server["door"])
    config = uvicorn.Config(FACTORY, factory=True, workers=workers, **OPTIONS)
    listening.listen(config.backlog)
    Supervisor(config, sockets=[listening]).run()


@contextmanager
def threaded(app: Starlette) -> Iterator[int]:
    """Yield the port of an application that answers in a thread and leaves logging alone."""
    with listen("127.0.0.1", 0) as socket:
        server = uvicorn.Server(uvicorn.Config(app, **{**OPTIONS, "log_config": None}))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
        thread.start()
        until = time.monotonic() + START_SECONDS
        while not server.started and thread.is_alive() and time.monotonic() < until:
            time.sleep(0.005)
        if not server.started:
            raise StudyError("the server did not start.")
        try:
            yield int(socket.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(START_SECONDS)


def changes_of(desk: Desk) -> list[Change]:
    """Return what changed about a study after people had begun."""
    with desk.reader.begin() as connection:
        return changes_so_far(connection)


def from_environment() -> Starlette:
    """Return the application of the study the environment names, for a worker process."""
    threading.Thread(target=_follow_parent, daemon=True).start()
    served = read_study(Path(os.environ[STUDY]))
    served = replace(served, server={**served.server, "door": os.environ[DOOR]})
    database = os.environ.get(DATABASE) or None
    app = create_app(served, database=database, token=os.environ.get(TOKEN, ""))
    gc.freeze()
    return app


def _follow_parent() -> None:
    """End this worker when the process that started it is gone, however that ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
