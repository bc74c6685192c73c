"""The pages people see: consent, instructions, items, the completion code."""
