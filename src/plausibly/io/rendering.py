"""Documents in Markdown and other plain text, filled in from templates of a package."""

from __future__ import annotations

from typing import Any


def rendered(package: str, template: str, **facts: Any) -> str:
    """Return a template filled in; a name it lacks is an error.

    Args:
        package: The package that has the template.
        template: Where it is in the package.
        facts: What the template may name.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package, "."),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - Markdown, not HTML
    )
    return environment.get_template(template).render(**facts)
