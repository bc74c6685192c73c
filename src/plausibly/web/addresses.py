"""Where requests come from: behind proxies that are known, and who shares an address.

Addresses are kept in memory only, as long as the process runs; none is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import ip_address

MOST_ADDRESSES = 10_000
MOST_PEERS = 2_000


def address_of(client: str, headers: Mapping[bytes, bytes], trusted: Sequence[str]) -> str:
    """Return the address a request comes from, as far as trusted proxies tell it.

    >>> headers = {b"x-forwarded-for": b"6.6.6.6, 203.0.113.7, 10.0.0.2"}
    >>> address_of("10.0.0.1", headers, ["10.0.0.1", "10.0.0.2"])
    '203.0.113.7'
    >>> address_of("198.51.100.4", headers, ["10.0.0.1"])
    '198.51.100.4'
    """
    if client not in trusted:
        return client
    told = headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")
    hops = [hop.strip() for hop in told if hop.strip()]
    return next((hop for hop in reversed(hops) if hop not in trusted), client)


def is_loopback(address: str) -> bool:
    """Tell whether an address is this machine's own."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


class Addresses:
    """Who came from which address since the server started."""

    def __init__(self, trusted: Sequence[str]) -> None:
        self._trusted = tuple(trusted)
        self._people: dict[str, dict[str, None]] = {}

    def address(self, client: str, headers: Mapping[bytes, bytes]) -> str:
        """Return the address a request comes from."""
        return address_of(client, headers, self._trusted)

    def peers(self, address: str, annotator: str) -> tuple[str, ...]:
        """Return who came from an address, the person included; nobody for this machine's own.

        Behind a trusted proxy this machine's own address is one like others.
        """
        if not address or (is_loopback(address) and not self._trusted):
            return ()
        if len(self._people) > MOST_ADDRESSES:
            self._people.clear()
        people = self._people.setdefault(address, {})
        people[annotator] = None
        while len(people) > MOST_PEERS:
            del people[next(iter(people))]
        return tuple(people)
