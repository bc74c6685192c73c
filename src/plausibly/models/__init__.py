"""Models that judge: from counts, vectors and labels to predictions."""
