"""No call from Python ends in a raw error, whatever is passed."""

from __future__ import annotations

import warnings
from itertools import islice
from pathlib import Path

import pytest

import plausibly as pb
from hostile import hostile_calls, public_functions, raw_error


def test_every_public_function_refuses_what_it_cannot_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pb.init("custom", tmp_path / "otters", example=True)
    calls = islice(hostile_calls(1, tmp_path), len(public_functions()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        faults = [f"pb.{call.name}: {error}" for call in calls if (error := raw_error(call))]
    assert not faults
