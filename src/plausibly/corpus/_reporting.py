"""Reporting verbs: nouns that a parser takes for the object of `say` though they are not.

The parser reads "says tests have shown gold" as if someone said tests. The rules look at the tree;
the words they apply to are in `reporting_en.toml`, made by `training/count_reporting.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from plausibly.corpus._reporting_words import ReportingWords, reporting_words
from plausibly.corpus._trees import Tree

CLAUSE, ELSEWHERE, SPEAKER, UNSAYABLE = "clause", "elsewhere", "speaker", "unsayable"
STRONG = 0.85
"""Verbs with at least this share of clauses hardly ever have an object."""
PARENTHESIS = 15
NOUNS = frozenset({"NOUN", "PROPN"})
FREE = "dep"

CLAUSES = frozenset({"ccomp", "parataxis", "conj", "advcl", "xcomp", "dep", "appos", "csubj"})
SUBJECTS = ("nsubj", "csubj", "expl")
LINKS = frozenset({"mark", "cc"})
VERBAL = frozenset({"VERB", "AUX"})
AUXILIARIES = frozenset({"aux", "aux:pass", "cop"})
FINITE = frozenset(
    {
        *("is", "are", "was", "were", "am", "'s", "'re", "'m", "has", "have", "'ve", "had", "'d"),
        *("do", "does", "did", "will", "would", "wo", "'ll", "can", "could", "ca", "may", "might"),
        *("shall", "should", "must", "ought", "\N{RIGHT SINGLE QUOTATION MARK}s"),
        *("\N{RIGHT SINGLE QUOTATION MARK}re", "\N{RIGHT SINGLE QUOTATION MARK}ve"),
        "\N{RIGHT SINGLE QUOTATION MARK}ll",
    }
)
_RELATIVE = frozenset(
    {"which", "that", "who", "whom", "whose", "where", "when", "why", "what", "how", "whether"}
)
_QUOTES = frozenset(
    {'"', "''", "``", "'", "\N{RIGHT DOUBLE QUOTATION MARK}", "\N{RIGHT SINGLE QUOTATION MARK}"}
)
_CONJUNCTIONS = frozenset({"after", "although", "as", "before", "once", "since", "until", "while"})
COMMAS = frozenset({",", "-", "--", "\N{EN DASH}", "\N{EM DASH}"})
_HEADLINE = frozenset({"say", "urge", "warn"})
_ENDS = frozenset(".,;:!?)") | _QUOTES
MARKS = COMMAS | _QUOTES
"""What comes before a verb whose speaker follows it."""


def false_object(tree: Tree, noun: int, words: ReportingWords) -> str | None:
    """Free a verb of a noun that is not its object; return the name of the rule that did it."""
    verb = tree.heads[noun]
    lemma = tree.key(verb)
    if lemma == "say" and tree.key(noun) in words.sayable:
        return None
    if lemma in words.clausal and (rule := _of_clause(tree, verb, noun, words)):
        return rule
    if lemma in words.speech and _is_speaker(tree, verb, noun):
        for child in tree.children(verb):
            if tree.deprels[child] == "nsubj":
                tree.deprels[child] = FREE
        tree.deprels[noun] = "nsubj"
        return SPEAKER
    person = lemma in words.impersonal and tree.key(noun) in words.persons
    if lemma == "say" or (person and VERBAL & set(tree.upos[noun:])):
        tree.deprels[noun] = FREE
        return UNSAYABLE
    return None


def _of_clause(tree: Tree, verb: int, noun: int, words: ReportingWords) -> str | None:
    """Free a reporting verb of a noun that belongs to a clause; return the name of the rule."""
    lemma = tree.key(verb)
    strong = words.clausal[lemma] >= STRONG
    if _is_predicate(tree, noun):
        tree.deprels[noun] = "ccomp"
        return ELSEWHERE
    if not strong and _ends_in_report(tree, noun, words):
        return None
    if _joins_clause(tree, verb, noun, words) or _opens_sentence(tree, verb, noun):
        return CLAUSE
    alone = lemma not in words.addressing and tree.key(noun) not in words.contents
    false = alone and _before_subject(tree, verb, noun, strong=strong)
    if false or _before_other_clause(tree, verb, noun, strong=strong):
        tree.deprels[noun] = FREE
        return ELSEWHERE
    return None


def _is_predicate(tree: Tree, noun: int) -> bool:
    """Return whether a noun has a copula, so that it is a clause: predicts cities will be hubs."""
    return any(tree.deprels[child] in ("cop", "aux") for child in tree.children(noun))


def _before_mark(tree: Tree, noun: int) -> bool:
    """Return whether punctuation follows the words of a noun: found a shoe, lit a lamp."""
    after = tree.end(noun) + 1
    return after < tree.size and tree.upos[after] == "PUNCT" and tree.forms[after] not in _QUOTES


def _ends_in_report(tree: Tree, noun: int, words: ReportingWords) -> bool:
    """Return whether an aside after a noun goes on: denied links to a firm, which some say | has.

    The comma that opens the aside has none that closes it.
    """
    last = tree.end(noun)
    report = tree.upos[last] == "VERB" and tree.key(last) in words.clausal
    return report and tree.forms[tree.begin(last)] in COMMAS and _has_subject(tree, last)


def _before_subject(tree: Tree, verb: int, noun: int, *, strong: bool) -> bool:
    """Return whether another subject follows the noun: shows the role of banks | has grown."""
    if not strong and _before_mark(tree, noun):
        return False
    place = subject = tree.end(noun) + 1
    if place < tree.size and tree.forms[place] in _CONJUNCTIONS:
        return False
    while subject < tree.size and not tree.deprels[subject].startswith("nsubj"):
        subject += 1
    if subject == tree.size or tree.upos[subject] not in NOUNS or tree.begin(subject) != place:
        return False
    clause = tree.heads[subject]
    joined = any(tree.deprels[child] == "cc" for child in tree.children(subject))
    if joined or clause < subject or tree.below(verb, clause):
        return False
    if not strong and _is_relative(tree, place, clause):
        return False
    bound = any(tree.deprels[child] in LINKS for child in tree.children(clause))
    return not bound and _is_finite(tree, clause, subjunctive=False)


def _is_relative(tree: Tree, begin: int, clause: int) -> bool:
    """Return whether a clause without an object describes `the` noun before it.

    That is so in `details on the part | guards played in the theft`.
    """
    described = begin - 1
    definite = any(
        tree.forms[child] == "the" and tree.deprels[child] == "det"
        for child in tree.children(described)
    )
    past = tree.upos[clause] == "VERB" and not any(
        tree.deprels[child].startswith(("obj", "ccomp", "xcomp", "aux"))
        for child in tree.children(clause)
    )
    return definite and past


def _joins_clause(tree: Tree, verb: int, noun: int, words: ReportingWords) -> bool:
    """Make a noun the subject of the verb's later clause that has none: says tests | have shown."""
    lemma = tree.key(verb)
    strong = words.clausal[lemma] >= STRONG
    for clause in tree.children(verb):
        if clause <= noun or tree.deprels[clause].partition(":")[0] not in CLAUSES:
            continue
        below = tree.children(clause)
        false = [
            child
            for child in below
            if child < clause
            and tree.deprels[child] in ("csubj", "nsubj")
            and tree.upos[child] == "VERB"
            and tree.begin(child) == tree.end(noun) + 1
            and not _has_subject(tree, child)
        ]
        bound = any(
            tree.deprels[child] in LINKS
            or _subordinates(tree, child, clause)
            or (
                (not strong or tree.deprels[clause] == "advcl")
                and child < clause
                and tree.forms[child] in _RELATIVE
            )
            or (tree.deprels[child].startswith(SUBJECTS) and child not in false)
            for child in below
        )
        if bound or not _is_finite(tree, clause, subjunctive=lemma in words.subjunctive):
            continue
        if not strong and (
            not _follows(tree, noun, clause, false) or _may_be_participle(tree, clause)
        ):
            continue
        for child in false:
            tree.put(child, noun, "acl")
        passive = any(tree.deprels[child] == "aux:pass" for child in below)
        tree.put(noun, clause, "nsubj:pass" if passive else "nsubj")
        return True
    return False


