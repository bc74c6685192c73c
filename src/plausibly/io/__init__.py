"""Files to tables and back: formats by suffix, atomic writes, checksums."""
