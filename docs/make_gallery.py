"""Build the example studies of the gallery: python docs/make_gallery.py build/gallery.

Each study runs on example items of the package, with simulated people. `make docs` puts the folders
on the site; the repository has none of their files.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import plausibly as pb
from plausibly.cli import run

# Title and what people were asked.
STUDIES = {
    "demo": (
        "From text to release",
        "Events counted in a piece of Wikipedia, rated, and released.",
    ),
    "pap": ("PAP", "How plausible is an event such as “otter paints ladder”?"),
    "adept": ("ADEPT", "What does an adjective do to the plausibility of an event?"),
    "sp10k": ("SP-10K", "How well do two words suit each other?"),
    "gita": ("GITA", "Is a story possible, and which sentences are in conflict? In Italian."),
    "iks": ("Implicit knowledge", "Which sentence explains best what two others leave unsaid?"),
    "custom": ("Your own form", "Questions of your own: a slider, ordered options, a comment."),
}
EXPLORER = "explorer.html"
PICTURE, ENTRIES = "picture.svg", "entries.md"
MODELS = {"pap": ["events-lite", "events-frequency"], "adept": ["adept-lite", "majority"]}


def study_of(name: str, place: Path) -> Path:
    """Return the folder of a finished example study."""
    if name == "demo":
        if code := run(["demo", str(place / name)]):
            raise SystemExit(code)
        return place / name / "study"
    folder = Path(pb.init(name, place / name, example=True).folder)
    settings = folder / "study.toml"
    named = f"\nmodels = {json.dumps(MODELS.get(name, []))}\n"
    settings.write_text(settings.read_text("utf-8").replace("\nmodels = []\n", named), "utf-8")
    pb.run(folder)
    return folder


def build(name: str, target: Path) -> str:
    """Write report, explorer, settings and a picture of one example study; return its entry.

    Args:
        name: Of the study.
        target: The folder to write into.
    """
    target.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        study = study_of(name, Path(place))
        report = pb.report(study)
        released = pb.release(study).write(Path(place) / "release")
        for folder, file in ((study, "report.html"), (released, EXPLORER), (study, "study.toml")):
            shutil.copyfile(folder / file, target / file)
    drawn = next(figure for figure in report.figures if figure.svg)
    drawn.save(target / PICTURE)
    title, asked = STUDIES[name]
    facts = report.facts
    counts = f"{facts.items:,} items, {facts.people:,} people, {facts.ratings:,} ratings."
    files = {"Report": "report.html", "Explorer": EXPLORER, "Settings": "study.toml"}
    links = " · ".join(f"[{text}](gallery/{name}/{file})" for text, file in files.items())
    picture = f"[![{drawn.title}](gallery/{name}/{PICTURE})](gallery/{name}/report.html)"
    caption = f"{drawn.title}. {drawn.caption}"
    return f"## {title}\n\n{asked} {counts}\n\n{links}\n\n{picture}\n\n{caption}\n"


if __name__ == "__main__":
    gallery = Path(sys.argv[1])
    shutil.rmtree(gallery, ignore_errors=True)
    entries = [build(name, gallery / name) for name in STUDIES]
    (gallery / ENTRIES).write_text("\n".join(entries), encoding="utf-8")
