"""Back up a study in one file, while people answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from plausibly.study.arguments import checked

if TYPE_CHECKING:
    from plausibly.web.backing_up import BackedUp


@checked
def backup(study: str | Path, *, output: str | Path, database: str | None = None) -> BackedUp:
    """Back up a study in one file, while people answer.

    The archive has the answers as they are at one moment, the platform's ids, the keys, study.toml,
    the items, and every other file that `run` does not derive from the answers. It holds personal
    data: its mode is 0600.

    Args:
        study: The study folder.
        output: The archive to write.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly backup my-study -o my-study.backup.tar.gz
        plausibly backup my-study -o /mnt/safe/my-study.tar.gz --json

    >>> backup("no-study", output="b.tar.gz")
    Traceback (most recent call last):
    plausibly.errors.StudyError: no-study: not a study: there is no study.toml.
    """
    from plausibly.web.backing_up import backed_up

    return backed_up(study, output=output, database=database)
