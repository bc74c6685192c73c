"""Which code asked: the hash of its files, and the libraries that read weights."""

from __future__ import annotations

import sys
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

from plausibly.study.manifest import version_of

ROOMS = ("plausibly.asking", "plausibly.backends")
LIBRARIES = ("torch", "transformers", "gguf")


@lru_cache(maxsize=1)
def code_hash() -> str:
    """Return the hash of every file that decides what is asked and how answers are read.

    >>> len(code_hash())
    64
    """
    digest = sha256()
    for room in ROOMS:
        for path in sorted(files(room).iterdir(), key=lambda path: path.name):
            if path.name.endswith((".py", ".toml")):
                digest.update(f"{room}/{path.name}\n".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def libraries() -> dict[str, str]:
    """Return the versions of the libraries that read weights, those that were needed."""
    return {name: version_of(name) for name in LIBRARIES if name in sys.modules}
