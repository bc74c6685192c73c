"""The schema of the answers; `triggers` refuses what must never happen."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    text,
)

VERSION = 6
STATES = ("reserved", "answered", "accepted", "void")

metadata = MetaData()

facts = Table(
    "facts",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
)

items = Table(
    "items",
    metadata,
    Column("item", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("content", String, nullable=False),  # digest of what is shown
    Column("target", Integer),  # null for checks and fillers: any number of people see each
    Column("exact", Integer, nullable=False, default=0),
    Column("taken", Integer, nullable=False, default=0),
    Column("round", Integer, nullable=False, default=1),
    Column("refused", Integer, nullable=False, default=0),
    Column("withdrawn", Integer, nullable=False, default=0),
    Column("expected", String),
    Column("condition", String),
    Column("item_group", String),  # nobody rates two items of one group
    Column("language", String),  # of the text, empty where it is the study's
    CheckConstraint("taken >= 0", name="taken_is_a_count"),
    CheckConstraint("exact = 0 OR taken <= target", name="never_over_target"),
    CheckConstraint(
        "kind IN ('item', 'check', 'gold', 'attention', 'retest', 'filler')", name="kind_is_known"
    ),
)

people = Table(
    "people",
    metadata,
    Column("annotator", String, primary_key=True),  # a keyed hash, never the platform's number
    Column("source", String, nullable=False),
    Column("round", Integer, nullable=False),
    Column("joined", Float, nullable=False),
    Column("consented", Float),
    Column("finished", Float),
    Column("withdrew", Float),  # took their consent back: nothing of theirs is given out again
    Column("language", String),  # of the pages
    Column("channel", String),  # pages or api; null where it was not recorded
    Column("confirmed", Float),  # since when the platform, a list or a link vouches for them
    Column("submission", String, unique=True),  # a keyed hash of the platform's submission
    Column("browser", String),  # a keyed hash of the session in which they agreed
    Column("short", Integer),  # items of the short round they agreed to; null: a whole round
    Column("held", String),  # why they wait for the researcher's decision; null: they do not
    Column("attempts", Integer, default=0),  # at the questions about the instructions
    Column("understood", Float),  # since when they have answered them
    Column("unpaid", String),  # why they are asked to return their submission; null: they are not
)

admitted = Table(
    "admitted",
    metadata,
    Column("annotator", String, primary_key=True),  # invited or listed, whether they come or not
    Column("door", String, nullable=False),  # links or list
    Column("made", Float, nullable=False),
)

arrivals = Table(
    "arrivals",
    metadata,
    Column("address", String, primary_key=True),  # a hash under a key that no file outlasts
    Column("annotator", String, primary_key=True),
    Column("first", Float, nullable=False),
    Column("last", Float, nullable=False),
    sqlite_with_rowid=False,
)

screened = Table(
    "screened",
    metadata,
    Column("annotator", String, primary_key=True),  # said that they are not eligible
    Column("made", Float, nullable=False),
    Column("undone", Float),
)

consents = Table(
    "consents",
    metadata,
    Column("annotator", String, primary_key=True),
    Column("version", String, primary_key=True),  # a hash of what they agreed to
    Column("language", String, nullable=False),  # of the page they agreed on
    Column("made", Float, nullable=False),
)

erasing = Table(
    "erasing",
    metadata,
    Column("annotator", String, primary_key=True),  # empty outside the transaction that erases
)

erased = Table(
    "erased",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("person", String, nullable=False),  # a keyed hash, to find them in a backup
    Column("made", Float, nullable=False),
    Column("items", Integer, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("comments", Integer, nullable=False),
)

exclusions = Table(
    "exclusions",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("annotator", ForeignKey("people.annotator"), nullable=False),
    Column("item", ForeignKey("items.item")),  # the check that was failed, null if it was none
    Column("reason", String, nullable=False),
    Column("made", Float, nullable=False),
    Column("undone", Float),
)

objections = Table(
    "objections",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("annotator", String, nullable=False),
    Column("text", String, nullable=False),
    Column("made", Float, nullable=False),
    Column("reasons", String, nullable=False),  # why they were excluded at that time
    Column("reply", String, nullable=False, default=""),
    Column("replied", Float),
)

slots = Table(
    "slots",
    metadata,
    Column("annotator", ForeignKey("people.annotator"), primary_key=True),
    Column("item", ForeignKey("items.item"), primary_key=True),
    Column("reservation", String, nullable=False, unique=True),
    Column("batch", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("expires", Float, nullable=False),
    Column("shown", Float),
    Column("step", Integer, nullable=False, default=1),  # of the form, the one to be answered next
    Column("revision", Integer, nullable=False, default=0),  # how often anything was sent
    Column("last", Integer),  # the last step that was answered
    Column("survey", String),
    Column("was", String),  # the state before it became void
    Column("cause", String),  # why it is void: lapsed, excluded, surplus, withdrawn
    CheckConstraint(f"state IN {STATES}", name="state_is_known"),
    CheckConstraint(
        "state NOT IN ('answered', 'accepted') OR revision > 0", name="answered_has_an_answer"
    ),
    CheckConstraint("(state = 'void') = (cause IS NOT NULL)", name="void_has_a_cause"),
    sqlite_with_rowid=False,
)

submissions = Table(
    "submissions",
    metadata,
    Column("annotator", String, primary_key=True),
    Column("item", String, primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("key", String, nullable=False),
    Column("form", String, nullable=False),
    Column("shown", Float, nullable=False),
    Column("submitted", Float, nullable=False),
    Column("comment", String),
    Column("together", Integer, nullable=False, default=1),  # items that stood on the same page
    ForeignKeyConstraint(["annotator", "item"], ["slots.annotator", "slots.item"]),
    UniqueConstraint("annotator", "key", name="a_key_is_used_once"),
    sqlite_with_rowid=False,
)

answers = Table(
    "answers",
    metadata,
    Column("annotator", String, primary_key=True),
    Column("item", String, primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("question", String, primary_key=True),
    Column("candidate", String, primary_key=True),
    Column("answer", String, nullable=False),
    Column("value", Float),
    ForeignKeyConstraint(
        ["annotator", "item", "step", "revision"],
        [f"submissions.{name}" for name in ("annotator", "item", "step", "revision")],
    ),
    sqlite_with_rowid=False,
)

rounds = Table(
    "rounds",
    metadata,
    Column("round", Integer, primary_key=True),
    Column("opened", Float, nullable=False),
    Column("fewer_than", Integer),
    Column("ratings", Integer),
    Column("undone", Float),
)

reopened = Table(
    "reopened",
    metadata,
    Column("round", Integer, primary_key=True),
    Column("item", String, primary_key=True),
    Column("target", Integer, nullable=False),  # as it was, so that a round can be undone
    Column("before", Integer, nullable=False),  # the round it belonged to
)

surveys = Table(
    "surveys",
    metadata,
    Column("survey", String, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("item", ForeignKey("items.item"), nullable=False),
)

changes = Table(
    "changes",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("made", Float, nullable=False),
    Column("what", String, nullable=False),  # a column of the items, or the form
    Column("item", String),  # null where it is the form
    Column("before", String),
    Column("after", String),
)

desk_log = Table(
    "desk_log",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("made", Float, nullable=False),
    Column("by", String, nullable=False),  # owner or viewer at the desk, or command
    Column("what", String, nullable=False),
    Column("people", Integer),  # how many it was about; null where it was about nobody
    Column("answers", Integer),  # how many it was about, or had been stored by then
)

_RESERVED = "state = 'reserved'"
RESERVED = text(f"slots.{_RESERVED}")  # a literal: SQLite uses such an index for no parameter
Index("leases", slots.c.expires, sqlite_where=text(_RESERVED))
Index(
    "open_items",
    items.c.round,
    items.c.target - items.c.taken,
    sqlite_where=text("kind = 'item' AND withdrawn = 0"),
)
Index(
    "open_checks",
    items.c.item,
    sqlite_where=text("kind NOT IN ('item', 'retest', 'filler') AND withdrawn = 0"),
)
Index("unconfirmed", people.c.joined, sqlite_where=text("(confirmed IS NULL OR held IS NOT NULL)"))
Index("slots_of_an_item", slots.c.item)
Index(
    "reserved",
    slots.c.annotator,
    slots.c.batch,
    slots.c.position,
    sqlite_where=text(_RESERVED),
)
Index("surplus", slots.c.item, sqlite_where=text("cause = 'surplus'"))
Index("excluded", exclusions.c.annotator, sqlite_where=text("undone IS NULL"))
