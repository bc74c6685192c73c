"""Call every public function of Python with something made wrong, and count raw errors.

    PYTHONPATH=tests python -m benchmarks.hostile_calls [--calls 3000] [--seed 1]

Every call returns, or raises a `PlausiblyError`; any other error is one too many.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from itertools import islice
from pathlib import Path
from time import monotonic

import plausibly as pb
from hostile import hostile_calls, raw_error


def main() -> None:
    """Make the calls and print how they ended; exit 1 if any ended in a raw error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    started, faults = monotonic(), 0
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        pb.init("custom", Path(place, "otters"), example=True)
        for call in islice(hostile_calls(arguments.seed, Path(place)), arguments.calls):
            error = raw_error(call)
            if error:
                faults += 1
                shown = {name: repr(one)[:200] for name, one in call.arguments.items()}
                print(f"pb.{call.name}({shown})\n{error}\n", flush=True)
        os.chdir("/")
    print(f"{arguments.calls} calls in {monotonic() - started:.0f} s, seed {arguments.seed}")
    print(f"{faults} raw errors")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
