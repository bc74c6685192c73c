"""SP-10K: selectional preference of word pairs (Zhang et al., 2019)."""
