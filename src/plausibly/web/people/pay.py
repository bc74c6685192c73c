"""Pay people: lists a platform accepts, from what they did here and their state there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from plausibly.io import filling, write_text
from plausibly.ratings.payroll import Payroll, payroll, read_export
from plausibly.ratings.store.ids import PlatformId
from plausibly.study.arguments import checked
from plausibly.web.people.opening import OpenPeople, opened_people


@dataclass(frozen=True, slots=True)
class Paid:
    """Whom to pay on the platform, and the files that list them."""

    payroll: Payroll
    files: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return counts and sums; ids are in the files only."""
        pay = asdict(self.payroll)
        lists = {name: len(pay.pop(name)) for name in ("approve", "returns", "bonuses")}
        return {**lists, "bonus": self.payroll.cents / 100, **pay, "files": list(self.files)}


@checked
def people_pay(
    study: str | Path,
    *,
    output: str | Path | None = None,
    platform_export: str | Path | None = None,
    database: str | None = None,
) -> Paid:
    """Return whom to approve, whom to ask for a return and which bonuses are due.

    Whether answers are used and whether people are paid are two questions: whoever finished a
    whole round is approved. Short rounds, and work that was broken off, are paid by the item.

    Args:
        study: The study folder.
        output: Folder for approve.csv, return.csv and bonus.csv, as Prolific accepts them.
        platform_export: The platform's own export of submissions (CSV).
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people pay my-study --platform-export prolific.csv -o pay
        plausibly people pay my-study --json

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     people_pay(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: answers.sqlite: nobody has been invited or has taken part yet.
    """
    with opened_people(study, database) as people:
        rows = people.roster()
        strangers = 0
        if platform_export is not None:
            submissions = read_export(Path(platform_export))
            strangers = take_in(people, submissions, rows["annotator"].to_list())
        due = payroll(rows, people.ids.of(rows["annotator"].to_list()), strangers=strangers)
    if output is None:
        return Paid(due)
    folder = Path(output)
    with filling(folder) as temporary:
        for name, text in due.files().items():
            write_text(temporary / name, text)
            (temporary / name).chmod(0o600)  # ids of people, for the eyes of their owner alone
    return Paid(due, tuple(str(folder / name) for name in due.files()))


def take_in(people: OpenPeople, submissions: Sequence[PlatformId], known: Sequence[str]) -> int:
    """Store the state of submissions on the platform; return how many people are unknown."""
    here = set(known)
    latest = {people.desk.keys.annotator(one.person): one for one in submissions}
    people.ids.keep({name: one for name, one in latest.items() if name in here})
    return len(latest.keys() - here)
