"""Run the command line with `python -m plausibly`."""

from plausibly.cli import main

main()
