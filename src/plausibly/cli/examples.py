"""Two examples of every command, shown at the end of its help."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "analyse": (
        "plausibly analyse ratings.csv --items items.csv --terms 'condition*weight'",
        "plausibly analyse events_with_ratings.tsv --format pap --terms condition --json",
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
    "counts merge": (
        "plausibly counts merge wiki-counts news-counts -o counts",
        "plausibly counts merge wiki=a news=b -o counts --json",
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
    "export r": (
        "plausibly export r ratings.csv --items items.csv --terms condition -o in-r",
        "plausibly export r events_with_ratings.tsv --format pap --link probit -o in-r",
    ),
    "extract": (
        "plausibly extract corpus/ -o counts",
        "plausibly extract dump.xml.bz2 --format dump --articles 1000 --workers 2 -o counts",
    ),
    "generate": (
        "plausibly generate pairs.csv --model smollm2 -o written",
        "plausibly generate pairs.csv --model smollm2 --constraints free,concepts -o written",
    ),
    "init": ("plausibly init pap my-study --example", "plausibly init custom my-study"),
    "load": ("plausibly load pap --data data -o pap", "plausibly load my-release -o tables"),
    "read": (
        "plausibly read survey.csv --format wide -o ratings.parquet --write-items items.csv",
        "plausibly read answers.csv --columns annotator=worker --columns answer=score "
        "-o ratings.parquet",
    ),
    "rehearse": (
        "plausibly rehearse my-study --people 40 --seed 1",
        "plausibly rehearse my-study --people 40 --mix careful=.8,dropout=.2 --seed 1 --json",
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
