"""Simulated people: kinds of known behaviour, for example studies and rehearsals."""
