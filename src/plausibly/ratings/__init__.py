"""Ratings: importers, exporters, generated crowds."""

from plausibly.io.imported import Imported
from plausibly.ratings.formats import (
    READERS,
    WRITERS,
    export_ratings,
    import_ratings,
    read_ratings,
)

__all__ = ["READERS", "WRITERS", "Imported", "export_ratings", "import_ratings", "read_ratings"]
