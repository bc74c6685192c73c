"""What identifies a person: ids of platforms, mail and network addresses, wherever they are."""

from __future__ import annotations

import re

MAIL = "a mail address"
PROLIFIC = "a Prolific id"
TURK = "a Mechanical Turk worker id"
QUALTRICS = "a Qualtrics response id"
NETWORK = "a network address"
PHONE = "a phone number"

_KINDS = {
    MAIL: (
        r"(?<![\w.+%-])[\w.+%-]+(?:[@\uff20]| ?[(\[{] ?(?:at|AT|@) ?[)\]}] ?)"
        r"[\w-]+(?:(?:\.| ?[(\[{] ?(?:dot|DOT|\.) ?[)\]}] ?)[\w-]+)+"
    ),
    PROLIFIC: r"(?<![0-9A-Za-z])[0-9a-fA-F]{24}(?![0-9A-Za-z])",
    TURK: r"(?<![0-9A-Za-z])A(?=[0-9A-Z]*\d)[0-9A-Z]{11,14}(?![0-9A-Za-z])",
    QUALTRICS: r"(?<![0-9A-Za-z])R_[0-9A-Za-z]{15,17}(?![0-9A-Za-z])",
    PHONE: (
        r"(?<![\w+])\+[1-9](?:[ /()-]{0,2}\d){6,13}(?!\w|[.,]\d)"
        r"|(?<![\w-])\(?\d{3}\)?[ -]\d{3}-\d{4}(?![\w-])"
    ),
    NETWORK: (
        r"(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])"
        r"|(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}(?![\w:])"
        r"|(?<![\w:])(?=[A-Fa-f:]*\d)(?:[0-9A-Fa-f]{1,4}:){2,6}(?::[0-9A-Fa-f]{1,4}){1,5}(?![\w:])"
    ),
}
_PATTERNS = {kind: re.compile(pattern) for kind, pattern in _KINDS.items()}


def personal_kind(text: str) -> str | None:
    """Return what in a text identifies a person, None if nothing of the kind is seen.

    >>> personal_kind("ask anna@example.org"), personal_kind("5f1b2c3d4e5f60718293a4b5")
    ('a mail address', 'a Prolific id')
    >>> personal_kind("anna (at) example.org"), personal_kind("look (at) that")
    ('a mail address', None)
    >>> personal_kind("from 192.0.2.17"), personal_kind("version 1.2.3 of ALPHABETICAL")
    ('a network address', None)
    >>> personal_kind("call +49 (0)170 1234567"), personal_kind("+0.123456789, 2024-11-15")
    ('a phone number', None)
    """
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(text)), None)
