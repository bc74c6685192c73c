"""The annotation server under load, Potato beside it in the same run.

    PYTHONPATH=tests python -m benchmarks.serve [--people 200] [--potato PYTHON] [--json]

Closed loop: every person asks for the next item as soon as the last answer is acknowledged.
Reported are answers a second, errors, the server's CPU time per stored answer (all its processes
and threads, start-up not counted), and what went wrong with the data: answers that were
acknowledged and are missing or different, items stored twice or shown again after they were
answered, items over their target. `--potato` names a Python with potato-annotation installed; see
`benchmarks/serve_potato.py` for how it is driven.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

from plausibly.web.keys import Keys, study_secret
from serving import Client, serving, stored
from worlds.served import items_of, study_folder

FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
TICKS = os.sysconf("SC_CLK_TCK")
PAUSE = 0.1
OPEN = {"door": "open", "api": True}


class Wire:
    """One connection kept open, as a browser would."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.cookie = ""

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: str = ""
    ) -> tuple[int, str, bytes]:
        """Return status, where a redirect leads, and the body."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        lines = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n{headers}"
        if self.cookie:
            lines += f"Cookie: {self.cookie}\r\n"
        writer.write(f"{lines}\r\n".encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(re.findall(r"(?mi)^([\w-]+): (.*?)\r$", head.lower()))
        if "set-cookie" in fields:
            found = re.search(r"(?mi)^set-cookie: ([^;]+)", head)
            self.cookie = found.group(1) if found else ""
        content = await reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection") == "close":
            self.close()
            self.streams = None
        found = re.search(r"(?mi)^location: (.*?)\r$", head)
        return int(head.split(" ", 2)[1]), found.group(1) if found else "", content

    def close(self) -> None:
        """Hang up."""
        if self.streams is not None:
            self.streams[1].close()


@dataclass
class Person:
    """One person, and what was acknowledged to them."""

    name: str
    port: int
    annotator: str = ""
    errors: int = 0
    repeated: int = 0
    turned_away: bool = False
    ledger: dict[str, str] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)

    def answer(self, item: str) -> str:
        """Return what this person always says about an item."""
        return "1245"[crc32(f"{self.name}|{item}".encode()) % 4]

    def count(self, item: str) -> None:
        """Count an item that is shown although it was answered."""
        self.repeated += item in self.ledger


async def through_api(person: Person) -> None:
    """Answer through the participant API until nothing is left."""
    wire = Wire(person.port)
    kind = "Content-Type: application/json\r\n"
    joining = json.dumps(Client(person.port).joining(person.name)).encode()
    status, _, content = await wire.ask("POST", "/api/v1/join", joining, kind)
    while status == 409:  # all places are reserved, and not all answered: some may become free
        await asyncio.sleep(PAUSE)
        status, _, content = await wire.ask("POST", "/api/v1/join", joining, kind)
    if status == 403:
        person.turned_away = True
        wire.close()
        return
    joined = json.loads(content)
    person.annotator = joined["annotator"]
    bearer = f"Authorization: Bearer {joined['token']}\r\n"
    while True:
        status, _, content = await wire.ask("GET", "/api/v1/next", headers=bearer)
        shown = json.loads(content)
        person.errors += status != 200
        if status != 200 or shown.get("done"):
            break
        item = shown["item"]
        person.count(item)
        sent: dict[str, Any] = {"reservation": shown["reservation"], "key": item}
        sent["answers"] = {"plausible": person.answer(item)}
        began = time.perf_counter()
        status, _, content = await wire.ask(
            "POST", "/api/v1/answers", json.dumps(sent).encode(), bearer + kind
        )
        person.waits.append(time.perf_counter() - began)
        if status == 201:
            person.ledger[item] = person.answer(item)
        else:
            person.errors += 1
    wire.close()


async def arriving(person: Person) -> None:
    """Join and ask for the first item, as everyone does whom a platform sends at once."""
    wire = Wire(person.port)
    joining = json.dumps(Client(person.port).joining(person.name)).encode()
    kind = "Content-Type: application/json\r\n"
    began = time.perf_counter()
    _, _, content = await wire.ask("POST", "/api/v1/join", joining, kind)
    bearer = f"Authorization: Bearer {json.loads(content)['token']}\r\n"
    status, _, _ = await wire.ask("GET", "/api/v1/next", headers=bearer)
    person.waits.append(time.perf_counter() - began)
    person.errors += status != 200
    wire.close()


async def arriving_on_pages(person: Person) -> None:
    """Agree and ask for the first item's page, as everyone does whom a platform sends at once."""
    wire = Wire(person.port)
    kind = "Content-Type: application/x-www-form-urlencoded\r\n"
    began = time.perf_counter()
    _, _, page = await wire.ask("GET", f"/?person={person.name}")
    fields = dict(FIELD.findall(page.decode()))
    given = urlencode({**fields, "agree": "yes", "eligible": "yes"}).encode()
    await wire.ask("POST", "/consent", given, kind)
    _, there, _ = await wire.ask("GET", "/work")
    status, _, page = await wire.ask("GET", there)
    person.waits.append(time.perf_counter() - began)
    person.errors += status != 200 or b'id="text"' not in page
    wire.close()


