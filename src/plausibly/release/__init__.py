"""The folder others download, and the published datasets we know."""
