"""Laws of wikitext: markup never survives, words outside of it always do."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.corpus.wikitext import paragraphs

LAW = settings(deadline=None, max_examples=150)
MARKUP = re.compile(
    r"\[\[|\]\]|\{\{|\}\}|\{\||\|\}|''|</?(?:ref|table|div)|(?:file|image|category):|\x00|hidden",
    re.IGNORECASE,
)

words = st.sampled_from(["dog", "Café", "the", "ran", "42", "日本", "O'Hara", "so-called"])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(
        st.sampled_from(
            [
                "{{{{T|{0}}}}}",
                "{{{{T|a={0}|{0}}}}}",
                "[[File:x.jpg|thumb|{0} so]]",
                "[[Image:x.jpg|{0} [hidden] [http://a.b hidden]]]",
                "[[File:x.jpg|see [http://a.b hidden {0}]]]",
                "\n{{|\n|-\n| {0}\n|}}\n",
                "\n:{{| class=x\n! {0}\n|}}\n",
                "<table><tr><td>{0}</td></tr></table>",
                "<gallery>\nFile:x.jpg|hidden\n</gallery>",
            ]
        ),
        inner,
    ).map(lambda both: both[0].format(both[1]))


bare = st.sampled_from(
    [
        *("hidden", "{{hidden}}", "{{{1|hidden}}}", "<!-- hidden -->", "<math>hidden</math>"),
        *("[[Category:hidden]]", "[[de:hidden]]", "[[hidden|hidden]]", "<references />"),
    ]
)
kept_out = st.recursive(bare, _grown, max_leaves=4)
hidden = st.one_of(
    _grown(kept_out),
    kept_out.map("<ref>{}</ref>".format),
    kept_out.map('<ref name="a">{} <ref name="b" /></ref>'.format),
    st.sampled_from(["<ref name=a />", "{{{1|hidden}}}", "<!-- hidden -->", "[[Category:hidden]]"]),
)


@LAW
@given(st.lists(st.tuples(words, hidden), min_size=1, max_size=6), words)
def test_balanced_markup_goes_and_the_words_around_it_stay(
    parts: list[tuple[str, str]], last: str
) -> None:
    text = "".join(f"{word} {out}" + " " * (not out.endswith("\n")) for word, out in parts) + last
    read = " ".join(paragraphs(text))
    assert MARKUP.search(read) is None
    assert read.split() == [word for word, _ in parts] + [last]


@LAW
@given(st.lists(st.tuples(words, hidden), min_size=1, max_size=6), words)
def test_what_is_taken_out_never_glues_words(parts: list[tuple[str, str]], last: str) -> None:
    inline = [(word, out) for word, out in parts if not out.startswith("<!--")]
    text = "".join(f"{word}.{out}" for word, out in inline) + last
    assert " ".join(paragraphs(text)).split() == [f"{word}." for word, _ in inline] + [last]


@LAW
@given(
    st.lists(
        st.tuples(
            words, st.sampled_from(["", "", "", ",", ".", "!", ":", ")", '"', " (so)", " -"])
        ),
        min_size=1,
        max_size=12,
    ).map(lambda pairs: " ".join(word + end for word, end in pairs))
)
def test_text_without_markup_passes_unchanged(line: str) -> None:
    assert paragraphs(line) == [line]
    assert paragraphs(f"{line}\n\n{line}\n") == [line, line]
    assert paragraphs(f"== Life ==\n{line}\n{line}") == [f"{line} {line}"]


@LAW
@given(st.lists(words, min_size=1, max_size=12), st.sampled_from("*#:;"))
def test_a_list_is_read_by_its_sentences_only(item: list[str], mark: str) -> None:
    sentence = " ".join(item) + "."
    read = [sentence] if len(item) >= 8 else []
    assert paragraphs(f"{mark} {sentence}\n{mark} {sentence[:-1]}") == read
