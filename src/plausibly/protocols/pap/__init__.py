"""PAP: physical and abstract plausibility of events (Eichel and Schulte im Walde, 2023)."""
