"""CPU seconds of commands that do little: --help, init, status.

    python benchmarks/starting.py [--times 5]

Each command runs in a process of its own; the figure is the least of all runs, user and system
time together, because other programs on the machine only ever add to it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

FULL = [("custom", "study"), ("pap", "events")]


def cpu_seconds(arguments: list[str]) -> float:
    """Return the user and system time of one command."""
    before = os.times()
    command = [sys.executable, "-m", "plausibly", *arguments]
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    return (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )


def main() -> None:
    """Print one line per command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as place:
        studies = [(name, str(Path(place, study))) for name, study in FULL]
        commands = [["--help"], ["status", "--help"]]
        for name, study in studies:
            cpu_seconds(["init", name, study, "--example"])
            cpu_seconds(["run", study])
            commands.append(["status", study])
        for arguments in commands:
            least = min(cpu_seconds(arguments) for _ in range(times))
            shown = " ".join(Path(one).name for one in arguments)
            print(f"{least:6.2f} s  plausibly {shown}")
        for name, study in studies:
            for more in ([], ["--example"]):
                least = min(
                    cpu_seconds(["init", name, f"{study}{more}{number}", *more])
                    for number in range(times)
                )
                print(f"{least:6.2f} s  plausibly {' '.join(['init', name, 'new', *more])}")


if __name__ == "__main__":
    main()