def _subordinates(tree: Tree, child: int, clause: int) -> bool:
    """Return whether a word before a clause is a conjunction that was read as a preposition."""
    return child < clause and tree.upos[child] == "SCONJ" and tree.deprels[child] == "case"


def _opens_sentence(tree: Tree, verb: int, noun: int) -> bool:
    """Turn a tree round in which `farmers fear` is the subject of `locusts will destroy crops`."""
    clause = tree.heads[verb]
    if clause <= noun or not tree.deprels[verb].startswith(("nsubj", "csubj")):
        return False
    below = tree.children(verb)
    own = [child for child in below if tree.deprels[child] == "nsubj" and child < verb]
    if not own or any(tree.deprels[child] in LINKS for child in below):
        return False
    if tree.end(verb) + 1 != _clause_begin(tree, clause, but=verb) or tree.end(noun) < tree.end(
        verb
    ):
        return False
    passive = any(tree.deprels[child] == "aux:pass" for child in tree.children(clause))
    head, deprel = tree.heads[clause], tree.deprels[clause]
    tree.put(verb, head, deprel)
    tree.put(clause, verb, "ccomp")
    tree.put(noun, clause, "nsubj:pass" if passive else "nsubj")
    return True


def _before_other_clause(tree: Tree, verb: int, noun: int, *, strong: bool) -> bool:
    """Return whether a finite verb follows the noun whose clause is not the reporting one."""
    if any(_lacks_subject(tree, child) for child in tree.children(noun)):
        return True
    place = _past_adverbs(tree, tree.end(noun) + 1)
    asked = not strong and any(form in _RELATIVE for form in tree.forms[noun:place])
    if asked or _is_in_gerund(tree, verb):
        return False
    if strong and place < tree.size and tree.forms[place] in COMMAS:
        place = _past_parenthesis(tree, place)
    clause = _finite_clause(tree, place) if place < tree.size else -1
    return clause >= 0 and not tree.below(verb, clause)


