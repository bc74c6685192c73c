"""Labels: one method per file, from ratings to what they say."""
