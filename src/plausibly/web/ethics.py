"""Write what an ethics committee asks for, from the study as it is set up."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plausibly.io import filling, write_text
from plausibly.io.rendering import rendered, rendered_file
from plausibly.ratings.consent import consent_version, screens
from plausibly.ratings.server import door_of
from plausibly.study.arguments import checked

if TYPE_CHECKING:
    from plausibly.ratings.forms import Form
    from plausibly.ratings.served import Served

DOCUMENTS = ("information", "consent", "privacy", "processing")
DOCUMENTED = ("en", "it")  # languages of the shipped templates
BLANK = re.compile(r"«[^»]*»")
PLATFORM_NAMES = {"prolific": "Prolific", "connect": "CloudResearch Connect", "sona": "Sona"}
DAY = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class EthicsDocuments:
    """The documents of a study.

    Args:
        texts: The text of each file, by name.
        files: Where they were written; empty if nowhere.
        missing: Templates the study would need for its other languages.
    """

    texts: Mapping[str, str]
    files: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def blanks(self) -> dict[str, list[str]]:
        """What is left to fill in, by file name."""
        return {name: list(dict.fromkeys(BLANK.findall(text))) for name, text in self.texts.items()}

    def as_json(self) -> dict[str, Any]:
        """Return the files, what is left to fill in, and which templates are missing."""
        return {"files": list(self.files), "blanks": self.blanks, "missing": list(self.missing)}

    @property
    def notes(self) -> list[str]:
        """What to know about languages without documents."""
        if not self.missing:
            return []
        return [
            f"There are no documents for: {', '.join(self.missing)}. Translate copies of the "
            f"English templates in {_templates()}, and store them in the study under these "
            "names. Until then participants in these languages have no document of their own."
        ]


@checked
def ethics(study: str | Path, *, output: str | Path | None = None) -> EthicsDocuments:
    """Write the information sheet, consent, privacy notice and record of processing of a study.

    They are computed from study.toml and the items: what is asked and stored, who enters and how,
    duration, pay, withdrawal, purpose and controller. There is one of each in every language of the
    study: en and it are shipped; for another, or to reword one, put a template such as
    consent.de.md.jinja into the study. What only you know is marked with «…».

    Args:
        study: The study folder.
        output: Folder for the documents (Markdown); if omitted, nothing is written.

    Examples:
        plausibly ethics my-study -o ethics
        plausibly ethics my-study -o ethics --json

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     documents = ethics(Path(place, "otters"))
    >>> list(documents.texts)
    ['information.en.md', 'consent.en.md', 'privacy.en.md', 'processing.en.md']
    """
    from plausibly.web.study import read_study

    served = read_study(Path(study))
    texts, missing = {}, []
    for language in languages_of(served):
        facts = facts_of(served, language)
        for name in DOCUMENTS:
            template = f"{name}.{language}.md.jinja"
            if (served.folder / template).is_file():
                texts[f"{name}.{language}.md"] = rendered_file(served.folder / template, **facts)
            elif language in DOCUMENTED:
                shipped = f"templates/ethics/{template}"
                texts[f"{name}.{language}.md"] = rendered("plausibly.web", shipped, **facts)
            else:
                missing.append(template)
    if output is None:
        return EthicsDocuments(texts, missing=tuple(missing))
    folder = Path(output)
    with filling(folder) as temporary:
        for name, text in texts.items():
            write_text(temporary / name, text)
    return EthicsDocuments(texts, tuple(str(folder / name) for name in texts), tuple(missing))


def languages_of(served: Served) -> list[str]:
    """Return the languages of the study, and English if no other has documents."""
    read = list(dict.fromkeys([str(served.server["interface"]), *served.forms]))
    has = any(
        one in DOCUMENTED or (served.folder / f"{name}.{one}.md.jinja").is_file()
        for one in read
        for name in DOCUMENTS
    )
    return read if has else [*read, "en"]


def _templates() -> Path:
    """Return the folder of the shipped templates."""
    return Path(str(files("plausibly.web").joinpath("templates", "ethics")))


def facts_of(served: Served, language: str) -> dict[str, Any]:
    """Return what the documents of a study state, in a language of it."""
    from plausibly.ratings.store.verdicts import GRACE

    server, form = served.server, served.speaking(language).form
    judged = sum(one.kind == "item" for one in served.contents.values())
    places = judged * served.plan.target
    return {
        "study": served.name,
        "server": server,
        "form": form,
        "door": door_of(server),
        "platform": PLATFORM_NAMES.get(str(server["platform"]), str(server["platform"])),
        "version": consent_version(form, server),
        "plan": served.plan,
        "items": judged,
        "round": served.whole_round,
        "people": math.ceil(places / served.whole_round) if served.whole_round else 0,
        "checked": any(one.kind not in ("item", "filler") for one in served.contents.values()),
        "screens": screens(form),
        "grace": round(GRACE / DAY),
        "asked": _asked(form),
        "languages": languages_of(served),
        "amount": f"{server['reward']:.2f} {server['currency']}".strip()
        if server["reward"]
        else "",
    }


def _asked(form: Form) -> list[dict[str, Any]]:
    """Return the questions about each item; what is written freely may name people."""
    return [
        {"text": one.text, "free": one.type == "text", "options": list(one.options)}
        for one in form.questions
    ]
