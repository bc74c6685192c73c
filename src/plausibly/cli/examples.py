"""Two examples of every command, shown at the end of its help."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "analyse": (
        "plausibly analyse ratings.csv --items items.csv --terms 'condition*weight'",
        "plausibly analyse events_with_ratings.tsv --format pap --terms condition --json",
    ),
    "ask": (
        "plausibly ask gita --model smollm2 --prompts all --shot-sets 3 --limit 20 -o answers",
        "plausibly ask gita --model openai:http://127.0.0.1:8080/v1 --concurrency 8 -o answers",
    ),
    "compare": (
        "plausibly compare a.parquet b.parquet --against gold.tsv --scheme sp10k",
        "plausibly compare gemma-2-9b gemma-2-9b-it --scheme gita --rules gita-2024 --json",
    ),
    "data get": (
        "plausibly data get pap --data data",
        "plausibly data get adept --data data",
    ),
    "data list": ("plausibly data list", "plausibly data list pap"),
    "data verify": (
        "plausibly data verify --data data",
        "plausibly data verify pap --data data",
    ),
    "demo": (
        "plausibly demo demo",
        "plausibly demo demo --data DIR --articles 100",
    ),
    "doctor": ("plausibly doctor", "plausibly doctor --json"),
    "evaluate": (
        "plausibly evaluate p.parquet --against gold.tsv --scheme sp10k",
        "plausibly evaluate answers/predictions.parquet --ratings ratings.parquet --graded",
    ),
    "experts compare": (
        "plausibly experts compare judged.csv --labels labels.parquet --sides '1,2|4,5'",
        "plausibly experts compare judged.csv --labels labels.csv -o disagreements.csv",
    ),
    "experts confident": (
        "plausibly experts confident labels.parquet --min-support 0.9 -o confident.parquet",
        "plausibly experts confident decided.csv --min-support 1 -o unanimous.csv",
    ),
    "experts decide": (
        "plausibly experts decide decisions.csv --labels labels.parquet -o decided.parquet",
        "plausibly experts decide d.csv --labels labels.csv --decided-by anna -o decided.csv",
    ),
    "experts sample": (
        "plausibly experts sample items.parquet --size 100 -o sample.csv",
        "plausibly experts sample items.csv --size 50 --seed 7 -o sample.csv",
    ),
    "experts subset": (
        "plausibly experts subset ratings.parquet --items items.parquet -o subset.csv",
        "plausibly experts subset r.csv --items i.csv --by condition --lowest 50 -o subset.csv",
    ),
    "export inspect": (
        "plausibly export inspect gita -o tasks",
        "plausibly export inspect adept --limit 100 -o tasks",
    ),
    "export lm-eval": (
        "plausibly export lm-eval gita -o tasks",
        "plausibly export lm-eval gita --prompts all --shot-sets 3 --limit 100 -o tasks",
    ),
    "export r": (
        "plausibly export r ratings.csv --items items.csv --terms condition -o in-r",
        "plausibly export r events_with_ratings.tsv --format pap --link probit -o in-r",
    ),
    "init": ("plausibly init pap my-study --example", "plausibly init custom my-study"),
    "load": ("plausibly load pap --data data -o pap", "plausibly load my-release -o tables"),
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
    "read": (
        "plausibly read survey.csv --format wide -o ratings.parquet --write-items items.csv",
        "plausibly read answers.csv --columns annotator=worker --columns answer=score "
        "-o ratings.parquet",
    ),
    "release": (
        "plausibly release my-study -o release",
        "plausibly release my-study -o release-1.0",
    ),
    "replicate": (
        "plausibly replicate pap --data data",
        "plausibly replicate pap --figures --data data -o pap-figures",
    ),
    "report": ("plausibly report my-study", "plausibly report studies/pilot"),
    "run": ("plausibly run my-study", "plausibly run my-study --from clean --to agree"),
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
    "serve": (
        "plausibly serve my-study --port 8000",
        "plausibly serve my-study --host 0.0.0.0 --port 80 --workers 2",
    ),
    "status": ("plausibly status my-study", "plausibly status my-study --json"),
    "write": (
        "plausibly write ratings.parquet --format crowdkit -o answers.csv",
        "plausibly write ratings.parquet --format labelstudio --items items.csv -o tasks.json",
    ),
}


def epilog(path: str) -> str | None:
    """Return the examples of a command as they stand below its options."""
    if path not in EXAMPLES:
        return None
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[path])
