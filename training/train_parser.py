"""Train the embedded parser: python training/train_parser.py --ud DIR --out DIR."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config
from thinc.api import NumpyOps, set_current_ops
from training.shipping import package
from training.vectors import write_vectors

from training import treebank  # noqa: F401  (registers the reader that config.cfg names)

CONFIG = Path(__file__).parent / "config.cfg"
VECTOR_ROWS = 15_000


def overrides(ud: Path, out: Path, seed: int) -> dict[str, object]:
    """Return what config.cfg leaves open."""
    return {
        "paths.train": str(ud / "en_ewt-ud-train.conllu.gz"),
        "paths.dev": str(ud / "en_ewt-ud-dev.conllu.gz"),
        "paths.vectors": str(out / "vectors"),
        "system.seed": seed,
    }


@click.command()
@click.option("--ud", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--set", "settings", multiple=True, help="A value of config.cfg, as KEY=JSON.")
@click.option("--package-only", is_flag=True, help="Pack the best model of an earlier run.")
def main(ud: Path, out: Path, seed: int, settings: tuple[str, ...], package_only: bool) -> None:
    """Write the shipped model to OUT/en_plausibly_ewt; OUT/model-best is the best so far."""
    if not package_only:
        write_vectors(out / "vectors", VECTOR_ROWS)
        more = {key: json.loads(value) for key, value in (pair.split("=", 1) for pair in settings)}
        # NumPy's own matrix product is up to three times as fast as the default, BLIS.
        set_current_ops(NumpyOps(use_blis=False))
        config = load_config(CONFIG, overrides=overrides(ud, out, seed) | more)
        train(init_nlp(config), out)
    package(out / "model-best", ud, out / "en_plausibly_ewt")


if __name__ == "__main__":
    main()
