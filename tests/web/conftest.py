"""Studies of these tests let everybody in, programs too, unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from worlds import served


@pytest.fixture(autouse=True, scope="module")
def _opened() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(served.OPENED, "door", "open")
        patch.setitem(served.OPENED, "api", True)
        yield
