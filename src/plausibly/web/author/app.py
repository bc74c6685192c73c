"""The application authors write stories with: on one's own machine, over a folder of drafts."""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from types import SimpleNamespace
from urllib.parse import parse_qs

from jinja2 import Environment
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from plausibly.datasets.gita import SENTENCES
from plausibly.datasets.gita.stories import STATES, names_in
from plausibly.web.author.drafts import (
    StoryDraft,
    StoryVariant,
    drafts_in,
    proposed_cloze,
    proposed_exchanges,
    save_draft,
    sound_drafts,
    versions_of,
)
from plausibly.web.author.findings import ShownFinding, shown_findings
from plausibly.web.author.states import read_changes, state_rows
from plausibly.web.guard import HEADERS, POLICY
from plausibly.web.locale.texts import Texts
from plausibly.web.rendering import ROUTES as ASSETS
from plausibly.web.rendering import assets

HOSTS = ["127.0.0.1", "localhost", "[::1]", "testserver"]
LONGEST = 64 * 1024
# Seconds of one visit to a page that count as work; a page left open overnight is not.
LONGEST_VISIT = 1800

FormFields = Mapping[str, Sequence[str]]
DraftPage = Callable[[Request, StoryDraft, FormFields | None], Response]


@dataclass(frozen=True)
class AuthorDesk:
    """What every page of an author needs.

    Args:
        folder: Of the drafts.
        title: Of the study.
        texts: In the language of the pages.
        templates: Of the pages.
        opposites: From a verb to its opposite.
        token: What the forms of these pages send.
        language: Of the stories.
        clock: Seconds, for the time spent on a page.
    """

    folder: Path
    title: str
    texts: Texts
    templates: Environment
    opposites: Mapping[str, str]
    token: str
    language: str = "it"
    clock: Callable[[], float] = time


async def to_overview(_: Request) -> Response:
    """Lead from an address that is not there to all stories."""
    return RedirectResponse("/", status_code=303)


