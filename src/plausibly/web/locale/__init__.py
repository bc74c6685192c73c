"""Every text the server itself says, one file per language."""
