"""Names to objects, resolved on first use so that a command loads only what it needs.

The protocols stand above everything that asks for one by name, so their table is text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from plausibly.errors import UnknownName

T = TypeVar("T")

PROTOCOLS = {
    "adept": "plausibly.protocols.adept.protocol:ADEPT",
    "custom": "plausibly.protocols.custom.protocol:CUSTOM",
    "gita": "plausibly.protocols.gita.protocol:GITA",
    "iks": "plausibly.protocols.iks.protocol:IKS",
    "pap": "plausibly.protocols.pap.protocol:PAP",
    "sp10k": "plausibly.protocols.sp10k.protocol:SP10K",
}
OPEN = "custom"
"""The protocol whose steps a folder of TOML files has."""


class Registry(Generic[T]):
    """A fixed set of names, each standing for `package.module:attribute`.

    >>> kinds: Registry[type] = Registry("kind", {"path": "pathlib:PurePath"})
    >>> kinds["path"].__name__
    'PurePath'
    >>> list(kinds)
    ['path']
    """

    def __init__(self, kind: str, places: Mapping[str, str]) -> None:
        self.kind = kind
        self._places = dict(places)

    def __getitem__(self, name: str) -> T:
        if name not in self._places:
            raise UnknownName(self.kind, name, self._places)
        return cast(T, resolved(self._places[name]))

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __len__(self) -> int:
        return len(self._places)


def resolved(place: str) -> Any:
    """Return what stands at `package.module:NAME`.

    >>> resolved("pathlib:PurePath").__name__
    'PurePath'
    """
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
