"""Wikitext: running text stays, everything else goes."""

from __future__ import annotations

from time import process_time

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
        ("* one item\n* another\ntext", ["text"]),
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
        ("Name ({{lang-el|x}}; {{IPA|y}}) ran.", ["Name ran."]),
        ('Said.<ref name="a">Doe (1999). <i>T</i>.</ref><ref name="a" />Next.', ["Said. Next."]),
        ("", []),
    ],
)
def test_what_a_reader_reads(wikitext: str, read: list[str]) -> None:
    assert paragraphs(wikitext) == read


def test_links_of_other_kinds_are_not_counted() -> None:
    assert count_links("[[A]] [[B|b]] [[File:C.jpg]] [[Category:D]] [[fr:E]] [http://x y]") == 2


@pytest.mark.parametrize(
    "caption", ["The party [above] ran", "Mice [http://a.b c].", "In [0, 1) it"]
)
@pytest.mark.parametrize("space", ["File", "image", "Image "])
def test_no_caption_of_a_file_is_read(caption: str, space: str) -> None:
    assert paragraphs(f"[[{space}:x.jpg|thumb|{caption}]]\nIt ran.") == ["It ran."]
    assert paragraphs(f"It ran. [[{space}:x.jpg|{caption} [[cat|a]] b]] So.") == ["It ran. So."]


def test_a_file_that_is_not_closed_ends_with_its_line() -> None:
    assert paragraphs("It sat.\n[[File:x.jpg|thumb|A cat\nIt ran.") == ["It sat.", "It ran."]


def test_a_file_between_sentences_leaves_them_apart() -> None:
    assert paragraphs("a plant.[[File:S.JPG|thumb|x]]The country") == ["a plant. The country"]
    assert paragraphs('a plant.[[File:S.JPG|thumb|x]]"The country') == ['a plant. "The country']


@pytest.mark.parametrize(
    ("link", "read"),
    [
        ("[[It: Chapter Two]]", "It: Chapter Two"),
        ("[[Re:Zero|the series]]", "the series"),
        ("[[Dr: Who]]", "Dr: Who"),
        ("[[de:Katze|the cat]]", "the cat"),
        ("[[:fr:Chat]]", "fr:Chat"),
        ("[[:Category:Cats|cats]]", "cats"),
        ("[[de:Katze]]", ""),
        ("[[zh-min-nan:Niau]]", ""),
        ("[[simple:Cat]]", ""),
    ],
)
def test_a_prefix_hides_a_link_only_if_it_is_a_language(link: str, read: str) -> None:
    assert paragraphs(f"He saw {link} twice.") == [" ".join(f"He saw {read} twice.".split())]
    assert count_links(link) == bool(read)


def test_addresses_are_not_read_but_what_they_are_called_is() -> None:
    assert paragraphs("See [mailto:a@b.c Mail] now.") == ["See Mail now."]
    assert paragraphs("See [mailto:a@b.c] and http://a.b/c. Good.") == ["See and. Good."]


@pytest.mark.parametrize(
    ("wikitext", "read"),
    [
        ("Ada wrote.<ref>a note. Bob ate.\n\nNext.<ref>b</ref> So.", ["Ada wrote.", "Next. So."]),
        ("Ada wrote.<ref>a note <ref>b</ref> She won.", ["Ada wrote. She won."]),
        ('Ada wrote.<ref>see <ref name="b" /> too</ref> She won.', ["Ada wrote. She won."]),
        ("It ran.\n<references>\nThe dog ate.\n</references>\nSo.", ["It ran.", "So."]),
        ("It ran.\n<references>\n\nThe dog ate.", ["It ran.", "The dog ate."]),
    ],
)
def test_footnotes_are_not_read_closed_or_not(wikitext: str, read: list[str]) -> None:
    assert paragraphs(wikitext) == read


@pytest.mark.parametrize("tag", ["blockquote", "p", "div", "li", "td", "dd", "center", "H2"])
def test_a_block_ends_the_paragraph_before_and_after_it(tag: str) -> None:
    assert paragraphs(f"He said:<{tag}>The cat ate.</{tag}>Then left.") == [
        "He said:",
        "The cat ate.",
        "Then left.",
    ]


