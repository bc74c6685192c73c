"""What the server logs: a JSON object a line, without addresses, people or answers."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from traceback import extract_tb
from types import TracebackType
from typing import Any

LOG = logging.getLogger("plausibly.server")
SLOW = 2.0  # seconds after which a request is logged, as one that failed is
FIELDS = ("study", "page", "method", "status", "ms")  # what a record may carry besides its words
ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])[0-9a-fA-F]*:(?:[0-9a-fA-F]*:)+[\w.]*")


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON.

    Of an error, its kind and where it arose are written, and never its words: they may repeat
    what a person sent. Whatever looks like a network address is left out of other messages.

    >>> record = logging.LogRecord("x", 30, "", 1, "from %s", ("198.51.100.7",), None)
    >>> json.loads(JsonLines().format(record))["what"]
    'from (address)'
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "time": moment,
            "level": record.levelname.lower(),
            "what": ADDRESS.sub("(address)", record.getMessage()).strip(),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["at"] = _places(record.exc_info[2])
        return json.dumps(line, ensure_ascii=False)


def _places(trace: TracebackType | None) -> list[str]:
    """Return where an error passed, the innermost place last."""
    frames = extract_tb(trace)[-8:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]


CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "plausibly.web.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "plausibly": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}


@contextmanager
def json_lines() -> Iterator[None]:
    """Log JSON lines inside a process of somebody else.

    `CONFIG` would close every handler that the process has.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    loggers = {logging.getLogger(name): one for name, one in CONFIG["loggers"].items()}
    before = [(one, one.level, one.propagate) for one in loggers]
    for logger, settings in loggers.items():
        logger.addHandler(handler)
        logger.setLevel(settings["level"])
        logger.propagate = settings["propagate"]
    try:
        yield
    finally:
        for logger, level, propagate in before:
            logger.removeHandler(handler)
            logger.setLevel(level)
            logger.propagate = propagate


def note_request(*, page: str, method: str, status: int, seconds: float) -> None:
    """Log a request that failed here or took long; which one it was, but not whose."""
    if status >= 500 or seconds > SLOW:
        about = {"page": page, "method": method, "status": status, "ms": round(1000 * seconds)}
        LOG.warning("request", extra=about)
