"""Three hundred people of a panel against a fake platform: do places, codes and pay add up?

    PYTHONPATH=tests python -m benchmarks.panel [--faults 100] [--seed 1]

They take part through the pages; the platform is asked about each at the door. Then everybody is
paid while requests are refused, fail, or are carried out and their replies lost.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from pathlib import Path

import plausibly as pb
from plausibly.backends import prolific
from worlds import served
from worlds.panel import Panel, panel_study, take_part
from worlds.paying import check_panel
from worlds.platform import TOKEN, fake_platform

PEOPLE = {"careful": 215, "dropout": 25, "returned": 25, "late": 10, "screened": 20, "bot": 5}


def main() -> None:
    """Let everybody take part, pay them, and print the books."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    served.OPENED.clear()
    prolific.LONGEST_WAIT = 0.0
    with tempfile.TemporaryDirectory() as name, fake_platform() as platform:
        os.environ["PROLIFIC_TOKEN"], os.environ["PROLIFIC_URL"] = TOKEN, platform.address
        panel = Panel(panel_study(Path(name), places=8 * 100), platform)
        take_part(panel, PEOPLE, seed=options.seed)
        print("codes", dict(Counter(panel.codes.values())))
        print(check_panel(panel, faults=0.5, most=options.faults))
        people = pb.people_list(panel.folder).people
        for column in ("state", "data", "pay"):
            print(column, dict(Counter(people[column].to_list())))


if __name__ == "__main__":
    main()
