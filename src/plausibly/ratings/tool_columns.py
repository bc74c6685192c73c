"""The columns survey tools and platforms add to an export, and what each of them is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from plausibly.io.dialect import spelling
from plausibly.io.layout import Role

QUALTRICS, GOOGLE_FORMS, LIMESURVEY = "Qualtrics", "Google Forms", "LimeSurvey"
SOSCI = "SoSci Survey"
SOSCI_CASE = "case"  # the number of an interview
SOSCI_QUESTION = re.compile(r"[A-Z][A-Z0-9]\d\d(_\d+)?")  # AB01_02: section, question, item
# Not answered; "don't know" or another way out; not shown.
SOSCI_CODES = frozenset({"-9", "-1", "-10"})
WHO = (
    *("prolific_pid", "responseid", "annotator", "participant_id", "participant", "workerid"),
    *("token", "access_code", "zugangscode", "zugangsschlüssel", "codice_di_accesso"),
    *("code_d'accès", "código_de_acceso"),
)
SUMMARIES = (
    *("mean", "average", "median", "sum", "total", "sd", "std", "n", "count", "min", "max"),
    *("mittelwert", "durchschnitt", "summe", "gesamt", "media", "totale", "somma", "moyenne"),
    *("somme", "promedio", "suma"),
)
RESPONSE_IDS = (
    *("id", "response_id", "antwort_id", "id_della_risposta", "id_risposta", "id_de_la_réponse"),
    *("id_de_respuesta", "id_de_la_respuesta"),
)
PERSON: Mapping[str, tuple[str, ...]] = {
    "started": (
        *("startdate", "started", "date_started", "datum_gestartet", "date_de_lancement"),
        *("data_di_inizio", "fecha_de_inicio"),
    ),
    "submitted": (
        *("enddate", "recordeddate", "submitted", "submitdate", "date_submitted"),
        *(
            "lastdata",
            "datum_abgeschickt",
            "timestamp",
            "zeitstempel",
            "horodateur",
            "marca_temporal",
        ),
        *("informazioni_cronologiche", "date_de_soumission", "data_di_invio", "data_invio"),
        "fecha_de_envío",
    ),
    "seconds": (
        *("duration_(in_seconds)", "seconds", "duration", "interviewtime", "total_time"),
        *("gesamtzeit", "temps_total", "tempo_totale", "tiempo_total", "time_sum"),
    ),
}
# How people sign in to a form.
SIGNED_IN = (
    *("email", "email_address", "e_mail", "e_mail_adresse", "username", "nutzername"),
    *("indirizzo_email", "adresse_e_mail", "dirección_de_correo_electrónico"),
    *("nombre_de_usuario", "nome_utente", "nom_d'utilisateur"),
)
STAMPS = ("timestamp", "zeitstempel", "horodateur", "marca_temporal", "informazioni_cronologiche")
# From the spelling of a column that a tool adds to its role.
_TOOL_COLUMNS: Mapping[Role, Collection[str]] = {
    "time": {
        *("startdate", "enddate", "recordeddate", "duration_(in_seconds)", "q_totalduration"),
        *(*STAMPS, "submission_id", "started_at", "completed_at", "reviewed_at", "archived_at"),
        *("time_taken", "started_datetime", "completed_date_time", "submitdate", "datestamp"),
        *("interviewtime", "date_submitted", "date_started", "date_last_action", "total_time"),
        *("datum_abgeschickt", "datum_gestartet", "datum_letzte_aktivität", "gesamtzeit"),
        *("date_de_soumission", "date_de_lancement", "date_de_la_dernière_action", "temps_total"),
        *("data_di_invio", "data_invio", "data_di_inizio", "data_dell'ultima_azione"),
        *("tempo_totale", "fecha_de_envío", "fecha_de_inicio", "fecha_de_la_última_acción"),
        *("tiempo_total",),
        *("custom_study_tncs_accepted_at", "lastdata", "mailsent", "time_sum", "time_rsi"),
    },
    "person": {
        *("ipaddress", "ipaddr", "ip_address", "ip_adresse", "recipientlastname"),
        *("adresse_ip", "indirizzo_ip", "dirección_ip"),
        *("recipientfirstname", "recipientemail", "externalreference", "locationlatitude"),
        *("locationlongitude", "userlanguage", "name", *SIGNED_IN),
        *("total_approvals", "num_approvals", "num_rejections"),
        *("approval_rate", "prolific_score", "q_language", "fluent_languages"),
        *("ethnicity_simplified", "country_of_birth", "country_of_residence"),
        *("student_status", "employment_status"),
    },
    "ignored": {
        *("status", "progress", "finished", "distributionchannel", "study_id", "session_id"),
        *("assignmentid", "hitid", "score", "punktzahl", "punteggio", "puntuación"),
        *("q_recaptchascore", "completion_code", "id", "row", "lastpage", "last_page"),
        *("letzte_seite", "startlanguage", "start_language", "start_sprache", "seed"),
        *("zufallsstartwert", "refurl", "referrer_url", "weiterleitungs_url", "response_id"),
        *("dernière_page", "ultima_pagina", "última_página", "langue_de_départ", "langue_initiale"),
        *("lingua_iniziale", "lenguaje_inicial", "idioma_inicial", "tête_de_série", "graine"),
        *("seme", "semilla", "url_de_référence", "url_di_riferimento", "url_de_referencia"),
        *("id_della_risposta", "id_risposta", "id_de_la_réponse", "id_de_respuesta"),
        *("antwort_id", "responseid", "worker", "user", "rater", *WHO),
    },
}
OF_TOOLS: Mapping[str, Role] = {
    name: role for role, names in _TOOL_COLUMNS.items() for name in names
}
ORDER = re.compile(r"_DO(_.+)?$|\bDisplay Order$")
_TIMING = re.compile(
    r"(First Click|Last Click|Page Submit)$|^(group|question)Time\d*(\. .*)?$"
    r"|^((G\d+)?Q\d+\w*Time|\w+Time(?=\. ))(\. .*)?$"
    r"|\b(Group time|Question time|Gruppenzeit|Fragenzeit)\b|^TIME\d{3}$"
    r"|^(Temps|Durée) pour (le groupe|la question)\b"
)
_MECHANICS = re.compile(
    r"(Click Count|_TEXT|_Browser|_Version|_Operating System|_Resolution|^SC\d+)$"
    r"|^Q_[A-Z]|\[(Score|Feedback|Punktzahl|Punteggio|Puntuación|other|comment|Sonstiges)\]$"
)
# When a response was sent to LimeSurvey; blank if it was not.
SENT = {
    *("submitdate", "date_submitted", "datum_abgeschickt", "date_de_soumission"),
    *("data_di_invio", "data_invio", "fecha_de_envío"),
}
_LIMESURVEY = (
    SENT,
    {
        *("lastpage", "last_page", "letzte_seite", "dernière_page", "ultima_pagina"),
        "última_página",
    },
    {
        *("startlanguage", "start_language", "start_sprache", "langue_de_départ"),
        *("langue_initiale", "lingua_iniziale", "lenguaje_inicial", "idioma_inicial"),
    },
    {"seed", "zufallsstartwert", "tête_de_série", "graine", "seme", "semilla"},
)


@dataclass(frozen=True, slots=True)
class SurveyTool:
    """The survey tool that wrote a file."""

    name: str
    evidence: str


def tool_role(name: str) -> Role | None:
    """Return the role of a column that a tool adds; None if no tool is known to add it.

    >>> tool_role("Q_RecaptchaScore"), tool_role("Q3_DO_1"), tool_role("Zeitstempel")
    ('ignored', 'order', 'time')
    """
    role = OF_TOOLS.get(bare_name(name))
    if role is not None:
        return role
    if ORDER.search(name):
        return "order"
    if _TIMING.search(name):
        return "time"
    return "ignored" if _MECHANICS.search(name) else None


def question_times(columns: Sequence[str]) -> set[str]:
    """Return LimeSurvey's columns of how long a question took: its code, then Time.

    >>> question_times(["natural[SQ1]", "naturalTime", "DreamTime"])
    {'naturalTime'}
    """
    codes = {re.split(r"[\[.]", name)[0] for name in columns}
    return {f"{code}Time" for code in codes} & {*columns}


def bare_name(name: str) -> str:
    """Return the spelling of a header; of LimeSurvey's "id. Response ID" the code alone.

    >>> bare_name("submitdate. Date submitted"), bare_name("Start-Sprache")
    ('submitdate', 'start_sprache')
    """
    code, dot, text = name.partition(". ")
    return spelling(code if dot and text and re.fullmatch(r"[a-z]+", code) else name)


def survey_tool(columns: Sequence[str], *, import_ids: bool = False) -> SurveyTool | None:
    """Return the survey tool whose columns a table has.

    >>> survey_tool(["id", "submitdate", "lastpage", "startlanguage", "Q1"]).name
    'LimeSurvey'
    """
    spelled = {bare_name(column): column for column in reversed(columns)}
    if import_ids:
        return SurveyTool(QUALTRICS, "a row of import ids below the header")
    if "responseid" in spelled and {"finished", "progress", "recordeddate"} & {*spelled}:
        return SurveyTool(QUALTRICS, f"the column {spelled['responseid']}")
    present = [spelled[word] for words in _LIMESURVEY for word in sorted(words & {*spelled})]
    if len(present) >= 2 and any(word in spelled for word in RESPONSE_IDS):
        return SurveyTool(LIMESURVEY, f"the columns {', '.join(present)}")
    if {SOSCI_CASE, "questnnr", "mode"} <= {*spelled}:
        return SurveyTool(SOSCI, "the columns CASE, QUESTNNR and MODE")
    if columns and bare_name(columns[0]) in STAMPS:
        return SurveyTool(GOOGLE_FORMS, f"the first column is {columns[0]}")
    return None
