"""Scores: predictions compared with labels."""
