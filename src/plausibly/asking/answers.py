"""What a reply says: the scores of the options four ways, and the option chosen."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from math import exp, fsum, log
from typing import Any, Literal, get_args
from unicodedata import normalize

from plausibly.ports import Reply

Normalisation = Literal["none", "token", "character", "pmi"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)

_NAMES = (
    r"(?:\w+:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad|"
    r"inner_monologue)"
)
_OPENS = rf"(?:[<\[◁]\s*{_NAMES}\b[^<>\[\]▷]*[>\]▷]|<\|(?:START|begin)_?(?:of_)?{_NAMES}\|>)"
_CLOSES = rf"(?:[<\[◁]\s*/\s*{_NAMES}\s*[>\]▷]|<\|END_?(?:of_)?{_NAMES}\|>)"
_THOUGHT = re.compile(rf"(?is){_OPENS}.*?(?:{_CLOSES}|\Z)")
_UNOPENED = re.compile(rf"(?is)\A.*{_CLOSES}")
_FINAL = re.compile(r"(?is)\A.*<\|channel\|>\s*final\b.*?<\|message\|>")
_CHANNEL = re.compile(
    r"(?is)<\|?channel\|?>\s*(?!final\b)\w+.*?(?:<\|end\|>|<channel\|>|<\|?channel\|?>\s*final\b|\Z)"
)
_PLAIN_CHANNEL = re.compile(r"(?is)\A\s*analysis.*assistantfinal")
_NUMBERED = re.compile(r"(?is)<unused94>.*?(?:<unused95>|\Z)")
_SPECIAL = re.compile(r"(?i)<\|[^<>|]*\|>(?:assistant\b)?|</?s>")
_ANSWER = r"(?:answer|response|risposta|antwort)"
_LABEL = re.compile(rf"(?i)\A(?:the )?(?:final )?{_ANSWER}(?: finale)?[\s*_`]*:")
_FENCE = re.compile(r"(?s)\A```\w*\s*\n(.*)\n\s*```\Z")
_WRAPPED = re.compile(r"(?s)\A(?:<answer>(.*)</answer>|\$*\\boxed\{(.*)\}\$*)[.]?\Z")
_EMPHASIS = re.compile(r"(\*{1,3})(?=\S)([^*]+)(?<=\S)\1")
_LINE_MARK = re.compile(r"\A(?:(?:>|[-•])\s+(?=[^\W\d])|#{1,6}\s+)")
_UNTICKED = re.compile(r"(?:[-*+•]\s+)?(?:\[\s*\]|\(\s*\)|☐)")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3}|\.\d\d0)")
_LETTERED = re.compile(r"\A\(?(\w)[).:]\s+(\S.*)\Z")
_AROUND = " \t\r\n\"'`*_()[]{}\u00ab\u00bb\u00b4\u2018\u201c\u201d\u201e\u2039\u203a"
_AFTER = ".,;:!…。"
_PLAIN = str.maketrans({"\u2019": "'", "\u2212": "-"})


def option_scores(
    reply: Reply, words: Sequence[str], bare: Reply | None
) -> dict[Normalisation, list[float] | None]:
    """Return the score of each option: summed, per token, per character, and against its own odds.

    Summed log-likelihood favours short options; what an option has without any item (Holtzman et
    al. 2021, "Surface form competition") is taken away under `pmi`. None if it is not known.

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


def written_option(text: str, options: Mapping[str, str], lead: str = "") -> str | None:
    """Return the option a written answer is; None if it is anything else: it stays unread.

    Thoughts, quotes, Markdown, brackets, final punctuation and "Answer:" are removed, and an object
    of JSON with the answer as its only field is read. What is left must be one option, ignoring
    case, or its letter where options have letters. Nothing is guessed, so a sentence about an
    option is unread, and so is one that is struck out (~~yes~~) or whose box is empty ([ ] yes).

    Args:
        text: What the model wrote.
        options: From an option to how it is written.
        lead: What the prompt puts before the answer; a model may repeat it.

    >>> written_option("**Sì**.", {"false": "no", "true": "sì"})
    'true'
    >>> written_option("<think>Falso?</think> Vero.", {"false": "falso", "true": "vero"})
    'true'
    >>> written_option("(b)", {"false": "A) no", "true": "B) yes"})
    'true'
    >>> written_option("Non è vero", {"false": "falso", "true": "vero"})
    """
    said = _one_form(_bare(_unwrapped(text), lead))
    fitting = [option for option, word in options.items() if said in _forms(word)]
    return fitting[0] if len(fitting) == 1 else None


