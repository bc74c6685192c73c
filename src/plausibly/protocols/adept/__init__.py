"""ADEPT: how an adjective changes the plausibility of an event (Emami et al., 2021)."""
