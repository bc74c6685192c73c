"""Published numbers beside what the published data says."""
