"""Kill the server under load at random moments and look for acknowledged answers that are gone.

    PYTHONPATH=tests python -m benchmarks.kill_loop [--moments 50] [--people 12] [--workers 1]
        [--seed 1] [--patience 30]

Every moment: people answer as fast as they can, the server gets SIGKILL after a random time, and
starts again on the same folder. Then every answer that was ever acknowledged must be there and
unchanged, and the first item each person is shown must not be one they have answered.
"""

from __future__ import annotations

import argparse
import http.client
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import numpy as np

import serving as serving_tools
from serving import Client, Participant, Server, ledger_of, serving, stored
from worlds.served import items_of, study_folder


def answer(person: str, item: str) -> str:
    """Return what a person always says about an item."""
    return "1245"[crc32(f"{person}|{item}".encode()) % 4]


def work(person: Participant, over: threading.Event) -> None:
    """Answer until the server breaks off."""
    with suppress(OSError, http.client.HTTPException):
        while not over.is_set() and person.step():
            pass


def one_moment(people: list[Participant], kill_after: float, server: Server) -> None:
    """Let people work, kill the server after a while, and start it again."""
    over = threading.Event()
    threads = [threading.Thread(target=work, args=(person, over)) for person in people]
    for thread in threads:
        thread.start()
    time.sleep(kill_after)
    server.kill()
    over.set()
    for thread in threads:
        thread.join()
    server.start()


def main() -> None:
    """Kill the server so many times and print what was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=50)
    parser.add_argument("--people", type=int, default=12)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=serving_tools.PATIENCE)
    options = parser.parse_args()
    serving_tools.PATIENCE = options.patience  # seconds a start or a reply may take
    moments = np.random.default_rng(options.seed)
    missing = altered = shown_again = answers = 0
    with tempfile.TemporaryDirectory() as name:
        ratings = {"target": options.people, "batch": 24, "quota": 0}
        sections = {"ratings": ratings, "server": {"api": True}}
        study = study_folder(Path(name) / "s", items_of(2160, 20), sections)
        with serving(study, "--workers", str(options.workers)) as server:
            people = [Participant(server.port, f"p{n}", answer) for n in range(options.people)]
            for person in people:
                person.join()
            for _ in range(options.moments):
                one_moment(people, moments.uniform(0.02, 0.6), server)
                kept = stored(Client(server.port).ratings())
                told = ledger_of(people)
                answers = len(told)
                places = {(who, item) for who, item, _ in kept}
                lost = told - kept
                missing += sum((who, item) not in places for who, item, _ in lost)
                altered += sum((who, item) in places for who, item, _ in lost)
                for person in people:
                    person.client = Client(server.port)
                    mine = {item: said for who, item, said in kept if who == person.annotator}
                    _, shown = person.client.ask("GET", "/api/v1/next", token=person.token)
                    shown_again += shown.get("item") in mine
                    person.ledger |= mine
    print(f"moments {options.moments}, acknowledged answers {answers}")
    print(f"missing {missing}, altered {altered}, shown again {shown_again}")


if __name__ == "__main__":
    main()