def author_app(desk: AuthorDesk) -> Starlette:
    """Return the application of a folder of drafts."""
    app = Starlette(
        routes=[
            Route("/", overview, methods=["GET"]),
            Route("/stories", begin, methods=["POST"]),
            Route("/stories/{number:int}", _of_draft(write), methods=["GET", "POST"]),
            Route("/stories/{number:int}/findings", _of_draft(preview), methods=["POST"]),
            Route("/stories/{number:int}/variants", _of_draft(vary), methods=["GET", "POST"]),
            Route("/stories/{number:int}/states", _of_draft(edit_states), methods=["GET", "POST"]),
            Route("/stories/{number:int}/review", _of_draft(review), methods=["GET", "POST"]),
            *ASSETS,
            Route("/{page:path}", to_overview, methods=["GET"]),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
    )
    app.state.author = desk
    return app


def _desk(request: Request) -> AuthorDesk:
    desk = request.app.state.author
    if not isinstance(desk, AuthorDesk):
        raise TypeError("the application was started without a desk")
    return desk


def _page(request: Request, template: str, *, status: int = 200, **more: object) -> Response:
    desk = _desk(request)
    study = SimpleNamespace(server={"title": desk.title, "contact": ""}, preview=False)
    content = desk.templates.get_template(f"{template}.html.jinja").render(
        texts=desk.texts,
        study=study,
        style=assets()["style.css"].path,
        script=assets()["author.js"].path,
        csrf=desk.token,
        shown=round(desk.clock()),
        spoken=desk.language,
        **more,
    )
    headers = {name.decode(): value.decode() for name, value in HEADERS}
    headers |= {"content-security-policy": f"{POLICY}; connect-src 'self'"}
    return HTMLResponse(
        content, status_code=status, headers={**headers, "Cache-Control": "no-store"}
    )


async def _sent(request: Request) -> FormFields | None:
    """Return what our own page sent, None for anything else."""
    body = await request.body()
    if len(body) > LONGEST:
        return None
    sent = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    token = sent.get("_csrf", [""])[0]
    return sent if secrets.compare_digest(token, _desk(request).token) else None


def _refused() -> Response:
    return PlainTextResponse("This page accepts only what its own form sends.", status_code=403)


def _of_draft(page: DraftPage) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page about one draft, which is given what its own form sent."""

    async def answer(request: Request) -> Response:
        draft = drafts_in(_desk(request).folder).get(int(request.path_params["number"]))
        if draft is None:
            return RedirectResponse("/", status_code=303)
        sent = await _sent(request) if request.method == "POST" else None
        if sent is None and request.method == "POST":
            return _refused()
        return page(request, draft, sent)

    return answer


async def overview(request: Request) -> Response:
    """Show all drafts, and which of them are in the file."""
    drafts = drafts_in(_desk(request).folder)
    lang = _desk(request).language
    sound = sound_drafts(drafts, lang=lang)
    rows = [(draft, number in sound) for number, draft in sorted(drafts.items())]
    return _page(request, "author_overview", rows=rows)


async def begin(request: Request) -> Response:
    """Begin a story."""
    if await _sent(request) is None:
        return _refused()
    folder = _desk(request).folder
    number = max(drafts_in(folder), default=0) + 1
    save_draft(folder, StoryDraft(number=number), lang=_desk(request).language)
    return RedirectResponse(f"/stories/{number}", status_code=303)


def write(request: Request, draft: StoryDraft, sent: FormFields | None) -> Response:
    """Take the plausible story: who acts, where, with what, in five sentences."""
    if sent is None:
        return _story(request, draft)
    draft = _save(request, _read_story(draft, sent), sent)
    findings = _findings(request, draft)
    if any(finding.severity == "error" for finding in findings):
        return _story(request, draft, status=422)
    return RedirectResponse(f"/stories/{draft.number}/variants", status_code=303)


def _story(request: Request, draft: StoryDraft, *, status: int = 200) -> Response:
    findings = _findings(request, draft)
    return _page(request, "author_story", status=status, draft=draft, findings=findings)


def _read_story(draft: StoryDraft, sent: FormFields) -> StoryDraft:
    return replace(
        draft,
        actor=_one(sent, "actor"),
        objects=names_in(_one(sent, "objects")),
        sentences=tuple(_one(sent, f"sentence-{n}") for n in range(SENTENCES)),
        room=_one(sent, "room"),
        worker=_one(sent, "worker"),
    )


def _findings(request: Request, draft: StoryDraft) -> list[ShownFinding]:
    desk = _desk(request)
    return shown_findings(desk.folder, draft, lang=desk.language, texts=desk.texts)


def preview(request: Request, draft: StoryDraft, sent: FormFields | None) -> Response:
    """Show what the check reports on what is typed, before it is saved."""
    sent = sent or {}
    if "actor" in sent:
        draft = _read_story(draft, sent)
    else:
        draft = replace(draft, variants=_keep_changes(draft, _read_variants(sent)[0]))
    return _page(request, "author_findings", findings=_findings(request, draft))


def _save(request: Request, draft: StoryDraft, sent: FormFields) -> StoryDraft:
    """Save a draft with the time its author spent on the page, and return it.

    Nobody has read a version that differs from the one before.
    """
    desk = _desk(request)
    before = drafts_in(desk.folder)[draft.number]
    if replace(draft, reviewer=before.reviewer) != before:
        draft = replace(draft, reviewer="")
    began = _one(sent, "shown")
    spent = round(desk.clock()) - int(began) if began.isascii() and began.isdigit() else 0
    draft = replace(draft, seconds=draft.seconds + min(max(spent, 0), LONGEST_VISIT))
    save_draft(desk.folder, draft, lang=desk.language)
    return draft


def _one(sent: Mapping[str, Sequence[str]], name: str) -> str:
    return " ".join(sent.get(name, [""])[-1].split())


def vary(request: Request, draft: StoryDraft, sent: FormFields | None) -> Response:
    """Offer exchanges and replacements; take those an author keeps, as they were edited."""
    if sent is None:
        return _variants(request, draft)
    variants, problems = _read_variants(sent)
    draft = replace(draft, variants=_keep_changes(draft, variants))
    if problems:
        return _variants(request, draft, problems, status=422)
    _save(request, draft, sent)
    return RedirectResponse(f"/stories/{draft.number}/review", status_code=303)


def _keep_changes(draft: StoryDraft, variants: Sequence[StoryVariant]) -> tuple[StoryVariant, ...]:
    """Return variants with the states entered for them before."""
    before = {variant.sentences: variant.changes for variant in draft.variants}
    return tuple(replace(one, changes=before.get(one.sentences, ())) for one in variants)


def _variants(
    request: Request, draft: StoryDraft, problems: Sequence[str] = (), *, status: int = 200
) -> Response:
    offers = [_offer(variant, kept=True) for variant in draft.variants]
    offers += [
        _offer(
            StoryVariant(
                kind="order",
                sentences=one.sentences,
                conflict=one.pair[0],
                breakpoint=one.pair[1],
                state="",
            )
        )
        for one in proposed_exchanges(draft)
    ]
    opposed = proposed_cloze(draft, _desk(request).opposites, lang=_desk(request).language)[:2]
    for place, sentence in opposed or [(SENTENCES - 1, draft.sentences[-1])]:
        sentences = tuple(sentence if n == place else s for n, s in enumerate(draft.sentences))
        first = max(place - 1, 0)
        offers.append(
            _offer(
                StoryVariant(
                    kind="cloze",
                    sentences=sentences,
                    conflict=first,
                    breakpoint=max(place, first + 1),
                    state="",
                )
            )
        )
    return _page(
        request,
        "author_variants",
        status=status,
        draft=draft,
        offers=offers,
        problems=problems,
        states=STATES,
        findings=_findings(request, draft),
    )


@dataclass(frozen=True, slots=True)
class Offer:
    """A variant on the page, and whether it is kept."""

    variant: StoryVariant
    kept: bool


def _offer(variant: StoryVariant, *, kept: bool = False) -> Offer:
    return Offer(variant, kept)


def _read_variants(sent: Mapping[str, Sequence[str]]) -> tuple[list[StoryVariant], list[str]]:
    """Return the variants that are kept, and what is wrong with them by the name of its text."""
    variants, problems = [], []
    for place in sent.get("keep", []):
        conflict, breaks = _whole(sent, f"conflict-{place}"), _whole(sent, f"breakpoint-{place}")
        idx = _one(sent, f"idx-{place}")
        variant = StoryVariant(
            kind="cloze" if _one(sent, f"kind-{place}") == "cloze" else "order",
            sentences=tuple(_one(sent, f"sentence-{place}-{n}") for n in range(SENTENCES)),
            conflict=conflict,
            breakpoint=breaks,
            state=_one(sent, f"state-{place}"),
            idx=int(idx) if idx.isascii() and idx.isdigit() else None,
        )
        if conflict >= breaks:
            problems.append("author.not_after")
        if variant.state not in STATES:
            problems.append("author.no_state")
        variants.append(variant)
    return variants, list(dict.fromkeys(problems))


def _whole(sent: Mapping[str, Sequence[str]], name: str) -> int:
    text = _one(sent, name)
    return int(text) if text in {str(n) for n in range(SENTENCES)} else 0


def edit_states(request: Request, draft: StoryDraft, sent: FormFields | None) -> Response:
    """Take what sentences change; everything else stays at its default."""
    if sent is not None:
        changes = read_changes(sent, draft, "0")
        variants = tuple(
            replace(variant, changes=read_changes(sent, draft, str(n)))
            for n, variant in enumerate(draft.variants, 1)
        )
        _save(request, replace(draft, changes=changes, variants=variants), sent)
        return RedirectResponse(f"/stories/{draft.number}/review", status_code=303)
    findings = _findings(request, draft)
    return _page(request, "author_states", draft=draft, rows=state_rows(draft), findings=findings)


def review(request: Request, draft: StoryDraft, sent: FormFields | None) -> Response:
    """Show what changed since the version a second reader approved, or since the one before."""
    if sent is not None:
        _save(request, replace(draft, reviewer=_one(sent, "reviewer")), sent)
        return RedirectResponse("/", status_code=303)
    versions = versions_of(_desk(request).folder, draft.number)
    approved = [one for one in versions if one.reviewer]
    earlier = approved[-1] if approved else versions[max(len(versions) - 2, 0)]
    desk = _desk(request)
    before, now = (_lines(one, desk.texts) for one in (earlier, draft))
    lines = [line for line in difflib.ndiff(before, now) if not line.startswith("?")]
    sound = draft.number in sound_drafts(drafts_in(desk.folder), lang=desk.language)
    findings = _findings(request, draft)
    return _page(request, "author_review", draft=draft, lines=lines, findings=findings, sound=sound)


def _lines(draft: StoryDraft, texts: Texts) -> list[str]:
    """Return a draft line by line, so that two versions can be compared."""
    lines = [f"{draft.actor}: {', '.join(draft.objects)}"]
    lines += [", ".join(filter(None, (draft.room, draft.worker)))] if draft.room else []
    lines += [f"{n}. {sentence}" for n, sentence in enumerate(draft.sentences, 1)]
    for variant in draft.variants:
        pair = f"{variant.conflict + 1}, {variant.breakpoint + 1}"
        lines.append(f"{texts(f'author.{variant.kind}')} ({pair}; {variant.state})")
        lines += [f"   {n}. {sentence}" for n, sentence in enumerate(variant.sentences, 1)]
    return lines
