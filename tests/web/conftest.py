"""Studies of these tests let everybody in, programs too, unless a test says otherwise."""

from __future__ import annotations

import pytest

from worlds import served


@pytest.fixture(autouse=True)
def _opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(served.OPENED, "door", "open")
    monkeypatch.setitem(served.OPENED, "api", True)
