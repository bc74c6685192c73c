"""Models of what an adjective does to the plausibility of an event (ADEPT)."""
