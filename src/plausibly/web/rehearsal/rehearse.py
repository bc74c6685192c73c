"""A study rehearsed: what it would cost, what it would yield, and whom the rules would remove."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import polars as pl

from plausibly.errors import MissingExtra, StudyError, about, option
from plausibly.io import make_folder, read_table, sparing
from plausibly.ports import SILENCE, Watch
from plausibly.ratings.collected import answers_of
from plausibly.ratings.lists import LISTS
from plausibly.ratings.paying import batch_seconds
from plausibly.ratings.retests import RETEST, retest_report
from plausibly.ratings.served import Served
from plausibly.ratings.simulated.kinds import CARELESS, MIX, parse_mix
from plausibly.ratings.simulated.outlook import Outlook, outlook_of
from plausibly.ratings.simulated.people import SimulatedPerson, cast
from plausibly.ratings.simulated.pilot import model_of
from plausibly.ratings.stopping import early_closing, stopping
from plausibly.ratings.timing import hundred_seconds
from plausibly.study.folder import Study
from plausibly.study.results import Result, put_document, put_table, text_table
from plausibly.study.settings import FILE
from plausibly.study.verb import Output, verb
from plausibly.tables import ANNOTATORS, ITEMS
from plausibly.web.rehearsal.band import band as rule_band
from plausibly.web.rehearsal.losses import ALL, Cleaning, precision
from plausibly.web.rehearsal.losses import curve as rule_curve
from plausibly.web.study import read_study

if TYPE_CHECKING:
    from plausibly.web.rehearsal.driving import RehearsalTally

LEAST = 200  # people behind each point of a curve
FEW = 20  # people of a kind below which their row of a table says little


@dataclass(frozen=True, eq=False, repr=False)
class Rehearsed(Result):
    """What a rehearsed crowd gave, and what the study's rules make of it.

    Args:
        ratings: Every rating, checks included.
        annotators: Who gave them, with `simulated_kind`.
        report: Cost, hours, coverage, and each rule by kind of person.
    """

    ratings: pl.DataFrame
    annotators: pl.DataFrame
    report: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the report."""
        return dict(self.report)

    def text(self) -> str:
        """Return cost, hours and coverage, then each rule by kind of person."""
        facts = {key: self.report[key] for key in ("people", "ratings", "hours", "cost")}
        if self.report.get("batch_seconds"):
            facts["minutes a batch"] = self.report["batch_seconds"] / 60
        facts |= {f"coverage {key}": value for key, value in self.report["coverage"].items()}
        facts |= {
            f"minutes a hundred{'' if sort == 'all' else f' {sort}'}": seconds / 60
            for sort, seconds in self.report["seconds_per_100"].items()
        }
        parts = [text_table(("fact", "value"), facts.items())]
        kinds = list(self.report["kinds"])
        rows = [
            (rule, *(f"{cells[kind]['removed']}/{_both(cells[kind])}" for kind in kinds))
            for rule, cells in self.report["rules"].items()
        ]
        if rows:
            parts.append(text_table(("removed of", *kinds), rows))
        designs = [name for name in ("stopping", "decided", "retests") if name in self.report]
        parts += [text_table((name, "value"), self.report[name].items()) for name in designs]
        if "band" in self.report:
            spans = {
                **self.report["band"]["removed"],
                "precision": self.report["band"]["precision"],
            }
            ends = [(name, *(one or (None, None))) for name, one in spans.items()]
            about = f"of {self.report['band']['people']} people, removed by all rules"
            parts.append(text_table((about, "low", "high"), ends))
        if "curve" in self.report:
            parts.append(self._curve())
        return "\n".join(parts)

    def _curve(self) -> str:
        """Return the share of each kind that all rules remove, as people grow more careful."""
        kinds = sorted({k for point in self.report["curve"] for k in point["removed"][ALL]})
        rows = [
            (
                point["subtlety"],
                *(point["removed"][ALL].get(kind) for kind in kinds),
                point["precision"][ALL],
            )
            for point in self.report["curve"]
        ]
        return text_table(("subtlety", *kinds, "precision"), rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """What happened at the door."""
        found = (
            f"{self.report['people']} simulated people, {self.report['turned_away']} turned away, "
            f"{self.report['finished']} finished; {self.report['ratings']} answers were stored.",
        )
        few = [kind for kind, count in self.report["kinds"].items() if count < FEW]
        if not few or not self.report["rules"] or "curve" in self.report:
            return found
        return (
            *found,
            f"Fewer than {FEW} people were {' or '.join(few)}: one more or less moves the table. "
            f"A curve, such as '0', shows what the rules do to {LEAST} people or more.",
        )

    @property
    def documents(self) -> Mapping[str, object]:
        """The report, and what it was made from; the study's manifest is not touched."""
        made = {"rehearsal.manifest.json": self.manifest}
        return MappingProxyType({"rehearsal.json": dict(self.report), **made})

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write ratings, annotators and the report into a folder, which may be the study's."""
        target = Path(folder)
        if not force:
            check_place(target)
        make_folder(target)
        with sparing(self.made.paths):
            for name, table in self.tables.items():
                put_table(name, table, target / f"{name}.parquet")
            for name, document in self.documents.items():
                put_document(document, target / name)
        return target

    def wrote(self, folder: Path) -> tuple[str, ...]:
        """Return where the report is."""
        return (f"{folder / 'rehearsal.json'}: how the study would go.",)


def check_place(folder: Path) -> Path:
    """Return where a rehearsal may be written; raise rather than replace ratings people gave."""
    people, ratings = folder / "annotators.parquet", folder / "ratings.parquet"
    if not ratings.exists():
        return folder
    known = read_table(people, ANNOTATORS) if people.exists() else None
    if known is None or known.filter(pl.col("kind") != "simulated").height:
        raise StudyError(
            f"{ratings}: these ratings are not from a rehearsal. Write elsewhere "
            f"({option('output')})."
        )
    return folder


def _sources(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is read of a study: its settings and its items, not its results."""
    folder = Path(arguments["study"])
    files = [*sorted(folder.glob("*.toml")), folder / "items.parquet"]
    if (folder / FILE).is_file():
        pilot = Study(folder).settings.sections.get("people", {}).get("pilot")
        files += [folder / name for name in (LISTS, pilot or LISTS) if (folder / name).is_file()]
    return {"study": list(dict.fromkeys(files))}


@verb(
    sources=_sources,
    output=Output(
        help="Folder to write into (default: STUDY, unless real ratings are there).",
        otherwise="study",
        ready=check_place,
    ),
)
def rehearse(
    study: str | Path,
    *,
    people: int = 100,
    mix: str | Mapping[str, float] | None = None,
    pay: float = 0.0,
    subtlety: float = 0.0,
    curve: str | Sequence[float] | None = None,
    band: bool = False,
    stop_at: int = 0,
    seed: int = 1,
    watch: Watch = SILENCE,
) -> Rehearsed:
    """Let simulated people take part in a study, through its real server, before anybody is paid.

    They arrive one after the other in simulated time; what they answer and how long they take
    follows from seed, person and item alone, by the model in the study's section [people]. The
    study's answers are not touched. Writes ratings.parquet, annotators.parquet (with
    simulated_kind) and rehearsal.json: cost, hours, coverage, the model, and how many people of
    each kind every rule would remove.

    Args:
        study: The study folder.
        people: Number of people.
        mix: Share of each kind, as 'careful=.8,bot=.2' (default: careful=.8, others .05 each):
            careful, biased, consistent-minority, uniform-spammer, straight-liner,
            midpoint-responder, extreme-responder, subtle-spammer, bot, dropout or returning.
        pay: Pay per hour, from which the cost is computed.
        subtlety: Share of items that people of other kinds answer as careful ones would.
        curve: Values of subtlety at which to show each rule's recall and precision, as '0,.25,.5'.
        band: Show how much the share of people that the rules remove depends on two guesses: that
            careful people pass a check with a probability of .9 to .99, and that answers take .7 to
            1.4 times as long.
        stop_at: Number of equal answers that would close an item; the report shows what that
            saves and distorts.
        seed: Seed for everything drawn at random.
        watch: Receives the progress.

    Examples:
        plausibly rehearse my-study --people 40 --seed 1
        plausibly rehearse my-study --people 40 --mix careful=.8,dropout=.2 --seed 1 --json

    >>> import tempfile
    >>> from plausibly import init
    >>> with tempfile.TemporaryDirectory() as place:
    ...     rehearsed = rehearse(init("pap", place, example=True).folder, people=3, seed=1)
    >>> rehearsed.annotators.height
    3
    >>> rehearse("no-such-study")
    Traceback (most recent call last):
    plausibly.errors.StudyError: no-such-study/study.toml: no such file. ...
    """
    if stop_at < 0:
        what = f"{option('stop_at')} must be 0 or more; got {stop_at}."
        raise StudyError(what, parameter="stop_at")
    with about("mix"):
        chosen = parse_mix(mix) if isinstance(mix, str) else dict(mix or MIX)
    steps = _steps(curve)
    crowd = list(cast(people, chosen, seed, subtlety=subtlety))
    served = read_study(Path(study))
    items = read_table(Path(study) / "items.parquet", ITEMS)
    settings = Study(study).settings
    model = model_of(settings.sections.get("people", {}), served, items)
    outlook = outlook_of(items, served.form, model, seed=seed)
    everything, tally = _taken_part(served, crowd, outlook, seed, watch)
    ratings = everything.filter(pl.col("kind") != RETEST)
    annotators = _annotators(tally)
    report = _report(served, ratings, annotators, tally, pay=pay)
    report |= {"people": people, "subtlety": subtlety, "rules": {}, "precision": {}}
    report["model"] = model.as_json()
    sections = settings.sections
    if "clean" in sections and ratings.height:
        cleaning = Cleaning.of(served, sections["clean"], items, seed)
        losses = cleaning.losses(ratings, annotators)
        report |= {"rules": losses, "precision": precision(losses)}
        if steps:
            many = max(people, LEAST)
            report["curve"] = rule_curve(
                served, cleaning, subtleties=steps, mix=chosen, people=many, model=model
            )
        if band:
            many = max(people, LEAST)
            report["band"] = rule_band(served, cleaning, model, mix=chosen, people=many)
    report |= _designs(served, everything, stop_at)
    return Rehearsed(ratings, annotators, report)


def _designs(served: Served, ratings: pl.DataFrame, stop_at: int) -> dict[str, Any]:
    """Return what closing items early saves or has saved, and what repeats tell about noise."""
    plan, question = served.plan, served.form.questions[0].id
    own = ratings.filter(pl.col("kind") == "item")
    fields: dict[str, Any] = {"seconds_per_100": hundred_seconds(own, served.sorts)}
    if plan.decided:
        asked = sum(one.kind == "item" for one in served.contents.values())
        fields["decided"] = early_closing(
            own, question=question, at_least=plan.decided, target=plan.target, items=asked
        )
    elif stop_at and own.height:
        fields["stopping"] = dict(stopping(own, question=question, at_least=stop_at))
    if plan.retest:
        fields["retests"] = retest_report(ratings, question=question)
    return fields


def _taken_part(
    served: Served, crowd: Sequence[SimulatedPerson], outlook: Outlook, seed: int, watch: Watch
) -> tuple[pl.DataFrame, RehearsalTally]:
    """Let everyone take part through the server; return the ratings and what happened."""
    try:
        from plausibly.web.rehearsal.driving import Caller, Clock, Drive, rehearsal_server
    except ImportError as error:
        raise MissingExtra("rehearsing", "web") from error
    clock = Clock()
    with tempfile.TemporaryDirectory(prefix="plausibly-rehearsal-") as scratch:
        with rehearsal_server(served, Path(scratch), clock, seed) as port:
            caller = Caller(port)
            try:
                tally = Drive(served, caller, clock, outlook).run(crowd, watch)
            finally:
                caller.close()
        return answers_of(Path(scratch) / "answers.sqlite")[0], tally


def _steps(text: str | Sequence[float] | None) -> list[float]:
    """Return the subtleties of a curve."""
    wrong = f"{option('curve')} must be numbers between 0 and 1, separated by commas; got {text!r}."
    try:
        parts = text.split(",") if isinstance(text, str) else text or ()
        steps = [float(part) for part in parts if str(part).strip()]
    except ValueError as error:
        raise StudyError(wrong, parameter="curve") from error
    if not all(0 <= step <= 1 for step in steps):
        raise StudyError(wrong, parameter="curve")
    return steps


def _annotators(tally: RehearsalTally) -> pl.DataFrame:
    frame = pl.DataFrame(
        {
            "annotator": list(tally.joined),
            "kind": ["simulated"] * len(tally.joined),
            "approval": [None] * len(tally.joined),
            "simulated_kind": list(tally.joined.values()),
        },
        schema_overrides={"annotator": pl.String, "approval": pl.Float64},
    )
    return ANNOTATORS.sort(ANNOTATORS.check(frame))


def _report(
    served: Served,
    ratings: pl.DataFrame,
    annotators: pl.DataFrame,
    tally: RehearsalTally,
    *,
    pay: float,
) -> dict[str, Any]:
    wanted = [name for name, one in served.contents.items() if one.kind == "item"]
    rated = ratings.group_by("item").agg(pl.col("annotator").n_unique().alias("people"))
    counts = dict(rated.iter_rows())
    each = [counts.get(item, 0) for item in wanted]
    hours = tally.seconds / 3600
    return {
        "ratings": ratings.height,
        "turned_away": tally.turned_away,
        "finished": tally.finished,
        "refused": tally.refused,
        "hours": hours,
        "days": tally.days,
        "cost": hours * pay,
        "pay": pay,
        "batch_seconds": _batch_seconds(served, ratings, annotators),
        "coverage": {
            "target": served.plan.target,
            "full": sum(n >= served.plan.first_target for n in each) / len(each) if each else None,
            "least": min(each, default=None),
            "mean": sum(each) / len(each) if each else None,
        },
        "kinds": dict(sorted(Counter(annotators["simulated_kind"].to_list()).items())),
    }


def _batch_seconds(served: Served, ratings: pl.DataFrame, annotators: pl.DataFrame) -> float | None:
    """Return how long people who read take for a batch; spammers' haste says nothing about pay."""
    readers = annotators.filter(~pl.col("simulated_kind").is_in(CARELESS))
    own = ratings.join(readers, on="annotator", how="semi", maintain_order="left")
    return batch_seconds(own, items=served.plan.batch)


def _both(cell: Mapping[str, int]) -> int:
    return cell["removed"] + cell["kept"]
