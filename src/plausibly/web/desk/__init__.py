"""The desk: where a researcher watches a collection, decides about people, and looks at money."""
