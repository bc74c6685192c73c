"""Files as survey and annotation tools document them, written from one table of made-up ratings.

Nothing here uses our readers: each writer takes the same truth and adds what the tool adds, with
the traps that such files have.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

SENTENCES = {
    "s1": "Ein Hund bellt.",
    "s2": "Ein Stein bellt.",
    "s3": "Eine Köchin kocht Suppe.",
    "s4": "Eine Suppe kocht, laut, eine Köchin.",
    "s5": "Der Baum zeigt sein Alter in Ringen.",
    "s6": "The student reads about a country.",
}
PEOPLE = ("p1", "p2", "p3", "p4", "p5")
Truth = dict[tuple[str, str, str], str]


@dataclass(frozen=True)
class Export:
    """A file of a tool, and what must be read from it.

    Args:
        name: Name of the file.
        content: Its bytes.
        tool: The tool `read` must name.
        form: The format it must be read in.
        ratings: Answers by item, annotator and question; checks are left out.
        roles: Roles of some columns.
        dropped: What is left out, with its number.
        duplicates: Repeated rows, with their number.
        language: Language of the headers.
        options: How `read` must be called.
        checks: Ratings of checks.
    """

    name: str
    content: bytes
    tool: str | None
    form: str
    ratings: Truth
    roles: Mapping[str, str] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    duplicates: Mapping[str, int] = field(default_factory=dict)
    language: str | None = None
    checks: int = 0

    def written(self, folder: Path) -> Path:
        path = folder / self.name
        path.write_bytes(self.content)
        return path


def answers(question: str = "rating", *, seed: int = 1, gaps: bool = True) -> Truth:
    """Return made-up answers from 1 to 5, in which people agree more or less."""
    draw = np.random.default_rng(seed)
    truth = {}
    for number, item in enumerate(SENTENCES):
        for person in PEOPLE:
            answer = min(5, max(1, 1 + number % 5 + int(draw.choice((-1, 0, 0, 1)))))
            truth[item, person, question] = str(answer)
    if gaps:
        del truth["s2", "p3", question]
    return truth


def renamed(
    truth: Truth, *, items: Mapping[str, str] | None = None, people: Mapping[str, str] | None = None
) -> Truth:
    """Return the same ratings under the names a tool gives to items and people."""
    things, names = items or {}, people or {}
    return {(things.get(i, i), names.get(p, p), q): a for (i, p, q), a in truth.items()}


def table(rows: Sequence[Sequence[object]], *, sign: str = ",", encoding: str = "utf-8") -> bytes:
    target = io.StringIO()
    csv.writer(target, delimiter=sign, lineterminator="\r\n").writerows(rows)
    return target.getvalue().encode(encoding)


def by_person(truth: Truth, question: str = "rating") -> Iterator[tuple[str, list[str]]]:
    for person in PEOPLE:
        yield person, [truth.get((item, person, question), "") for item in SENTENCES]


STANDARD = [
    *("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)"),
    *("Finished", "RecordedDate", "ResponseId", "LocationLatitude", "UserLanguage"),
]


def _response(number: int, *, status: str = "IP Address", done: str = "True") -> list[str]:
    return [
        *("2026-05-01 10:00:00", f"2026-05-01 10:0{number}:00", status, "192.0.2.7", "100"),
        *("300", done, "2026-05-01 10:09:00", f"p{number}", "52.1", "EN"),
    ]


def qualtrics() -> Export:
    """A matrix, a reCAPTCHA score, embedded data, a check, an order, a preview, a stopped one."""
    truth = answers()
    tags = [f"Q1_{number}" for number in range(1, 7)]
    columns = [*STANDARD, *tags, "Q2", "Q7", "Q8", "Q1_DO_1", "Q1_DO_2"]
    columns += ["Q_RecaptchaScore", "group"]
    labels = [f"How plausible is it? - {text}" for text in SENTENCES.values()]
    texts = [*STANDARD, *labels, "Attention check: please select 4", "How old are you?"]
    texts += ["Any comments?", "Q1 - Display Order", "Q1 - Display Order"]
    texts += ["Q_RecaptchaScore", "group"]
    own = [*(f"QID1_{number}" for number in range(1, 7)), "QID2", "QID7_TEXT_1", "QID8"]
    ids = [*STANDARD, *own, "QID1_DO_1", "QID1_DO_2", "Q_RecaptchaScore", "group"]
    rows: list[Sequence[object]] = [columns, texts, [json.dumps({"ImportId": one}) for one in ids]]
    for number, (_, given) in enumerate(by_person(truth), start=1):
        more = ["4", str(20 + number), "nice" if number == 1 else "", "2", "1", "0.9", "3"]
        rows.append([*_response(number), *given, *more])
    ends = ["4", "30", "", "1", "2", "0.1", "3"]
    rows.append([*_response(8, status="Survey Preview"), *"111111", *ends])
    rows.append([*_response(9, done="False"), *"111111", *ends])
    items = dict(zip(SENTENCES, tags, strict=True))
    roles = {"Q_RecaptchaScore": "ignored", "group": "ignored", "Q1_3": "item", "Q2": "check"}
    roles |= {"Q7": "person", "Q8": "comment", "Q1_DO_1": "order", "ResponseId": "annotator"}
    roles |= {"EndDate": "time", "IPAddress": "person"}
    dropped = {"previews": 1, "unfinished responses": 1}
    told = renamed(truth, items=items)
    content = table(rows, encoding="utf-8-sig")
    return Export(
        "export.csv",
        content,
        "Qualtrics",
        "wide",
        told,
        roles,
        dropped,
        language="English",
        checks=5,
    )


def qualtrics_loop() -> Export:
    """A loop with two questions per turn, as the tab-separated export in UTF-16."""
    plausible, natural = answers("Q3", gaps=False), answers("Q4", seed=2)
    numbers = {item: str(number) for number, item in enumerate(SENTENCES, start=1)}
    tags = [(f"{n}_{q}", item, q) for item, n in numbers.items() for q in ("Q3", "Q4")]
    columns = [*STANDARD, *(tag for tag, _, _ in tags)]
    texts = [*STANDARD, *(f"{SENTENCES[item]} Frage {q}" for _, item, q in tags)]
    ids = [*STANDARD, *(tag.replace("_Q", "_QID") for tag, _, _ in tags)]
    rows: list[Sequence[object]] = [columns, texts, [json.dumps({"ImportId": one}) for one in ids]]
    both = {**plausible, **natural}
    for number, person in enumerate(PEOPLE, start=1):
        given = [both.get((item, person, question), "") for _, item, question in tags]
        rows.append([*_response(number), *given])
    told = renamed(both, items=numbers)
    content = table(rows, sign="\t", encoding="utf-16")
    return Export("loop.tsv", content, "Qualtrics", "wide", told, {"1_Q3": "item"})


def google_forms() -> Export:
    """German headers, saved by a German Excel: cp1252 and semicolons; a sentence about age."""
    truth = answers()
    header = ["Zeitstempel", "E-Mail-Adresse", *SENTENCES.values(), "Semester", "Alter"]
    rows: list[Sequence[object]] = [[*header, "Haben Sie Anmerkungen?"]]
    for number, (person, given) in enumerate(by_person(truth), start=1):
        when = f"01.05.2026 10:0{number}:00"
        rows.append([when, f"{person}@example.org", *given, str(number), "23", "schön, danke"])
    again = [["01.05.2026 11:00:00", "P1@example.org", *"545454", "1", "23", "noch einmal"]]
    rows += again  # the same person, later and with a capital letter
    people = {person: str(number) for number, person in enumerate(PEOPLE, start=1)}
    roles = {"Zeitstempel": "time", "Semester": "person", "Alter": "person"}
    roles |= {"Haben Sie Anmerkungen?": "comment", "E-Mail-Adresse": "annotator"}
    roles |= dict.fromkeys(SENTENCES.values(), "item")
    told = renamed(truth, items=SENTENCES, people=people)
    content = table(rows, sign=";", encoding="cp1252")
    return Export(
        "umfrage.csv",
        content,
        "Google Forms",
        "wide",
        told,
        roles,
        duplicates={"retests": 6},
        language="German",
        checks=6,
    )


def google_grid() -> Export:
    """Italian headers and two grids with the same rows: two questions about each sentence."""
    first, second = answers("È plausibile?"), answers("È naturale?", seed=3, gaps=False)
    both = {**first, **second}
    cells = [
        (f"{q} [{t}]", i, q) for q in ("È plausibile?", "È naturale?") for i, t in SENTENCES.items()
    ]
    rows: list[Sequence[object]] = [
        ["Informazioni cronologiche", *(name for name, _, _ in cells), "Età", "Commenti"]
    ]
    for number, person in enumerate(PEOPLE, start=1):
        given = [both.get((item, person, question), "") for _, item, question in cells]
        rows.append([f"2026/05/01 10:0{number}:00", *given, "31", ""])
    people = {person: str(number) for number, person in enumerate(PEOPLE, start=1)}
    told = renamed(both, items=SENTENCES, people=people)
    roles = {"Età": "person", "Commenti": "comment"}
    return Export(
        "moduli.csv", table(rows), "Google Forms", "wide", told, roles, language="Italian"
    )


def limesurvey() -> Export:
    """Codes of subquestions, times of groups, a response that was not submitted."""
    truth = answers()
    codes = [f"G1Q1[SQ00{number}]" for number in range(1, 7)]
    start = ["id", "submitdate", "lastpage", "startlanguage", "seed", "startdate", "datestamp"]
    header = [*start, *codes, "Geschlecht", "Anmerkungen", "interviewtime", "groupTime12"]
    rows: list[Sequence[object]] = [header]
    for number, (_, given) in enumerate(by_person(truth), start=1):
        when = f"2026-05-01 10:0{number}:00"
        rows.append([number, when, 3, "de", 17, when, when, *given, "w", "", "61,5", "40"])
    rows.append([9, "", 1, "de", 18, "2026-05-01 11:00:00", "", *"123123", "", "", "5", "5"])
    items = dict(zip(SENTENCES, codes, strict=True))
    people = {person: str(number) for number, person in enumerate(PEOPLE, start=1)}
    roles = {"id": "annotator", "Geschlecht": "person", "Anmerkungen": "comment", "seed": "ignored"}
    roles |= {"interviewtime": "time", "groupTime12": "time", "G1Q1[SQ001]": "item"}
    dropped = {"unfinished responses": 1}
    told = renamed(truth, items=items, people=people)
    content = table(rows, sign=";", encoding="utf-8-sig")
    return Export(
        "results.csv", content, "LimeSurvey", "wide", told, roles, dropped, language="German"
    )


def _annotations(truth: Truth, item: str) -> Iterator[dict[str, Any]]:
    for number, person in enumerate(PEOPLE, start=1):
        answer = truth.get((item, person, "plausible"))
        choice = {"from_name": "plausible", "type": "choices", "value": {"choices": [answer]}}
        box = {"from_name": "why", "type": "textarea", "value": {"text": [f"because {number}"]}}
        yield {
            "id": number,
            "completed_by": {"id": number},
            "result": [] if answer is None else [choice, box],
            "was_cancelled": False,
            "lead_time": 4.5,
            "updated_at": "2026-05-01T10:00:00Z",
        }


def labelstudio() -> Export:
    """Cancelled and empty annotations, a text box next to the question."""
    truth = answers("plausible")
    people = {person: str(number) for number, person in enumerate(PEOPLE, start=1)}
    tasks = []
    for number, (item, text) in enumerate(SENTENCES.items(), start=1):
        cancelled = {"completed_by": {"id": 9}, "was_cancelled": True, "result": []}
        before = {**next(_annotations(truth, "s6")), "updated_at": "2026-05-01T09:00:00Z"}
        data = {"item": item, "text": text}
        given = [*_annotations(truth, item), cancelled, *([before] if item == "s1" else [])]
        tasks.append({"id": number, "data": data, "annotations": given, "predictions": []})
    dropped = {"cancelled annotations": 6, "empty annotations": 1}
    dropped["earlier annotations of the same person"] = 1
    roles = {"plausible": "answer", "completed_by": "annotator", "comment": "comment"}
    content = json.dumps(tasks, ensure_ascii=False, indent=1).encode()
    told = renamed(truth, people=people)
    return Export("tasks.json", content, "Label Studio", "labelstudio", told, roles, dropped)


def _flat(truth: Truth) -> list[dict[str, Any]]:
    return [
        {
            "text": text,
            "item": item,
            "id": number,
            "plausible": truth.get((item, person, "plausible")),
            "why": f"I think so because of reason number {number * 7 + place} in my long list",
            "annotator": place,
            "annotation_id": number * 10 + place,
            "created_at": "2026-05-01T10:00:00Z",
            "updated_at": "2026-05-01T10:00:00Z",
            "lead_time": 3.5,
        }
        for number, (item, text) in enumerate(SENTENCES.items(), start=1)
        for place, person in enumerate(PEOPLE, start=1)
    ]


def labelstudio_min() -> Export:
    truth = answers("plausible")
    people = {person: str(number) for number, person in enumerate(PEOPLE, start=1)}
    roles = {"plausible": "answer", "why": "comment", "annotator": "annotator"}
    content = json.dumps(_flat(truth), ensure_ascii=False).encode()
    told, dropped = renamed(truth, people=people), {"empty annotations": 1}
    return Export("min.json", content, "Label Studio", "labelstudio", told, roles, dropped)


def labelstudio_csv() -> Export:
    truth = answers("plausible")
    people = {person: str(number) for number, person in enumerate(PEOPLE, start=1)}
    flat = _flat(truth)
    rows = [[*flat[0]], *([*record.values()] for record in flat)]
    roles = {"plausible": "answer", "why": "comment", "lead_time": "time"}
    told, dropped = renamed(truth, people=people), {"empty annotations": 1}
    return Export("ls.csv", table(rows), "Label Studio", "labelstudio", told, roles, dropped)


def _trials(truth: Truth, person: str, *, named: bool) -> list[dict[str, Any]]:
    who = {"PROLIFIC_PID": person} if named else {}
    trials: list[dict[str, Any]] = [
        {"trial_type": "html-button-response", "response": 0, "stimulus": "Welcome"},
        {"trial_type": "html-button-response", "response": 4, "item": "x", "phase": "practice"},
    ]
    for item, text in SENTENCES.items():
        answer = truth.get((item, person, "rating"))
        given = None if answer is None else int(answer)
        trials.append(
            {
                "trial_type": "html-button-response",
                "response": given,
                "item": item,
                "stimulus": f"<p>{text}</p>",
                "phase": "main",
                "condition": "a" if item < "s4" else "b",
            }
        )
    trials.append(
        {"trial_type": "html-button-response", "response": 1, "item": "c1", "phase": "catch"}
    )
    trials.append({"trial_type": "survey-text", "response": {"Q0": "all fine"}})
    every = {"rt": 1500, "time_elapsed": 9000, "internal_node_id": "0.0"}
    return [{**one, **every, "trial_index": n, **who} for n, one in enumerate(trials)]


def jspsych() -> Export:
    """Instructions, practice, a catch trial and a text box among the trials; null for no answer."""
    truth = answers()
    trials = [trial for person in PEOPLE for trial in _trials(truth, person, named=True)]
    columns = [*dict.fromkeys(name for trial in trials for name in trial)]
    cells = [
        [json.dumps(t[c]) if isinstance(t.get(c), dict) else t.get(c, "") for c in columns]
        for t in trials
    ]
    rows: list[Sequence[object]] = [
        columns,
        *([("null" if c is None else c) for c in row] for row in cells),
    ]
    dropped = {
        "practice trials": 5,
        "trials without a response": 1,
        "trials without an item": 5,
    }
    roles = {"item": "item", "response": "answer", "PROLIFIC_PID": "annotator", "rt": "time"}
    roles |= {"trial_index": "order"}
    return Export("data.csv", table(rows), "jsPsych", "jspsych", truth, roles, dropped, checks=5)


def jatos() -> Export:
    """One result per line; the person is the number of the result."""
    truth = answers()
    lines = [json.dumps(_trials(truth, person, named=False)) for person in PEOPLE]
    people = {person: str(number) for number, person in enumerate(PEOPLE, start=1)}
    dropped = {"practice trials": 5, "trials without a response": 1, "trials without an item": 5}
    content = "\n".join(lines).encode()
    told = renamed(truth, people=people)
    return Export("jatos.txt", content, "JATOS", "jspsych", told, {}, dropped, checks=5)


PCIBEX = (
    *("Results reception time", "MD5 hash of participant's IP address", "Controller name"),
    *("Order number of item", "Inner element number", "Label", "Latin Square Group"),
    *("PennElementType", "PennElementName", "Parameter", "Value", "EventTime", "item"),
    *("condition", "Comments"),
)


def pcibex() -> Export:
    """A header of comments before each person, commas as %2C, a practice trial, changed choices."""
    truth = answers("plausible")
    lines, changed = [], 0
    for number, person in enumerate(PEOPLE, start=1):
        lines += [
            f"# Results on Fri, 01 May 2026 10:0{number}:00 UTC",
            "# USER AGENT: Browser, 1.0",
        ]
        lines += ["# Columns below this comment are as follows:"]
        lines += [f"# {place}. {name}." for place, name in enumerate(PCIBEX, start=1)]
        start = f"177760{number},{person},PennController"
        lines.append(f"{start},1,0,practice,NULL,Scale,plausible,Choice,3,1000,x,NULL,NULL")
        for place, item in enumerate(SENTENCES, start=2):
            answer = truth.get((item, person, "plausible"))
            shown = "a" if number % 2 else "b"
            head, tail = f"{start},{place},0,experiment,NULL", f"{item}%2C 1,{shown},NULL"
            lines.append(f"{head},PennController,4,_Trial_,Start,5000,{tail}")
            if answer is not None and item == "s1":
                lines.append(f"{head},Scale,plausible,Choice,9,6000,{tail}")
                changed += 1
            if answer is not None:
                lines.append(f"{head},Scale,plausible,Choice,{answer},7500,{tail}")
            lines.append(f"{head},PennController,4,_Trial_,End,8000,{tail}")
    dropped = {"practice trials": 5, "earlier choices in the same trial": changed}
    items = {item: f"{item}, 1" for item in SENTENCES}
    roles = {"item": "item", "Value": "answer", "EventTime": "time"}
    content = "\n".join([*lines, ""]).encode()
    told = renamed(truth, items=items)
    return Export("pcibex.csv", content, "PCIbex", "pcibex", told, roles, dropped)


def prodigy() -> Export:
    """Choices of several people; an ignored task."""
    truth = answers()
    lines = []
    for (item, person, _), answer in truth.items():
        task = {"text": SENTENCES[item], "meta": {"id": item}, "accept": [int(answer)]}
        own = {"_input_hash": 7, "_task_hash": 8, "_annotator_id": person, "_timestamp": 1777600000}
        lines.append(
            {**task, **own, "options": [{"id": n} for n in range(1, 6)], "answer": "accept"}
        )
    lines.append({**lines[0], "_annotator_id": "p9", "answer": "ignore"})
    lines.insert(0, {**lines[0], "accept": [5], "_timestamp": 1777500000})
    content = "\n".join(json.dumps(line) for line in lines).encode()
    roles = {"_annotator_id": "annotator", "answer": "answer"}
    dropped = {"ignored tasks": 1, "earlier answers of the same person": 1}
    return Export("prodigy.jsonl", content, "Prodigy", "prodigy", truth, roles, dropped)


def doccano() -> Export:
    """One object per text with the annotations of each user; a text nobody labelled."""
    truth = answers()
    lines = []
    for number, (item, text) in enumerate(SENTENCES.items()):
        given = [
            {"label": answer, "user": person}
            for (own, person, _), answer in truth.items()
            if own == item
        ]
        lines.append({"id": number, "item": item, "text": text, "annotations": given})
        lines[-1]["annotation_approver"] = None
    lines.append({"id": 99, "text": "nobody", "annotations": [], "annotation_approver": None})
    content = "\n".join(json.dumps(line) for line in lines).encode()
    dropped = {"texts without a label": 1}
    return Export("all.jsonl", content, "doccano", "doccano", truth, {"text": "item"}, dropped)


def argilla() -> Export:
    """Responses by question; drafts, discarded ones and the suggestion of a model."""
    truth = answers("plausible")
    records = []
    for item, text in SENTENCES.items():
        given = [
            {"value": int(answer), "user_id": person, "status": "submitted"}
            for (own, person, _), answer in truth.items()
            if own == item
        ]
        draft = {"value": 1, "user_id": "p8", "status": "draft"}
        notes = [{"value": "hm", "user_id": "p1", "status": "submitted"}]
        records.append(
            {
                "id": f"uuid-{item}",
                "external_id": item,
                "fields": {"text": text},
                "responses": {"plausible": [*given, draft], "comment": notes},
                "suggestions": {"plausible": {"value": 3, "score": 0.5}},
                "status": "completed",
            }
        )
    dropped = {"draft responses": 6}
    roles = {"plausible": "answer", "comment": "comment", "user_id": "annotator"}
    content = json.dumps(records).encode()
    return Export("records.json", content, "Argilla", "argilla", truth, roles, dropped)


def argilla_flat() -> Export:
    """One field per question with lists of values, people and statuses; a discarded response."""
    truth = answers("plausible")
    records = []
    for item, text in SENTENCES.items():
        given = [(p, int(answer)) for (own, p, _), answer in truth.items() if own == item]
        people = [person for person, _ in given]
        records.append(
            {
                "id": item,
                "status": "completed",
                "_server_id": f"uuid-{item}",
                "text": text,
                "plausible.responses": [*(answer for _, answer in given), 1],
                "plausible.responses.users": [*people, "p8"],
                "plausible.responses.status": [*("submitted" for _ in given), "discarded"],
                "plausible.suggestion": 3,
            }
        )
    roles = {"plausible.responses": "answer", "plausible.responses.users": "annotator"}
    roles |= {"text": "item", "plausible.suggestion": "ignored"}
    dropped = {"discarded responses": 6}
    content = "\n".join(map(json.dumps, records)).encode()
    return Export("flat.jsonl", content, "Argilla", "argilla", truth, roles, dropped)


def doccano_archive() -> Export:
    """An archive with one file per annotator, and the file a Mac adds."""
    truth = answers()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("__MACOSX/._p1.jsonl", b"\0")
        archive.writestr(
            "admin.jsonl", json.dumps({"id": "s1", "text": SENTENCES["s1"], "label": []})
        )
        for person in PEOPLE:
            given = [(item, truth.get((item, person, "rating"))) for item in SENTENCES]
            lines = [
                {"id": item, "text": SENTENCES[item], "label": [answer], "Comments": []}
                for item, answer in given
                if answer is not None
            ]
            archive.writestr(f"{person}.jsonl", "\n".join(map(json.dumps, lines)))
    roles = {"id": "item", "label": "answer", "file name": "annotator"}
    dropped = {"files without ratings": 1, "texts without a label": 1}
    return Export("texts.zip", target.getvalue(), "doccano", "doccano", truth, roles, dropped)


def italian() -> Export:
    """A title, decimal commas, the time in seconds, and two questions named by what is judged."""
    first = {key: f"{answer},5" for key, answer in answers("Plausibilità (0-100)").items()}
    second = {key: f"{answer},25" for key, answer in answers("Naturalezza", seed=4).items()}
    rows: list[Sequence[object]] = [["Prova, maggio"]]
    asked = dict.fromkeys(question for _, _, question in (*first, *second))
    rows.append(["Partecipante", "Blocco", "ID frase", *asked, "Tempo (s)", "Note"])
    for item in SENTENCES:
        for person in PEOPLE:
            one = first.get((item, person, "Plausibilità (0-100)"), "")
            other = second.get((item, person, "Naturalezza"), "")
            rows.append([person, "test", item, one, other, "3,25", "boh"])
    rows.append(["p1", "prova", "x", "1,5", "1,5", "2,5", ""])
    roles = {"ID frase": "item", "Tempo (s)": "time", "Note": "comment", "Naturalezza": "answer"}
    both = {key: answer.replace(",", ".") for key, answer in {**first, **second}.items()}
    content = table(rows, sign=";", encoding="cp1252")
    dropped = {"practice trials": 1}
    return Export("prova.csv", content, None, "long", both, roles, dropped, language="Italian")


def titles() -> Export:
    """Two lines of titles, German headers with one row per answer, an exact copy of a row."""
    truth = answers()
    rows: list[Sequence[object]] = [["Vorstudie, Mai 2026"], ["Stand: 1. Mai"]]
    rows += [["Satz", "Versuchsperson", "Bewertung", "Semester"]]
    rows += [[item, person, answer, "3"] for (item, person, _), answer in truth.items()]
    rows.append(rows[3])
    roles = {"Satz": "item", "Versuchsperson": "annotator", "Bewertung": "answer"}
    content = table(rows, sign=";", encoding="cp1252")
    copies = {"copies": 1}
    return Export(
        "vorstudie.csv", content, None, "long", truth, roles, {}, copies, language="German"
    )


def of_r() -> Export:
    """What R's write.table writes: spaces, quotes, row names the header lacks, NA."""
    truth = answers()
    lines = ['"item" "annotator" "answer"']
    given = {**truth, ("s2", "p3", "rating"): "NA"}
    for number, ((item, person, _), answer) in enumerate(given.items(), start=1):
        lines.append(f'"{number}" "{item}" "{person}" {answer}')
    content = "\n".join([*lines, ""]).encode()
    return Export("ratings.txt", content, None, "long", truth, {"item": "item"})