def _finite_clause(tree: Tree, place: int) -> int:
    """Return the head of the clause that a finite verb is in, -1 if the word is not one."""
    if tree.forms[place] in FINITE and tree.upos[place] in VERBAL:
        return tree.heads[place] if tree.deprels[place] in AUXILIARIES else place
    third = tree.forms[place].endswith("s") and tree.forms[place] != tree.key(place)
    verb = tree.upos[place] == "VERB" and not _is_amount(tree, place)
    return place if verb and third else -1


def _is_amount(tree: Tree, verb: int) -> bool:
    """Return whether a unit after a number was read as a verb: profits of 7 dollars | a share."""
    counted = verb > 0 and tree.upos[verb - 1] == "NUM"
    return counted and tree.key(verb) in reporting_words().extents


def _lacks_subject(tree: Tree, clause: int) -> bool:
    """Return whether a word is a finite clause below a noun that has no subject."""
    if not tree.deprels[clause].startswith("acl"):
        return False
    below = tree.children(clause)
    if any(
        tree.deprels[child].startswith((*SUBJECTS, "mark")) or tree.forms[child] in _RELATIVE
        for child in below
    ):
        return False
    return any(
        tree.deprels[child] in AUXILIARIES and tree.forms[child] in FINITE for child in below
    )


def _is_speaker(tree: Tree, verb: int, noun: int) -> bool:
    """Return whether a noun after a verb of speech is who speaks: …, say scientists."""
    before = tree.forms[verb - 1] if verb else ""
    if before not in MARKS or tree.forms[verb].endswith("ing"):
        return False
    if any(
        tree.upos[place] in VERBAL and not tree.below(place, noun)
        for place in range(verb + 1, noun)
    ):
        return False
    after = tree.end(noun) + 1
    ended = after >= tree.size or tree.forms[after] in _ENDS
    headline = ended and tree.key(verb) in _HEADLINE
    spoken = before in _QUOTES or any(tree.upos[place] in VERBAL for place in range(verb))
    subjects = [
        child
        for child in tree.children(verb)
        if child < verb and tree.deprels[child].startswith(SUBJECTS)
    ]
    if not (spoken or headline):
        return False
    if not all(_is_spoken_of(tree, verb, subject, headline=headline) for subject in subjects):
        return False
    if tree.key(verb) == "say":
        return True
    joined = tree.deprels[verb] == "conj"
    return ended and (before in _QUOTES or not joined or _changes_tense(tree, verb))