async def through_pages(person: Person) -> None:
    """Answer through the pages, from consent to code, without a browser."""
    wire = Wire(person.port)
    kind = "Content-Type: application/x-www-form-urlencoded\r\n"
    _, _, page = await wire.ask("GET", f"/?person={person.name}")
    fields = dict(FIELD.findall(page.decode()))
    given = urlencode({**fields, "agree": "yes", "eligible": "yes"}).encode()
    status, _, _ = await wire.ask("POST", "/consent", given, kind)
    person.errors += status != 303
    here = "/work"
    while True:
        status, there, page = await wire.ask("GET", here)
        while status == 303 and there != "/done":
            here = there
            status, there, page = await wire.ask("GET", here)
        if there == "/done":
            break
        person.errors += status != 200
        if status != 200:
            break
        fields = {name: html.unescape(value) for name, value in FIELD.findall(page.decode())}
        text = re.search(r'<p class="text"[^>]*>(.*?)</p>', page.decode(), re.DOTALL)
        item = text.group(1).strip() if text else ""
        person.count(item)
        sent = urlencode({**fields, "plausible": person.answer(item)}).encode()
        began = time.perf_counter()
        status, there, _ = await wire.ask("POST", here, sent, kind)
        person.waits.append(time.perf_counter() - began)
        if status == 303:
            here = there
            person.ledger[item] = person.answer(item)
        else:
            person.errors += 1
    status, _, page = await wire.ask("GET", "/done")
    person.errors += b'class="code"' not in page
    wire.close()