def crowdkit() -> Export:
    truth = answers()
    rows: list[Sequence[object]] = [["task", "worker", "label"]]
    rows += [[item, person, answer] for (item, person, _), answer in truth.items()]
    roles = {"task": "item", "worker": "annotator", "label": "answer"}
    return Export("crowd.csv", table(rows), "crowd-kit", "crowdkit", truth, roles)


def mace() -> Export:
    truth = answers()
    rows = [[truth.get((item, person, "rating"), "") for person in PEOPLE] for item in SENTENCES]
    people = {person: str(number) for number, person in enumerate(PEOPLE)}
    items = {item: str(number) for number, item in enumerate(SENTENCES)}
    told = renamed(truth, items=items, people=people)
    return Export("matrix.csv", table(rows), "MACE", "mace", told)


def mturk() -> Export:
    """Input and answer columns of a batch, with a comment."""
    truth = answers("plausible")
    header = ["HITId", "AssignmentStatus", "WorkerId", "WorkTimeInSeconds", "Input.item"]
    rows: list[Sequence[object]] = [[*header, "Input.text", "Answer.plausible", "Answer.comment"]]
    for (item, person, _), answer in truth.items():
        rows.append([f"h-{item}", "Approved", person, 12, item, SENTENCES[item], answer, "ok"])
    roles = {"Answer.plausible": "answer", "WorkerId": "annotator", "Answer.comment": "comment"}
    return Export("batch.csv", table(rows), "Mechanical Turk", "mturk", truth, roles)


