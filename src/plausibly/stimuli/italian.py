"""Italian nouns in their place: article and plural by rule and exception, for nouns of a list.

Gender does not follow from the word, so a noun that is not listed is refused, never guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.errors import Problem, StudyError, TableError, option
from plausibly.io import read_rows

GENDERS = {"m": "m", "masc": "m", "maschile": "m", "f": "f", "fem": "f", "femminile": "f"}
VOWELS = "aeiouàèéìòù"
# Before these a masculine noun takes `uno`: s and a consonant, z, gn, ps, pn, pt, x, y, i + vowel.
UNO = re.compile(rf"(?:s[^{VOWELS}]|z|gn|ps|pn|pt|x|y|i[{VOWELS}])")
_GLIDE = re.compile(rf"i[{VOWELS}]")
_ELIDED = re.compile(rf"h?[{VOWELS}]")
# Plurals the rules get wrong.
_EXCEPTIONS = {
    "ala": "ali",
    "arma": "armi",
    "braccio": "braccia",
    "bue": "buoi",
    "dio": "dei",
    "dito": "dita",
    "lenzuolo": "lenzuola",
    "mano": "mani",
    "osso": "ossa",
    "paio": "paia",
    "uomo": "uomini",
    "uovo": "uova",
    "zio": "zii",
    "amico": "amici",
    "nemico": "nemici",
    "greco": "greci",
    "porco": "porci",
    "belga": "belgi",
    "eco": "echi",
    "centinaio": "centinaia",
    "fico": "fichi",
    "carico": "carichi",
    "incarico": "incarichi",
    "antico": "antichi",
    "labbro": "labbra",
    "ginocchio": "ginocchia",
    "asparago": "asparagi",
    "migliaio": "migliaia",
    "ciglio": "ciglia",
    "corno": "corna",
    "tempio": "templi",
    "moglie": "mogli",
    "superficie": "superfici",
    "effigie": "effigi",
    "addio": "addii",
    "mormorio": "mormorii",
    "pendio": "pendii",
    "oblio": "oblii",
    "leggio": "leggii",
    "rinvio": "rinvii",
    "dialogo": "dialoghi",
    "catalogo": "cataloghi",
    "prologo": "prologhi",
    "epilogo": "epiloghi",
    "monologo": "monologhi",
    "decalogo": "decaloghi",
    "monaco": "monaci",
    "sindaco": "sindaci",
    "farmaco": "farmaci",
    "intonaco": "intonaci",
    "equivoco": "equivoci",
    "parroco": "parroci",
    "esofago": "esofagi",
    "sarcofago": "sarcofagi",
}
# Nouns and adjectives that have one form, though their ending has another in the plural.
_UNCHANGED = frozenset(
    {"boia", "cinema", "delta", "euro", "gorilla", "koala", "panda", "sosia", "stereo", "vaglia"}
    | {"video", "blu", "rosa", "viola", "pari", "dispari"}
)


@dataclass(frozen=True, slots=True)
class ItalianNouns:
    """Nouns with their gender and, where the rules fail, their plural.

    Args:
        genders: From noun to `m` or `f`.
        plurals: From noun to its plural, before any rule.
    """

    genders: Mapping[str, str]
    plurals: Mapping[str, str]

    def phrase(self, noun: str) -> str:
        """Return a noun with its indefinite article.

        >>> nouns = ItalianNouns({"mela": "f", "amica": "f", "zaino": "m", "albero": "m"}, {})
        >>> [nouns.phrase(noun) for noun in ("mela", "amica", "zaino", "albero")]
        ['una mela', "un'amica", 'uno zaino', 'un albero']
        """
        gender, start = self._gender(noun), noun.casefold()
        if gender == "f":
            return (
                f"un'{noun}" if start[:1] in VOWELS and not _GLIDE.match(start) else f"una {noun}"
            )
        return f"uno {noun}" if UNO.match(start) else f"un {noun}"

    def plural(self, noun: str) -> str:
        """Return the plural of a noun.

        >>> known = {"mela": "f", "amica": "f", "arancia": "f", "poeta": "m", "città": "f"}
        >>> nouns = ItalianNouns({**known, "uomo": "m", "lago": "m", "medico": "m"}, {})
        >>> [nouns.plural(noun) for noun in nouns.genders]
        ['mele', 'amiche', 'arance', 'poeti', 'città', 'uomini', 'laghi', 'medici']
        """
        gender = self._gender(noun)
        if noun in self.plurals:
            return self.plurals[noun]
        if gender == "m" and noun in _UNCHANGED:
            return noun
        return _EXCEPTIONS.get(noun) or _by_rule(noun, gender)

    def definite(self, noun: str, *, many: bool = False) -> str:
        """Return a noun, or its plural, with the definite article.

        >>> nouns = ItalianNouns({"amica": "f", "zaino": "m", "uovo": "m", "cane": "m"}, {})
        >>> [nouns.definite(noun) for noun in nouns.genders]
        ["l'amica", 'lo zaino', "l'uovo", 'il cane']
        >>> [nouns.definite(noun, many=True) for noun in nouns.genders]
        ['le amiche', 'gli zaini', 'le uova', 'i cani']
        """
        gender = self._gender_of(noun, many=many)
        word = self.plural(noun) if many else noun
        start = word.casefold()
        if many:
            wide = UNO.match(start) or _ELIDED.match(start) or noun == "dio"
            return f"{'le' if gender == 'f' else 'gli' if wide else 'i'} {word}"
        elided = _ELIDED.match(start) if gender == "m" else start[:1] in VOWELS
        if elided and not _GLIDE.match(start):
            return f"l'{word}"
        return f"{'la' if gender == 'f' else 'lo' if UNO.match(start) else 'il'} {word}"

    def like(self, adjective: str, noun: str, *, many: bool = False) -> str:
        """Return an adjective, given as the dictionary has it, as it agrees with a noun.

        >>> nouns = ItalianNouns({"mela": "f", "dito": "m"}, {})
        >>> [nouns.like(word, "mela") for word in ("maturo", "verde", "egoista")]
        ['matura', 'verde', 'egoista']
        >>> [nouns.like(word, "dito", many=True) for word in ("bianco", "verde", "antico")]
        ['bianche', 'verdi', 'antiche']
        """
        gender = self._gender_of(noun, many=many)
        own = f"{adjective[:-1]}a" if gender == "f" and adjective.endswith("o") else adjective
        if not many or adjective in _UNCHANGED:
            return adjective if adjective in _UNCHANGED else own
        return _EXCEPTIONS.get(own) or _by_rule(own, gender)

    def _gender_of(self, noun: str, *, many: bool) -> str:
        """Return the gender a noun has; some are feminine in the plural alone: `le uova`."""
        gender = self._gender(noun)
        turned = many and noun.endswith("o") and self.plural(noun).endswith("a")
        return "f" if turned else gender

    def _gender(self, noun: str) -> str:
        if noun not in self.genders:
            raise StudyError(
                f"the gender of the noun {noun!r} is not known, so it has no article and no "
                f"plural. Add it to the list of nouns ({option('nouns')}): noun, gender."
            )
        return self.genders[noun]


def _by_rule(noun: str, gender: str) -> str:
    stem, last = noun[:-1], noun[-1:]
    if last in "àèéìòùiu" or last not in VOWELS or len(noun) < 3:
        return noun
    if gender == "f" and (last == "o" or noun.endswith("ie")):
        return noun  # "foto", "radio", "serie"
    if noun.endswith("io"):
        return stem
    if gender == "f" and noun.endswith(("cia", "gia")):
        return noun[:-2] + ("ie" if noun[-4:-3] in VOWELS else "e")
    hard = "h" if stem[-1] in "cg" and last != "e" and not noun.endswith(("ico", "logo")) else ""
    return f"{stem}{hard}{'e' if last == 'a' and gender == 'f' else 'i'}"


def read_italian_nouns(path: Path) -> ItalianNouns:
    """Return the nouns of a table: noun, gender (m or f), and plural where a rule would fail."""
    rows = read_rows(path)
    missing = [name for name in ("noun", "gender") if name not in rows.frame.columns]
    if missing:
        raise TableError(
            f"{path}: no column {missing[0]!r}. Columns found: {', '.join(rows.frame.columns)}."
        )
    words = rows.frame["noun"].cast(pl.String).str.strip_chars()
    genders = rows.frame["gender"].cast(pl.String).str.strip_chars().str.to_lowercase()
    known = genders.replace_strict(GENDERS, default=None, return_dtype=pl.String)
    rows.reject(
        [Problem(row, "no noun") for row in words.is_null().arg_true()]
        + [
            Problem(row, f"gender {genders[row]!r} is neither m nor f")
            for row in known.is_null().arg_true()
        ]
    )
    own = rows.frame["plural"] if "plural" in rows.frame.columns else pl.Series([None] * len(words))
    return ItalianNouns(
        dict(zip(words, known, strict=True)),
        {word: str(many) for word, many in zip(words, own, strict=True) if many},
    )
