"""A study under a path of a site, such as https://lab.example.org/study1."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.types import Scope

LINKS = re.compile(r'((?:href|src|action)=")/(?!/)')


def base_of(server: Mapping[str, Any]) -> str:
    """Return the path under which people reach a study; empty at the top of a site.

    >>> base_of({"public_url": "https://lab.example.org/study1/"}), base_of({"public_url": ""})
    ('/study1', '')
    """
    return urlsplit(str(server["public_url"])).path.rstrip("/")


def inside(scope: Scope, base: str) -> None:
    """Take the path of a site off a request, whether or not the web server in front did."""
    path = scope["path"]
    if base and (path == base or path.startswith(f"{base}/")):
        scope["path"] = path[len(base) :] or "/"
        scope["raw_path"] = scope["path"].encode()


def outside(name: bytes, value: bytes, base: str) -> bytes:
    """Return a header as people outside need it: redirects lead below the path of the site.

    >>> outside(b"location", b"/work", "/study1"), outside(b"location", b"https://x.org", "/a")
    (b'/study1/work', b'https://x.org')
    """
    leads = name == b"location" and value.startswith(b"/") and not value.startswith(b"//")
    return base.encode() + value if leads else value


def linked(html: str, base: str) -> str:
    """Return a page whose links, forms and files lie below the path of the site.

    Text that people wrote is escaped, so it cannot contain anything that looks like a link.

    >>> linked('<a href="/work">on</a>', "/study1")
    '<a href="/study1/work">on</a>'
    """
    return LINKS.sub(rf"\1{base}/", html) if base else html
