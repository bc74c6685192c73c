"""Restore a study from a backup, without the people who were erased since."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from plausibly.study.arguments import checked

if TYPE_CHECKING:
    from plausibly.web.restoring import Restored


@checked
def restore(
    file: str | Path,
    study: str | Path,
    *,
    check: bool = False,
    erasures: str | Path | None = None,
) -> Restored:
    """Restore a study from a backup into a new folder, without the people erased since.

    Every file is compared with its hash and the answers with their counts. People who were erased
    after the backup are erased again, and their erasures are named.

    Args:
        file: The backup.
        study: The folder to make. With `check`, it may be the study that was backed up.
        check: Only check the backup; nothing is written.
        erasures: Who was erased since: answers.erased.json of the study, or its folder.

    Examples:
        plausibly restore my-study.backup.tar.gz my-study --check
        plausibly restore my-study.backup.tar.gz restored --erasures my-study

    >>> restore("backup.tar.gz", ".")
    Traceback (most recent call last):
    plausibly.errors.StudyError: .: is in use. Restore into a new folder, and name the earlier \
one with erasures=.
    """
    from plausibly.web.restoring import restored

    return restored(file, study, check=check, erasures=erasures)
