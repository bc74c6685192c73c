"""The published datasets and lexica we know: one room each, the only readers of their files."""
