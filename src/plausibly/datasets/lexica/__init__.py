"""Lexica: word lists with their provenance, each replaceable by the user's own file."""
