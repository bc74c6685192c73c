"""Italian nouns in their place: article and plural by rule and exception, for nouns of a list.

Gender does not follow from the word, so a noun that is not listed is refused, never guessed at.
Articles and some adjectives depend on how the next word begins, and join with prepositions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.datasets.lexica.italian_sounds import ELIDED, GLIDE, UNO, VOWELS, spoken
from plausibly.datasets.lexica.italian_verbs import third_person
from plausibly.errors import Problem, StudyError, TableError, option
from plausibly.io import read_rows

GENDERS = {"m": "m", "masc": "m", "maschile": "m", "f": "f", "fem": "f", "femminile": "f"}
_PREPOSITION = re.compile(r"(?<!\w)(a|da|di|in|su) +$", re.IGNORECASE)
JOINED = {"a": "a", "da": "da", "di": "de", "in": "ne", "su": "su"}
AFTER = {"il": "l", "lo": "llo", "la": "lla", "l'": "ll'", "i": "i", "gli": "gli", "le": "lle"}
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
    "logo": "loghi",
    "analogo": "analoghi",
    "omologo": "omologhi",
    "lombrico": "lombrichi",
    "ombelico": "ombelichi",
    "rammarico": "rammarichi",
    "scarico": "scarichi",
    "valico": "valichi",
    "ubriaco": "ubriachi",
}
# Nouns and adjectives that have one form, though their ending has another in the plural.
_UNCHANGED = frozenset(
    {"boia", "cinema", "delta", "euro", "gorilla", "koala", "panda", "sosia", "stereo", "vaglia"}
    | {"video", "blu", "rosa", "viola", "pari", "dispari", "ufo", "judo", "lama", "puma", "cobra"}
    | {"file", "game", "remake", "karaoke"}
)
_SOFT = ("ico", "iaco", "logo")
_FOREIGN = ("age", "ie", "oo", "ouse", "phone", "ware")


# Nouns whose ending shows the other gender or none.
_FEMININE = frozenset(
    {"mano", "radio", "foto", "moto", "auto", "eco", "sdraio", "biro", "dinamo", "libido"}
    | {"madre", "moglie", "carne", "chiave", "classe", "fame", "febbre", "fine", "fronte", "gente"}
    | {"gru", "legge", "luce", "mente", "morte", "nave", "neve", "notte", "pace", "parete", "parte"}
    | {"pelle", "rete", "sede", "sete", "strage", "tosse", "torre", "valle", "voce"}
    | {"volpe", "croce", "fede", "base", "crisi", "tesi", "analisi", "sintesi", "ipotesi", "nube"}
    | {"arte", "arma", "estate", "stirpe", "lepre", "tigre", "noce", "botte", "corte"}
    | {"sorte", "vite", "lente", "corrente", "sorgente", "patente", "rondine", "canzone", "salute"}
    | {"frase", "fase", "fonte", "merce", "vernice", "catastrofe", "veste", "peste", "piramide"}
    | {"quiete", "cute", "dote", "prole", "mole", "radice", "cornice", "appendice", "capitale"}
    | {"cattedrale", "percentuale", "spirale", "filiale", "morale", "vocale", "automobile", "bile"}
    | {"pista", "vista", "svista", "lista", "rivista", "intervista", "provvista", "conquista"}
    | {"ribellione", "mamma", "fiamma", "gamma", "gemma", "crema", "chioma"}
)
_MASCULINE = frozenset(
    {"pilota", "poeta", "papa", "collega", "duca", "monarca", "gorilla", "panda", "koala", "boia"}
    | {"cinema", "vaglia", "delta", "pigiama", "pianeta", "atleta", "pirata", "nomade"}
    | {"bastione", "clima", "enzima", "panorama", "trauma", "karma"}
    | {
        "cane",
        "pane",
        "padre",
        "pesce",
        "fiore",
        "sole",
        "mare",
        "latte",
        "ponte",
        "monte",
        "dente",
    }
    | {"piede", "nome", "paese", "mese", "re", "rame", "seme", "fiume", "lume", "sale", "miele"}
    | {"bue", "cavaliere", "dio", "prete", "sangue", "verme", "elefante", "serpente", "presidente"}
    | {"paziente", "studente", "insegnante", "cantante", "dirigente", "agente", "cliente"}
    | {"ospite", "interprete", "parente", "giudice", "complice", "vertice", "codice", "indice"}
)
_ENDINGS = (
    ("f", ("zione", "sione", "gione", "nione", "stione", "vione", "trice", "udine", "igine")),
    ("f", ("agine", "uggine", "tà", "tù", "ie", "essa")),
    # Of nouns in -ma only those from Greek are masculine: problema, but norma.
    ("m", ("ema", "emma", "amma", "oma", "isma", "asma", "agma", "igma", "ogma", "ista")),
    ("m", ("ore", "iere", "ale", "ile", "ame", "ume", "one", "ese", "o")),
    ("f", ("a",)),
)


# Adjectives that take the place of an article.
_DETERMINERS = frozenset(
    {"quello", "questo", "codesto", "nessuno", "alcuno", "ogni", "qualche", "ciascuno"}
)

# Adjectives that lose their -o where `uno` does: buon cane, buono zaino.
_CUT = frozenset({"buono", "nessuno", "alcuno", "ciascuno"})


@dataclass(frozen=True, slots=True)
class ItalianNouns:
    """Nouns with their gender and, where the rules fail, their plural.

    Args:
        genders: From noun to `m` or `f`.
        plurals: From noun to its plural, before any rule.
    """

    genders: Mapping[str, str]
    plurals: Mapping[str, str]

    def phrase(self, noun: str, before: str | None = None) -> str:
        """Return a noun with its indefinite article, an adjective between them if there is one.

        >>> nouns = ItalianNouns({"mela": "f", "amica": "f", "zaino": "m", "albero": "m"}, {})
        >>> [nouns.phrase(noun) for noun in ("mela", "amica", "zaino", "albero")]
        ['una mela', "un'amica", 'uno zaino', 'un albero']
        >>> nouns.phrase("zaino", "bello"), nouns.phrase("albero", "buono")
        ('un bello zaino', 'un buon albero')
        """
        _require_adjective(before)
        gender, words = self._gender(noun), self._described(noun, noun, before)
        start = spoken(words)
        if gender == "f":
            elided = start[:1] in VOWELS and not GLIDE.match(start)
            return f"un'{words}" if elided else f"una {words}"
        return f"uno {words}" if UNO.match(start) else f"un {words}"

    def plural(self, noun: str, before: str | None = None) -> str:
        """Return the plural of a noun, behind an adjective if there is one.

        >>> known = {"mela": "f", "amica": "f", "arancia": "f", "poeta": "m", "città": "f"}
        >>> nouns = ItalianNouns({**known, "uomo": "m", "lago": "m", "medico": "m"}, {})
        >>> [nouns.plural(noun) for noun in nouns.genders]
        ['mele', 'amiche', 'arance', 'poeti', 'città', 'uomini', 'laghi', 'medici']
        """
        gender = self._gender(noun)
        if before is not None:
            return self._described(noun, self.plural(noun), before, many=True)
        if noun in self.plurals:
            return self.plurals[noun]
        if gender == "m" and (noun in _UNCHANGED or noun.endswith(_FOREIGN)):
            return noun
        return _EXCEPTIONS.get(noun) or _by_rule(noun, gender)

    def definite(self, noun: str, before: str | None = None, *, many: bool = False) -> str:
        """Return a noun, or its plural, with the definite article.

        >>> nouns = ItalianNouns({"amica": "f", "zaino": "m", "uovo": "m", "cane": "m"}, {})
        >>> [nouns.definite(noun) for noun in nouns.genders]
        ["l'amica", 'lo zaino', "l'uovo", 'il cane']
        >>> [nouns.definite(noun, many=True) for noun in nouns.genders]
        ['le amiche', 'gli zaini', 'le uova', 'i cani']
        >>> [nouns.definite(noun, "altro") for noun in nouns.genders]
        ["l'altra amica", "l'altro zaino", "l'altro uovo", "l'altro cane"]
        """
        _require_adjective(before)
        gender = self._gender_of(noun, many=many)
        word = self._described(noun, self.plural(noun) if many else noun, before, many=many)
        start = spoken(word)
        if many:
            wide = UNO.match(start) or ELIDED.match(start) or (noun == "dio" and before is None)
            return f"{'le' if gender == 'f' else 'gli' if wide else 'i'} {word}"
        elided = ELIDED.match(start) if gender == "m" else start[:1] in VOWELS
        if elided and not GLIDE.match(start):
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

    def before(self, adjective: str, noun: str, *, many: bool = False) -> str:
        """Return an adjective as it agrees with a noun that follows it.

        >>> nouns = ItalianNouns(dict.fromkeys(("cane", "zaino", "amico"), "m") | {"ora": "f"}, {})
        >>> [nouns.before("bello", noun) for noun in nouns.genders]
        ['bel', 'bello', "bell'", 'bella']
        >>> [nouns.before("quello", noun, many=True) for noun in nouns.genders]
        ['quei', 'quegli', 'quegli', 'quelle']
        >>> [nouns.before("buono", noun) for noun in nouns.genders]
        ['buon', 'buono', 'buon', 'buona']
        """
        gender = self._gender_of(noun, many=many)
        word = spoken(self.plural(noun) if many else noun)
        wide = UNO.match(word) is not None or (many and noun == "dio")
        start = ELIDED.match(word) if gender == "m" else word[:1] in VOWELS
        vowel = bool(start) and not GLIDE.match(word)
        if gender == "m" and adjective in ("bello", "quello"):
            stem = adjective[:-3]
            if many:
                return f"{stem}gli" if wide or vowel else f"{stem}i"
            return f"{stem}ll'" if vowel else adjective if wide else f"{stem}l"
        if gender == "m" and not many and adjective in _CUT:
            return adjective if wide else adjective[:-1]
        if gender == "f" and not many and adjective == "quello" and vowel:
            return "quell'"
        if adjective == "santo" and not many and noun[:1].isupper() and not noun.isupper():
            return _saint(word, gender, vowel=vowel)
        return self.like(adjective, noun, many=many)

    def _described(self, noun: str, word: str, adjective: str | None, *, many: bool = False) -> str:
        """Return a word for a noun behind an adjective, or alone."""
        if adjective is None:
            return word
        form = self.before(adjective, noun, many=many)
        return f"{form}{word}" if form.endswith("'") else f"{form} {word}"

    def join(self, text: str, phrase: str) -> str:
        """Return a text and a phrase after it, a preposition joined with the article between.

        >>> nouns = ItalianNouns({}, {})
        >>> [nouns.join("Parla di ", one) for one in ("lo gnomo", "l'oro", "gli zii", "un cane")]
        ['Parla dello gnomo', "Parla dell'oro", 'Parla degli zii', 'Parla di un cane']
        """
        found = _PREPOSITION.search(text)
        article, apostrophe, rest = phrase.partition("'")
        if not apostrophe or article.casefold() != "l":
            article, apostrophe, rest = phrase.partition(" ")
        article += apostrophe.strip()
        if found is None or article.casefold() not in AFTER:
            return text + phrase
        joined = JOINED[found[1].casefold()] + AFTER[article.casefold()]
        if found[1][0].isupper():
            joined = joined.capitalize()
        gap = "" if joined.endswith("'") else " "
        return f"{text[: found.start(1)]}{joined}{gap}{rest}"

    def agreeing(self, verb: str, subject: str) -> str:
        """Return a verb in the third person singular of the present."""
        del subject
        return third_person(verb)

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


def _saint(name: str, gender: str, *, vowel: bool) -> str:
    """Return the form of `santo` before a name: san Pietro, santo Stefano, sant'Anna."""
    if vowel:
        return "sant'"
    if gender == "f":
        return "santa"
    return "santo" if name[:1] == "s" and name[1:2] not in VOWELS else "san"


