"""A test that lacks a value says where to add it."""

from __future__ import annotations

import pytest

from worlds.values import ROOT, TestValues

FILE = str(ROOT / "tests" / "laws" / "test_options.py")


def test_a_missing_value_names_the_file_to_add_it_to() -> None:
    values = TestValues(FILE, "VALUES", {"seed": 7})
    assert values["seed"] == 7
    with pytest.raises(AssertionError, match=r"'loudness'. Add one to VALUES in tests/laws/test_o"):
        values["loudness"]
    with pytest.raises(AssertionError, match="no test value for 'at_rank'"):
        values.require(["seed", "at_rank"])
    values.require(["seed"])
