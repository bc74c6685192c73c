"""Pairs of English sentences, the second with a modifier (ADEPT)."""
