"""Two examples of every command whose file prints specially, shown at the end of its help."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "rehearse": (
        "plausibly rehearse my-study --people 40 --seed 1",
        "plausibly rehearse my-study --people 40 --mix careful=.8,dropout=.2 --seed 1 --json",
    ),
}


def epilog(path: str) -> str | None:
    """Return the examples of a command as they stand below its options."""
    if path not in EXAMPLES:
        return None
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[path])
