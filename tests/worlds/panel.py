"""A panel's people as they really are: most finish, others leave, return, are late or invented."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from starlette.testclient import TestClient

from plausibly.web.app import create_app
from plausibly.web.study import read_study
from worlds.platform import FakePlatform
from worlds.served import Clock, form_address, items_of, study_folder

CODES = {"code": "WHOLE", "short_code": "SHORT", "screened_code": "SCREEN", "full_code": "FULL"}
SERVER: dict[str, Any] = {
    "door": "panel",
    "platform": "prolific",
    "platform_study": "ours",
    "reward": 1.2,
    "item_reward": 0.3,
    "people_per_hour": 1_000_000,
    **CODES,
}
BATCH = 4
YES = {"agree": "yes", "eligible": "yes"}
LATER = 3600.0  # seconds after which every lease has run out


@dataclass
class Panel:
    """What became of everybody, as they saw it themselves.

    Args:
        folder: The study.
        platform: Where they come from.
        kinds: From a person to what they were going to do.
        codes: From a person to the code they were shown in the end; empty for none.
        answered: From a person to how many items they answered.
    """

    folder: Path
    platform: FakePlatform
    kinds: dict[str, str] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    answered: Counter[str] = field(default_factory=Counter)


def panel_study(path: Path, *, places: int) -> Path:
    """Return a study that wants so many ratings of eight items."""
    ratings = {"target": places // 8, "batch": BATCH, "quota": BATCH, "checks_per_batch": 0}
    return study_folder(path / "s", items_of(8), {"ratings": ratings, "server": SERVER})


def take_part(panel: Panel, numbers: dict[str, int], *, seed: int = 1) -> None:
    """Let so many people of each kind take part, in an order of chance.

    Kinds: careful, dropout (vanishes and is timed out), returned (gives it back), late (finishes
    and is timed out), screened (not eligible) and bot (unknown to the platform).
    """
    draw, clock = Random(seed), Clock()  # noqa: S311
    names = [f"{kind}-{n:03}" for kind, number in numbers.items() for n in range(number)]
    draw.shuffle(names)
    app = create_app(read_study(panel.folder), clock=clock)
    with TestClient(app) as client:
        for place, name in enumerate(names):
            panel.kinds[name] = kind = name.partition("-")[0]
            if kind != "bot":
                panel.platform.add(name, "ACTIVE")
            _one(client, name, kind, draw, panel)
            if place % 20 == 19:
                clock.now += LATER  # whoever stopped in the middle has lost their places


def _one(client: TestClient, name: str, kind: str, draw: Random, panel: Panel) -> None:
    client.cookies.clear()
    page = client.get(f"/?PROLIFIC_PID={name}&STUDY_ID=ours&SESSION_ID=sub-{name}")
    if 'action="/consent"' in page.text:
        eligible = {"eligible": "no"} if kind == "screened" else {}
        page = client.post("/consent", data={**_hidden(page.text), **YES, **eligible})
    stops = draw.randrange(1, BATCH) if kind in {"dropout", "returned"} else BATCH + 1
    if "/instructions" in page.url.path:
        page = client.get("/work")
        while "/work/" in page.url.path and panel.answered[name] < stops:
            sent = {**_hidden(page.text), "plausible": draw.choice("1245")}
            page = client.post(form_address(page.text), data=sent)
            panel.answered[name] += 1
    shown = re.search(r'<p class="code"><code>(\w+)</code>', page.text)
    panel.codes[name] = shown.group(1) if shown else ""
    statuses = {"dropout": "TIMED-OUT", "returned": "RETURNED", "late": "TIMED-OUT"}
    if name_known := panel.platform.submissions.get(f"sub-{name}"):
        finished = "AWAITING REVIEW" if panel.codes[name] in {"WHOLE", "SHORT"} else "RETURNED"
        name_known["status"] = statuses.get(kind, finished)


def _hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
