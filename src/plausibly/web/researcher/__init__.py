"""What researchers read and do."""
