"""Stimuli: counts and lexica to the items that go to annotators, with a ledger of the rest."""
