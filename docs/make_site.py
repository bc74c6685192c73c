"""A hook of MkDocs: the gallery, names of files above code, and a search without a network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

OUTSIDE = "https://unpkg.com/iframe-worker/shim"
OWN = "assets/frame-worker.js"
BUILT = Path(__file__).resolve().parents[1] / "build" / "gallery"
ENTRIES = BUILT / "entries.md"
GALLERY = "<!-- gallery -->"
FIGURES = Path(__file__).resolve().parent / "results" / "figures"
NAV = re.compile(r"<nav\b([^>]*)>|</nav>")
NAMED = re.compile(r"^```(\w+) file=(\S+)( append)?$", re.MULTILINE)


def on_files(files: Any, *, config: Any) -> Any:
    """Add what `make_gallery.py` built to the files of the site."""
    for path in sorted(BUILT.glob("*/*")):
        place = f"gallery/{path.relative_to(BUILT).as_posix()}"
        files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Return a page with its figure or the gallery's entries, and names of files above code."""
    del config, files
    figure = FIGURES / f"{Path(page.file.src_uri).stem}.svg"
    if page.file.src_uri == f"results/{figure.stem}.md" and figure.exists():
        head, _, rest = markdown.partition("\n")
        drawn = f"![A table of this page, drawn](figures/{figure.name})"
        markdown = f"{head}\n\n{drawn}\n{rest}"
    if GALLERY in markdown:
        markdown = markdown.replace(GALLERY, ENTRIES.read_text(encoding="utf-8"))
    return NAMED.sub(r'```\1 title="\2"', markdown)


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Return a page that loads our own worker in place of one from a network, and is accessible."""
    del config
    return accessible(output.replace(OUTSIDE, "../" * page.url.count("/") + OWN))


def on_post_template(output_content: str, *, template_name: str, config: Any) -> str:
    """Return a page without a source, such as 404.html, with the same change."""
    del template_name, config
    return accessible(output_content.replace(OUTSIDE, OWN))


def accessible(page: str) -> str:
    """Return a page whose search has a name, whose menus are groups, and no heading is empty."""
    page = page.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)
    menus: list[bool] = []

    def tag(found: re.Match[str]) -> str:
        if found[1] is None:
            return "</div>" if menus.pop() else "</nav>"
        menus.append(found[1].startswith(' class="md-nav"'))
        return f'<div role="group"{found[1]}>' if menus[-1] else found[0]

    return NAV.sub(tag, page).replace("<th></th>", "<td></td>")
