"""Pages for authors of stories: writing, variants, states, and a second reader's review."""
