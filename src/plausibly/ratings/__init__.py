"""Ratings: importers, exporters, generated crowds."""
