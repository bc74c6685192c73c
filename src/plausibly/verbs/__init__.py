"""Verbs: one function behind each command, each step of a study and each line of a notebook."""
