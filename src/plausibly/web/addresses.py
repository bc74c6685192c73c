"""Where requests come from: behind proxies that are known, and hashed before anything is stored.

The key of the hash is in a file next to the answers while the server runs, so that all workers
share it; `serve` replaces it at each start and deletes it at the end.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
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
        return hmac.digest(self._key, source_of(address).encode(), hashlib.sha256).hex()[:24]


def source_of(address: str) -> str:
    """Return what counts as one source: an IPv4 address, or the /64 network of an IPv6 address.

    Whoever has an IPv6 address has a whole network of them. Ports that a proxy adds are dropped.

    >>> source_of("2001:db8:0:1::7"), source_of("[2001:db8:0:1::8]:443"), source_of("9.9.9.9:80")
    ('2001:db8:0:1::/64', '2001:db8:0:1::/64', '9.9.9.9')
    >>> source_of("::ffff:9.9.9.9"), source_of("unknown")
    ('9.9.9.9', 'unknown')
    """
    host = address.partition("]")[0].removeprefix("[") if address.startswith("[") else address
    if host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        parsed = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


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
