"""English tokenisation brought nearer to that of the treebank.

spaCy's rules differ from EWT's in three ways that matter: they take a run of marks (`!!!`, `=====`)
apart, they cut `e-mail` and `non-stop` at the hyphen, and they leave `and/or` whole.
"""

from __future__ import annotations

from typing import Any

from spacy.attrs import ORTH
from spacy.lang.char_classes import HYPHENS
from spacy.language import Language
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

RUNS = (r"[!?]{2,}", r"\*{2,}", "={2,}", "_{2,}", "-{2,}", "<{2,}", ">{2,}", "~{2,}", r"\.{2,}")

# Prefixes that EWT train writes together with what follows the hyphen, at least four times.
BOUND = ("e", "non", "pre", "anti", "mid", "re", "post", "co", "over", "pro", "multi", "ex")


def follow_treebank(nlp: Language) -> None:
    """Change the tokeniser of an English pipeline in place."""
    tokenizer: Any = nlp.tokenizer
    defaults: Any = nlp.Defaults
    tokenizer.prefix_search = compile_prefix_regex([*RUNS, *defaults.prefixes]).search
    tokenizer.suffix_search = compile_suffix_regex([*RUNS, *defaults.suffixes]).search
    tokenizer.infix_finditer = compile_infix_regex(
        [*RUNS, *map(_sparing_prefixes, defaults.infixes)]
    ).finditer
    tokenizer.add_special_case("and/or", [{ORTH: "and"}, {ORTH: "/"}, {ORTH: "or"}])
    tokenizer.add_special_case("b/c", [{ORTH: "b/c"}])


def _sparing_prefixes(infix: str) -> str:
    if f"(?:{HYPHENS})" not in infix:
        return infix
    return "".join(rf"(?<!\b[{word[0].upper()}{word[0]}]{word[1:]})" for word in BOUND) + infix
