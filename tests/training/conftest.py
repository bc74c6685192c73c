"""The scripts in training/ are not part of the package; make them importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytest.importorskip("spacy")

if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))
