"""Secrets of a study and what they sign: coded people, tokens, sessions, links, codes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from itsdangerous import (
    BadData,
    Signer,
    TimestampSigner,
    URLSafeSerializer,
    URLSafeTimedSerializer,
)

from plausibly.errors import StudyError

FILE = "answers.key"
PLATFORM_FILE = "answers.platform.key"
VARIABLE = "PLAUSIBLY_KEY"
SHORTEST = 16
LENGTH = 32
MOST_KNOWN = 4096  # signatures that are kept in mind; one that is forged is not
RENEWED = 60  # seconds after which a session is signed anew


@dataclass(frozen=True, slots=True)
class Session:
    """What a browser carries: a random number of its own, who it belongs to, if they were let in.

    Args:
        nonce: The number.
        annotator: Who takes part with this browser.
        screened: Whether someone said with this browser that they are not eligible.
    """

    nonce: str
    annotator: str | None = None
    screened: bool = False


class ExactSigner(Signer):
    """Knows a signature in one spelling: the last letter of another may differ in unused bits."""

    def verify_signature(self, value: str | bytes, sig: str | bytes) -> bool:
        """Return whether a signature is the one that would be written."""
        given = sig.encode(errors="replace") if isinstance(sig, str) else sig
        return hmac.compare_digest(self.get_signature(value), given)


class ExactTimestampSigner(ExactSigner, TimestampSigner):
    """The same, with the time at which something was signed."""


class Keys:
    """Everything that is signed or hashed with the key of one study."""

    def __init__(self, secret: bytes, *, seconds: float) -> None:
        self._secret = secret
        self._seconds = int(seconds)
        self._tokens = URLSafeTimedSerializer(secret, salt="token", signer=ExactTimestampSigner)
        self._sessions = URLSafeTimedSerializer(secret, salt="session", signer=ExactTimestampSigner)
        self._links = URLSafeSerializer(secret, salt="link", signer=ExactSigner)
        self._visits = URLSafeTimedSerializer(secret, salt="desk", signer=ExactTimestampSigner)
        # What was signed lately need not be signed, nor checked, again with every request.
        self._verify_token = lru_cache(MOST_KNOWN)(self._verified_token)
        self._verify_session = lru_cache(MOST_KNOWN)(self._verified_session)
        self._sign_session = lru_cache(MOST_KNOWN)(self._signed_session)

    def annotator(self, person: str) -> str:
        """Return the coded form of a participant number; without the key it leads nowhere."""
        return f"p{self._mac('person', person.strip()).hex()[:20]}"

    def visitor(self, nonce: str) -> str:
        """Return the coded form of someone who is known by their browser alone."""
        return f"p{self._mac('visitor', nonce).hex()[:20]}"

    def hashed(self, purpose: str, text: str) -> str:
        """Return what recognises a text, such as a submission, without storing it."""
        return self._mac(purpose, text).hex()[:24]

    def is_same(self, one: str, other: str) -> bool:
        """Return whether two hashes are the same, in a time that does not depend on them."""
        return hmac.compare_digest(one.encode(errors="replace"), other.encode())

    def code(self, annotator: str) -> str:
        """Return the completion code of a person."""
        return base64.b32encode(self._mac("code", annotator))[:10].decode()

    def token(self, annotator: str) -> str:
        """Return a token that speaks for a person for a while."""
        return str(self._tokens.dumps(annotator))

    def read_token(self, token: str) -> str | None:
        """Return whom a token speaks for, None if it is forged or too old."""
        try:
            annotator, made = self._verify_token(token)
        except BadData:
            return None
        return annotator if self._is_fresh(made) else None

    def _verified_token(self, token: str) -> tuple[str, datetime]:
        """Return whom a token speaks for and since when; raise if it is forged."""
        annotator, made = self._tokens.loads(token, return_timestamp=True)
        return str(annotator), made

    def _is_fresh(self, made: datetime) -> bool:
        """Check if something is not too old; a clock that was set back makes nothing forged."""
        return (datetime.now(UTC) - made).total_seconds() <= self._seconds

    def link(self, annotator: str) -> str:
        """Return the end of a person's own link, which never runs out."""
        return str(self._links.dumps(annotator))

    def read_link(self, link: str) -> str | None:
        """Return whose link it is, None if it is forged."""
        try:
            return str(self._links.loads(link))
        except BadData:
            return None

    def desk(self, role: str, number: str) -> str:
        """Return the end of a link to the desk; another number makes another link."""
        return self._mac(f"desk {role}", number).hex()

    def visit(self, role: str, link: str, nonce: str) -> str:
        """Return what a browser keeps of a link to the desk, signed."""
        return str(self._visits.dumps((role, self.hashed("visit", link), nonce)))

    def read_visit(self, cookie: str, *, seconds: float) -> tuple[str, str, str] | None:
        """Return role, hashed link and nonce of a cookie; None if it is forged or too old."""
        try:
            role, link, nonce = self._visits.loads(cookie, max_age=int(seconds))
        except (BadData, TypeError, ValueError):
            return None
        return str(role), str(link), str(nonce)

    def session(self, session: Session) -> str:
        """Return a session as a signed cookie, the same one for a minute."""
        return self._sign_session(session, int(datetime.now(UTC).timestamp() // RENEWED))

    def _signed_session(self, session: Session, minute: int) -> str:
        del minute
        return str(self._sessions.dumps((session.nonce, session.annotator, session.screened)))

    def read_session(self, cookie: str) -> Session | None:
        """Return the session a cookie carries, None if it is forged or too old."""
        try:
            session, made = self._verify_session(cookie)
        except (BadData, TypeError):
            return None
        return session if self._is_fresh(made) else None

    def _verified_session(self, cookie: str) -> tuple[Session, datetime]:
        """Return the session of a cookie and since when it is; raise if it is forged."""
        stored, made = self._sessions.loads(cookie, return_timestamp=True)
        return Session(*stored), made

    def csrf(self, session: Session) -> str:
        """Return what a form must carry to prove that it was served to this session."""
        return self._mac("csrf", session.nonce).hex()[:32]

    def is_csrf(self, session: Session | None, given: str) -> bool:
        """Return whether a form was served to this session."""
        return session is not None and hmac.compare_digest(
            self.csrf(session).encode(), given.encode(errors="replace")
        )

    def fingerprint(self) -> str:
        """Return what tells keys apart without giving them away."""
        return self._mac("fingerprint", "").hex()[:16]

    def _mac(self, purpose: str, text: str) -> bytes:
        message = f"{purpose}|{text}".encode(errors="surrogatepass")
        return hmac.digest(self._secret, message, hashlib.sha256)


def new_session(annotator: str | None = None) -> Session:
    """Return a session nobody has had before."""
    return Session(secrets.token_urlsafe(12), annotator)


def refuse_short(variable: str, given: str) -> None:
    """Raise if a secret of the environment could be guessed."""
    if len(given) < SHORTEST:
        raise StudyError(f"{variable} must have {SHORTEST} characters or more.")


def study_secret(folder: Path, number: str, *, make: bool = True, name: str = FILE) -> bytes:
    """Return the key of a study: derived from PLAUSIBLY_KEY, else kept next to its answers.

    Args:
        folder: The study folder.
        number: The study's own number, so that studies with one PLAUSIBLY_KEY do not share keys.
        make: Whether a key is made where there is none; else it is empty.
        name: The file; every file has another key.
    """
    given = os.environ.get(VARIABLE, "")
    if given:
        refuse_short(VARIABLE, given)
        purpose = number if name == FILE else f"{number}|{name}"
        return hmac.digest(given.encode(), purpose.encode(), hashlib.sha256)
    path = folder / name
    if not path.exists():
        if not make:
            return b""
        _make(path)
    return _read(path)


def _read(path: Path) -> bytes:
    try:
        secret = bytes.fromhex(path.read_bytes().decode("ascii").strip())
    except ValueError:
        secret = b""
    if len(secret) != LENGTH:
        raise StudyError(
            f"{path}: expected {2 * LENGTH} hexadecimal digits, as the server writes them. "
            "Restore the original file; if nothing was collected yet, delete it and the answers."
        )
    return secret


def _make(path: Path) -> None:
    """Make a key that is there whole or not at all; one that someone else just made stays."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{FILE}-", dir=path.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as target:
                target.write(secrets.token_hex(LENGTH) + "\n")
                target.flush()
                os.fsync(target.fileno())
            with suppress(FileExistsError):
                os.link(name, path)
        finally:
            Path(name).unlink()
    except OSError as error:
        why = error.strerror or error
        raise StudyError(f"{path}: cannot be created ({why}). Set {VARIABLE} instead.") from error
