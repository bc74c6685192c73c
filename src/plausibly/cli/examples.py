"""Two examples of every command, shown at the end of its help."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "ask": (
        "plausibly ask gita --model smollm2 --prompts all --shot-sets 3 --limit 20 -o answers",
        "plausibly ask gita --model openai:http://127.0.0.1:8080/v1 --concurrency 8 -o answers",
    ),
    "build adept": (
        "plausibly build adept --counts counts --conceptnet assertions.csv.gz "
        "--nonsubsective words.txt --seed 1 -o pairs",
        "plausibly build adept --counts counts --conceptnet table.csv "
        "--nonsubsective words.txt --seed 1 --json",
    ),
    "build checks": (
        "plausibly build checks pilot.csv --items items.parquet -o items-with-gold.parquet",
        "plausibly build checks pilot.csv --items items.parquet --at-least 5 --json",
    ),
    "build custom": (
        "plausibly build custom words.csv --templates templates.toml -o items",
        "plausibly build custom words.csv --templates templates.toml --language it -o items",
    ),
    "build gita": (
        "plausibly build gita stories.jsonl -o variants",
        "plausibly build gita stories.jsonl --language en --swaps 3 -o variants",
    ),
    "build iks": (
        "plausibly build iks --sources pairs.csv --candidates outputs.csv --seed 1 -o sheet",
        "plausibly build iks --sources pairs.csv --candidates a.csv b.csv --seed 1 -o sheet",
    ),
    "build match": (
        "plausibly build match items.parquet --match frequency --seed 1 -o matched",
        "plausibly build match items.csv --match length --seed 2 --json",
    ),
    "build pap": (
        "plausibly build pap --svo counts/svo.parquet --norms predicted --seed 1 -o events",
        "plausibly build pap --svo svo.parquet --norms norms.tsv --per-cell 5 --seed 1 -o events",
    ),
    "build sp10k": (
        "plausibly build sp10k --counts counts --seed 1 -o surveys",
        "plausibly build sp10k --counts counts --relations dobj,nsubj --seed 1 -o surveys",
    ),
    "check adept": (
        "plausibly check adept train.json dev.json",
        "plausibly check adept pairs.json --strict",
    ),
    "check balance": (
        "plausibly check balance items.parquet",
        "plausibly check balance items.csv --by condition --json",
    ),
    "check gita": (
        "plausibly check gita stories.jsonl",
        "plausibly check gita stories.jsonl --json",
    ),
    "check leaks": (
        "plausibly check leaks train.parquet test.parquet --strict",
        "plausibly check leaks items.parquet --against pap --against pep3k",
    ),
    "compare": (
        "plausibly compare a.parquet b.parquet --against gold.tsv --scheme sp10k",
        "plausibly compare gemma-2-9b gemma-2-9b-it --scheme gita --rules gita-2024 --json",
    ),
    "counts merge": (
        "plausibly counts merge wiki-counts news-counts -o counts",
        "plausibly counts merge wiki=a news=b -o counts --json",
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
    "extract": (
        "plausibly extract corpus/ -o counts",
        "plausibly extract dump.xml.bz2 --format dump --articles 1000 --workers 2 -o counts",
    ),
    "generate": (
        "plausibly generate pairs.csv --model smollm2 -o written",
        "plausibly generate pairs.csv --model smollm2 --constraints free,concepts -o written",
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
