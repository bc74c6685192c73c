"""Tables as bytes: a JSON head, then little-endian arrays, each where eight bytes begin."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

STEP = 8


@dataclass
class Pack:
    """Arrays in the order they were added, and where each of them is."""

    places: dict[str, list[Any]] = field(default_factory=dict)
    parts: list[bytes] = field(default_factory=list)
    size: int = 0

    def numbers(self, name: str, series: pl.Series) -> None:
        """Add numbers as 64-bit floats; null is NaN."""
        values = series.cast(pl.Float64).fill_null(float("nan")).to_numpy()
        self._add(name, "f8", values.astype("<f8"))

    def counts(self, name: str, values: npt.ArrayLike) -> None:
        """Add whole numbers from 0 on in as few bytes as they need."""
        array = np.asarray(values, dtype=np.int64)
        top = int(array.max(initial=0))
        kind = "u1" if top < 1 << 8 else "u2" if top < 1 << 16 else "u4"
        self._add(name, kind, array.astype(f"<{kind}"))

    def texts(self, name: str, series: pl.Series) -> list[str]:
        """Add texts as places in the sorted list of the different ones, which is returned.

        A place counts from 1; 0 is null.
        """
        distinct = series.drop_nulls().unique().sort()
        codes = dict(zip(distinct.to_list(), range(1, len(distinct) + 1), strict=True))
        self.counts(name, [0 if one is None else codes[one] for one in series.to_list()])
        return distinct.to_list()

    def _add(self, name: str, kind: str, array: npt.NDArray[Any]) -> None:
        content = array.tobytes()
        self.places[name] = [kind, self.size, len(array)]
        self.parts.append(content + bytes(-len(content) % STEP))
        self.size += len(self.parts[-1])

    def text(self, head: Mapping[str, Any]) -> str:
        """Return everything as one text: gzip without a date, in base64."""
        document = {**head, "arrays": self.places}
        written = json.dumps(document, ensure_ascii=False, sort_keys=True, allow_nan=False)
        start = written.encode()
        start += b" " * (-len(start) % STEP)
        content = len(start).to_bytes(STEP, "little") + start + b"".join(self.parts)
        return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
