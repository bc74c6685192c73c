"""Stopping: requests under way are answered, and nobody begins anything new."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from plausibly.web.context import Desk, RequestProblem
from plausibly.web.logs import LOG

ENDS = ("SIGTERM", "SIGHUP")  # a service manager stops it; a terminal is closed
LATER = 10  # seconds after which people may try again
SECONDS = 25  # for requests under way; a body may take 20


@contextmanager
def ending_tidily() -> Iterator[None]:
    """Let the signals that end a process first remove what must not outlast it, as Ctrl-C does.

    The process still dies of the signal, as whoever sent it expects.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        heard.append(number)
        raise SystemExit(128 + number)

    numbers = [getattr(signal, name) for name in ENDS if hasattr(signal, name)]
    before = {one: signal.getsignal(one) for one in numbers}
    for one in (one for one in numbers if before[one] is signal.SIG_DFL):  # nohup ignores SIGHUP
        signal.signal(one, stop)
    try:
        yield
    except SystemExit:
        if not heard:
            raise
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    if heard:
        signal.raise_signal(heard[0])


@contextmanager
def watching(desk: Desk) -> Iterator[None]:
    """Notice the signals to stop while the application runs, and pass them on.

    None of them may interrupt it: what runs it would swallow that, and go on deaf.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears signals
        return
    numbers = [getattr(signal, name) for name in ENDS if hasattr(signal, name)]
    before = {one: signal.getsignal(one) for one in numbers}
    end = before[signal.SIGTERM]

    def stop(number: int, frame: FrameType | None) -> None:
        desk.draining.set()
        if callable(end):
            end(number, frame)

    for one in (one for one in numbers if before[one] is not signal.SIG_IGN):
        signal.signal(one, stop)
    LOG.info("started", extra={"study": desk.served.name})
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        LOG.info("stopped", extra={"study": desk.served.name})


def refuse_new(desk: Desk) -> None:
    """Refuse to begin anything while the server stops."""
    if desk.draining.is_set():
        raise RequestProblem(503, desk.texts("status.stopping"), more={"retry_after": LATER})
