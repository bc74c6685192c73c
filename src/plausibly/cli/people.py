"""`plausibly people`: who takes part in a study, and what they are paid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.guard import WrittenGroup
from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import FILE, STUDY, output_option

if TYPE_CHECKING:
    from plausibly.web.people import Decided, GateState

database_option = click.option(
    "--database", help="Where answers are kept (default: STUDY/answers.sqlite)."
)
where_option = click.option(
    "--where", metavar="CONDITION", help="Condition over the columns of `people list`, as in SQL."
)
yes_option = click.option(
    "--yes", is_flag=True, help="Do it; without this, only show what would be done."
)


def _examples(*lines: str) -> str:
    """Return examples for a help page, without importing the server."""
    return "\n".join(["\b\nExamples:", *(f"  {line}" for line in lines)])


@click.group("people", cls=WrittenGroup)
def command() -> None:
    """Decide who takes part in a study, and pay them."""


@command.command(
    "admit",
    epilog=_examples(
        "plausibly people admit my-study -n 50",
        "plausibly people admit my-study numbers.txt",
    ),
)
@click.argument("study", type=STUDY)
@click.argument("file", type=FILE, required=False)
@click.option("-n", "number", type=int, default=0, help="Number of personal links to make.")
@database_option
def admit(study: Path, file: Path | None, *, number: int, database: str | None) -> None:
    """Admit people to STUDY: make personal links, list numbers, or confirm a panel's people.

    FILE holds one participant number per line, or is the platform's export of submissions (CSV).
    """
    from plausibly.web.people import people_admit
    from plausibly.web.people.desk import HERE

    admitted = people_admit(study, file, number=number, database=database)
    for link in admitted.links:
        click.echo(link)
    known = f"; {admitted.known} others had been, or have not begun" if admitted.known else ""
    people = "1 person is" if admitted.people == 1 else f"{admitted.people} people are"
    say(f"{people} admitted{known}.")
    if any(link.startswith(HERE) for link in admitted.links):
        say(
            f"The links work on this machine, where 'plausibly serve' uses {HERE} by default. For "
            "another port or for people elsewhere, set [server] public_url."
        )


@command.command(
    "list",
    epilog=_examples(
        "plausibly people list my-study",
        "plausibly people list my-study --where \"state = 'idle'\" --json",
    ),
)
@click.argument("study", type=STUDY)
@where_option
@json_option
@database_option
def list_(study: Path, *, where: str | None, as_json: bool, database: str | None) -> None:
    """List everybody: state, items, checks, seconds, list, flags, decisions on data and pay."""
    from plausibly.web.people import people_list

    result = people_list(study, where=where, database=database)
    if as_json:
        print_json(result.as_json())
        return
    click.echo(result.text(), nl=False)
    say(result.talk)


@command.command(
    "objections",
    epilog=_examples(
        "plausibly people objections my-study",
        'plausibly people objections my-study --number 1 --reply "You are right."',
    ),
)
@click.argument("study", type=STUDY)
@click.option("--number", type=int, help="The objection to reply to.")
@click.option(
    "--reply", default="", help="The reply, which the person sees through their personal link."
)
@json_option
@database_option
def objections(
    study: Path, *, number: int | None, reply: str, as_json: bool, database: str | None
) -> None:
    """List the objections of excluded people, or reply to one."""
    from plausibly.web.people import people_objections

    result = people_objections(study, number=number, reply=reply, database=database)
    if as_json:
        print_json(result.as_json())
        return
    print_table(result.objections.columns, result.objections.fill_null("").rows())
    waiting = result.objections["replied"].null_count()
    say(f"{waiting} of {result.objections.height} objections wait for a reply.")


@command.command(
    "exclude",
    epilog=_examples(
        "plausibly people exclude my-study p1a2b3",
        "plausibly people exclude my-study --where \"channel = 'api' and items < 3\" --yes",
    ),
)
@click.argument("study", type=STUDY)
@click.argument("person", nargs=-1)
@where_option
@click.option("--reason", help="Reason, for the record and for a request to return.")
@click.option("--ask-return", is_flag=True, help="Do not pay them: ask for a return instead.")
@yes_option
@json_option
@database_option
def exclude(
    study: Path,
    *,
    person: tuple[str, ...],
    where: str | None,
    reason: str | None,
    ask_return: bool,
    yes: bool,
    as_json: bool,
    database: str | None,
) -> None:
    """Exclude PERSON …, or everybody for whom a condition holds; their places open at once."""
    from plausibly.ratings.store.objections import BY_US
    from plausibly.web.people.deciding import people_exclude

    result = people_exclude(
        study,
        person,
        where=where,
        reason=reason or BY_US,
        ask_return=ask_return,
        yes=yes,
        database=database,
    )
    _show(result, "excluded", as_json=as_json)


@command.command(
    "restore",
    epilog=_examples(
        "plausibly people restore my-study p1a2b3",
        "plausibly people restore my-study --where \"data = 'held'\" --yes",
    ),
)
@click.argument("study", type=STUDY)
@click.argument("person", nargs=-1)
@where_option
@yes_option
@json_option
@database_option
def restore(
    study: Path,
    *,
    person: tuple[str, ...],
    where: str | None,
    yes: bool,
    as_json: bool,
    database: str | None,
) -> None:
    """Undo exclusion, screening and quarantine of PERSON …, or of all who meet a condition."""
    from plausibly.web.people import people_restore

    result = people_restore(study, person, where=where, yes=yes, database=database)
    _show(result, "restored", as_json=as_json)


@command.command(
    "withdraw",
    epilog=_examples(
        "plausibly people withdraw my-study p1a2b3",
        "plausibly people withdraw my-study p1a2b3 p4c5d6",
    ),
)
@click.argument("study", type=STUDY)
@click.argument("person", nargs=-1, required=True)
@json_option
@database_option
def withdraw(study: Path, *, person: tuple[str, ...], as_json: bool, database: str | None) -> None:
    """Withdraw PERSON …, who asked for it; they can undo it for 7 days with their link."""
    from plausibly.web.people import people_withdraw

    _show(people_withdraw(study, person, database=database), "withdrawn", as_json=as_json)


def _show(result: Decided, what: str, *, as_json: bool) -> None:
    if as_json:
        print_json(result.as_json())
        return
    columns = ("annotator", "state", "items", "channel", "joined", "data", "pay")
    print_table(columns, result.people.select(columns).iter_rows())
    if not result.done:
        count = result.people.height
        say(f"{count} {'person' if count == 1 else 'people'} would be {what}. Add --yes to do it.")
        return
    for name, reason in result.denied:
        say(f"{name}: not possible ({reason}).")
    number = result.people.height - len(result.denied)
    say(
        f"{number} {'person' if number == 1 else 'people'} {what}: {result.voided} answers and "
        f"places void, {result.restored} answers count again, {result.surplus} wait for a place."
    )
    if result.removed:
        say(f"Removed; plausibly run makes them again: {', '.join(result.removed)}.")


@command.command(
    "erase",
    epilog=_examples(
        "plausibly people erase my-study p1a2b3 --yes",
        "plausibly people erase my-study p1a2b3 --yes --json",
    ),
)
@click.argument("study", type=STUDY)
@click.argument("person")
@click.option("--yes", is_flag=True, help="Do it; this cannot be undone.")
@json_option
@database_option
def erase(study: Path, person: str, *, yes: bool, as_json: bool, database: str | None) -> None:
    """Erase a person's answers, comments, times and ids, and everything derived from them."""
    from plausibly.web.people import people_erase

    result = people_erase(study, person, yes=yes, database=database)
    if as_json:
        print_json(result.as_json())
        return
    say(f"Erased: {result.answers} answers to {result.items} items and {result.comments} comments.")
    if result.removed:
        say(f"Removed, for `plausibly run` to make again: {', '.join(result.removed)}.")
    if result.elsewhere:
        say("\n  ".join(("Made earlier, and still with data of this person:", *result.elsewhere)))
    if result.unpaid:
        say("This person was still to be paid. Pay them on the platform.")


