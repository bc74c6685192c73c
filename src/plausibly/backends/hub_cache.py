"""Models in the cache of the Hugging Face hub on this machine; nothing is downloaded.

The layout is documented: `models--OWNER--NAME` has `refs/main` with the commit that was downloaded
last, and `snapshots/COMMIT` with its files.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from plausibly.errors import StudyError

_HUB_NAME = re.compile(r"(?:[\w.-]+/)?[\w.-]+", re.ASCII)


def hub_cache() -> Path:
    """Return the folder of the cache, as the hub's own library finds it."""
    direct = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    if direct:
        return Path(direct).expanduser()
    home = os.environ.get("HF_HOME")
    if home:
        return Path(home).expanduser() / "hub"
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "huggingface/hub"


def cached_model(name: str) -> Path:
    """Return the folder with the files of a model in the cache.

    Args:
        name: As the hub has it, such as HuggingFaceTB/SmolLM2-135M.

    Raises:
        StudyError: If the model is not there, or not whole.
    """
    cache = hub_cache()
    folder = cache / f"models--{name.replace('/', '--')}"
    if not _HUB_NAME.fullmatch(name) or not folder.is_dir():
        raise StudyError(
            f"{name}: no such file or folder, and no model of that name in the cache of the "
            f"Hugging Face hub ({cache}). Pass a folder, or download the model first: "
            f"hf download {name}"
        )
    main = folder / "refs" / "main"
    commit = main.read_text("utf-8").strip() if main.is_file() else ""
    found = [folder / "snapshots" / commit] if commit else sorted(folder.glob("snapshots/*"))
    whole = [one for one in found if any(one.glob("config.json")) or any(one.glob("*.gguf"))]
    if len(whole) == 1:
        return whole[0]
    what = "several versions" if whole else "no complete version"
    raise StudyError(
        f"{name}: the cache of the Hugging Face hub has {what} of it ({folder}). Pass the folder "
        f"of one of them, or download it again: hf download {name}"
    )
