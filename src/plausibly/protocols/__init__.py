"""The published protocols, each a list a reader can check against the paper."""
