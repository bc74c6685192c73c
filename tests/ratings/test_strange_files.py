"""Files as strangers bring them: each was once refused, or read as something it is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import plausibly as pb

SENTENCES = ["Dogs bark", "Ideas sleep", "Cows eat", "Lamps sing"]
WORDS = ["very unlikely", "unlikely", "likely", "very likely"]


def written(folder: Path, text: str, name: str = "r.csv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def stored(result: Any) -> set[tuple[str, str, str, str]]:
    """Return every rating that is not of a check."""
    ratings = result.ratings
    rows = ratings.to_dicts()
    kept = [row for row in rows if row.get("kind") in (None, "item")]
    return {(row["item"], row["annotator"], row["question"], row["answer"]) for row in kept}


def roles(result: Any) -> dict[str, str]:
    return {column.name: column.role for column in result.layout.columns}


def test_a_table_with_one_row_per_answer_is_no_form_because_it_begins_with_a_timestamp(
    tmp_path: Path,
) -> None:
    rows = [
        f"2026-03-0{k + 1} 10:0{i}:00,s{k},í{i},{i + 1},{i + k},"
        for k in range(3)
        for i in range(3)
    ]
    header = "Marca temporal,Sujeto,Ítem,Orden,Respuesta,Comentarios"
    path = written(tmp_path, "\n".join([header, *rows]), encoding="latin-1")
    result = pb.read(path)
    assert result.layout.form == "long"
    assert stored(result) == {
        (f"í{i}", f"s{k}", "rating", str(i + k)) for k in range(3) for i in range(3)
    }
    assert roles(result)["Orden"] == "order"


@pytest.mark.parametrize(
    ("person", "number", "text", "answer"),
    [
        ("Identifiant du participant", "N° de phrase", "Phrase", "Note de plausibilité (1-7)"),
        ("Codice del partecipante", "Numero della frase", "Frase", "Grado di plausibilità"),
        ("Número de participante", "Código de la oración", "Oración", "Nivel de aceptabilidad"),
        ("Kennung der Versuchsperson", "Satznummer", "Satz", "Grad der Plausibilität"),
        ("ID of participant", "Number of the sentence", "Sentence", "Degree of plausibility"),
    ],
)
def test_headers_with_a_preposition_are_read_by_their_sense(
    tmp_path: Path, person: str, number: str, text: str, answer: str
) -> None:
    titles = "Une étude de plausibilité;;;;;\nExport;;;;;\n"
    header = f"{person};{number};{text};{answer};Temps de réponse (ms);Remarques\n"
    rows = "".join(
        f"P{k};{i};{SENTENCES[i]};{i + k};{1000 + k};\n" for k in range(3) for i in range(4)
    )
    result = pb.read(written(tmp_path, titles + header + rows, encoding="cp1252"))
    assert stored(result) == {
        (str(i), f"P{k}", "rating", str(i + k)) for k in range(3) for i in range(4)
    }
    assert result.items is not None
    assert result.items["text"].to_list() == SENTENCES


def test_row_names_missing_cells_and_a_mean_time_do_not_hide_a_wide_table(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '"";"subject";"age";"item1";"item2";"item3";"mean_rt"\n'
        '"1";"S1";22;5;1;NA;1500,05\n"2";"S2";31;4;2;5;1712,35\n"3";"S3";27;5;1;4;1801,5\n',
    )
    result = pb.read(path)
    assert (result.layout.form, result.layout.tool) == ("wide", "R")
    assert {item for item, *_ in stored(result)} == {"item1", "item2", "item3"}
    assert {person for _, person, *_ in stored(result)} == {"S1", "S2", "S3"}
    assert result.ratings.height == 8
    assert roles(result)["mean_rt"] == "time"


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("is_catch", "TRUE", "FALSE"),
        ("attention_check", "1", "0"),
        ("check", "yes", "no"),
        ("item_type", "catch", "critical"),
        ("trial_type", "attention check", "test"),
    ],
)
def test_a_column_that_marks_checks_makes_them_checks(
    tmp_path: Path, name: str, yes: str, no: str
) -> None:
    rows = "".join(f"s{k},i{i},{no},{i}\n" for k in range(3) for i in range(3))
    checks = "".join(f"s{k},c,{yes},7\n" for k in range(3))
    result = pb.read(written(tmp_path, f"subject,item,{name},rating\n{rows}{checks}"))
    assert {item for item, *_ in stored(result)} == {"i0", "i1", "i2"}
    assert result.ratings.height == 12
    assert roles(result)[name] == "check"


def test_a_column_that_calls_every_row_a_check_marks_none(tmp_path: Path) -> None:
    rows = "".join(f"s{k},i{i},TRUE,{i}\n" for k in range(3) for i in range(3))
    result = pb.read(written(tmp_path, f"subject,item,check,rating\n{rows}"))
    assert len(stored(result)) == 9


def test_what_limesurvey_asks_outside_an_array_is_not_an_item_of_it(tmp_path: Path) -> None:
    columns = ["id", "submitdate", "lastpage", "startlanguage", "seed", "token", "G01Q01"]
    columns += [f"G02Q02[SQ00{i}]" for i in range(1, 6)]
    columns += ["G03Q04[SQ001]", "G03Q05"]
    rows = [
        [str(k), "2026-02-10 11:22:33", "3", "en", "7", f"t{k}", "Y"]
        + [f"A{(i + k) % 5 + 1}" for i in range(1, 6)]
        + ["Y", "nothing, really" if k == 1 else ""]
        for k in range(5)
    ]
    text = "\n".join(",".join(f'"{cell}"' for cell in row) for row in [columns, *rows])
    result = pb.read(written(tmp_path, text))
    assert {item for item, *_ in stored(result)} == {f"G02Q02[SQ00{i}]" for i in range(1, 6)}
    assert roles(result)["G03Q05"] != "item"


def test_the_sheet_with_answers_is_read_whatever_stands_first(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Legende"
    for row in (["Code", "Bedeutung"], [1, "sehr unwahrscheinlich"], [2, "unwahrscheinlich"]):
        book.active.append(row)
    sheet = book.create_sheet("Formularantworten 1")
    sheet.append(["Zeitstempel", "Nutzername", "Semester", *SENTENCES, "Anmerkungen"])
    for k in range(4):
        sheet.append([f"2026-05-0{k + 1}", f"u{k}", k, *[WORDS[(i + k) % 4] for i in range(4)], ""])
    path = tmp_path / "book.xlsx"
    book.save(path)
    result = pb.read(path)
    assert (result.layout.sheet, result.layout.tool) == ("Formularantworten 1", "Google Forms")
    assert len(stored(result)) == 16
    assert "--sheet 'Formularantworten 1'" in (result.inspection.command or "")
    assert any("Legende" in note for note in result.notes)


def test_results_of_jatos_may_begin_with_something_that_is_no_trial(tmp_path: Path) -> None:
    lines = []
    for k in range(3):
        shared = {"trial_type": "html-slider-response", "subject": f"p{k}"}
        trials = [
            {**shared, "trial_index": i, "time_elapsed": i, "item": f"i{i}", "response": 10 * i + k}
            for i in range(3)
        ]
        lines += [json.dumps({"consent": True, "workerId": k}), json.dumps(trials)]
    result = pb.read(written(tmp_path, "\n".join(lines), "results.txt"))
    assert result.layout.form == "jspsych"
    assert stored(result) == {
        (f"i{i}", f"p{k}", "rating", str(10 * i + k)) for k in range(3) for i in range(3)
    }


def test_a_comment_box_of_an_annotation_tool_is_a_comment_whatever_the_tool(tmp_path: Path) -> None:
    potato = "user\tinstance_id\tplausible:::1\tplausible:::2\tcomment:::text_box\n" + "".join(
        f"u{k}\ti{i}\t{'true' if (i + k) % 2 else ''}\t{'' if (i + k) % 2 else 'true'}\t"
        f"{'odd' if i == k else ''}\n"
        for k in range(3)
        for i in range(3)
    )
    answers = [
        [{"plausible": {"1": (i + k) % 2 == 1, "2": (i + k) % 2 == 0}, "comment": "odd" * (i == k)}]
        for k in range(3)
        for i in range(3)
    ]
    quoted = [json.dumps(one).replace('"', '""') for one in answers]
    mturk = "HITId,WorkerId,Input.item,Answer.taskAnswers\n" + "".join(
        f'h{n},u{n // 3},i{n % 3},"{cell}"\n' for n, cell in enumerate(quoted)
    )
    for text, name in ((potato, "a.tsv"), (mturk, "b.csv")):
        result = pb.read(written(tmp_path, text, name))
        assert {question for _, _, question, _ in stored(result)} == {"plausible"}, name
        assert result.ratings.height == 9
        assert result.ratings["comment"].drop_nulls().to_list() == ["odd"] * 3


def test_reasons_that_people_wrote_are_comments_but_reasons_they_chose_are_answers(
    tmp_path: Path,
) -> None:
    def of(reasons: list[str]) -> Any:
        made = [
            {
                "id": f"r{i}",
                "fields": {"text": SENTENCES[i]},
                "responses": {
                    "plausibility": [{"value": (i + k) % 5, "user_id": f"u{k}"} for k in range(3)],
                    "reason": [
                        {"value": reasons[(3 * i + k) % len(reasons)], "user_id": f"u{k}"}
                        for k in range(3)
                    ],
                },
            }
            for i in range(4)
        ]
        return pb.read(written(tmp_path, json.dumps(made), "r.json"))

    free = of([f"I think that {n} of them never do this at all." for n in range(12)])
    assert {question for _, _, question, _ in stored(free)} == {"plausibility"}
    assert free.ratings["comment"].null_count() == 0
    assert roles(free)["reason"] == "comment"
    closed = of(["physics", "meaning"])
    assert {question for _, _, question, _ in stored(closed)} == {"plausibility", "reason"}


def test_a_code_of_participants_names_them_in_a_form_and_native_speakers_are_no_item(
    tmp_path: Path,
) -> None:
    header = ["Timestamp", "Participant code", "Native speaker of English?", *SENTENCES, "Comments"]
    rows = [
        [f"3/{k + 1}/2026", f"c{k}", "Yes", *[WORDS[(i + k) % 4] for i in range(4)], ""]
        for k in range(4)
    ]
    result = pb.read(written(tmp_path, "\n".join(",".join(row) for row in [header, *rows])))
    assert {item for item, *_ in stored(result)} == {*SENTENCES}
    assert {person for _, person, *_ in stored(result)} == {"c0", "c1", "c2", "c3"}


@pytest.mark.parametrize("part", ["attention_check", "catch_trial", "Attention check 2"])
def test_the_parts_of_an_experiment_are_known_with_underscores_too(
    tmp_path: Path, part: str
) -> None:
    shared = {"trial_type": "html-slider-response", "time_elapsed": 1}
    parts = {"i1": "rating", "i2": "rating", "c1": part, "p1": "practice_trial"}
    trials = [
        {**shared, "subject": f"p{k}", "trial_index": n, "item": item, "task": task, "response": 5}
        for k in range(2)
        for n, (item, task) in enumerate(parts.items())
    ]
    result = pb.read(written(tmp_path, json.dumps(trials), "r.json"))
    assert {item for item, *_ in stored(result)} == {"i1", "i2"}
    assert result.layout.dropped == {"practice trials": 2}
    assert result.ratings.height == 6


@pytest.mark.parametrize("header", ["rt_ms", "RT (ms)", "Temps de réponse (ms)", "rt_msec"])
def test_milliseconds_become_seconds_and_trials_an_order(tmp_path: Path, header: str) -> None:
    rows = "".join(
        f"s{k},{(i + k) % 3 + 1},i{i},{i},{1000 * i + k}\n" for k in range(2) for i in range(3)
    )
    result = pb.read(written(tmp_path, f"subject,trial,item,rating,{header}\n{rows}"))
    ratings = result.ratings.sort("annotator", "item")
    assert ratings["seconds"].to_list() == [0, 1, 2, 0.001, 1.001, 2.001]
    assert ratings["order"].to_list() == [1, 2, 3, 2, 3, 1]
    assert roles(result)[header] == "time"
    assert roles(result)["trial"] == "order"


@pytest.mark.parametrize("columns", [None, {"seconds": "Dauer (min)"}])
def test_minutes_become_seconds_even_where_the_column_is_named(
    tmp_path: Path, columns: dict[str, str] | None
) -> None:
    text = "Satz;Person;Bewertung;Dauer (min)\ns1;a;1;0,5\ns1;b;2;0,1\n"
    result = pb.read(written(tmp_path, text), columns=columns)
    assert result.ratings["seconds"].to_list() == [30, 6]
    assert any("Dauer (min), multiplied by 60" in one for one in result.talk)


def test_people_whose_ids_differ_in_capitals_or_spaces_only_are_pointed_out(tmp_path: Path) -> None:
    text = "item,annotator,answer\ns1,Anna,1\ns2,anna ,2\ns1,Bea,2\n"
    result = pb.read(written(tmp_path, text))
    assert any("'Anna' and 'anna ' differ only in" in one for one in result.talk)


def test_a_trial_that_is_the_same_for_all_is_not_taken_for_an_order(tmp_path: Path) -> None:
    rows = "".join(f"s{k},1,i{i},{i}\n" for k in range(2) for i in range(3))
    result = pb.read(written(tmp_path, f"subject,trial,item,rating\n{rows}"))
    assert "order" not in result.ratings.columns


@pytest.mark.parametrize(
    ("response", "sent", "page", "language", "code"),
    [
        ("ID risposta", "Data invio", "Ultima pagina", "Lingua iniziale", "Codice di accesso"),
        ("ID de la réponse", "Date de soumission", "Dernière page", "Langue de départ", "Code"),
        ("ID de respuesta", "Fecha de envío", "Última página", "Lenguaje inicial", "Token"),
        ("Antwort ID", "Datum Abgeschickt", "Letzte Seite", "Start-Sprache", "Zugangscode"),
    ],
)
def test_unfinished_responses_of_limesurvey_are_left_out_in_every_language(
    tmp_path: Path, response: str, sent: str, page: str, language: str, code: str
) -> None:
    header = [response, sent, page, language, code, *[f"Plausible? [{s}]" for s in SENTENCES]]
    rows = [
        [str(k), "" if k == 4 else f"2026-05-0{k + 1}", "2", "it", f"c{k}"]
        + [str((i + k) % 5 + 1) for i in range(4)]
        for k in range(5)
    ]
    result = pb.read(written(tmp_path, "\n".join(",".join(row) for row in [header, *rows])))
    assert result.layout.tool == "LimeSurvey"
    assert result.layout.dropped == {"unfinished responses": 1}
    assert len(stored(result)) == 16


def test_row_names_of_r_begin_with_one_and_an_index_of_pandas_with_zero(tmp_path: Path) -> None:
    for first, tool in ((1, "R"), (0, "pandas")):
        rows = "".join(f"{first + n},i{n % 3},a{n // 3},{n}\n" for n in range(6))
        result = pb.read(written(tmp_path, f",item,annotator,answer\n{rows}"))
        assert result.layout.tool == tool


def test_blank_rows_below_a_table_are_not_missing_answers(tmp_path: Path) -> None:
    text = (
        "item,annotator,answer\n" + "".join(f"i{n},a{n % 2},{n}\n" for n in range(4)) + ",,\n" * 3
    )
    assert pb.read(written(tmp_path, text)).missing == {}


def test_accents_do_not_hide_a_header_and_a_sentence_is_the_text_of_its_item(
    tmp_path: Path,
) -> None:
    for item, name in (("ítem", "ítem"), ("estímulo", "estímulo")):
        text = f"participante;{item};oración;respuesta\n" + "".join(
            f"p{p};e{n};El perro muerde el hueso {n};{1 + (n + p) % 5}\n"
            for p in range(3)
            for n in range(4)
        )
        result = pb.read(written(tmp_path, text, encoding="cp1252"))
        assert result.layout.names == {
            "item": name,
            "annotator": "participante",
            "answer": "respuesta",
            "text": "oración",
        }
        assert result.ratings.height == 12


def test_results_of_pcibex_are_known_by_their_numbered_comments(tmp_path: Path) -> None:
    names = ["Results reception time.", "MD5 hash of participant's IP address.", "Controller name."]
    names += ["Order number of item.", "PennElementType.", "PennElementName.", "Parameter."]
    names += ["Value.", "EventTime.", "item."]
    text = "".join(f"# {n}. {name}\n" for n, name in enumerate(names, start=1)) + "".join(
        f"17,{person},PennController,{n},Scale,how,Choice,{1 + n},99,i{n}\n"
        for person in ("aa", "bb")
        for n in range(3)
    )
    result = pb.read(written(tmp_path, text))
    assert (result.layout.tool, result.ratings.height) == ("PCIbex", 6)


def test_what_people_wrote_in_argilla_is_a_comment_and_a_sentence_is_the_text(
    tmp_path: Path,
) -> None:
    lines = [
        {
            "id": f"r{n}",
            "sentence": f"Il cane morde l'osso {n}.",
            "group": "a",
            "plausible.responses": [1 + n % 5, 1 + (n + 1) % 5],
            "plausible.responses.users": ["u1", "u2"],
            "why.responses": [f"perché {n} lo so"],
            "why.responses.users": ["u1"],
        }
        for n in range(6)
    ]
    path = written(tmp_path, "\n".join(map(json.dumps, lines)), "records.jsonl")
    result = pb.read(path)
    assert result.ratings["question"].unique().to_list() == ["plausible"]
    assert result.ratings["comment"].drop_nulls().len() == 6
    assert result.items is not None
    assert result.items["text"].to_list() == [line["sentence"] for line in lines]


def test_a_code_for_no_answer_is_recognised_next_to_half_points_with_commas(
    tmp_path: Path,
) -> None:
    cells = ["1,5", "7,0", "-99", "99,0", "3,5"]
    rows = "\n".join(f"s{n};a;{cell}" for n, cell in enumerate(cells))
    result = pb.read(written(tmp_path, f"item;annotator;answer\n{rows}"))
    assert result.ratings["value"].to_list() == [1.5, 7.0, 3.5]
    assert result.missing == {"-99": 1, "99.0": 1}


def test_spaces_around_an_id_do_not_make_two_items_of_one(tmp_path: Path) -> None:
    rows = "s1,a,1\ns1 ,b,2\ns2,a,3\n s2,b ,4"
    result = pb.read(written(tmp_path, f"item,annotator,answer\n{rows}"))
    assert sorted(result.ratings["item"].unique()) == ["s1", "s2"]
    assert sorted(result.ratings["annotator"].unique()) == ["a", "b"]
    assert "spaces around 2 cells of item were removed" in " ".join(result.notes)
    clash = "s1,a,1\ns1 ,a,2"
    with pytest.raises(pb.PlausiblyError, match="s1"):
        pb.read(written(tmp_path, f"item,annotator,answer\n{clash}"))


def test_a_column_that_is_stored_unchanged_is_not_called_ignored(tmp_path: Path) -> None:
    path = written(tmp_path, "item,annotator,answer,Typ,shade\ns1,a,1,x,red\ns2,a,2,y,blue")
    result = pb.read(path, columns={"condition": "Typ"})
    assert roles(result)["Typ"] == "item"
    assert roles(result)["shade"] == "kept"
    assert {"condition", "shade"} <= {*result.ratings.columns}


def test_the_condition_of_a_rating_is_that_of_its_item(tmp_path: Path) -> None:
    rows = "s1,a,1,It rains.,x,p\ns1,b,2,It rains.,x,q\ns2,a,3,It snows.,y,p"
    path = written(tmp_path, f"item,annotator,answer,text,Typ,language\n{rows}")
    items = pb.read(path, columns={"condition": "Typ"}).items
    assert items is not None
    assert items.select("item", "text", "condition").rows() == [
        ("s1", "It rains.", "x"),
        ("s2", "It snows.", "y"),
    ]
    assert "language" not in items.columns  # s1 has two