def _require_adjective(word: str | None) -> None:
    if word in _DETERMINERS:
        raise StudyError(
            f"{word!r} takes the place of an article, so the two cannot be combined. Write "
            f"{{column:before(noun)}} {{noun}} instead of {{noun:the(column)}}."
        )


def _by_rule(noun: str, gender: str) -> str:
    stem, last = noun[:-1], noun[-1:]
    if last in "àèéìòùiu" or last not in VOWELS or len(noun) < 3 or not stem.isascii():
        return noun  # Italian has accents at the end alone; others are foreign: "élite"
    if gender == "f" and (last == "o" or noun.endswith("ie")):
        return noun  # "foto", "radio", "serie"
    if noun.endswith("io"):
        return stem
    if gender == "f" and noun.endswith(("cia", "gia")):
        return noun[:-2] + ("ie" if noun[-4:-3] in VOWELS else "e")
    hard = "h" if stem[-1] in "cg" and last != "e" and not noun.endswith(_SOFT) else ""
    return f"{stem}{hard}{'e' if last == 'a' and gender == 'f' else 'i'}"


def by_ending(noun: str) -> ItalianNouns:
    """Return a list of one noun whose gender its ending shows, or a known exception.

    >>> [by_ending(noun).phrase(noun) for noun in ("mela", "problema", "stazione", "mano")]
    ['una mela', 'un problema', 'una stazione', 'una mano']
    """
    return ItalianNouns({noun: gender_by_ending(noun)[0]}, {})


def gender_by_ending(noun: str) -> tuple[str, bool]:
    """Return the gender a noun seems to have, and whether that is a guess.

    >>> gender_by_ending("mela"), gender_by_ending("siepe")
    (('f', False), ('m', True))
    """
    word = noun.partition(" ")[0].casefold()
    if word in _FEMININE:
        return "f", False
    if word in _MASCULINE:
        return "m", False
    for gender, endings in _ENDINGS:
        if word.endswith(endings):
            return gender, False
    return ("f" if word.endswith("i") else "m"), True


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
