"""Links a platform signs: RS256 tokens, checked with the platform's public keys."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from binascii import Error as BadBase64
from collections.abc import Mapping, Sequence
from typing import Any

ISSUER = "https://www.prolific.com"
LEEWAY = 30.0  # seconds by which two clocks may differ
_SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")  # DigestInfo of RFC 8017
SHORTEST = 2048  # bits of a key


def read_signed_link(
    token: str, keys: Sequence[Mapping[str, Any]], *, audience: str, now: float
) -> dict[str, str] | None:
    """Return what a signed link says of its person; None if it is forged, old or not ours.

    Args:
        token: The link's `prolific_token`, a JWT signed with RS256.
        keys: The platform's public keys (JWKS).
        audience: Where the link leads: our address, whatever follows it.
        now: The time.

    Returns:
        The parameters of the link, with `sub`: the platform's id of the submission.
    """
    claims = _claims(token, keys)
    if claims is None or claims.get("iss") != ISSUER or not _is_current(claims, now):
        return None
    named = claims.get("aud")
    audiences = named if isinstance(named, list) else [named]
    if not any(_is_ours(str(one), audience) for one in audiences):
        return None
    claimed = claims.get("prolific")
    parameters = {str(k): str(v) for k, v in claimed.items()} if isinstance(claimed, dict) else {}
    return {**parameters, "sub": str(claims.get("sub", ""))}


def _claims(token: str, keys: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return what a token claims if one of the keys signed it."""
    try:
        head, body, signature = token.split(".")
        header, claims = (json.loads(_decoded(part)) for part in (head, body))
        signed = _decoded(signature)
    except (ValueError, BadBase64):
        return None
    if not isinstance(header, dict) or not isinstance(claims, dict):
        return None
    if header.get("alg") != "RS256":  # a token chooses neither "none" nor another method
        return None
    matching = [key for key in keys if key.get("kid") == header.get("kid")]
    message = f"{head}.{body}".encode()
    return claims if any(_is_signed(key, message, signed) for key in matching) else None


def _decoded(part: str) -> bytes:
    return base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)


def _is_current(claims: Mapping[str, Any], now: float) -> bool:
    expires = claims.get("exp")
    return isinstance(expires, int | float) and now <= expires + LEEWAY


def _is_ours(named: str, audience: str) -> bool:
    """Return whether a link leads to our site, whatever query follows it."""
    return named.partition("?")[0].rstrip("/") == audience.partition("?")[0].rstrip("/")


def _is_signed(key: Mapping[str, Any], message: bytes, signature: bytes) -> bool:
    """Check a signature by building what it must be (RFC 8017, section 8.2.2)."""
    try:
        modulus, exponent = (int.from_bytes(_decoded(str(key[name]))) for name in ("n", "e"))
    except (KeyError, ValueError, BadBase64):
        return False
    size = (modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature)
    if modulus.bit_length() < SHORTEST or len(signature) != size or number >= modulus:
        return False
    digest = _SHA256 + hashlib.sha256(message).digest()
    expected = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
    return hmac.compare_digest(pow(number, exponent, modulus).to_bytes(size), expected)
