"""A hook of MkDocs: the search needs nothing from a network, not even where no server runs."""

from __future__ import annotations

from typing import Any

OUTSIDE = "https://unpkg.com/iframe-worker/shim"
OWN = "assets/frame-worker.js"


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Return a page that loads our own worker in place of one from a network."""
    del config
    return output.replace(OUTSIDE, "../" * page.url.count("/") + OWN)


def on_post_template(output_content: str, *, template_name: str, config: Any) -> str:
    """Return a page without a source, such as 404.html, with the same change."""
    del template_name, config
    return output_content.replace(OUTSIDE, OWN)
