"""Models: fitted on counts or on labels, asked by name or file, audited, with their weights."""
