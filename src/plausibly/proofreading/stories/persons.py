"""Agreement with the actor: person, gender, and missing verbs or articles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from plausibly.datasets.gita.stories import Story
from plausibly.proofreading.stories.grammar import Mistake, Settings

_ONE = (
    *("il", "lo", "la", "un", "uno", "una", "del", "dello", "della", "al", "allo", "alla"),
    *("nel", "nello", "nella", "sul", "sullo", "sulla", "dal", "dallo", "dalla"),
)
_NOUN = re.compile(
    rf"\b(?:{'|'.join(_ONE)}) ([^\W\d_]+)|\b(?:l|un|dell|all|nell|sull|dall)['\u2019]([^\W\d_]+)",
    re.IGNORECASE,
)
_PARTICIPLE = (
    r"(?:\w{2,}(?:at|ut|it|ert|es|ess|ott|itt|ius|ors|ast|ost|int|ant|ett|olt|ent|ist)"
    r"|fatt|res|mess)"
)
_BARE = re.compile(rf"\b(?:h[oa]|hanno|abbiamo) {_PARTICIPLE}o ([^\W\d_]+)(?=[\s.])")
_PRESENT = re.compile(r"(?!(?:ha|è|la|le|ne|se|ce|che)\b)[^\W\d_]+[ae] ([^\W\d_]+)(?=[\s.])")
_SEVERAL = re.compile(rf"\b{_PARTICIPLE}[oaie] (?:le|gli) ([^\W\d_]+[oa])\b")
_BEHIND_DONE = re.compile(r"\b[^\W\d_]+[ts]o (?:le|gli) ([^\W\d_]+[oa])\b")
_OTHER_PERSON = re.compile(r"(?:ho|hai|abbiamo|avete|sei|siamo|siete|ero|eri|avevo|avevi)\b")
_NOT_THE_TELLER = re.compile(r"(?:Hanno|Avete|Hai) ")
_NO_VERB = re.compile(r"(?:il|i|uno|una?(?! (?:giorno|volta|sera|mattina|notte|po)))\b")
_PRONOUN = re.compile(r"(?:lo|la|le|gli) ([^\W\d_]+)")
_NO_ACCENT = re.compile(r"\b(?:si|mi|ti|ci|vi|non|lo|ne) e\b|\bc['\u2019]e\b|\bé\b", re.IGNORECASE)
_THING_AND = re.compile(
    rf"^(?:(?:Il|Lo|La|I|Gli|Le) |L['\u2019])[^\W\d_]+ e (?:stat[oaie]|{_PARTICIPLE}[oaie])\b"
)
_WENT = re.compile(rf"(?:non |si |non si )?(?:è|era) (?:già |poi |appena )?({_PARTICIPLE}[oa])\b")
_I_WENT = re.compile(rf"^(?:Io )?(?:[Mm]i )?[Ss]ono ({_PARTICIPLE}[oa])\b")
_THING = re.compile(
    rf"^(?:(La|Una) ([^\W\d_]+a)|(Il|Lo|Un|Uno) ([^\W\d_]+o)) "
    r"(?:non |si |non si )?(?:è|era) (?:stat[oa] )?"
    rf"({_PARTICIPLE}|vuot|pien|cald|fredd|spent)([oa])\b"
)
_WITH = re.compile(r"\b(?:con|insieme a|assieme a|accanto a) ([A-ZÀ-Ù][a-zà-ù]{2,})\b")


def nouns_of_one(stories: Iterable[Story]) -> frozenset[str]:
    """Return the words that follow a singular article anywhere in the stories."""
    return frozenset(
        (found[1] or found[2]).casefold()
        for story in stories
        for sentence in story.sentences
        for found in _NOUN.finditer(sentence)
    )


def misfits(
    story: Story, sentence: str, *, nouns: Collection[str], settings: Settings
) -> Iterator[Mistake]:
    """Yield kind and words of what does not agree with the actor.

    Args:
        story: The story of the sentence.
        sentence: One of its sentences.
        nouns: Singular nouns.
        settings: Word lists by name.
    """
    if found := _NO_ACCENT.search(sentence) or _THING_AND.match(sentence):
        yield "spelling", f"{found[0]!r} lacks the accent of the verb 'è'"
    teller = _NOT_THE_TELLER.match(sentence) if story.actor == "Io" else None
    if teller:
        yield "other_actor", f"{teller[0]!r} is about somebody else, but the actor is 'Io'"
    for name in story.actors:
        start = re.match(rf"(?:(?:Il|Lo|La|L['\u2019]) ?)?{re.escape(name)} ", sentence)
        if start and name.casefold() not in settings["pronouns"]:
            yield from _behind(name, sentence[start.end() :], story, settings)
            yield from _bare(_PRESENT.match(sentence[start.end() :]), nouns, settings)
    yield from _bare(_BARE.search(sentence), nouns, settings)
    plurals = [one for one in _BEHIND_DONE.finditer(sentence) if one[1].casefold() in nouns]
    for found in {one[0]: one for one in (*_SEVERAL.finditer(sentence), *plurals)}.values():
        if found[1].casefold() not in {*settings["feminine_in_o"], *settings["one_form"]}:
            yield "article", f"'{found[0]}': a plural article, a singular noun"
    if (thing := _THING.match(sentence)) and _unlike(thing, settings):
        yield "agreement", f"'{thing[0]}' do not agree"
    found = _WITH.search(sentence)
    if found and not any(found[1] in name for name in (*story.actors, *story.objects)):
        yield "other_actor", f"{found[1]!r} is named, but the actor is {story.actor!r}"


def _behind(name: str, rest: str, story: Story, settings: Settings) -> Iterator[Mistake]:
    """Yield what cannot follow the actor's name."""
    word = re.match(r"[^\W\d_]+", rest)
    next_one = word[0] if word else ""
    if _OTHER_PERSON.match(rest):
        yield "verb_form", f"'{name} {next_one}': a verb in another person"
    elif re.match(rf"e {_PARTICIPLE}[oa]\b", rest):
        yield "spelling", f"'{name} e' lacks the accent of the verb 'è'"
    elif _NO_VERB.match(rest) or (
        (pronoun := _PRONOUN.match(rest)) and pronoun[1] in story.objects
    ):
        yield "no_verb", f"no verb after {name!r}: {rest[:20]!r}"
    elif next_one[-1:] in ("o", "i") and next_one not in settings["behind_names"]:
        yield "verb_form", f"'{name} {next_one}': not a verb in the third person"


