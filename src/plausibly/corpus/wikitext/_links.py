"""Links of wikitext as a reader sees them: a label, a title, or nothing."""

from __future__ import annotations

import re

_CODES = """
aa ab ace ady af ak als alt am ami an ang ann anp ar arc ary arz as ast atj av avk awa ay az azb ba
ban bar bat-smg bbc bcl bdr be be-tarask be-x-old bew bg bh bho bi bjn blk bm bn bo bpy br bs btm
bug bxr ca cbk-zam cdo ce ceb ch cho chr chy ckb co cr crh cs csb cu cv cy da dag de dga din diq dk
dsb dtp dty dv dz ee el eml en eo es et eu ext fa fat ff fi fiu-vro fj fo fon fr frp frr fur fy ga
gag gan gcr gd gl glk gn gom gor got gpe gsw gu guc gur guw gv ha hak haw he hi hif ho hr hsb ht hu
hy hyw hz ia iba id ie ig igl ii ik ilo inh io is it iu ja jam jbo jv ka kaa kab kbd kbp kcg kg kge
ki kj kk kl km kn knc ko koi kr krc ks ksh ku kus kv kw ky la lad lb lbe lez lg li lij lld lmo ln lo
lrc lt ltg lv lzh mad mai map-bms mdf mg mh mhr mi min mk ml mn mni mnw mo mos mr mrj ms mt mus mwl
my myv mzn na nah nan nap nb nds nds-nl ne new ng nia nl nn no nov nqo nr nrm nso nv ny oc olo om or
os pa pag pam pap pcd pcm pdc pfl pi pih pl pms pnb pnt ps pt pwn qu rki rm rmy rn ro roa-rup
roa-tara rsk ru rue rup rw sa sah sat sc scn sco sd se sg sgs sh shi shn si simple sk skr sl sm smn
sn so sq sr srn ss st stq su sv sw syl szl szy ta tcy tdd te tet tg th ti tig tk tl tly tn to
tokipona tp tpi tr trv ts tt tum tw ty tyv udm ug uk ur uz ve vec vep vi vls vo vro wa war wo wuu
xal xh xmf yi yo yue za zea zgh zh zh-classical zh-cn zh-min-nan zh-tw zh-yue zu
"""

LANGUAGES = frozenset(_CODES.split())


# What is taken out of a sentence leaves a mark, so that its neighbours neither run together
# ("end.[1]Next") nor keep a gap ("word [1].").
MARK = "\x00"

_BRACKETED = r"[^\[\]]*+(?:\[[^\[\]]*+\][^\[\]]*+)*+"
_LINK = re.compile(rf"\[\[({_BRACKETED})\]\]")
_HIDDEN = frozenset(("file", "image", "media", "category"))
_TORN = re.compile(
    rf"\[\[\s*(?:{'|'.join(sorted(_HIDDEN))})\s*:[^\n]*?(?:\]\]|(?=\n)|\Z)", re.IGNORECASE
)
_EXTERNAL = re.compile(
    r"\[(?:(?:[a-z]+:)?//|mailto:|news:|tel:)[^\s\[\]]++[ \t]*+"
    r"([^\[\]\n]*+(?:\[[^\[\]\n]*+\][^\[\]\n]*+)*+)\]",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\b(?:https?|ftp)://[^\s<>\x00]*[^\s<>\x00.,;:!?)\]'\"]", re.IGNORECASE)
_QUALIFIER = re.compile(r"\s*\([^()]*\)$")


def links_read(text: str) -> str:
    r"""Return the text with every link as a reader sees it, the innermost first.

    >>> links_read("A [[cat (animal)|cat]] [[fr:Chat]] at [http://cat.org a page].")
    'A cat \x00 at a page.'
    """
    count = 1
    while count:
        text, count = _LINK.subn(_label, text)
    if "[[" in text:
        text = _TORN.sub(MARK, text)
    text = _EXTERNAL.sub(_described, text)
    return _ADDRESS.sub(MARK, text) if "://" in text else text


def count_links(wikitext: str) -> int:
    """Return how many links to other articles a reader sees.

    >>> count_links("[[A]] and [[b|B]] in [[Category:C]]")
    2
    """
    return sum(not _is_hidden(link) for link in _LINK.findall(wikitext))


def _label(link: re.Match[str]) -> str:
    inside = link.group(1)
    if ":" in inside and _is_hidden(inside):
        return MARK
    target, bar, label = inside.partition("|")
    shown = label.rpartition("|")[2] if bar else target.removeprefix(":")
    return shown or _QUALIFIER.sub("", target)


def _is_hidden(link: str) -> bool:
    """Return whether a link is a file, a category or one to the same article in a language.

    A language link has a code in lower case, no blank after it and no label, so that titles
    such as "It: Chapter Two" and "Re:Zero" are read.
    """
    space, colon, title = link.partition(":")
    if not colon:
        return False
    if space in LANGUAGES:
        return "|" not in title and not title[:1].isspace()
    return space.strip().lower() in _HIDDEN


def _described(link: re.Match[str]) -> str:
    return link.group(1) or MARK
