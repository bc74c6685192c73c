"""Documents in Markdown and other plain text, filled in from templates of a package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from plausibly.errors import StudyError
from plausibly.io.opening import read_settings

if TYPE_CHECKING:
    from jinja2 import Environment


def rendered(package: str, template: str, **facts: Any) -> str:
    """Return a template filled in; a name it lacks is an error."""
    from jinja2 import PackageLoader

    return _environment(PackageLoader(package, ".")).get_template(template).render(**facts)


def rendered_file(path: Path, **facts: Any) -> str:
    """Return a template of a user filled in; raise naming the line if that is impossible."""
    from jinja2 import TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    environment = _environment(None, SandboxedEnvironment)
    try:
        return environment.from_string(read_settings(path)).render(**facts)
    except (TemplateError, TypeError) as error:
        line = getattr(error, "lineno", None)
        place = f"{path}:{line}" if line else f"{path}"
        raise StudyError(f"{place}: cannot be filled in: {error}.") from error


def _environment(loader: Any, kind: type[Environment] | None = None) -> Environment:
    from jinja2 import Environment, StrictUndefined

    return (kind or Environment)(
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
