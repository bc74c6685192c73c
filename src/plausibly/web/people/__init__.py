"""Who takes part in a study: invite, list, exclude, restore, withdraw, erase and pay people."""

from plausibly.web.people.admit import Admitted, people_admit
from plausibly.web.people.deciding import (
    Decided,
    people_exclude,
    people_restore,
    people_withdraw,
)
from plausibly.web.people.desk import DeskLinks, people_desk
from plausibly.web.people.erasing import PersonErased, people_erase
from plausibly.web.people.listing import PeopleList, people_list
from plausibly.web.people.objecting import Objections, people_objections
from plausibly.web.people.pausing import (
    GateState,
    people_close,
    people_pause,
    people_reopen,
)
from plausibly.web.people.pay import Paid, people_pay

__all__ = [
    "Admitted",
    "Decided",
    "DeskLinks",
    "GateState",
    "Objections",
    "Paid",
    "PeopleList",
    "PersonErased",
    "people_admit",
    "people_close",
    "people_desk",
    "people_erase",
    "people_exclude",
    "people_list",
    "people_objections",
    "people_pause",
    "people_pay",
    "people_reopen",
    "people_restore",
    "people_withdraw",
]
