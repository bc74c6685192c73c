"""The folder others download."""
