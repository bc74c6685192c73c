"""Cleaning: rules that name suspects, and the ledger they are moved to."""
