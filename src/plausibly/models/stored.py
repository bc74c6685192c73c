"""Fitted models as files: arrays and settings in one archive, without code."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plausibly.errors import TableError
from plausibly.io import replacing

ABOUT = "about"
FORM = 1
Arrays = Mapping[str, npt.NDArray[np.generic]]


@dataclass(frozen=True, eq=False)
class Stored:
    """A fitted model: its kind, settings and arrays.

    Args:
        kind: pp, ds, nn, ppmi, resnik or combined.
        settings: Parameters, sources, seed.
        arrays: The learnt parameters.
    """

    kind: str
    settings: Mapping[str, object]
    arrays: Arrays


def write_model(model: Stored, path: Path) -> None:
    """Write a model, completely or not at all."""
    about = {"form": FORM, "kind": model.kind, "settings": dict(model.settings)}
    text = json.dumps(about, ensure_ascii=False, allow_nan=False).encode()
    with replacing(path) as temporary, temporary.open("wb") as target:
        np.savez(
            target,
            allow_pickle=False,
            **{ABOUT: np.frombuffer(text, dtype=np.uint8)},
            **model.arrays,
        )


def read_model(path: Path) -> Stored:
    """Return a stored model; raise if the file is not one."""
    if not path.is_file():
        raise TableError(f"{path}: no such model. Fit one: plausibly models fit.")
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        about = json.loads(arrays.pop(ABOUT).tobytes())
        kind, settings, form = str(about["kind"]), dict(about["settings"]), about["form"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, AttributeError) as error:
        raise TableError(
            f"{path}: not a model of ours. Fit one with 'plausibly models fit … -o MODEL'."
        ) from error
    if form != FORM:
        raise TableError(f"{path}: its format is {form}; this version reads {FORM}. Fit it again.")
    return Stored(kind, settings, arrays)
