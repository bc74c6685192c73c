"""Implicit knowledge: sentences that fill a gap, judged by the annotation manual in two steps."""
