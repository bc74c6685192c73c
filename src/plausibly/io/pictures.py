"""Drawings as files: SVG unchanged, PNG (on white) and PDF by an engine that is an extra."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from plausibly.errors import MissingExtra, StudyError
from plausibly.io.atomic import write_bytes, write_text

KINDS = (".svg", ".png", ".pdf")
WHITE = '><rect width="100%" height="100%" fill="#fff"/>'  # else black words on a dark page
SCALE = 3  # pixels of a PNG for each unit of the drawing: 640 units are 1,920 pixels


def drawable_kinds() -> tuple[str, ...]:
    """Return the formats in which a drawing can be written here; without the extra only SVG."""
    return KINDS if find_spec("vl_convert") is not None else KINDS[:1]


def write_picture(svg: str, path: Path) -> None:
    """Write a drawing to a file in the format of its name: SVG, PNG or PDF.

    Args:
        svg: The drawing.
        path: The file; .svg, .png or .pdf.
    """
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise StudyError(
            f"{path}: figures are saved as {', '.join(KINDS)}. End the name with one of these.",
            parameter="path",
        )
    if kind == ".svg":
        write_text(path, svg)
        return
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtra(f"saving a figure as {kind[1:].upper()}", "figures") from error
    if kind == ".png":
        write_bytes(path, vl_convert.svg_to_png(svg.replace(">", WHITE, 1), scale=SCALE))
    else:
        write_bytes(path, vl_convert.svg_to_pdf(svg))
