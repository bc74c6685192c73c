"""Templates of the files a release carries."""

from __future__ import annotations

from typing import Any


def rendered(template: str, **facts: Any) -> str:
    """Return a template of this room filled in; a name it lacks is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("plausibly.releasing", "."),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - Markdown, not HTML
    )
    return environment.get_template(template).render(**facts)
