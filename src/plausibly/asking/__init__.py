"""Asking language models: prompts, examples, answers that outlive the process that asked."""
