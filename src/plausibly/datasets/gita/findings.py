"""What is wrong with a story, as checks report it and builders read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class StoryFinding:
    """One irregularity of one story."""

    row: int
    example: str
    kind: str
    message: str
    severity: Severity

    def as_json(self) -> dict[str, str | int]:
        """Return the finding as `check gita --json` prints it."""
        return {
            "row": self.row,
            "example_id": self.example,
            "kind": self.kind,
            "message": self.message,
            "severity": self.severity,
        }
