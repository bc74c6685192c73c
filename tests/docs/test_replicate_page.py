"""The Python of the guide on replications runs as it stands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from worlds.pages import blocks
from worlds.pap import write_norms, write_release


def test_the_python_of_the_guide_runs(tmp_path: Path) -> None:
    write_release(tmp_path / "DIR")
    write_norms(tmp_path / "DIR")
    (block,) = blocks("docs/how-to/replicate.md", "python")
    done = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "section 5.1, first paragraph 0.6898" in done.stdout
    assert (tmp_path / "errata" / "errata.html").is_file()
