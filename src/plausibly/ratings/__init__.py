"""Ratings: importers, exporters, generated crowds."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_PLACES = {
    "READERS": "plausibly.ratings.formats",
    "WRITERS": "plausibly.ratings.formats",
    "Imported": "plausibly.io.imported",
    "export_ratings": "plausibly.ratings.formats",
    "import_ratings": "plausibly.ratings.formats",
    "read_ratings": "plausibly.ratings.formats",
}

__all__ = ["READERS", "WRITERS", "Imported", "export_ratings", "import_ratings", "read_ratings"]

if TYPE_CHECKING:
    from plausibly.io.imported import Imported
    from plausibly.ratings.formats import (
        READERS,
        WRITERS,
        export_ratings,
        import_ratings,
        read_ratings,
    )


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'plausibly.ratings' has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value