def _bare(
    found: re.Match[str] | None, nouns: Collection[str], settings: Settings
) -> Iterator[Mistake]:
    if found and found[1] in nouns and found[1] not in {*settings["bare"], *_ONE}:
        yield "no_article", f"no article before {found[1]!r}"


def _unlike(thing: re.Match[str], settings: Settings) -> bool:
    feminine, ending = bool(thing[1]), thing[6]
    noun = (thing[2] or thing[4]).casefold()
    either = {*settings["masculine_in_a"], *settings["feminine_in_o"]}
    return noun not in either and ending != ("a" if feminine else "o")


def genders(story: Story, settings: Settings) -> Iterator[tuple[int, Mistake]]:
    """Yield place and words of participles that do not agree with the actor's gender.

    A name in `a` or `o` shows its gender, unless it is listed; for other names, and for a narrator,
    the participles must agree with each other.
    """
    for name in (*story.actors, ""):
        participles = list(_participles(name, story.sentences))
        ends = Counter(one[-1] for _, one in participles)
        if name in settings["men_in_a"] or name in settings["women_in_o"]:
            usual = "o" if name in settings["men_in_a"] else "a"
        elif name[-1:] in ("a", "o"):
            usual = name[-1]
        else:
            usual = ends.most_common(1)[0][0] if len(ends) > 1 else ""
        for place, one in participles:
            if usual and one[-1] != usual:
                who = f"{name!r}" if name else "the narrator"
                yield place, ("agreement", f"{one!r} does not fit {who}")


def _participles(name: str, sentences: Sequence[str]) -> Iterator[tuple[int, str]]:
    for place, sentence in enumerate(sentences):
        start = re.match(rf"(?:(?:Il|La) )?{re.escape(name)} ", sentence) if name else None
        found = _WENT.match(sentence[start.end() :]) if start else None
        if not name:
            found = _I_WENT.match(sentence)
        if found:
            yield place, found[1]
