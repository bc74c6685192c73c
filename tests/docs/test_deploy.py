"""The files of the page on deployment work: parsed, and run against a server where possible."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from plausibly.cli.groups import below
from serving import Server, serving
from worlds.served import items_of, study_folder

FILES = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "deploy"
PLAUSIBLY = Path(sys.executable).parent / "plausibly"
UNITS = ("plausibly@.service", "plausibly-backup@.service", "plausibly-backup@.timer")
PERSON = "person-5f3c"  # an id of a platform, which no log may hold


class Repeated(dict[str, Any]):
    """Keeps every value of a key that a unit repeats, one per line."""

    def __setitem__(self, key: str, value: Any) -> None:
        if isinstance(value, list) and key in self:
            value = [*self[key], *value]
        super().__setitem__(key, value)


def unit(name: str) -> ConfigParser:
    parser = ConfigParser(interpolation=None, strict=False, dict_type=Repeated)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string((FILES / name).read_text(encoding="utf-8"))
    return parser


def test_the_units_start_and_back_up_a_study() -> None:
    service = unit(UNITS[0])["Service"]
    words = shlex.split(service["ExecStart"])
    assert [words[0].rpartition("/")[2], *words[1:3]] == ["plausibly", "serve", "/srv/plausibly/%i"]
    assert float(service["TimeoutStopSec"]) > 25  # what requests under way are given
    timer = unit(UNITS[2])
    assert timer["Install"]["WantedBy"] == "timers.target"
    assert "OnCalendar" in timer["Timer"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for name in UNITS:
        text = (FILES / name).read_text(encoding="utf-8")
        text = text.replace("/opt/plausibly/bin/plausibly", str(PLAUSIBLY))
        (tmp_path / name.replace("@", "@one")).write_text(text, encoding="utf-8")
    command = ["systemd-analyze", "verify", "--man=no", *(str(one) for one in tmp_path.iterdir())]
    outcome = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)
    named = [line for line in outcome.stderr.splitlines() if "plausibly" in line]
    assert not named, named


def test_the_backup_unit_backs_up_checks_and_forgets(tmp_path: Path, server: Server) -> None:
    archives = tmp_path / "backups"
    archives.mkdir()
    old = archives / f"{server.study.name}-2020-01-01T000000.tar.gz"
    old.touch()
    long_ago = time.time() - 20 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    for line in unit(UNITS[1])["Service"]["ExecStart"].splitlines():
        filled = line.replace("$$", "$").replace("%%", "%").replace("%i", server.study.name)
        filled = filled.replace("/srv/plausibly", str(server.study.parent))
        filled = filled.replace("/var/backups/plausibly", str(archives))
        filled = filled.replace("/opt/plausibly/bin/plausibly", str(PLAUSIBLY))
        subprocess.run(shlex.split(filled), check=True, timeout=60, capture_output=True)
    (kept,) = archives.iterdir()
    assert kept.stat().st_mode & 0o077 == 0


def test_the_container_serves_the_study() -> None:
    lines = (FILES / "Containerfile").read_text(encoding="utf-8").splitlines()
    told = dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    known = {"FROM", "RUN", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT"}
    assert told.keys() == known
    assert json.loads(told["ENTRYPOINT"])[:3] == ["plausibly", "serve", *json.loads(told["VOLUME"])]
    probe = json.loads(told["HEALTHCHECK"].partition("CMD ")[2])
    compile(probe[2], "HEALTHCHECK", "exec")


def test_every_command_on_the_page_exists() -> None:
    page = (FILES.parent / "deploy.md").read_text(encoding="utf-8")
    named = set(re.findall(r"plausibly (serve|backup|restore|people \w+)\b", page))
    assert {"backup", "restore", "people list"} <= named
    assert {name.split()[1] for name in named if " " in name} <= set(below("people"))


def free_port() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A study under a path, as the files have it."""
    about = {"public_url": "https://lab.example.org/study1", "trusted_proxies": ["127.0.0.1"]}
    folder = tmp_path_factory.mktemp("deployed") / "study1"
    study = study_folder(folder, items_of(3), {"server": {**about, "door": "open"}})
    with serving(study) as running:
        yield running


def ask(port: int, path: str) -> tuple[int, str]:
    """Return status and page, as a browser that asks for the lab's site gets it."""
    address = f"http://127.0.0.1:{port}{path}"
    request = urllib.request.Request(address, headers={"Host": "lab.example.org"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@contextmanager
def started(command: list[str], port: int, log: Path) -> Iterator[None]:
    """Run a web server until the test is over."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            until = time.monotonic() + 20
            while time.monotonic() < until:
                with closing(socket.socket()) as one:
                    if one.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield
        finally:
            process.terminate()
            process.wait(20)


def check_front(port: int, server: Server) -> None:
    """Visit the study through a web server: its pages, its files, and what no server answers."""
    status, page = ask(port, f"/study1/?person={PERSON}")
    assert status == 200
    assert 'action="/study1/consent"' in page
    style = page.partition('stylesheet" href="')[2].partition('"')[0]
    assert ask(port, style)[0] == 200
    assert ask(port, "/study1/healthz")[0] == 200
    assert ask(port, "/elsewhere")[0] in {200, 404}
    server.stop()  # from now on the web server has errors to log
    assert ask(port, f"/study1/?person={PERSON}")[0] == 502
    server.start()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_leads_to_the_study_and_logs_no_ids(tmp_path: Path, server: Server) -> None:
    port, site = free_port(), (FILES / "nginx.conf").read_text(encoding="utf-8")
    site = site.replace("listen 80", f"listen 127.0.0.1:{port}")
    site = site.replace("127.0.0.1:8002", f"127.0.0.1:{server.port}")
    site = site.replace("/var/log/nginx", str(tmp_path))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {tmp_path};\n" for kind in kinds)
    whole = f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{places}{site}\n}}\n"
    (tmp_path / "whole.conf").write_text(whole, encoding="utf-8")
    log = tmp_path / "output.log"
    options = ["-c", str(tmp_path / "whole.conf"), "-g", "daemon off;", "-e", str(log)]
    with started([str(shutil.which("nginx")), *options], port, log):
        check_front(port, server)
    written = "".join(one.read_text(encoding="utf-8") for one in tmp_path.glob("*.log"))
    assert "GET 200" in written
    assert "GET 502" in written
    assert PERSON not in written
    assert "127.0.0.1" not in written


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
def test_caddy_leads_to_the_study_and_logs_no_ids(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, site = free_port(), (FILES / "Caddyfile").read_text(encoding="utf-8")
    site = site.replace("lab.example.org {", f"http://lab.example.org:{port} {{")
    site = site.replace("study.example.org {", f"http://study.example.org:{port} {{")
    site = site.replace("127.0.0.1:8002", f"127.0.0.1:{server.port}")
    site = site.replace("{\n\tlog default", "{\n\tadmin off\n\tlog default", 1)
    (tmp_path / "Caddyfile").write_text(site, encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    log = tmp_path / "output.log"
    command = [str(shutil.which("caddy")), "run", "--config", str(tmp_path / "Caddyfile")]
    with started([*command, "--adapter", "caddyfile"], port, log):
        check_front(port, server)
    written = log.read_text(encoding="utf-8")
    assert '"level":"error"' in written
    assert PERSON not in written
