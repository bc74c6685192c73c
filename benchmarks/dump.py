"""Reading a Wikipedia dump beside gensim in one run: CPU seconds, megabytes a second.

    python benchmarks/dump.py [--dump FILE.xml.bz2] [--times 3]

From a bz2 dump to the plain text of every article's sections. Peers: gensim's segment_wiki, by
default on the dump that gensim carries as test data, and mwparserfromhell's strip_code on the same
articles. One process, one thread; unpacking is part of it, and shown apart because both pay it.
"""

from __future__ import annotations

import argparse
import bz2
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

NAME = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"


def bundled() -> Path:
    """Return the dump gensim carries."""
    found = find_spec("gensim")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("gensim is not installed: pip install 'plausibly[demo]'")
    return Path(found.submodule_search_locations[0]) / "test" / "test_data" / NAME


def unpack(path: Path) -> int:
    """Return the size of the unpacked dump."""
    return len(bz2.decompress(path.read_bytes()))


def ours(path: Path) -> int:
    """Return how many characters of running text we read."""
    from plausibly.corpus._archives import open_file
    from plausibly.corpus._dump import Page, read_pages
    from plausibly.corpus.wikitext import paragraphs

    with open_file(path) as opened:
        pages = (page for page in read_pages(opened.stream) if isinstance(page, Page))
        return sum(len(line) for page in pages for line in paragraphs(page.wikitext))


def gensim(path: Path) -> int:
    """Return how many characters gensim's segment_wiki reads, in one process as well."""
    from gensim.scripts.segment_wiki import extract_page_xmls, segment

    with bz2.open(path, "rb") as stream:
        articles = (segment(page) for page in extract_page_xmls(stream) if b"<redirect" not in page)
        return sum(len(text) for _, sections, *_ in articles for _, text in sections)


def mwparserfromhell(path: Path) -> int:
    """Return how many characters mwparserfromhell leaves of the same articles."""
    from mwparserfromhell import parse

    from plausibly.corpus._archives import open_file
    from plausibly.corpus._dump import Page, read_pages

    with open_file(path) as opened:
        pages = (page for page in read_pages(opened.stream) if isinstance(page, Page))
        return sum(len(parse(page.wikitext).strip_code()) for page in pages)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dump", type=Path)
    parser.add_argument("--times", type=int, default=3)
    arguments = parser.parse_args()
    path = arguments.dump or bundled()
    works: list[Callable[[Path], int]] = [unpack, ours, gensim, mwparserfromhell]
    best = dict.fromkeys((work.__name__ for work in works), float("inf"))
    size = unpack(path)
    read = {work.__name__: work(path) for work in works}
    for turn in range(arguments.times):
        for work in works[: 3 if turn else 4]:
            before = time.process_time()
            work(path)
            best[work.__name__] = min(best[work.__name__], time.process_time() - before)
    for name, cpu in best.items():
        print(
            f"{name:18} {cpu:7.2f} CPU s {size / cpu / 1e6:7.1f} MB/s {read[name]:>10,} characters"
        )
    print(f"gensim / ours {best['gensim'] / best['ours']:.1f} in CPU seconds")


if __name__ == "__main__":
    main()
