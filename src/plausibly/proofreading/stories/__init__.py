"""Stories of five sentences, and what breaks them (GITA)."""
