"""SP-10K: pairs of words in five relations, laid out in surveys."""