@command.command(
    "pay",
    epilog=_examples(
        "plausibly people pay my-study --platform-export prolific.csv -o pay",
        "plausibly people pay my-study --json",
    ),
)
@click.argument("study", type=STUDY)
@output_option("Folder for the lists.", folder=True, required=False)
@click.option("--platform-export", type=FILE, help="The platform's export of submissions (CSV).")
@json_option
@database_option
def pay(
    study: Path,
    *,
    output: Path | None,
    platform_export: Path | None,
    as_json: bool,
    database: str | None,
) -> None:
    """Write lists of people to approve, people to ask for a return, and bonuses to pay."""
    from plausibly.web.people import people_pay

    result = people_pay(study, output=output, platform_export=platform_export, database=database)
    document = result.as_json()
    if as_json:
        print_json(document)
        return
    print_table(("what", "number"), [(k, v) for k, v in document.items() if k != "files"])
    for name in result.files:
        say(name)


@command.command(
    "pause",
    epilog=_examples(
        "plausibly people pause my-study",
        "plausibly people pause my-study --json",
    ),
)
@click.argument("study", type=STUDY)
@json_option
@database_option
def pause(study: Path, *, as_json: bool, database: str | None) -> None:
    """Pause a study: nobody can join, and people who have begun can continue."""
    from plausibly.web.people import people_pause

    _show_gate(people_pause(study, database=database), as_json=as_json)


@command.command(
    "close",
    epilog=_examples(
        "plausibly people close my-study",
        "plausibly people close my-study --json",
    ),
)
@click.argument("study", type=STUDY)
@json_option
@database_option
def close(study: Path, *, as_json: bool, database: str | None) -> None:
    """Close a study: nobody can join, and people who have begun can finish their batch."""
    from plausibly.web.people import people_close

    _show_gate(people_close(study, database=database), as_json=as_json)


@command.command(
    "reopen",
    epilog=_examples(
        "plausibly people reopen my-study",
        "plausibly people reopen my-study --json",
    ),
)
@click.argument("study", type=STUDY)
@json_option
@database_option
def reopen(study: Path, *, as_json: bool, database: str | None) -> None:
    """Reopen a paused or closed study."""
    from plausibly.web.people import people_reopen

    _show_gate(people_reopen(study, database=database), as_json=as_json)


def _show_gate(gate: GateState, *, as_json: bool) -> None:
    if as_json:
        print_json(gate.as_json())
        return
    say(f"The study is {gate.state} (before: {gate.before}); {gate.working} people are at work.")


@command.command(
    "desk",
    epilog=_examples(
        "plausibly people desk my-study",
        "plausibly people desk my-study --new",
    ),
)
@click.argument("study", type=STUDY)
@click.option("--new", is_flag=True, help="Make new links, which revokes the earlier ones.")
@json_option
@database_option
def desk(study: Path, *, new: bool, as_json: bool, database: str | None) -> None:
    """Print the links to the desk: one for the owner, one for viewers."""
    from plausibly.web.people import people_desk

    links = people_desk(study, new=new, database=database)
    if as_json:
        print_json(links.as_json())
        return
    print_table(("who", "link"), [("owner", links.owner), ("viewers", links.viewer)])
    if new:
        say("Earlier links no longer work.")
