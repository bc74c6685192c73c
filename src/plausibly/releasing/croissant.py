"""croissant.json: the files and columns of a release for machines (Croissant 1.0, MLCommons)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from plausibly.releasing.about import OPEN
from plausibly.releasing.content import (
    NORMS,
    NORMS_FILE,
    TABLE_NOTES,
    ReleaseContent,
    column_note,
    parts,
)

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_CR = "http://mlcommons.org/croissant/"
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": _CR,
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
NO_LICENCE = "no licence was stated"
_TYPES = {pl.String: "sc:Text", pl.Int64: "sc:Integer", pl.Float64: "sc:Float"}


def croissant(
    content: ReleaseContent, checksums: Mapping[str, str], *, published: str
) -> dict[str, Any]:
    """Return the Croissant document of a release.

    Args:
        content: What is in it.
        checksums: SHA-256 of every file, by path.
        published: Day of publication, as ISO 8601.
    """
    about, said = content.about, content.about.columns
    document: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": _identifier(content.title),
        "description": about.description or f"{content.title}: a study of plausibility.",
        "license": content.licence.url or content.licence.spdx or NO_LICENCE,
        "version": about.version,
        "datePublished": published,
        "citeAs": _cite(content),
        "url": about.homepage or "https://example.org/",
        "distribution": [],
        "recordSet": [],
    }
    if about.authors:
        document["creator"] = [{"@type": "sc:Person", "name": one["name"]} for one in about.authors]
    spoken = list(about.languages) or content.languages
    if spoken:
        document["inLanguage"] = spoken
    for name, table in content.tables.items():
        for file, part in parts(name, table).items():
            document["distribution"].append(_file(f"data/{file}", checksums))
            document["recordSet"].append(_records(name, f"data/{file}", part, said))
    for files in content.by_language().values():
        for path, part in files.items():
            document["distribution"].append(_file(path, checksums))
            document["recordSet"].append(_records("items", path, part, said))
    if not content.norms.is_empty():
        document["distribution"].append(_file(NORMS_FILE, checksums))
        document["recordSet"].append(_records(NORMS, NORMS_FILE, content.norms, said))
    return document


def _identifier(title: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in title)


def _cite(content: ReleaseContent) -> str:
    names = ", ".join(author["name"] for author in content.about.authors) or "The authors"
    return f"{names}. {content.title}, version {content.about.version}."


def _file(path: str, checksums: Mapping[str, str]) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "encodingFormat": "text/csv" if path == NORMS_FILE else "application/x-parquet",
        "sha256": checksums[path],
    }


def _records(name: str, path: str, table: pl.DataFrame, said: Mapping[str, str]) -> dict[str, Any]:
    own = path.removeprefix("data/").rpartition(".")[0]
    return {
        "@type": "cr:RecordSet",
        "@id": own,
        "name": own,
        "description": f"Each record is {TABLE_NOTES.get(name, 'a row of the study')}.",
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{own}/{column}",
                "name": f"{own}/{column}",
                "description": column_note(name, column, said) or OPEN,
                "dataType": _TYPES[type(dtype)],
                "source": {
                    "fileObject": {"@id": path},
                    "extract": {"column": column},
                },
            }
            for column, dtype in table.schema.items()
        ],
    }
