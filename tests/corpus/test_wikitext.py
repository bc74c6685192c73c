"""Wikitext: running text stays, everything else goes."""

from __future__ import annotations

import pytest

from plausibly.corpus.wikitext import count_links, paragraphs


@pytest.mark.parametrize(
    ("wikitext", "read"),
    [
        ("'''Ada''' was ''born''.", ["Ada was born."]),
        ("A [[cat (animal)|cat]] sat on [[mat]]s.", ["A cat sat on mats."]),
        ("The [[foo (bar)|]] ran.", ["The foo ran."]),
        ("[[File:X.jpg|thumb|A [[cat]] sat.]]It ran.", ["It ran."]),
        ("It ran.\n[[Category:Cats]]\n[[de:Katze]]", ["It ran."]),
        ("See [http://x.org the page] at http://y.org/z now.", ["See the page at now."]),
        ("== Life ==\nIt ran.\n=== More ===\nIt sat.", ["It ran.", "It sat."]),
        ("One\nparagraph.\n\nAnother.", ["One paragraph.", "Another."]),
        ("* one item\n* another\ntext", ["one item", "another", "text"]),
        ("It{{efn|a {{nested}} note}} ran.", ["It ran."]),
        (
            "Before.\n{| class=x\n|-\n| cell {{t|}}\n{|\n| inner\n|}\n|}\nAfter.",
            ["Before.", "After."],
        ),
        ("Water (<math>H_2O</math>) is wet.", ["Water is wet."]),
        ("A<!-- hidden\ntext --> B", ["A B"]),
        ("Tom &amp; Jerry&nbsp;ran<br/>away.", ["Tom & Jerry ran", "away."]),
        ("__NOTOC__\n----\nIt ran.", ["It ran."]),
        ("It {{unclosed ran.", ["It unclosed ran."]),
        ("<div class='x'>It <b>ran</b>.</div>", ["It ran."]),
        ("Name ({{lang|el|x}}; {{IPA|y}}) ran.", ["Name ran."]),
        ('Said.<ref name="a">Doe (1999). <i>T</i>.</ref><ref name="a" />Next.', ["Said. Next."]),
        ("", []),
    ],
)
def test_what_a_reader_reads(wikitext: str, read: list[str]) -> None:
    assert paragraphs(wikitext) == read


def test_links_of_other_kinds_are_not_counted() -> None:
    assert count_links("[[A]] [[B|b]] [[File:C.jpg]] [[Category:D]] [[fr:E]] [http://x y]") == 2
