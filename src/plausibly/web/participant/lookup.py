"""Asks the platform about someone at the door: their signed link, or their submission."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool

from plausibly.backends.prolific import (
    RESERVED,
    PlatformRefused,
    PlatformSilent,
    ProlificClient,
)
from plausibly.ratings.signed_links import read_signed_link
from plausibly.web.context import Desk
from plausibly.web.participant.doors import EntryClaim

SECONDS = 2.0  # nobody waits longer at the door
SIGNED = "prolific_token"
DAY = 24 * 3600.0


class PlatformDoor:
    """Knows how to ask a platform; keeps its public keys for a day."""

    def __init__(self, client: ProlificClient) -> None:
        self._client = client
        self._keys: list[dict[str, Any]] = []
        self._read = -DAY

    def confirms(self, claim: EntryClaim) -> bool | None:
        """Return whether the platform knows a submission as claimed; None if it does not answer."""
        try:
            seen = self._client.submission(claim.submission, timeout=SECONDS)
        except (PlatformSilent, PlatformRefused):
            return None
        if seen is None:
            return False
        same = (seen.person, seen.study) == (claim.person, claim.study)
        return same and seen.status in RESERVED

    def keys(self) -> list[dict[str, Any]]:
        """Return the keys links are signed with, read anew once a day; none if that fails."""
        if time.monotonic() - self._read > DAY or not self._keys:
            try:
                self._keys = self._client.keys(timeout=SECONDS)
                self._read = time.monotonic()
            except (PlatformSilent, PlatformRefused):
                return self._keys
        return self._keys


async def check_link(
    desk: Desk, claim: EntryClaim, query: Mapping[str, str], *, audience: str
) -> EntryClaim | None:
    """Return a claim with a proof if its link is signed; None if it is forged.

    A link without a signature stays valid, unless the study asks for one; so does one that
    cannot be checked because the platform does not answer.
    """
    token = query.get(SIGNED, "")
    door, strict = desk.platform, bool(desk.served.server["signed_links"])
    if not token or door is None:
        return None if strict else claim
    keys = await run_in_threadpool(door.keys)
    if not keys:
        return None if strict else claim
    claims = read_signed_link(token, keys, audience=audience, now=desk.clock())
    named = {"PROLIFIC_PID": claim.person, "STUDY_ID": claim.study, "SESSION_ID": claim.submission}
    if claims is None or claims["sub"] != claim.submission:
        return None
    if any(claims.get(name, value) != value for name, value in named.items()):
        return None
    return replace(claim, proof=proof_of(desk, claim))


def proof_of(desk: Desk, claim: EntryClaim) -> str:
    """Return what shows us later that we have checked a link."""
    listing = "|".join((claim.person, claim.study, claim.submission))
    return desk.keys.hashed("proof", listing)


async def confirmed_by_platform(desk: Desk, claim: EntryClaim) -> bool | None:
    """Return whether the platform vouches for someone; None if nobody can tell now."""
    if desk.served.server["door"] != "panel" or claim.link:
        return None
    if claim.proof and desk.keys.is_same(claim.proof, proof_of(desk, claim)):
        return True
    if desk.served.server["signed_links"]:
        return False
    return None if desk.platform is None else await run_in_threadpool(desk.platform.confirms, claim)
