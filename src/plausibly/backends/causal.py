"""Causal language models from weights on this machine: options by log-likelihood.

The examples before an item are read once and kept, and all options of an item go through the model
in one pass: each sees the context and itself, not the others; what several begin with is read once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib import import_module
from io import StringIO
from itertools import islice
from math import fsum
from pathlib import Path
from typing import Any

from plausibly.backends._option_tree import (
    Ids,
    OptionTree,
    common,
    option_tree,
    places_of,
    tree_mask,
)
from plausibly.backends.generation import Generation
from plausibly.backends.weights import WEIGHTS, weights_folder
from plausibly.errors import MissingExtra, StudyError
from plausibly.io import file_hash
from plausibly.ports import Query, Reply, Unanswered

OURS = "smollm2"
WEIGHT_FILES = ("*.safetensors", "*.gguf", "*.bin", "config.json", "tokenizer.json")
CLOSE = 1e-3
PROBE = "L'acqua bolle: 37 otters paint a ladder, perché no?"
EVERY_OPTION = 1_000_000


@dataclass(frozen=True)
class _Options:
    """The tokens of the options, and which of them follow the context unchanged."""

    tokens: list[Ids]
    merged: dict[int, Ids]


@dataclass
class CausalModel:
    """A causal language model and its tokenizer.

    Args:
        name: What predictions call it.
        source: Where the weights lie.
        converses: Whether it is asked in a conversation.
        digest: Hash of the weights.
        begins: Whether texts begin with a token of their own; None if the tokenizer says it.
        generation: How answers are written, where they are not chosen from options.
    """

    name: str
    source: str
    converses: bool
    digest: str
    _model: Any = field(repr=False)
    _tokenizer: Any = field(repr=False)
    options_at_once: int = EVERY_OPTION
    at_once: int | None = 1
    begins: bool | None = None
    generation: Generation = field(default_factory=Generation)
    _ids: Ids = field(default_factory=list, repr=False)
    _cache: Any = field(default=None, repr=False)

    @property
    def identity(self) -> str:
        """Return what answers depend on: the weights, how they are asked, how texts are cut."""
        asked = "instruct" if self.converses else "base"
        drawn = self.generation.identity if self.generation.drawn else ""
        return f"causal|{self.digest}|{asked}|float32|{self._cut}{drawn}"

    @cached_property
    def _cut(self) -> str:
        """Return a hash of the tokens of a text: versions of a library can cut it differently."""
        ids = self._encoded(PROBE)
        return sha256(",".join(map(str, ids)).encode()).hexdigest()[:12]

    def rest(self) -> None:
        """Do nothing: an answer leaves nothing open."""

    def leave(self) -> None:
        """Do nothing: no query ever waits."""

    def answer(self, query: Query) -> Reply:
        """Return the log-likelihood of each option, or what the model writes without any."""
        context = self._context(query)
        ids = self._encoded(context) or [self._before_all]
        longest = getattr(self._model.config, "max_position_embeddings", None)
        if longest is not None and len(ids) + query.max_tokens > longest:
            detail = f"{len(ids)} tokens, the model reads {longest}"
            raise Unanswered("too long", detail, lasting=True)
        if not query.options:
            return self._written(ids, query)
        options = self._split(context, ids, query.options)
        sums = self._in_one_pass(ids, options.tokens) if self._shares else []
        if not self._shares:
            sums = [self._alone(ids, tokens) for tokens in options.tokens]
        for place, whole in options.merged.items():
            shared = len(whole) - len(options.tokens[place])
            sums[place] = self._alone(whole[:shared], whole[shared:])
        lengths = tuple(len(tokens) for tokens in options.tokens)
        return Reply(tuple(sums), lengths, prompt_tokens=len(ids), answer_tokens=sum(lengths))

    def _context(self, query: Query) -> str:
        if not query.messages:
            return query.context
        turns = [{"role": role, "content": text} for role, text in query.messages]
        text = self._tokenizer.apply_chat_template(
            turns, tokenize=False, add_generation_prompt=True
        )
        return str(text)

    @cached_property
    def _opening(self) -> Ids:
        """Return what stands before every text: by the weights' file, else by the tokenizer."""
        begin = self._tokenizer.bos_token_id
        begins = self.begins
        if begins is None:
            begins = self._tokenizer("a")["input_ids"][:1] == [begin]
        return [begin] if begins and begin is not None else []

    @cached_property
    def _before_all(self) -> int:
        tokenizer = self._tokenizer
        begin = tokenizer.bos_token_id
        return int(tokenizer.eos_token_id if begin is None else begin)

    def _encoded(self, text: str) -> Ids:
        """Return the tokens of a text; a beginning that a template wrote is not written twice."""
        ids = list(self._tokenizer(text, add_special_tokens=False)["input_ids"])
        return ids if ids[: len(self._opening)] == self._opening else [*self._opening, *ids]

    def _split(self, context: str, ids: Ids, options: Sequence[str]) -> _Options:
        """Return the tokens of each option after the context, tokenised together with it."""
        tokens: list[Ids] = []
        merged: dict[int, Ids] = {}
        for place, option in enumerate(options):
            whole = self._encoded(context + option) if context else [*ids, *self._encoded(option)]
            if whole[: len(ids)] != ids:
                shared = common(whole, ids)
                merged[place] = whole
                tokens.append(whole[shared:])
            else:
                tokens.append(whole[len(ids) :])
        return _Options(tokens, merged)

    def _in_one_pass(self, ids: Ids, options: Sequence[Ids]) -> list[float]:
        """Return the summed log-likelihood of each option, the context read as far as it is new."""
        import torch

        known = min(common(self._ids, ids), len(ids) - 1)
        self._crop(known)
        fresh, tree, device = len(ids) - known, option_tree(options), self._model.device
        rows = [row for own in tree.rows for row in own]
        wanted = [token for tokens in options for token in tokens]
        with torch.inference_mode():
            output = self._model(
                input_ids=torch.tensor([[*ids[known:], *tree.tokens]], device=device),
                attention_mask=self._masks(known, fresh, tree),
                position_ids=torch.tensor([places_of(known, fresh, tree)], device=device),
                past_key_values=self._cache,
                use_cache=True,
                logits_to_keep=torch.arange(fresh - 1, fresh + len(tree.tokens), device=device),
            )
            logs = torch.log_softmax(output.logits[0].double(), dim=-1)
            picked = iter(logs[rows, wanted].tolist())
        sums = [fsum(islice(picked, len(tokens))) for tokens in options]
        self._cache, self._ids = output.past_key_values, ids
        self._crop(len(ids))
        return sums

    def _masks(self, known: int, fresh: int, tree: OptionTree) -> Any:
        """Return who sees whom, for layers that see everything and for those that see a window."""
        like = self._model.device, self._model.dtype
        whole = tree_mask(known, fresh, tree).to(*like)
        if self._window is None:
            return whole
        near = tree_mask(known, fresh, tree, window=self._window).to(*like)
        return {"full_attention": whole, "sliding_attention": near}

    @cached_property
    def _window(self) -> int | None:
        """Return how far some layers see, None if all see everything."""
        layers = getattr(self._model.config, "layer_types", None) or ()
        window = getattr(self._model.config, "sliding_window", None)
        return window if "sliding_attention" in layers else None

    def _crop(self, length: int) -> None:
        from transformers import DynamicCache

        if self._cache is None or length == 0:
            self._cache = DynamicCache()  # every layer keeps everything; masks say what it sees
        elif (surplus := self._cache.get_seq_length() - length) > 0:
            self._cache.crop(-surplus)
        self._ids = self._ids[:length]

    def _alone(self, ids: Ids, option: Ids) -> float:
        """Return the summed log-likelihood of one option in a pass of its own."""
        import torch

        whole = torch.tensor([[*ids, *option]], device=self._model.device)
        with torch.inference_mode():
            logits = self._model(whole[:, :-1], use_cache=False).logits[0, len(ids) - 1 :].double()
            logs = torch.log_softmax(logits, dim=-1)
            return fsum(logs[list(range(len(option))), option].tolist())

    @cached_property
    def _shares(self) -> bool:
        """Return whether one pass for all options says the same as a pass for each."""
        ids = self._encoded("A cup of tea is on the table. The tea is") or [self._before_all]
        ids = ids[:1] + ids[1:] * (1 + (self._window or 0) // len(ids[1:]))
        words = ("hot", "very cold", "very hot")
        options = [self._encoded(f" {word}")[len(self._opening) :] for word in words]
        alone = [self._alone(ids, tokens) for tokens in options]
        try:
            twice = [self._in_one_pass(ids, options) for _ in range(2)]
        except (RuntimeError, ValueError, NotImplementedError):
            return False
        return all(
            abs(one - other) < CLOSE
            for together in twice
            for one, other in zip(together, alone, strict=True)
        )

    def _written(self, ids: Ids, query: Query) -> Reply:
        import torch

        device, chosen = self._model.device, self.generation
        drawing: dict[str, Any] = {"do_sample": False}
        if chosen.drawn:
            drawing = {"do_sample": True, "temperature": chosen.temperature, "top_k": 0}
            drawing |= {} if chosen.top_p is None else {"top_p": chosen.top_p}
        with torch.inference_mode(), torch.random.fork_rng():
            torch.manual_seed(self._seed(ids, query.repeat))
            whole = self._model.generate(
                torch.tensor([ids], device=device),
                attention_mask=torch.ones((1, len(ids)), device=device),
                max_new_tokens=query.max_tokens,
                pad_token_id=self._tokenizer.eos_token_id,
                **drawing,
            )
        fresh = whole[0, len(ids) :].tolist()
        text = self._tokenizer.decode(fresh, skip_special_tokens=True).strip()
        if not text:
            raise Unanswered("empty answer", "the model wrote nothing", lasting=True)
        first = text.splitlines()[0]
        return Reply(text=first, prompt_tokens=len(ids), answer_tokens=len(fresh))

    def _seed(self, ids: Ids, repeat: int) -> int:
        """Return what one answer is drawn from: the seed, what is asked, and how often it was."""
        parts = f"{self.generation.seed_of(repeat)}|{','.join(map(str, ids))}"
        return int.from_bytes(sha256(parts.encode()).digest()[:7], "big")


def load_causal(path: Path | None, *, name: str = "", converses: bool | None = None) -> CausalModel:
    """Return a model from a folder or a GGUF file, or one of those the registry has.

    Args:
        path: Folder with config, tokenizer and weights; or a `.gguf` file, or a folder with one.
        name: Which of ours, where no path is named (default: smollm2); else what to call it
            (default: its folder).
        converses: Ask in a conversation; None if the tokenizer has a template for one.

    Raises:
        MissingExtra: If the libraries are not installed.
        StudyError: If the weights are not there, or cannot be read.
    """
    if path is None:
        name = name or OURS
    folder = weights_folder(name) if path is None else path
    try:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise MissingExtra("asking a model from its weights", "transformers") from error
    logging.disable_progress_bar()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    packed = None if path else folder / next(iter(WEIGHTS[name].files))
    place, options = _placed(folder if packed is None else packed)
    try:
        with redirect_stderr(StringIO()), _parsed_once():  # bars of others are not ours
            tokenizer = AutoTokenizer.from_pretrained(place, local_files_only=True, **options)
            model = AutoModelForCausalLM.from_pretrained(
                place, local_files_only=True, dtype=torch.float32, **options
            )
            begins = _begins(place / options["gguf_file"]) if options else None
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise StudyError(f"{folder}: no causal language model can be read here. {first}") from error
    device = "cuda" if torch.cuda.is_available() else "cpu"
    talks = bool(tokenizer.chat_template) if converses is None else converses
    called = name or f"hf:{folder.resolve().name}"
    digest = _digest(place, options.get("gguf_file"))
    return CausalModel(
        called,
        str(folder.name),
        talks,
        digest,
        model.eval().to(device),
        tokenizer,
        begins=begins,
    )


@contextmanager
def _parsed_once() -> Iterator[None]:
    """Let the header of a GGUF file be parsed once, not for tokenizer, config and weights anew."""
    try:
        gguf: Any = import_module("gguf")
    except ImportError:
        yield
        return
    reader = gguf.GGUFReader
    gguf.GGUFReader = lru_cache(maxsize=1)(reader)
    try:
        yield
    finally:
        gguf.GGUFReader = reader


def _begins(path: Path) -> bool | None:
    """Return whether texts begin with a token of their own, as a GGUF file says it.

    The tokenizer that is built from such a file does not heed it.
    """
    gguf: Any = import_module("gguf")
    entry = gguf.GGUFReader(str(path)).fields.get("tokenizer.ggml.add_bos_token")
    return None if entry is None else bool(entry.contents())


def _placed(path: Path) -> tuple[Path, dict[str, str]]:
    """Return the folder weights are in, and the file where they are one of llama.cpp's."""
    if path.is_file():
        return path.parent, {"gguf_file": path.name}
    packed = sorted(one.name for one in path.glob("*.gguf"))
    if packed and not (path / "config.json").is_file():
        return path, {"gguf_file": packed[0]}
    return path, {}


def _digest(folder: Path, file: str | None) -> str:
    paths = [folder / file] if file else [p for kind in WEIGHT_FILES for p in folder.glob(kind)]
    parts = [f"{path.name}:{file_hash(path)}" for path in sorted(paths)]
    return sha256("\n".join(parts).encode()).hexdigest()
