"""`plausibly check`: what is irregular in a set of items somebody else made."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from plausibly.cli.check_balance import balance
from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import FILE

strict_option = click.option("--strict", is_flag=True, help="Exit 1 if anything is found.")


@click.group("check")
def command() -> None:
    """Find what is irregular in a set of items."""


command.add_command(balance)


@command.command("adept")
@click.argument("files", type=FILE, nargs=-1, required=True)
@strict_option
@json_option
def adept(files: tuple[Path, ...], strict: bool, as_json: bool) -> None:
    """Check the pairs of FILES, each one split: how each is made, what they share.

    Exact are pairs whose second sentence follows from the first by the rule of the release or
    by ours; the other ones are listed by idx.
    """
    from plausibly.errors import StudyError
    from plausibly.stimuli.adept.check import check_files

    report = check_files(files)
    if as_json:
        print_json(report.as_json())
    else:
        _show_adept(report.as_json())
    if strict and report.problems:
        raise StudyError(f"check adept: {len(report.problems)} problems found.")


def _show_adept(report: dict[str, object]) -> None:
    problems = report.pop("problems")
    shared = report.pop("shared")
    rows = [
        (name, len(value) if isinstance(value, list) else value) for name, value in report.items()
    ]
    print_table(("what", "pairs"), rows)
    if isinstance(problems, list) and problems:
        click.echo()
        kinds: dict[str, list[dict[str, object]]] = {}
        for problem in problems:
            kinds.setdefault(problem["kind"], []).append(problem)
        print_table(
            ("problem", "pairs", "first"),
            [(k, len(v), f"idx {v[0]['idx']}: {v[0]['message']}") for k, v in kinds.items()],
        )
    if isinstance(shared, dict):
        for files, counts in shared.items():
            say(f"{files}: {counts['sentences']} first sentences, {counts['nouns']} nouns.")


@command.command("gita")
@click.argument("file", type=FILE)
@click.option("--against", type=FILE, help="Another version of the same stories to compare with.")
@click.option("--lang", default="it", show_default=True, help="Language of the stories: it or en.")
@strict_option
@json_option
def gita(file: Path, *, against: Path | None, lang: str, strict: bool, as_json: bool) -> None:
    """Check the stories of FILE, in either released form.

    An error contradicts the schema or another field, a warning breaks a rule of construction, a
    note asks a person to look.
    """
    from plausibly.datasets.gita.stories import read_stories
    from plausibly.errors import StudyError
    from plausibly.stimuli.gita.checks import check_stories, compare_versions
    from plausibly.stimuli.gita.reading import absent_objects, mental_verbs

    stories = read_stories(file)
    findings = [
        *check_stories(stories),
        *mental_verbs(stories, lang=lang),
        *absent_objects(stories),
    ]
    if against is not None:
        findings += compare_versions(stories, read_stories(against))
    findings.sort(key=lambda finding: finding.row)
    if as_json:
        print_json([finding.as_json() for finding in findings])
    else:
        print_table(
            ("row", "id", "severity", "kind", "message"),
            [(f.row, f.example, f.severity, f.kind, f.message) for f in findings],
        )
    counts = Counter(finding.severity for finding in findings)
    told = ", ".join(f"{count} {severity}s" for severity, count in counts.most_common())
    say(f"{len(stories)} stories: {told or 'nothing found'}.")
    if strict and findings:
        raise StudyError(f"check gita: {len(findings)} findings.")
