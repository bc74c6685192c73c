"""Proofreading: what is wrong in a text, found by lists, patterns and rules."""
