"""Under which licence a release may be given away: the strictest of its parts decides.

Creative Commons lets material under BY-SA be passed on under BY-SA only (a later version at
most), and material under BY-NC-SA under BY-NC-SA only, so that the two cannot be joined. ND allows
no adaptation at all. What states no licence may not be passed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plausibly.errors import StudyError


@dataclass(frozen=True, slots=True, order=True)
class Licence:
    """A licence as far as joining material goes.

    Args:
        spdx: Its identifier; empty if no licence is stated.
        title: Its name.
        share_alike: Adaptations must be under it as well.
        noncommercial: Commercial use is not allowed.
        no_derivatives: Adaptations may not be passed on.
        version: Of a Creative Commons licence.
    """

    spdx: str
    title: str
    share_alike: bool = False
    noncommercial: bool = False
    no_derivatives: bool = False
    version: float = 0.0

    @property
    def hub(self) -> str:
        """Its name on the Hugging Face hub."""
        return self.spdx.lower() if self.spdx else "unknown"

    @property
    def url(self) -> str | None:
        """Where its text is."""
        parts = re.fullmatch(r"CC-(BY(?:-[A-Z]+)*)-(\d\.\d)", self.spdx)
        if parts:
            return f"https://creativecommons.org/licenses/{parts[1].lower()}/{parts[2]}/"
        return OTHERS.get(self.spdx)


OTHERS = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "MIT": "https://opensource.org/license/mit",
    "ODC-By-1.0": "https://opendatacommons.org/licenses/by/1-0/",
}
UNSTATED = Licence("", "not stated")
_CC = re.compile(r"\bCC[ -]BY((?:[ -](?:SA|NC|ND))*)(?:[ -](\d(?:\.\d)?))?", re.IGNORECASE)
_CURRENT = 4.0


def licence_of(text: str) -> Licence:
    """Return the licence a text names; its strictest part where it names several.

    >>> licence_of("CC BY-SA 3.0; includes ConceptNet 5 material, CC BY-SA 4.0").spdx
    'CC-BY-SA-4.0'
    >>> licence_of("cc-by-nc-sa-4.0").noncommercial, licence_of("none stated").spdx
    (True, '')
    """
    if re.search(r"\bnone stated\b|\bno licence\b|\bnot known\b", text, re.IGNORECASE):
        return UNSTATED
    named = [_creative_commons(match) for match in _CC.finditer(text)]
    plain = text.strip().casefold()
    known = [Licence(spdx, spdx) for spdx in OTHERS if spdx.casefold() == plain]
    if re.fullmatch(r"cc0(?:[ -]1\.0)?", plain):
        known = [Licence("CC0-1.0", "CC0 1.0")]
    if not named and not known:
        raise StudyError(
            f"licence {text!r} is not known. Write an SPDX identifier such as CC-BY-4.0, "
            f"CC-BY-SA-4.0, CC-BY-NC-SA-4.0 or {', '.join(OTHERS)}."
        )
    every = (*named, *known)
    return every[0] if len(every) == 1 else joined([("one part", one) for one in every])


def _creative_commons(match: re.Match[str]) -> Licence:
    parts = [part.upper() for part in re.split(r"[ -]", match[1]) if part]
    version = float(match[2]) if match[2] else _CURRENT
    spdx = "-".join(["CC-BY", *(p for p in ("NC", "ND", "SA") if p in parts), f"{version:.1f}"])
    return Licence(
        spdx,
        f"Creative Commons {'-'.join(['BY', *parts])} {version:.1f}",
        share_alike="SA" in parts,
        noncommercial="NC" in parts,
        no_derivatives="ND" in parts,
        version=version,
    )


def joined(parts: Sequence[tuple[str, Licence]]) -> Licence:
    """Return the licence of something made of parts; raise if two cannot be joined.

    Args:
        parts: What each part is called, and its licence.
    """
    _refuse(parts)
    alike = [(name, one) for name, one in parts if one.share_alike]
    limited = [(name, one) for name, one in parts if one.noncommercial]
    for name, one in alike:
        for other, another in limited:
            if not one.noncommercial:
                raise StudyError(_clash((name, one), (other, another)))
    if alike:
        return max((one for _, one in alike), key=lambda one: (one.noncommercial, one.version))
    if limited:
        return max((one for _, one in limited), key=lambda one: one.version)
    return max((one for _, one in parts), key=lambda one: (_strictness(one), one.version))


def _refuse(parts: Iterable[tuple[str, Licence]]) -> None:
    for name, one in parts:
        if one == UNSTATED:
            raise StudyError(
                f"{name} states no licence, so its rows may not be passed on. Leave them out, or "
                'say in release.toml that it was only consulted: use = "consulted".'
            )
        if one.no_derivatives:
            raise StudyError(
                f"{name} is under {one.spdx}, which forbids derived works. Leave its rows "
                'out, or say in release.toml that it was only consulted: use = "consulted".'
            )


def _clash(first: tuple[str, Licence], second: tuple[str, Licence]) -> str:
    return (
        f"{first[0]} ({first[1].spdx}) and {second[0]} ({second[1].spdx}) cannot be in one "
        "release: each must be passed on under its own licence. Release them separately."
    )


def _strictness(licence: Licence) -> int:
    return 0 if licence.spdx == "CC0-1.0" else 1


def propagated(chosen: Licence | None, sources: Sequence[tuple[str, Licence]]) -> Licence:
    """Return the licence of a release: the author's, or else what its sources ask for.

    Without either it has none, which the release says wherever it speaks of its licence.

    Raises:
        StudyError: If the sources cannot be joined, or the author's licence allows more than
            they do.
    """
    if not sources:
        return UNSTATED if chosen is None else chosen
    needed = joined(sources)
    if chosen is None:
        return needed
    names = ", ".join(name for name, _ in sources)
    if needed.share_alike and chosen.spdx != needed.spdx:
        later = _family(chosen) == _family(needed) and chosen.version >= needed.version
        if not later:
            raise StudyError(
                f"licence {chosen.spdx} is not that of its sources ({names}): they ask for "
                f"{needed.spdx}. Write licence = {needed.spdx!r} in release.toml."
            )
    if needed.noncommercial and not chosen.noncommercial:
        raise StudyError(
            f"licence {chosen.spdx} allows commercial use, but its sources ({names}) do not. "
            f"Write licence = {needed.spdx!r} in release.toml."
        )
    return chosen


def _family(licence: Licence) -> str:
    return licence.spdx.rpartition("-")[0]
