"""GITA: physical commonsense in Italian stories (Pensa et al., 2024)."""
