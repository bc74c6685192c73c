"""Collected answers: the schema, every statement on it, and what differs between databases."""
