"""The only home of heavy imports, each loaded on use."""
