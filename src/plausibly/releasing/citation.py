"""CITATION.cff and LICENSE of a release."""

from __future__ import annotations

import json

from plausibly.releasing.content import ReleaseContent
from plausibly.releasing.licences import Licence

CFF = "1.2.0"


def citation(content: ReleaseContent) -> str:
    """Return CITATION.cff; a release nobody has signed is by the study itself."""
    about = content.about
    lines = [
        f"cff-version: {CFF}",
        "message: Please cite this dataset and the sources it was made from.",
        "type: dataset",
        f"title: {_text(content.title)}",
        f"version: {_text(about.version)}",
    ]
    if content.licence.spdx:
        lines.append(f"license: {content.licence.spdx}")
    if about.homepage:
        lines.append(f"url: {_text(about.homepage)}")
    if about.description:
        lines.append(f"abstract: {_text(about.description)}")
    lines.append("authors:")
    for author in about.authors or ({"name": f"The authors of {content.title}"},):
        lines.append(f"  - name: {_text(author['name'])}")
        lines += [f"    {key}: {_text(author[key])}" for key in ("affiliation",) if key in author]
        if "orcid" in author:
            lines.append(f"    orcid: {_text(author['orcid'])}")
    cited = [source for source in content.sources if source.citation]
    if cited:
        lines.append("references:")
    for source in cited:
        lines += [
            "  - type: data",
            f"    title: {_text(source.name)}",
            f"    notes: {_text(source.citation)}",
            "    authors:",
            f"      - name: {_text(f'see the notes of {source.name}')}",
        ]
    return "\n".join(lines) + "\n"


def citation_line(content: ReleaseContent) -> str:
    """Return what to cite in one line: authors, title, version, address."""
    about = content.about
    authors = ", ".join(author["name"] for author in about.authors)
    parts = [authors, f"{content.title}, version {about.version}", about.homepage]
    return " ".join(f"{part.rstrip('.')}." for part in parts if part)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


UNLICENSED = (
    "Its authors have stated no licence. Until they do, nobody may copy it, change it or pass it "
    "on."
)


def _licensed(licence: Licence) -> list[str]:
    return [
        f"SPDX-License-Identifier: {licence.spdx}",
        "",
        f"This dataset is licensed under {licence.title}.",
    ]


def licence_text(content: ReleaseContent) -> str:
    """Return LICENSE: which licence, where its text is, and whose material is in it."""
    licence = content.licence
    owners = ", ".join(author["name"] for author in content.about.authors)
    lines = [
        f"{content.title}, version {content.about.version}",
        f"by {owners}" if owners else "",
        "",
        *(_licensed(licence) if licence.spdx else [UNLICENSED]),
        f"The text of the licence: {licence.url}" if licence.url else "",
        "",
    ]
    included = [source for source in content.sources if source.use == "included"]
    if included:
        lines.append("It includes or adapts material of:")
    lines += [f"- {one.name}, {one.licence}. {one.citation}".rstrip() for one in included]
    return "\n".join(lines).rstrip() + "\n"
