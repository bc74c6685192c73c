"""What a reply says: the scores of the options four ways, and the option chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import exp, fsum, log
from typing import Any, Literal, get_args

from plausibly.ports import Reply

Normalisation = Literal["none", "token", "character", "pmi"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)

_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"(?<!\d)\d(?!\d)")
_DECIMAL = re.compile(r"(?<=\d)[.,](?=\d)")
_THOUGHT = re.compile(r"(?is)<think>.*?(?:</think>|\Z)")
_DENIALS = frozenset(
    {"non", "né", "mai", "not", "nor", "never", "cannot", "isn", "aren", "wasn", "doesn", "don"}
)
_NEAR = 4
"""So many words before another a denial is about it."""


def option_scores(
    reply: Reply, words: Sequence[str], bare: Reply | None
) -> dict[Normalisation, list[float] | None]:
    """Return the score of each option: summed, per token, per character, and against its own odds.

    Summed log-likelihood favours short options; what an option has without any item (Holtzman et
    al. 2021, "Surface form competition") is taken away under `pmi`. None where it is not known.

    >>> option_scores(Reply((-2.0, -6.0), (1, 4)), ["no", "maybe so"], None)["token"]
    [-2.0, -1.5]
    """
    summed = None if reply.logliks is None else list(reply.logliks)
    if summed is None:
        return dict.fromkeys(NORMALISATIONS)
    own = None if bare is None else bare.logliks
    per_token = beyond = None
    if reply.lengths:
        per_token = [s / max(n, 1) for s, n in zip(summed, reply.lengths, strict=True)]
    if own:
        beyond = [s - before for s, before in zip(summed, own, strict=True)]
    by_length = [s / len(word.strip()) for s, word in zip(summed, words, strict=True)]
    return {"none": summed, "token": per_token, "character": by_length, "pmi": beyond}


def first_token_scores(
    first: Sequence[Sequence[Any]] | None, words: Sequence[str]
) -> list[float] | None:
    """Return the log-probability of the tokens that begin one option and no other.

    None unless every option has such a token: a model that was shown twenty tokens may have
    others for the rest.

    >>> first_token_scores([["no", -0.5], ["Yes", -2.0], ["tea", -3.0]], ["no", "yes"])
    [-0.5, -2.0]
    """
    plain = [word.strip().casefold() for word in words]
    sums = [0.0] * len(plain)
    for token, value in first or ():
        begin = str(token).strip().casefold()
        owners = [place for place, word in enumerate(plain) if begin and word.startswith(begin)]
        if len(owners) == 1:
            sums[owners[0]] += exp(float(value))
    return [log(total) for total in sums] if sums and all(sums) else None


def best_option(scores: Sequence[float] | None, options: Sequence[str]) -> str | None:
    """Return the option with the highest score, the first of several.

    >>> best_option([-1.0, -1.0], ["false", "true"])
    'false'
    """
    return None if scores is None else options[list(scores).index(max(scores))]


def shares_of(scores: Sequence[float], options: Sequence[str]) -> dict[str, float]:
    """Return the probabilities of the options, if one of them had to be chosen.

    >>> shares_of([0.0, 0.0], ["a", "b"])
    {'a': 0.5, 'b': 0.5}
    """
    highest = max(scores)
    weights = [exp(score - highest) for score in scores]
    whole = fsum(weights)
    return {option: weight / whole for option, weight in zip(options, weights, strict=True)}


def written_option(text: str, options: Mapping[str, str]) -> str | None:
    """Return the option a written answer names, None if it names none, several, or what it is not.

    What a model says to itself before its answer is left away.

    Args:
        text: What the model wrote.
        options: From an option to how it is written.

    >>> written_option("**Sì**, è possibile.", {"false": "no", "true": "sì"})
    'true'
    >>> written_option("sentences 2 and 4", {"0 and 1": "1 and 2", "1 and 3": "2 and 4"})
    '1 and 3'
    >>> written_option("Non è vero", {"false": "falso", "true": "vero"})
    >>> written_option("<think>Falso?</think> Vero.", {"false": "falso", "true": "vero"})
    'true'
    """
    text = _THOUGHT.sub(" ", text)
    said = _plain(text)
    plain = {option: _plain(word) for option, word in options.items()}
    exact = [option for option, word in plain.items() if said == word]
    opening = [option for option, word in plain.items() if f"{said} ".startswith(f"{word} ")]
    longest = sorted(opening, key=lambda option: -len(plain[option]))
    mentioned = [option for option, word in plain.items() if f" {word} " in f" {said} "]
    if len(mentioned) == 1 and not opening and _denied(plain[mentioned[0]], said):
        mentioned = []
    for candidates in (exact, longest[:1], mentioned):
        if len(candidates) == 1:
            return candidates[0]
    return _by_digits(text, options)


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(_DECIMAL.sub("_", text.casefold())))


def _denied(word: str, said: str) -> bool:
    """Tell whether an answer has a denial shortly before a word."""
    before, _, _ = f" {said} ".partition(f" {word} ")
    return bool(_DENIALS & set(before.split()[-_NEAR:]))


def _by_digits(text: str, options: Mapping[str, str]) -> str | None:
    """Return the option with the digits of a text, where options are told apart by digits."""
    digits = {option: tuple(_DIGIT.findall(word)) for option, word in options.items()}
    if not all(digits.values()) or len(set(digits.values())) < len(digits):
        return None
    said = tuple(sorted(dict.fromkeys(_DIGIT.findall(text))))
    return next((option for option, own in digits.items() if tuple(sorted(own)) == said), None)
