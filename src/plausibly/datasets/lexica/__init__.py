"""Lexica: word lists with their provenance; users can replace each with a file."""