def mturk_sentence() -> Export:
    """A batch in which an id of the requester's and the sentence are inputs; the age is asked."""
    truth = answers("plausible")
    header = ["HITId", "AssignmentStatus", "WorkerId", "Input.sent_id", "Input.sentence"]
    rows: list[Sequence[object]] = [[*header, "Input.type", "Answer.age", "Answer.plausible"]]
    for (item, person, _), answer in truth.items():
        text = SENTENCES[item]
        rows.append([f"h-{item}", "Approved", person, item, text, "target", "33", answer])
    for person, answer in (("p1", "5"), ("p2", "")):
        rows.append(["h-x", "Approved", person, "x", "Press 5.", "gold", "33", answer])
    roles = {"Input.sent_id": "item", "Input.sentence": "item", "Answer.age": "person"}
    content, dropped = table(rows), {"assignments without an answer": 1}
    return Export(
        "sentences.csv", content, "Mechanical Turk", "mturk", truth, roles, dropped, checks=1
    )


def mturk_several() -> Export:
    """A batch with three sentences in each HIT."""
    truth = answers("rating")
    header = ["HITId", "AssignmentStatus", "WorkerId", "WorkTimeInSeconds"]
    numbers = (1, 2, 3)
    asked = [*(f"Input.s{n}" for n in numbers), *(f"Answer.rating_{n}" for n in numbers)]
    rows: list[Sequence[object]] = [[*header, *asked]]
    for start in (0, 3):
        items = [*SENTENCES][start : start + 3]
        for person in PEOPLE:
            given = [truth.get((item, person, "rating"), "") for item in items]
            texts = [SENTENCES[item] for item in items]
            rows.append([f"h-{start}", "Approved", person, 30, *texts, *given])
    told = renamed(truth, items=SENTENCES)
    roles = {"Input.s2": "item", "Answer.rating_3": "answer", "HITId": "kept"}
    return Export("hits.csv", table(rows), "Mechanical Turk", "mturk", told, roles)