def _is_spoken_of(tree: Tree, verb: int, subject: int, *, headline: bool) -> bool:
    """Return whether a subject belongs to what is said.

    It is a noun with a verb between it and ours. In a headline (Budget a failure, says union) it
    is one that no pair of commas separates from our verb.
    """
    between = range(tree.end(subject) + 1, verb)
    if tree.upos[subject] != "NOUN":
        return False
    if headline and sum(form in COMMAS for form in tree.forms[subject:verb]) == 1:
        return True
    return any(tree.upos[place] in VERBAL for place in between)


def _changes_tense(tree: Tree, verb: int) -> bool:
    """Return whether a verb is in the present and the one it is joined to is not."""
    return _is_present(tree, verb) and not _is_present(tree, tree.heads[verb])


def _is_present(tree: Tree, verb: int) -> bool:
    auxiliary = any(tree.deprels[child] in AUXILIARIES for child in tree.children(verb))
    return not auxiliary and tree.forms[verb] in (tree.key(verb), f"{tree.key(verb)}s")


def _is_gerund(tree: Tree, verb: int) -> bool:
    """Return whether a verb in -ing has neither an auxiliary nor a subject."""
    below = {tree.deprels[child] for child in tree.children(verb)}
    return tree.forms[verb].endswith("ing") and not below & {"aux", "nsubj", "nsubj:pass"}


def _is_in_gerund(tree: Tree, verb: int) -> bool:
    """Return whether a verb is in a gerund that may be a subject: finding jobs is hard."""
    for _ in range(tree.size):
        if verb < 0 or _has_subject(tree, verb):
            return False
        if _is_gerund(tree, verb):
            return verb == 0 or tree.upos[verb - 1] not in ("ADP", "SCONJ", "PART")
        verb = tree.heads[verb]
    return False


def _is_finite(tree: Tree, clause: int, *, subjunctive: bool) -> bool:
    """Return whether a clause is finite as far as its auxiliaries and the form of its verb show."""
    auxiliaries = [
        tree.forms[child]
        for child in tree.children(clause)
        if child < clause and tree.deprels[child] in AUXILIARIES
    ]
    if auxiliaries:
        finite = any(form in FINITE for form in auxiliaries)
        return finite or (subjunctive and "be" in auxiliaries)
    bare = (clause > 0 and tree.forms[clause - 1] == "to") or _is_amount(tree, clause)
    return tree.upos[clause] == "VERB" and not bare and not tree.forms[clause].endswith("ing")


def _may_be_participle(tree: Tree, clause: int) -> bool:
    """Return whether a verb without an auxiliary depends as in `found the door locked`."""
    if any(tree.deprels[child] in AUXILIARIES for child in tree.children(clause)):
        return False
    form = tree.forms[clause]
    base = form in (tree.key(clause), f"{tree.key(clause)}s")
    return tree.deprels[clause] == "xcomp" and not base and not form.endswith("s")


def _follows(tree: Tree, noun: int, clause: int, false: Sequence[int]) -> bool:
    """Return whether a clause begins right after a noun's words, adverbs apart."""
    if _before_mark(tree, noun):
        return False
    after = max([tree.end(noun), *(tree.end(child) for child in false)]) + 1
    begin = _clause_begin(tree, clause, but=false[0] if false else -1)
    return begin <= _past_adverbs(tree, after) and begin > noun


def _clause_begin(tree: Tree, clause: int, *, but: int) -> int:
    """Return the first word of a clause, without one of its dependents."""
    places = (
        place
        for place in range(clause + 1)
        if tree.below(place, clause) and not (but >= 0 and tree.below(place, but))
    )
    return min(places, default=clause)


def _past_adverbs(tree: Tree, place: int) -> int:
    while place < tree.size and tree.upos[place] == "ADV":
        place += 1
    return place


def _past_parenthesis(tree: Tree, comma: int) -> int:
    """Return the place after the comma that closes a parenthesis, the end if there is none."""
    for place in range(comma + 1, min(comma + PARENTHESIS, tree.size)):
        if tree.forms[place] in COMMAS:
            return _past_adverbs(tree, place + 1)
    return tree.size


def _has_subject(tree: Tree, verb: int) -> bool:
    return any(tree.deprels[child].startswith(SUBJECTS) for child in tree.children(verb))