def test_a_table_in_a_table_of_html_is_not_read() -> None:
    cell = "<table class='x'><tr><td>in</td></tr></table>"
    outer = f"<table><tr><td>{cell}The dog ate.{cell}</td></tr></table>"
    assert paragraphs(f"It ran. {outer} It sat.") == ["It ran.", "It sat."]


@pytest.mark.parametrize(
    ("wikitext", "read"),
    [
        ("Text {{{1|default}}} here.", ["Text here."]),
        ("Text {{{1|{{{2|a}}}}}} here.", ["Text here."]),
        ("Text {{{1|{{b}}}}} here.", ["Text here."]),
        ("Text {{a|{{{1}}}}} {{{{b}}}} here.", ["Text here."]),
        ("The -{cat}- and -{zh-hans:x;zh-hant:y}- ran.", ["The cat and x ran."]),
        ("It sat.\n{| class=x\n| The dog\n|-\n| more\n\nIt ran.", ["It sat.", "It ran."]),
        ("It sat.\n:{| class=x\n| a |}\nIt ran.", ["It sat.", "It ran."]),
    ],
)
def test_no_braces_are_read(wikitext: str, read: list[str]) -> None:
    assert paragraphs(wikitext) == read


def test_a_section_for_reuse_does_not_end_the_paragraph() -> None:
    assert paragraphs("<section begin=x/>It<section end=x/> ran.") == ["It ran."]


@pytest.mark.parametrize(
    ("wikitext", "read"),
    [
        ("Achilles ({{IPA|a}}; {{lang|b}}, Akhilleus, {{c}}) ran.", "Achilles (Akhilleus) ran."),
        ("Lincoln ({{IPA|a}}; February 12, 1809) ran.", "Lincoln (February 12, 1809) ran."),
        ("He saw vowels such as {{a}}, {{b}}, or {{c}}.", "He saw vowels such as, or."),
        ("It is {{a}}: {{b}}; {{c}}, so.", "It is, so."),
        ("{{Sfn|A}}, the cat ran.", "the cat ran."),
        ("The cat [{{a}}] and ( {{a}} / {{b}} ) ran.", "The cat and ran."),
        ('The cat "{{lang|b}}" ran (see {{a}} ).', "The cat ran (see)."),
        ("The cat,{{sfn|A}} dogs{{sfn|B}}, etc.<ref>c</ref>, ran.", "The cat, dogs, etc., ran."),
        ("The dog{{sfn|A}}'s tail.", "The dog's tail."),
        ("The call f() and x[] (, so) ran.", "The call f() and x[] (, so) ran."),
    ],
)
def test_what_removal_leaves_behind_is_tidied(wikitext: str, read: str) -> None:
    assert paragraphs(wikitext) == [read]


def test_a_template_at_the_beginning_of_a_line_does_not_break_its_paragraph() -> None:
    assert paragraphs("The cat\n{{anchor|x}}ran.") == ["The cat ran."]


def test_a_paragraph_without_a_word_is_none() -> None:
    assert paragraphs("It ran.\n\n{{a}}.\n\n* {{b}}, -") == ["It ran."]


ITEM = "The cat sat on the mat and slept."


@pytest.mark.parametrize("mark", ["*", "#", ":", ";", "**", "*:", "* ", " "])
def test_an_item_is_read_if_it_is_a_sentence(mark: str) -> None:
    assert paragraphs(f"It ran.\n{mark}{ITEM}\nIt sat.") == ["It ran.", ITEM, "It sat."]
    assert paragraphs(f"It ran.\n{mark}{ITEM[:-1]}\nIt sat.") == ["It ran.", "It sat."]
    assert paragraphs(f"It ran.\n{mark}A cat sat.\nIt sat.") == ["It ran.", "It sat."]
    assert paragraphs(f"It ran.\n{mark}{ITEM} ISBN 1-2.\nIt sat.") == ["It ran.", "It sat."]


@pytest.mark.parametrize(
    "title",
    [
        *("References", "Notes", "Further reading", "External links", "See also"),
        *("Bibliography", "Sources", "Works cited", "Notes and references", "''Notes''"),
        "REFERENCES <!-- here -->",
    ],
)
def test_sections_of_sources_and_links_are_not_read(title: str) -> None:
    section = f"== {title} ==\n{ITEM}\n=== Books ===\n* {ITEM}\n"
    assert paragraphs(f"It ran.\n{section}") == ["It ran."]
    assert paragraphs(f"It ran.\n{section}== Life ==\nIt sat.") == ["It ran.", "It sat."]
    below = f"== Life ==\nIt ran.\n=== {title} ===\n{ITEM}\n"
    assert paragraphs(f"{below}=== Death ===\nIt sat.") == ["It ran.", "It sat."]


