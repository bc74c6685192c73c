"""Auditing: what a set of ratings can support, from its design to its texts."""
