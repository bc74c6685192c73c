"""What must never happen to answers, the database itself refuses, whoever opens it.

`INSERT OR REPLACE` deletes rows without firing triggers on DELETE, so that every table whose rows
stay refuses a second row with the same key before it is written.
"""

from __future__ import annotations

# reserved → answered → accepted; each may become void; what was void for a while may come back.
# Who corrects the last item of a batch takes it back to answered, until it is judged again.
_PATHS = """
    (OLD.state = 'reserved' AND NEW.state IN ('answered', 'void'))
    OR (OLD.state = 'answered' AND NEW.state IN ('answered', 'accepted', 'void'))
    OR (OLD.state = 'accepted' AND NEW.state IN ('answered', 'void'))
    OR (OLD.state = 'void' AND NEW.state IN ('reserved', 'answered', 'accepted')
        AND OLD.was IS NEW.state)
    OR OLD.state = NEW.state
"""
_COUNTED = """
    SELECT count(*) FROM slots WHERE slots.item = NEW.item AND slots.state <> 'void'
"""
# How a table finds the row that a new one would replace, whichever of its keys they share.
_SAME = {
    "items": ("item = NEW.item",),
    "people": ("annotator = NEW.annotator", "submission = NEW.submission"),
    "exclusions": ("number = NEW.number",),
    "slots": ("annotator = NEW.annotator AND item = NEW.item", "reservation = NEW.reservation"),
    "submissions": (
        "annotator = NEW.annotator AND item = NEW.item AND step = NEW.step "
        "AND revision = NEW.revision",
        "annotator = NEW.annotator AND key = NEW.key",
    ),
    "answers": (
        "annotator = NEW.annotator AND item = NEW.item AND step = NEW.step "
        "AND revision = NEW.revision AND question = NEW.question AND candidate = NEW.candidate",
    ),
}
_KEPT = ("slots", "submissions", "answers", "people", "exclusions")
# Columns that never change once a row is there.
_FIXED = {
    "items": ("item",),
    "slots": ("annotator", "item", "reservation"),
    "people": ("annotator", "source", "joined", "channel", "submission", "browser", "short"),
    "exclusions": ("number", "annotator", "item", "reason", "made"),
}
# Columns of an item that never change once somebody was given it.
_SEEN = ("kind", "content")


def _refuse(name: str, when: str, condition: str, why: str) -> str:
    return f"""CREATE TRIGGER {name} BEFORE {when} WHEN {condition}
    BEGIN SELECT RAISE(ABORT, '{why}'); END"""


def _changes(columns: tuple[str, ...]) -> str:
    return " OR ".join(f"NEW.{name} IS NOT OLD.{name}" for name in columns)


_COUNTERS = (
    """CREATE TRIGGER slot_taken AFTER INSERT ON slots
    BEGIN UPDATE items SET taken = taken + 1 WHERE item = NEW.item; END""",
    """CREATE TRIGGER slot_freed AFTER UPDATE OF state ON slots
    WHEN OLD.state <> 'void' AND NEW.state = 'void'
    BEGIN UPDATE items SET taken = taken - 1 WHERE item = NEW.item; END""",
    """CREATE TRIGGER slot_retaken AFTER UPDATE OF state ON slots
    WHEN OLD.state = 'void' AND NEW.state <> 'void'
    BEGIN UPDATE items SET taken = taken + 1 WHERE item = NEW.item; END""",
    _refuse(
        "items_count",
        "UPDATE OF taken ON items",
        f"NEW.kind = 'item' AND NEW.taken <> ({_COUNTED})",
        "taken counts the slots of an item",
    ),
    _refuse("items_begin", "INSERT ON items", "NEW.taken <> 0", "an item begins without slots"),
)
_SLOTS = (
    _refuse(
        "slots_begin",
        "INSERT ON slots",
        "NEW.state <> 'reserved' OR NEW.revision <> 0",
        "a slot begins as reserved",
    ),
    _refuse(
        "slot_path",
        "UPDATE OF state ON slots",
        f"NOT ({_PATHS})",
        "a slot cannot change its state this way",
    ),
    _refuse(
        "slot_was",
        "UPDATE OF was ON slots",
        """NEW.was IS NOT NULL AND NEW.was IS NOT OLD.was
        AND NOT (NEW.state = 'void' AND OLD.state <> 'void' AND NEW.was = OLD.state)""",
        "a slot was in the state it leaves",
    ),
    _refuse(
        "slot_revision",
        "UPDATE OF revision ON slots",
        "NEW.revision < OLD.revision",
        "what was sent stays sent",
    ),
)
_HELD = "EXISTS (SELECT 1 FROM slots WHERE slots.item = OLD.item)"
_ITEMS = (
    _refuse("items_stay", "DELETE ON items", _HELD, "items people were given are never deleted"),
    _refuse(
        "items_seen",
        f"UPDATE OF {', '.join(_SEEN)} ON items",
        f"({_changes(_SEEN)}) AND {_HELD}",
        "items people were given do not change",
    ),
)

# Rows go only with the person they are about, and places only once they are void.
_LIVING = "NOT EXISTS (SELECT 1 FROM erasing WHERE erasing.annotator = OLD.annotator)"

TRIGGERS = (
    _refuse("slots_end", "DELETE ON slots", "OLD.state <> 'void'", "a slot ends as void"),
    *_COUNTERS,
    *_SLOTS,
    *_ITEMS,
    *(
        _refuse(f"{table}_stay", f"DELETE ON {table}", _LIVING, f"{table} are never deleted")
        for table in _KEPT
    ),
    *(
        _refuse(f"{table}_append", f"UPDATE ON {table}", "TRUE", f"{table} are only appended")
        for table in ("submissions", "answers")
    ),
    *(
        _refuse(
            f"{table}_once_{n}",
            f"INSERT ON {table}",
            f"EXISTS (SELECT 1 FROM {table} WHERE {same})",  # noqa: S608 - names of our schema
            f"{table} are never replaced",
        )
        for table, keys in _SAME.items()
        for n, same in enumerate(keys, 1)
    ),
    *(
        _refuse(
            f"{table}_fixed",
            f"UPDATE OF {', '.join(columns)} ON {table}",
            _changes(columns),
            f"{table} keep these columns",
        )
        for table, columns in _FIXED.items()
    ),
)

# These tables came after the first answers were collected: what they lack is added.
LATER_TRIGGERS = tuple(
    trigger.replace("CREATE TRIGGER", "CREATE TRIGGER IF NOT EXISTS", 1)
    for trigger in (
        _refuse("desk_log_stay", "DELETE ON desk_log", "TRUE", "the log is never deleted"),
        _refuse("desk_log_append", "UPDATE ON desk_log", "TRUE", "the log is only appended"),
        _refuse(
            "desk_log_once",
            "INSERT ON desk_log",
            "EXISTS (SELECT 1 FROM desk_log WHERE number = NEW.number)",
            "the log is never replaced",
        ),
        _refuse("consents_stay", "DELETE ON consents", _LIVING, "consents are never deleted"),
        _refuse("consents_append", "UPDATE ON consents", "TRUE", "consents are only appended"),
        _refuse(
            "consents_once",
            "INSERT ON consents",
            "EXISTS (SELECT 1 FROM consents "
            "WHERE annotator = NEW.annotator AND version = NEW.version)",
            "consents are never replaced",
        ),
    )
)
