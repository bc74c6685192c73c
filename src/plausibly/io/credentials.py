"""Secrets that do not belong in data: keys of services, private keys, passwords in addresses."""

from __future__ import annotations

import re

_KINDS = {
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "a key of a cloud service": r"(?<![0-9A-Za-z])(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])",
    "a key of a code host": (
        r"(?<![0-9A-Za-z])(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_\w{22,}|glpat-[\w-]{20,})"
    ),
    "a key of a model service": r"(?<![0-9A-Za-z])(?:sk-[\w-]{20,}|hf_[0-9A-Za-z]{30,})",
    "a key of a chat service": r"(?<![0-9A-Za-z])xox[abprs]-[0-9A-Za-z-]{10,}",
    "a password in an address": r"[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@",
}
_PATTERNS = {kind: re.compile(pattern) for kind, pattern in _KINDS.items()}


def credential_kind(text: str) -> str | None:
    """Return what kind of secret a text holds, None if none is seen.

    >>> credential_kind("https://anna:geheim@example.org/x")
    'a password in an address'
    >>> credential_kind("the skill of sk-aters") is None
    True
    """
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(text)), None)
