"""Reports: tables and prose from ratings, labels and measures."""