def written_number(text: str) -> str | None:
    """Return the number a written answer is; None if it is anything else.

    A comma may begin the decimals. A number that could be one in thousands ("1,000") is unread.

    >>> written_number("**70**."), written_number("Answer: 12,5"), written_number("about 70")
    ('70', '12.5', None)
    >>> written_number("1,000"), written_number("> 75"), written_number("0,125")
    (None, None, '0.125')
    """
    said = _bare(_unwrapped(text))
    plain = _NUMBER.fullmatch(said) and not _THOUSANDS.fullmatch(said)
    return said.replace(",", ".") if plain else None


def written_options(text: str, options: Sequence[str]) -> str | None:
    """Return the options a written answer lists, between semicolons; None if it is anything else.

    >>> written_options("II; i", ["i", "ii", "iii"]), written_options("i, iv", ["i", "ii"])
    ('ii;i', None)
    """
    said = _bare(_unwrapped(text))
    known = {_bare(one): one for one in options}
    found = [known.get(_bare(part)) for part in re.split(r"[;,]", said)]
    if not all(found) or len(set(found)) < len(found):
        return None
    return ";".join(one for one in found if one)


def without_thoughts(text: str) -> str:
    """Return what a model wrote without its thoughts, closed or not.

    >>> without_thoughts("<think>Owls hunt.</think>5"), without_thoughts("<think>Owls hunt. 5")
    ('5', '')
    >>> without_thoughts("<|channel|>analysis<|message|>4?<|end|><|channel|>final<|message|>5")
    '5'
    """
    text = _PLAIN_CHANNEL.sub("", _FINAL.sub("", text))
    text = _UNOPENED.sub("", _THOUGHT.sub("", _CHANNEL.sub("", text)))
    return _SPECIAL.sub("", _NUMBERED.sub("", text)).strip()


def _unwrapped(text: str) -> str:
    r"""Return what a model wrote, out of a code block, an object of JSON, a tag or a box.

    A list with an empty box is nothing: the option after it was not chosen.

    >>> _unwrapped('```json\n{"answer": 75}\n```'), _unwrapped("\\boxed{yes}")
    ('75', 'yes')
    """
    said = without_thoughts(text)
    if _UNTICKED.match(said):
        return ""
    fenced = _FENCE.match(said)
    said = fenced[1].strip() if fenced else said
    wrapped = _WRAPPED.match(said)
    said = (wrapped[1] or wrapped[2] or "").strip() if wrapped else said
    return _field(said) if said.startswith("{") else said


def _field(text: str) -> str:
    """Return the answer that is the only field of an object; a text of any other kind unchanged."""
    try:
        document = json.loads(text)
    except ValueError:
        return text
    if not isinstance(document, dict) or len(document) != 1:
        return text
    [(name, said)] = document.items()
    if not re.fullmatch(_ANSWER, name.casefold()) or isinstance(said, bool):
        return text
    return str(said) if isinstance(said, str | int | float) else text


def _bare(text: str, lead: str = "") -> str:
    """Return a text without what may stand around an answer."""
    said, before = _EMPHASIS.sub(r"\2", _same(text)), None
    opening = _LABEL.sub("", _same(lead)).strip(_AROUND + _AFTER)
    while said != before:
        before = said
        said = _LINE_MARK.sub("", said.strip(_AROUND).rstrip(_AROUND + _AFTER))
        said = _LABEL.sub("", said)
        if opening and re.match(rf"{re.escape(opening)}(?!\w)", said):
            said = said[len(opening) :].lstrip(_AROUND + ":")
    return said


def _same(text: str) -> str:
    return " ".join(normalize("NFC", text).casefold().translate(_PLAIN).split())


def _one_form(said: str) -> str:
    """Return an option with its letter as prompts write them: `b) yes` for `b. yes`."""
    return _LETTERED.sub(r"\1) \2", said)


def _forms(word: str) -> set[str]:
    """Return the ways to write an option: in full and, where it has one, without or by its letter.

    >>> sorted(_forms("B) Yes"))
    ['b', 'b) yes', 'yes']
    """
    lettered = _LETTERED.match(_same(word))
    parts = () if lettered is None else lettered.groups()
    return {_one_form(_bare(word)), *(_bare(part) for part in parts)} - {""}