def cpu_seconds(process: int) -> float:
    """Return the CPU time of a process, its threads and its children."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    children = [child for task in tasks for child in _children(task)]
    return sum(_used(one) for one in [str(process), *children])


def _used(process: str) -> float:
    """Return the CPU time of one process, 0 if it has ended meanwhile."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="latin-1")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    fields = text.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _children(task: Path) -> list[str]:
    """Return the processes a thread has started, none if it has ended meanwhile."""
    try:
        return (task / "children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def run(people: list[Person], process: int, how: Any) -> dict[str, float]:
    """Let all people work at once and return the figures."""

    async def all_of_them() -> None:
        await asyncio.gather(*(how(person) for person in people))

    before, began = cpu_seconds(process), time.perf_counter()
    asyncio.run(all_of_them())
    seconds, used = time.perf_counter() - began, cpu_seconds(process) - before
    answers = sum(len(person.ledger) for person in people)
    waits = sorted(wait for person in people for wait in person.waits)
    return {
        "people": sum(not person.turned_away for person in people),
        "answers": answers,
        "answers_per_second": round(answers / seconds, 1),
        "cpu_ms_per_answer": round(1000 * used / max(answers, 1), 2),
        "median_ms": round(1000 * waits[len(waits) // 2], 1),
        "p99_ms": round(1000 * waits[int(len(waits) * 0.99)], 1),
        "errors": sum(person.errors for person in people),
    }


def faults(
    people: list[Person], study: Path, client: Client, target: int, *, texts: dict[str, str]
) -> dict[str, int]:
    """Compare what was acknowledged with what is stored."""
    keys = Keys(study_secret(study, "", make=False), seconds=1)
    for person in people:
        if not person.annotator and not person.turned_away:
            person.annotator = keys.annotator(person.name)
    ratings = client.ratings()
    kept = {
        (row["annotator"], texts.get(row["item"], row["item"])): row["answer"] for row in ratings
    }
    told = {(p.annotator, item): said for p in people for item, said in p.ledger.items()}
    each = Counter(row["item"] for row in ratings if row["item"].startswith("t"))
    return {
        "lost": len(told.keys() - kept.keys()),
        "altered": sum(kept[key] != said for key, said in told.items() if key in kept),
        "unasked": len(kept.keys() - told.keys()),
        "duplicate": len(ratings) - len(stored(ratings)),
        "repeated": sum(person.repeated for person in people),
        "over_target": sum(count > target for count in each.values()),
    }


def scenario(folder: Path, name: str, people: int, how: Any, **ratings: Any) -> dict[str, Any]:
    """Run one study under load and return its figures."""
    items = items_of(ratings.pop("items", 2160), ratings.pop("checks", 20))
    study = study_folder(folder / name, items, {"ratings": ratings, "server": OPEN})
    with serving(study) as server:
        crowd = [Person(f"p{n}", server.port) for n in range(people)]
        figures: dict[str, Any] = run(crowd, server.pid, how)
        texts = {} if how is through_api else dict(zip(items["item"], items["text"], strict=True))
        client = Client(server.port)
        figures |= faults(crowd, study, client, ratings["target"], texts=texts)
    return figures


def arrival(folder: Path, people: int, items: int, how: Any) -> dict[str, Any]:
    """Let people arrive at once on many items and return what their first item takes."""
    ratings = {"target": 10, "batch": 24, "quota": 24}
    sections: dict[str, dict[str, Any]] = {"ratings": ratings, "server": OPEN}
    study = study_folder(folder / f"arrival-{how.__name__}", items_of(items, 20), sections)
    with serving(study) as server:
        one = [Person("first", server.port)]
        run(one, server.pid, how)
        crowd = [Person(f"p{n}", server.port) for n in range(people)]
        before = cpu_seconds(server.pid)
        run(crowd, server.pid, how)
        used = cpu_seconds(server.pid) - before
    return {
        "people": people,
        "items": items,
        "worst_first_item_ms": round(1000 * max(person.waits[0] for person in crowd), 1),
        "cpu_ms_a_person": round(1000 * used / people, 2),
        "errors": sum(person.errors for person in crowd),
    }


def beside(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, float]:
    """Return how many times Potato's answers a second ours are, and its CPU an answer."""
    return {
        "times_answers": round(ours["answers_per_second"] / theirs["answers_per_second"], 1),
        "times_less_cpu": round(theirs["cpu_ms_per_answer"] / ours["cpu_ms_per_answer"], 1),
    }


def main() -> None:
    """Run every scenario and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--potato", help="a Python with potato-annotation installed")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    usual = {"target": 10, "batch": 24, "quota": 24}
    before = os.getloadavg()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found: dict[str, dict[str, Any]] = {
            "api": scenario(folder, "api", options.people, through_api, **usual),
            "pages": scenario(folder, "pages", options.people, through_pages, **usual),
            "60 people on 200 places": scenario(
                folder, "few", 60, through_api, items=20, checks=0, target=10, batch=5, quota=5
            ),
        }
        found["5 people"] = scenario(folder, "five", 5, through_api, **usual)
        found["arriving at once"] = arrival(folder, 100, 10_000, arriving)
        found["arriving at once, pages"] = arrival(folder, 100, 10_000, arriving_on_pages)
        if options.potato:
            command = [sys.executable, "-m", "benchmarks.serve_potato", options.potato]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            found |= json.loads(done.stdout)
            found["beside Potato"] = beside(found["pages"], found["potato"])
    found["machine"] = {"load": " ".join(f"{one:.1f}" for one in (*before, *os.getloadavg()))}
    if options.json:
        print(json.dumps(found, indent=2))
        return
    for name, figures in found.items():
        print(name)
        for figure, value in figures.items():
            print(f"  {figure:20} {value}")


if __name__ == "__main__":
    main()
