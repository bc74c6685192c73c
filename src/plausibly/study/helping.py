"""What `help` shows of a verb: its docstring, and the options of each method it can use."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from textwrap import fill

from plausibly.study.parameters import Parameter

Options = Callable[[Mapping[str, object]], Mapping[str, Parameter]]


class HelpText(str):
    """A docstring that ends with the options of each method, listed when `help` asks for it.

    Methods are imported to list them, which a call of another method does not need. `help`, and
    `?` in a notebook, clean a docstring first, and that expands its tabs.
    """

    __slots__ = ("options",)
    options: Options

    def expandtabs(self, tabsize: int = 8) -> str:  # type: ignore[override]
        """Return the whole text."""
        text = inspect.cleandoc(str.expandtabs(self, tabsize))
        return f"{text}\n\n{options_text(self.options({}))}"


def help_text(doc: str, options: Options) -> HelpText:
    """Return a docstring that lists options when it is shown.

    Args:
        doc: The docstring.
        options: Returns the options, each with the methods that have it.
    """
    text = HelpText(doc)
    text.options = options
    return text


def options_text(options: Mapping[str, Parameter]) -> str:
    """Return the options of each method, then what each option means.

    >>> print(options_text({"min_share": Parameter("min_share", float, 0.7, "Votes needed.",
    ...                                            owners=("strict-majority",))}))
    Options of each method:
        strict-majority: min_share=0.7
    <BLANKLINE>
        min_share: Votes needed.
    """
    owners = dict.fromkeys(owner for one in options.values() for owner in one.owners)
    lines = [
        f"{owner}: {', '.join(_shown(one) for one in options.values() if owner in one.owners)}"
        for owner in owners
    ]
    free = [_shown(one) for one in options.values() if not one.owners]
    lines += [f"all: {', '.join(free)}"] if free else []
    meanings = [f"{name}: {one.doc}" for name, one in options.items() if one.doc]
    parts = ["\n".join(map(_indented, part)) for part in (lines, meanings) if part]
    return "Options of each method:\n" + "\n\n".join(parts)


def _shown(one: Parameter) -> str:
    return one.name if one.required else f"{one.name}={one.default!r}"


def _indented(line: str) -> str:
    return fill(line, 96, initial_indent="    ", subsequent_indent="        ")
