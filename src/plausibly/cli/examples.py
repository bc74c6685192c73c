"""Two examples of every command, shown at the end of its help."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "ask": (
        "plausibly ask gita --model smollm2 --prompts all --shot-sets 3 --limit 20 -o answers",
        "plausibly ask gita --model openai:http://127.0.0.1:8080/v1 --concurrency 8 -o answers",
    ),
    "compare": (
        "plausibly compare a.parquet b.parquet --against gold.tsv --scheme sp10k",
        "plausibly compare gemma-2-9b gemma-2-9b-it --scheme gita --rules gita-2024 --json",
    ),
    "evaluate": (
        "plausibly evaluate p.parquet --against gold.tsv --scheme sp10k",
        "plausibly evaluate answers/predictions.parquet --ratings ratings.parquet --graded",
    ),
    "export inspect": (
        "plausibly export inspect gita -o tasks",
        "plausibly export inspect adept --limit 100 -o tasks",
    ),
    "export lm-eval": (
        "plausibly export lm-eval gita -o tasks",
        "plausibly export lm-eval gita --prompts all --shot-sets 3 --limit 100 -o tasks",
    ),
    "models audit": (
        "plausibly models audit adept-lite",
        "plausibly models audit adept-lite --pairs audit.json",
    ),
    "models fit": (
        "plausibly models fit pp --counts counts --relation dobj -o model",
        "plausibly models fit ds --counts counts --relation nsubj -o model",
    ),
    "models fit events": (
        "plausibly models fit events events.csv -o model",
        "plausibly models fit events events.csv --features vectors,minilm -o model",
    ),
    "models predict": (
        "plausibly models predict model pairs.tsv -o predictions.parquet",
        "plausibly models predict majority val.json -o predictions.parquet",
    ),
    "models get": ("plausibly models get minilm", "plausibly models get glove"),
    "models list": ("plausibly models list", "plausibly models list --json"),
    "rehearse": (
        "plausibly rehearse my-study --people 40 --seed 1",
        "plausibly rehearse my-study --people 40 --mix careful=.8,dropout=.2 --seed 1 --json",
    ),
    "score candidates": (
        "plausibly score candidates written/candidates.csv --sources pairs.csv",
        "plausibly score candidates written/candidates.csv --sources pairs.csv --similarity --json",
    ),
    "score gita": (
        "plausibly score gita outputs --rules clean",
        "plausibly score gita outputs --rules gita-2024 --differences --json",
    ),
    "score gita-trip": (
        "plausibly score gita-trip predictions.jsonl",
        "plausibly score gita-trip predictions.jsonl --json",
    ),
    "score iks": (
        "plausibly score iks sheets/ --format iks",
        "plausibly score iks ratings.parquet --resamples 1000 --json",
    ),
    "score overlap": (
        "plausibly score overlap pairs.csv --assertions assertions.csv.gz -o overlap",
        "plausibly score overlap pairs.csv --assertions table.csv --json",
    ),
    "score winograd": (
        "plausibly score winograd scores.csv --no-answer either-missing --json",
        "plausibly score winograd WSCollection.xml --model pp.model -o scores.csv",
    ),
}


def epilog(path: str) -> str | None:
    """Return the examples of a command as they stand below its options."""
    if path not in EXAMPLES:
        return None
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[path])
