"""The links to the desk, and new ones in their place."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path

from plausibly.ratings.store.desk import DeskAction, log_action, new_link_numbers
from plausibly.study.arguments import checked
from plausibly.web.context import Desk
from plausibly.web.desk.access import OWNER, VIEWER, links_of
from plausibly.web.people.deciding import COMMAND
from plausibly.web.people.opening import opened_people

HERE = "http://127.0.0.1:8000"  # where a server without a public address listens by default


@dataclass(frozen=True, slots=True)
class DeskLinks:
    """The two links to the desk.

    Args:
        owner: Shows everything, and lets its owner decide.
        viewer: Shows counts, and changes nothing.
        new: Whether they were just made, so that earlier ones no longer work.
    """

    owner: str
    viewer: str
    new: bool = False

    def as_json(self) -> dict[str, str | bool]:
        """Return both links."""
        return asdict(self)


@checked
def people_desk(study: str | Path, *, new: bool = False, database: str | None = None) -> DeskLinks:
    """Return the links to the desk of a study: one for its owner, one for viewers.

    Whoever has a link can open the desk with it. New links revoke the earlier ones, and whoever
    entered with them is out at once.

    Args:
        study: The study folder.
        new: Make new links, which revokes the earlier ones.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people desk my-study
        plausibly people desk my-study --new

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     people_desk(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: answers.sqlite: nobody has been invited or has taken part yet.
    """
    with opened_people(study, database) as people:
        if new:
            with people.engine.begin() as connection:
                new_link_numbers(connection, replace=True)
                log_action(connection, DeskAction(time.time(), COMMAND, "made new desk links"))
        site = str(people.desk.served.server["public_url"]).rstrip("/") or HERE
        return desk_links(people.desk, site, new=new)


def desk_links(desk: Desk, site: str, *, new: bool = False) -> DeskLinks:
    """Return the links to a desk at an address."""
    ends = links_of(desk)
    addresses = {role: f"{site}/desk/enter?key={end}" for role, end in ends.items()}
    return DeskLinks(addresses[OWNER], addresses[VIEWER], new)


def desk_lines(links: DeskLinks) -> list[str]:
    """Return what to report about the desk."""
    return [
        f"Your desk (keep this link to yourself): {links.owner}",
        f"For viewers, who see counts and change nothing: {links.viewer}",
    ]
