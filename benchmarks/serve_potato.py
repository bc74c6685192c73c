"""Potato under the same load as our server, started by `benchmarks/serve.py --potato PYTHON`.

    PYTHONPATH=tests python -m benchmarks.serve_potato PYTHON [--people 50]

A slider from 1 to 5, file storage, no passwords. A person logs in, and for every item sends what
Potato's own page sends: the answer (`/updateinstance`) and the step to the next item (`/annotate`,
whose reply is the next page). The page's further requests are left out, in Potato's favour. What
is stored is read from the users' own state files.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.serve import Person, Wire, run

CONFIG = """
annotation_task_name: otters
task_dir: .
output_annotation_dir: annotation_output
output_annotation_format: jsonl
data_files: [items.json]
item_properties: {{id_key: id, text_key: text}}
require_password: false
user_config: {{allow_all_users: true, users: []}}
num_annotators_per_item: {target}
max_annotations_per_user: {quota}
assignment_strategy: random
annotation_schemes:
  - {{annotation_type: slider, name: plausible, description: "Is this sentence plausible?",
     min_value: 1, max_value: 5, starting_value: 3}}
"""
FIELD = "plausible:::slider"
INSTANCE = re.compile(rb'id="instance_id"[^>]*value="([^"]+)"')
KIND = "Content-Type: application/json\r\n"


async def through_potato(person: Person) -> None:
    """Log in and answer until nothing is left; the first item is also tried with the middle."""
    wire = Wire(person.port)
    form = "Content-Type: application/x-www-form-urlencoded\r\n"
    login = urlencode({"email": person.name, "pass": ""}).encode()
    await wire.ask("POST", "/auth", login, form)
    _, _, page = await wire.ask("GET", "/annotate")
    while found := INSTANCE.search(page):
        item = found.group(1).decode()
        if item in person.ledger:
            person.repeated += 1
            break
        sent = {"instance_id": item, "annotations": {FIELD: person.answer(item)}}
        began = time.perf_counter()
        status, _, _ = await wire.ask("POST", "/updateinstance", json.dumps(sent).encode(), KIND)
        person.waits.append(time.perf_counter() - began)
        if status == 200:
            person.ledger[item] = person.answer(item)
        person.errors += status != 200
        step = json.dumps({"action": "next_instance", "instance_id": item}).encode()
        status, there, page = await wire.ask("POST", "/annotate", step, KIND)
        person.errors += status >= 400
        if there:
            break
    wire.close()


@contextmanager
def potato(python: str, folder: Path, items: int, **numbers: int) -> Iterator[tuple[int, int]]:
    """Yield port and process of a running Potato."""
    rows = [{"id": f"t{n:04}", "text": f"otter {n} paints ladder"} for n in range(items)]
    folder.mkdir()
    (folder / "items.json").write_text("\n".join(json.dumps(row) for row in rows))
    (folder / "config.yaml").write_text(CONFIG.format(**numbers))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(python).with_name("potato")), "start", "config.yaml"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, "-p", str(port), "--host", "127.0.0.1", "--quiet"],
            cwd=folder,
            stdout=log,
            stderr=log,
        )
        try:
            while not _ready(port):
                if process.poll() is not None:
                    raise RuntimeError((folder / "log").read_text())
                time.sleep(0.2)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait()


def _ready(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def stored(folder: Path) -> dict[tuple[str, str], str]:
    """Return what Potato stored, by person and item."""
    kept: dict[tuple[str, str], str] = {}
    for path in folder.glob("annotation_output/*/user_state.json"):
        state: Any = json.loads(path.read_text())
        for item, labels in state["instance_id_to_label_to_value"].items():
            kept[path.parent.name, item] = str(labels[0][1])
    return kept


def scenario(python: str, folder: Path, people: int, items: int, **numbers: int) -> dict[str, Any]:
    """Run one study under load and return its figures."""
    with potato(python, folder, items, **numbers) as (port, process):
        crowd = [Person(f"p{n}", port) for n in range(people)]
        figures: dict[str, Any] = run(crowd, process, through_potato)
    kept = stored(folder)
    told = {(p.name, item): said for p in crowd for item, said in p.ledger.items()}
    each = Counter(item for _, item in kept)
    return figures | {
        "lost": len(told.keys() - kept.keys()),
        "altered": sum(kept[key] != said for key, said in told.items() if key in kept),
        "repeated": sum(person.repeated for person in crowd),
        "over_target": sum(count > numbers["target"] for count in each.values()),
        "worst": max(each.values(), default=0),
    }


def main() -> None:
    """Run both scenarios and print their figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="a Python with potato-annotation installed")
    parser.add_argument("--people", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, python = Path(name), options.python
        found = {
            "potato": scenario(python, folder / "many", options.people, 2160, target=10, quota=25),
            "potato, 60 people on 200 places": scenario(
                python, folder / "few", 60, 40, target=5, quota=5
            ),
        }
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