def sosci() -> Export:
    """A row of labels, codes for no answer, a test, times per page, and somebody who stopped."""
    truth = answers()
    tags = [f"PL01_0{number}" for number in range(1, 7)]
    before = ["CASE", "SERIAL", "REF", "QUESTNNR", "MODE", "STARTED"]
    after = ["SD01", "SD02_01", "KO01_01", "TIME001", "TIME_SUM", "LASTDATA", "FINISHED", "MISSING"]
    labels = ["Interview-Nummer (fortlaufend)", "", "", "Fragebogen", "Interview-Modus", "Beginn"]
    labels += [f"Plausibilität: {text}" for text in SENTENCES.values()]
    labels += ["Geschlecht", "Alter: Jahre", "Kommentar: [01]", "Seite 1", "gesamt", "Ende", "", ""]
    rows: list[Sequence[object]] = [[*before, *tags, *after], labels]

    def interview(number: object, given: Sequence[str], mode: str, done: int) -> list[object]:
        shown = [one or "-9" for one in given]
        times = ["20", "60", "01.05.2026 10:02:00", done, 0]
        head = [number, "", "", "base", mode, "01.05.2026 10:01:00"]
        return [*head, *shown, "1", "23", "", *times]

    rows += [
        interview(n, given, "interview", 1) for n, (_, given) in enumerate(by_person(truth), 1)
    ]
    rows += [interview(8, "111111", "pretest", 1), interview(9, "111111", "interview", 0)]
    told = renamed(
        truth,
        items=dict(zip(SENTENCES, tags, strict=True)),
        people={person: str(number) for number, person in enumerate(PEOPLE, start=1)},
    )
    roles = {"CASE": "annotator", "PL01_02": "item", "SD01": "person", "KO01_01": "comment"}
    roles |= {"TIME001": "time", "MISSING": "ignored", "STARTED": "time", "QUESTNNR": "ignored"}
    dropped = {"tests": 1, "unfinished responses": 1}
    content = table(rows, sign=";", encoding="utf-8-sig")
    return Export("rdata.csv", content, "SoSci Survey", "wide", told, roles, dropped)


