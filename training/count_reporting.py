"""Count which English verbs report a clause or name, and which nouns only measure, in treebanks.

    python training/count_reporting.py DIR/en_ewt-ud-train.conllu.gz

Writes `reporting_en.toml` and `reporting_it.toml` into the package: the words that `extract
--repair on` looks for. The Italian file has quantity nouns alone, all of them listed here. Counts
are facts about words; no text is kept. The words that no count can choose, such as what one can
say, are listed here.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.treebank import Tree, read_trees

TABLES = Path(__file__).resolve().parents[1] / "src/plausibly/corpus"
MIN_CLAUSES = 3
MIN_SHARE = 0.2

# Verbs that take a bare infinitive or participle after their object, or a person as object.
OTHER_FRAMES = (
    *("see", "hear", "feel", "watch", "notice", "make", "have", "keep", "let", "get", "take", "do"),
    *("tell", "inform", "assure", "reassure", "advise", "represent", "decide", "seem", "discuss"),
)
ALSO = (
    *("show", "find", "reveal", "predict", "estimate", "recommend", "fear", "mean", "indicate"),
    *("prove", "forecast", "allege", "stress", "declare", "maintain", "reckon", "deny", "propose"),
    *("demand", "request", "urge", "insist", "order", "require", "ask", "wish", "expect", "add"),
)
SUBJUNCTIVE = (
    *("recommend", "suggest", "propose", "demand", "request", "urge", "insist", "order", "require"),
    "ask",
)
SPEECH = (
    *("say", "admit", "announce", "argue", "believe", "claim", "complain", "concede", "conclude"),
    *("confirm", "declare", "explain", "insist", "note", "predict", "reply", "report", "state"),
    *("suggest", "think", "urge", "warn"),
)
# Verbs whose object may be who is spoken to, before a clause: warn growers prices will fall.
ADDRESSING = ("ask", "bet", "promise", "warn", "wish")
# Nouns that a clause may follow: found evidence the sea had risen.
CONTENTS = (
    *("evidence", "fact", "proof", "sign", "news", "idea", "claim", "suggestion", "report", "hope"),
    *("fear", "belief", "view", "indication", "allegation", "rumour", "rumor", "doubt", "feeling"),
)
IMPERSONAL = (
    *("say", "think", "hope", "suggest", "indicate", "mean", "estimate", "predict", "argue"),
    *("conclude", "assume", "state"),
)
PERSONS = (
    *("people", "person", "man", "woman", "child", "resident", "farmer", "grower", "producer"),
    *("worker", "student", "patient", "scientist", "researcher", "expert", "official", "voter"),
    *("consumer", "customer", "driver", "visitor", "tourist", "parent", "family", "employer"),
)
SAYABLE = (
    *("word", "thing", "name", "prayer", "truth", "lie", "grace", "goodbye", "hello", "mass"),
    *("nothing", "line", "sentence", "phrase", "poem", "rosary", "blessing", "farewell", "yes"),
    *("no", "sorry", "thanks", "bit", "lot"),
)
QUANTITIES = (
    *("number", "lot", "couple", "amount", "percentage", "plenty", "bit", "thousand", "hundred"),
    *("dozen", "ten", "million", "billion", "variety", "range", "series", "bunch", "handful"),
    *("host", "wealth", "majority", "quantity", "score", "mass"),
    *("load", "pair", "rest", "half", "third", "quarter", "portion", "proportion", "fraction"),
    *("ton", "batch", "multitude", "abundance", "percent"),
)
# What these nouns name is a figure where they are definite: increase the number of cattle.
FIGURES = (
    *("number", "amount", "percentage", "proportion", "range", "quantity", "variety", "series"),
    *("load", "wealth", "abundance", "cent", "percent", "array", "string", "mass"),
    *("third", "quarter", "fifth", "tenth", "fraction", "total", "host", "pct"),
)
# Verbs with a noun as predicate, or as predicate of their object, that the treebank hardly has.
COPULAR = ("seem",)
# Verbs whose indefinite noun is a predicate (prove a success) unless it is one of these nouns.
LINKING = ("prove",)
PROVABLE = (
    *("ability", "allegation", "analogue", "argument", "assertion", "bias", "bound"),
    *("breach", "case", "causation", "cause", "claim", "conjecture", "connection"),
    *("conspiracy", "contention", "converse", "crime", "damage", "discrimination"),
    *("effect", "equation", "equivalence", "existence", "fact", "formula", "fraud"),
    *("generalisation", "generalization", "guilt", "harm", "hypothesis", "identity"),
    *("inequality", "innocence", "intent", "lemma", "liability", "link", "loss", "need"),
    *("negligence", "offence", "offense", "point", "property", "proposition"),
    *("relationship", "result", "statement", "theorem", "theory", "thing", "version"),
    "violation",
)
NAMING = (
    *("appoint", "crown", "declare", "deem", "dub", "elect", "label", "nickname", "proclaim"),
    *("brand", "designate"),
)
# Verbs of change, and the units that are how far it goes, not what it is done to: fall two cents.
CHANGING = (
    *("climb", "decline", "dip", "drop", "ease", "fall", "jump", "plummet", "plunge", "rise"),
    *("shrink", "slide", "slip", "slump", "soar", "surge", "edge", "tumble"),
)
EXTENTS = (
    *("cent", "percent", "percentage", "point", "dollar", "euro", "pound", "penny", "degree"),
    *("metre", "meter", "kilometre", "kilometer", "mile", "foot", "inch", "centimetre"),
    *("millimetre", "tonne", "ton", "kilogram", "kilo", "litre", "hectare", "floor", "storey"),
    *("hundred", "thousand", "million", "billion", "third", "quarter", "fifth", "tenth"),
    *("pct", "dlr", "yen", "franc", "guilder", "peso", "rupee", "yuan", "fold"),
    *("mm", "cm", "km", "kg"),
)
# Verbs of change that also have an object; a number of these units is how far it goes.
GROWING = ("decrease", "expand", "grow", "increase", "narrow", "widen")
RATES = (
    *("percent", "percentage", "pct", "fold", "point", "degree", "cent", "dollar", "euro", "inch"),
    *("foot", "metre", "meter", "centimetre", "millimetre"),
)
# Verbs whose object is the subject of the infinitive after it: allow growers to test.
ALLOWING = ("allow", "cause", "enable", "expect", "intend", "like", "permit", "prefer", "want")
# Verbs that hardly ever have an object in the treebank; the noun after them is something else.
OBJECTLESS = (
    *("appear", "arrive", "belong", "come", "depend", "exist", "happen", "last", "lie", "listen"),
    *("go", "occur", "participate", "result", "compete", "proceed", "emerge", "collide"),
    *("cooperate", "collaborate", "reside", "revolve"),
)
# Verbs after which a number of years or days is how long: play three seasons.
LASTING = ("live", "play", "sleep", "stay", "travel", "wait", "walk", "work")
TIMES = (
    *("second", "minute", "hour", "day", "night", "week", "weekend", "fortnight", "month", "year"),
    *("decade", "century", "season", "spring", "summer", "autumn", "winter", "morning", "evening"),
    *("afternoon", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("january", "february", "march", "april", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
# Nouns for what one tells, which receive nothing.
TELLABLE = ("joke", "lie", "news", "secret", "story", "tale", "truth")
# Nouns for who is spoken to, before a comma and a subject.
ADDRESSEES = ("friend", "lady", "gentleman", "folk", "folks", "colleague", "delegate", "comrade")
# Verbs whose first object receives the second that the treebank hardly has.
GIVING = ("award", "cost", "deny", "earn", "fine", "grant", "hand", "leave", "lend", "owe", "teach")
MIN_PREDICATES = 3
MIN_NAMED = 2
MIN_RECEIVERS = 3
MIN_RECEIVER_SHARE = 0.1
# Units, and quantity nouns that the treebank is too small to contain.
UNITS = (
    *("tonne", "kilogram", "kilo", "gram", "pound", "ounce", "litre", "liter", "gallon"),
    *("array", "minority", "string", "raft", "slew", "spate", "trillion", "cent"),
    *("megalitre", "score"),
    *("gigalitre", "megawatt", "acre", "hectare", "metre", "meter", "kilometre", "kilometer"),
    *("mile", "millimetre", "centimetre", "inch", "bushel"),
    *("third", "quarter", "fifth", "tenth", "fraction", "total", "pct"),
    *("mg", "kg", "ml", "mm", "cm", "km"),
)
# Forms that do not measure (new varieties of rice), and what makes a noun definite.
KINDS = ("score", "varieties")
DEFINITE = ("the", "this", "that", "these", "those")
ITALIAN_QUANTITIES = (
    *("milione", "miliardo", "migliaio", "centinaio", "decina", "dozzina", "ventina", "trentina"),
    *("quarantina", "cinquantina", "sessantina", "settantina", "ottantina", "novantina", "paio"),
    *("quindicina", "coppia", "serie", "quantità", "numero", "mucchio", "sacco", "manciata"),
    *("maggioranza", "minoranza", "metà", "resto", "terzo", "quarto", "quinto", "decimo"),
    *("percentuale", "parte", "miriade", "moltitudine", "gamma", "varietà", "totale", "sfilza"),
)
ITALIAN_UNITS = (
    *("chilo", "chilogrammo", "grammo", "etto", "quintale", "tonnellata", "litro", "metro"),
    *("chilometro", "centimetro", "millimetro", "ettaro"),
)
ITALIAN_FIGURES = (
    *("numero", "quantità", "percentuale", "gamma", "varietà", "serie", "totale", "terzo"),
    *("quarto", "quinto", "decimo"),
)
ITALIAN_DEFINITE = (
    *("il", "lo", "la", "l'", "i", "gli", "le", "questo", "questa", "questi", "queste", "quel"),
    *("quello", "quella", "quell'", "quei", "quegli", "quelle"),
)


class Valency(NamedTuple):
    """How often a verb has a clause, a clause that begins without a mark, and an object."""

    clauses: int
    bare: int
    objects: int

    @property
    def share(self) -> float:
        """The share of clauses among clauses and objects; 0 for a verb with neither."""
        together = self.clauses + self.objects
        return self.clauses / together if together else 0.0


def valencies(trees: Iterable[Tree]) -> dict[str, Valency]:
    """Return the valency of every verb."""
    seen = [Counter[str](), Counter[str](), Counter[str]()]
    for tree in trees:
        for verb, kind in _uses(tree):
            seen[kind][verb] += 1
    verbs = set().union(*seen)
    return {verb: Valency(*(counts[verb] for counts in seen)) for verb in verbs}


def _uses(tree: Tree) -> Iterator[tuple[str, int]]:
    """Yield each verb with 0 for a clause, 1 for a clause without a mark, 2 for an object."""
    marked = {head for head, label in zip(tree.heads, tree.deprels, strict=True) if label == "mark"}
    for place, (head, label) in enumerate(zip(tree.heads, tree.deprels, strict=True), start=1):
        if head and tree.upos[head - 1] == "VERB" and label in ("ccomp", "obj"):
            verb = tree.lemmas[head - 1].lower()
            yield verb, 0 if label == "ccomp" else 2
            if label == "ccomp" and place > head and place not in marked:
                yield verb, 1


def clausal(valency: dict[str, Valency]) -> dict[str, float]:
    """Return the verbs that report a clause, and the share of clauses of each.

    A verb that is listed but too rare to be counted has the share one half. A verb in -ize is
    there in -ise, too.
    """
    counted = {
        verb
        for verb, one in valency.items()
        if one.clauses >= MIN_CLAUSES and one.share >= MIN_SHARE and one.bare
    }
    verbs = (counted | {*ALSO} | {*SPEECH}) - {*OTHER_FRAMES}
    rare = Valency(1, 0, 1)
    few = {verb for verb in verbs if valency.get(verb, rare).clauses < MIN_CLAUSES}
    shares = {verb: (rare if verb in few else valency[verb]).share for verb in verbs}
    british = {verb.replace("ize", "ise"): one for verb, one in shares.items()}
    return dict(sorted((british | shares).items()))


class Frames(NamedTuple):
    """How often a verb has a noun as predicate, as predicate of its object, receiver, object."""

    predicates: Counter[str]
    named: Counter[str]
    receivers: Counter[str]
    objects: Counter[str]


def frames(trees: Iterable[Tree]) -> Frames:
    """Return the frames of all verbs."""
    seen = Frames(Counter(), Counter(), Counter(), Counter())
    for tree in trees:
        for place, lemma in enumerate(tree.lemmas):
            if tree.upos[place] == "VERB":
                _count_frame(tree, place, lemma.lower(), seen)
    return seen


def _count_frame(tree: Tree, verb: int, lemma: str, seen: Frames) -> None:
    marked = {
        head - 1
        for head, label in zip(tree.heads, tree.deprels, strict=True)
        if label in ("case", "mark")
    }
    below = [place for place, head in enumerate(tree.heads) if head == verb + 1]
    nouns = [place for place in below if tree.upos[place] in ("NOUN", "PROPN")]
    objects = [place for place in below if tree.deprels[place] == "obj"]
    predicate = any(
        tree.deprels[place] == "xcomp" and place > verb and place not in marked for place in nouns
    )
    if predicate:
        (seen.named if objects else seen.predicates)[lemma] += 1
    seen.receivers[lemma] += sum(tree.deprels[place] == "iobj" for place in below)
    seen.objects[lemma] += sum(tree.deprels[place] == "obj" for place in nouns)


def framed(trees: Iterable[Tree]) -> dict[str, list[str]]:
    """Return the verbs with a noun as predicate, as predicate of their object, or as receiver.

    Verbs with a predicate never have a noun object; verbs with a receiver have one, too.
    """
    seen = frames(trees)
    copular = {
        verb
        for verb, count in seen.predicates.items()
        if count >= MIN_PREDICATES and not seen.objects[verb]
    }
    naming = {verb for verb, count in seen.named.items() if count >= MIN_NAMED}
    giving = {
        verb
        for verb, count in seen.receivers.items()
        if count >= max(MIN_RECEIVERS, MIN_RECEIVER_SHARE * seen.objects[verb])
        and seen.objects[verb] >= MIN_RECEIVERS
    }
    naming |= {*NAMING}
    return {
        "copular": sorted(copular | {*COPULAR}),
        "naming": sorted(naming),
        "giving": sorted((giving | {*GIVING}) - naming),
    }


def measuring(trees: Iterable[Tree]) -> list[str]:
    """Return the quantity nouns that are followed by `of` and a noun at least once, and units."""
    seen: set[str] = set()
    for tree in trees:
        for place, lemma in enumerate(tree.lemmas[:-1]):
            if tree.forms[place + 1].lower() == "of" and _measured(tree, place):
                seen.add(lemma.lower())
    return sorted({noun for noun in QUANTITIES if noun in seen} | {*UNITS})


def _measured(tree: Tree, place: int) -> bool:
    return any(
        head == place + 1 and label == "nmod" and upos == "NOUN"
        for head, label, upos in zip(tree.heads, tree.deprels, tree.upos, strict=True)
    )


def table(trees: list[Tree]) -> str:
    """Return the words as TOML."""
    lists = {
        "speech": SPEECH,
        "subjunctive": SUBJUNCTIVE,
        "addressing": ADDRESSING,
        "contents": CONTENTS,
        "impersonal": IMPERSONAL,
        "persons": PERSONS,
        "sayable": SAYABLE,
        **framed(trees),
        "changing": CHANGING,
        "extents": EXTENTS,
        "growing": GROWING,
        "rates": RATES,
        "allowing": ALLOWING,
        "linking": LINKING,
        "provable": PROVABLE,
        "objectless": OBJECTLESS,
        "lasting": LASTING,
        "times": TIMES,
        "tellable": TELLABLE,
        "addressees": ADDRESSEES,
    }
    lines = ["# Written by training/count_reporting.py from UD English EWT train."]
    lines += _lists(lists)
    shares = clausal(valencies(trees))
    lines += ["", "[clausal]", *(f"{verb} = {share:.2f}" for verb, share in shares.items())]
    measures = {
        "of": ("of",),
        "quantities": measuring(trees),
        "figures": FIGURES,
        "kinds": KINDS,
        "graded": (),
        "definite": DEFINITE,
    }
    lines += ["", "[measures]", *_lists(measures)]
    return "\n".join(lines) + "\n"


def italian_table() -> str:
    """Return the Italian quantity nouns as TOML."""
    measures = {
        "of": ("di", "d'"),
        "quantities": ITALIAN_QUANTITIES + ITALIAN_UNITS,
        "figures": ITALIAN_FIGURES,
        "kinds": (),
        "graded": ("parte",),
        "definite": ITALIAN_DEFINITE,
    }
    lines = ["# Written by training/count_reporting.py.", "[measures]", *_lists(measures)]
    return "\n".join(lines) + "\n"


def _lists(lists: Mapping[str, Iterable[str]]) -> Iterator[str]:
    for name, words in lists.items():
        yield from (f"{name} = [", *(f'    "{word}",' for word in sorted(words)), "]")


def main() -> None:
    """Write both tables."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("treebank", type=Path)
    arguments.add_argument("--output", type=Path, default=TABLES, help="Folder to write into.")
    given = arguments.parse_args()
    tables = {"en": table(read_trees(given.treebank)), "it": italian_table()}
    for language, text in tables.items():
        (given.output / f"reporting_{language}.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
