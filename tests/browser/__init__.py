"""A package, so that its Chromium ends with its last test."""