def test_sections_that_only_sound_like_sources_are_read() -> None:
    assert paragraphs(f"== Sources of energy ==\n{ITEM}") == [ITEM]
    assert paragraphs(f"== Notes of the scale ==\n{ITEM}\n== Links ==\nx") == [ITEM]


@pytest.mark.parametrize(
    "line",
    [
        ":''Main article: [[Foo]]''",
        ":''See also: [[Foo]] for the whole of the long story of it.''",
        ":''For a detailed list of books, see the [[History of cats]].''",
        ":: ''[[Foo]] redirects here, and it has done so for long.''",
        "Main article: [[Foo]]",
        "See also [[Foo]].",
        "''Further information: [[Foo]]''",
    ],
)
def test_pointers_to_other_articles_are_not_read(line: str) -> None:
    assert paragraphs(f"It ran.\n\n{line}\n\nIt sat.") == ["It ran.", "It sat."]


def test_a_line_in_bold_is_a_heading_unless_it_is_a_sentence() -> None:
    assert paragraphs("'''Early life'''\nIt ran.") == ["It ran."]
    assert paragraphs("'''It sat.'''\nIt ran.") == ["It sat. It ran."]
    assert paragraphs("'''The cat''' saw '''it''' run.") == ["The cat saw it run."]


def test_code_shown_as_typed_is_not_read_but_text_after_a_break_is() -> None:
    assert paragraphs("It ran.\n if x then y\n GOTO 7\nIt sat.") == ["It ran.", "It sat."]
    assert paragraphs("It ran.<br /> It sat.") == ["It ran.", "It sat."]


@pytest.mark.parametrize(
    "torn",
    [
        *("[[", "{{", "{{{", "\n{|", "<ref>", "<table>", "(,", "\n= a", "\n:''a", "-{a|"),
        *("[http://", "[http://a b ", "[[File:a|", "http://", "\n'''a", "[[a [b] ", "{{a}},"),
    ],
)
def test_markup_that_is_never_closed_takes_no_time(torn: str) -> None:
    before = process_time()
    paragraphs(torn * 4000)
    assert process_time() - before < 2


@pytest.mark.parametrize(
    ("wikitext", "read"),
    [
        ("The {{lang|fr|''chanson''}} and {{transl|ar|ALA|Allah}}.", "The chanson and Allah."),
        (
            "The {{nowrap|[[Apollo 7|flight]]}} and {{Nihongo|bayonet|a|b}}.",
            "The flight and bayonet.",
        ),
        ("It ran {{convert|1,300|mi|km}}.", "It ran 1,300 miles."),
        ("A {{convert|5|m|ft|adj=on}} pole.", "A 5 m pole."),
        ("It has {{cvt|5|-|6.5|m2|sqft|abbr=on}}.", "It has 5 - 6.5 square metres."),
        ("Oil is {{convert|7|Moilbbl/d}} {{As of|2014|lc=y}}.", "Oil is 7 Moilbbl/d as of 2014."),
        ("The dog{{'s}} {{small|old {{nowrap|red}} hat}}.", "The dog's old red hat."),
        ("{{chem|C|H|4}} burns {{lang|fr}} in {{convert}} it.", "CH4 burns in it."),
    ],
)
def test_templates_that_stand_for_words_are_read(wikitext: str, read: str) -> None:
    assert paragraphs(wikitext) == [read]


def test_a_quotation_in_a_template_is_its_own_paragraph() -> None:
    assert paragraphs("He said: {{quote|The cat\nsat.|Doe}} It ran.") == [
        "He said:",
        "The cat sat.",
        "It ran.",
    ]


def test_a_code_with_a_hyphen_is_one_code() -> None:
    assert paragraphs("Taranto is a city in Apulia.[[roa-tara:Tarde]]") == [
        "Taranto is a city in Apulia."
    ]
    assert paragraphs("It was called [[tara: a hill]] by all.") == [
        "It was called tara: a hill by all."
    ]
