"""Where requests come from: behind proxies that are known, and hashed before anything is stored.

The key of the hash is in a file next to the answers while the server runs, so that all workers
share it; `serve` replaces it at each start and deletes it at the end.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.ratings.server import is_loopback

RUN = ".run"
LENGTH = 32


def address_of(client: str, headers: Mapping[bytes, bytes], trusted: Sequence[str]) -> str:
    """Return the address a request comes from, as trusted proxies report it.

    >>> headers = {b"x-forwarded-for": b"6.6.6.6, 203.0.113.7, 10.0.0.2"}
    >>> address_of("10.0.0.1", headers, ["10.0.0.1", "10.0.0.2"])
    '203.0.113.7'
    >>> address_of("198.51.100.4", headers, ["10.0.0.1"])
    '198.51.100.4'
    """
    if client not in trusted:
        return client
    forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")
    hops = [hop.strip() for hop in forwarded if hop.strip()]
    return next((hop for hop in reversed(hops) if hop not in trusted), client)


class Addresses:
    """Finds out addresses, and hashes them under the key of the running server."""

    def __init__(self, trusted: Sequence[str], key: bytes) -> None:
        self._trusted = tuple(trusted)
        self._key = key

    def address(self, client: str, headers: Mapping[bytes, bytes]) -> str:
        """Return the address a request comes from."""
        return address_of(client, headers, self._trusted)

    def hashed(self, address: str) -> str:
        """Return the hash people are counted by; empty for this machine, whose people are not.

        Behind a trusted proxy this machine's address is one like others.
        """
        if not address or (is_loopback(address) and not self._trusted):
            return ""
        return hmac.digest(self._key, address.encode(), hashlib.sha256).hex()[:24]


def run_key(database: Path) -> bytes:
    """Return the key all workers of a running server share, made by the first of them."""
    path = _run_file(database)
    try:
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as target:
                target.write(secrets.token_bytes(LENGTH))
        key = path.read_bytes()
    except OSError as error:
        raise StudyError(f"{path}: cannot be written ({error.strerror or error}).") from error
    return key


def forget_run_key(database: Path) -> None:
    """Delete the key of a server that has ended: what it hashed leads nowhere."""
    _run_file(database).unlink(missing_ok=True)


def _run_file(database: Path) -> Path:
    return database.with_name(f"{database.name}{RUN}")
