"""What differs between two releases: rows by key, columns, licence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from plausibly.tables import TABLES

SHOWN = 5


@dataclass(frozen=True, slots=True)
class TableChange:
    """How one table differs.

    Args:
        table: Its name.
        added: Rows whose key is new.
        removed: Rows whose key is gone.
        changed: Rows with the same key and another cell.
        columns_added: Columns that are new.
        columns_removed: Columns that are gone.
        examples: Keys of the first rows of each kind.
    """

    table: str
    added: int
    removed: int
    changed: int
    columns_added: tuple[str, ...]
    columns_removed: tuple[str, ...]
    examples: Mapping[str, tuple[str, ...]]

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        counts = (self.added, self.removed, self.changed)
        return not any((*counts, self.columns_added, self.columns_removed))

    def as_json(self) -> dict[str, object]:
        """Return the change as JSON."""
        return {
            "table": self.table,
            "added": self.added,
            "removed": self.removed,
            "changed": self.changed,
            "columns_added": list(self.columns_added),
            "columns_removed": list(self.columns_removed),
            "examples": {kind: list(keys) for kind, keys in self.examples.items()},
        }


def changes(old: Mapping[str, pl.DataFrame], new: Mapping[str, pl.DataFrame]) -> list[TableChange]:
    """Return how each table of two releases differs; a table only one has is all added or gone."""
    names = dict.fromkeys((*old, *new))
    return [_change(name, old.get(name), new.get(name)) for name in names]


def _change(name: str, old: pl.DataFrame | None, new: pl.DataFrame | None) -> TableChange:
    present = new if old is None else old
    if present is None:
        raise KeyError(name)
    before = present.clear() if old is None else old
    after = before.clear() if new is None else new
    key = list(TABLES[name].key) if name in TABLES else before.columns[:1]
    added = after.join(before, on=key, how="anti", nulls_equal=True)
    removed = before.join(after, on=key, how="anti", nulls_equal=True)
    shared = [column for column in before.columns if column in after.columns]
    kept = after.select(shared).join(before.select(shared), on=key, how="semi", nulls_equal=True)
    changed = kept.join(before.select(shared), on=shared, how="anti", nulls_equal=True)
    kinds = {"added": added, "removed": removed, "changed": changed}
    return TableChange(
        name,
        added.height,
        removed.height,
        changed.height,
        tuple(column for column in after.columns if column not in before.columns),
        tuple(column for column in before.columns if column not in after.columns),
        {kind: _keys(frame, key) for kind, frame in kinds.items() if frame.height},
    )


def _keys(frame: pl.DataFrame, key: list[str]) -> tuple[str, ...]:
    rows = frame.sort(key).head(SHOWN).select(key).iter_rows()
    return tuple(", ".join(map(str, row)) for row in rows)


def change_log(found: list[TableChange], *, old: str, new: str) -> str:
    """Return CHANGES.md: what is different from the release before."""
    lines = [f"# From {old} to {new}", ""]
    for change in found:
        if change.is_same:
            lines.append(f"- {change.table}: the same.")
            continue
        said = (
            f"{change.added:,} rows added, {change.removed:,} removed, {change.changed:,} changed"
        )
        columns = [f"column {name} added" for name in change.columns_added]
        columns += [f"column {name} removed" for name in change.columns_removed]
        lines.append(f"- {change.table}: {'; '.join([said, *columns])}.")
        lines += [
            f"  - {kind}: {'; '.join(keys)}" for kind, keys in change.examples.items() if keys
        ]
    return "\n".join(lines) + "\n"
