"""ADEPT: sentence pairs that differ by one adjective."""