def gorilla() -> Export:
    """Events of a task: fixations, a practice trial and buttons are no answers."""
    truth = answers()
    header = ["Event Index", "Participant Private ID", "Participant Public ID", "Trial Number"]
    header += ["Zone Name", "Zone Type", "Reaction Time", "Response", "display", "item_id"]
    header += ["Sentence"]
    rows: list[Sequence[object]] = [header]
    for person in PEOPLE:
        shown = [(item, truth.get((item, person, "rating"))) for item in SENTENCES]
        for number, (item, answer) in enumerate([("x", "3"), *shown]):
            display = "trial" if number else "practice"
            for zone, kind, response in (
                ("", "fixation", ""),
                ("likert", "response_rating_scale_likert", answer),
                ("go", "continue_button", "next"),
            ):
                if response is not None:
                    event = [len(rows), person, "x", number, zone, kind, 1500.5, response, display]
                    rows.append([*event, item, SENTENCES.get(item, "So.")])
    rows.append(["END OF FILE", *[""] * 10])
    roles = {"Participant Private ID": "annotator", "Response": "answer", "Sentence": "item"}
    roles |= {"Trial Number": "order", "Zone Type": "ignored", "Reaction Time": "time"}
    dropped = {"events that are not answers": 71, "practice trials": 5}
    content = table([[*row] for row in rows], encoding="utf-8-sig")
    return Export("data_exp.csv", content, "Gorilla", "long", truth, roles, dropped)


EXPORTS: Sequence[Callable[[], Export]] = (
    *(qualtrics, qualtrics_loop, google_forms, google_grid, limesurvey, labelstudio),
    *(labelstudio_min, labelstudio_csv, jspsych, jatos, pcibex, prodigy, doccano, argilla),
    *(argilla_flat, doccano_archive, titles, italian, of_r, crowdkit, mace),
    *(mturk, mturk_sentence, mturk_several, sosci, gorilla),
)
