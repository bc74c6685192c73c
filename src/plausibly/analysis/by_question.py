"""One section of a report per question: means or shares, the items behind them, and the model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.analysis.answer import answer_sentence
from plausibly.analysis.contrast_tables import contrast_table, hybrid_contrast_table
from plausibly.analysis.figures.drawing import Figure
from plausibly.analysis.headline import headline
from plausibly.analysis.hybrid_table import hybrid_rows, hybrid_sentences
from plausibly.analysis.listings import listing
from plausibly.analysis.model_part import ModelPart, listed, model_part
from plausibly.analysis.question_figures import cell_label, pair, question_figure
from plausibly.analysis.section_table import MOST_SHOWN, SectionTable
from plausibly.analysis.showing import MINUS, number, percent
from plausibly.measures.crossed import LOGIT

Document = Mapping[str, Any]
Rows = Sequence[Document]
TEXT, NOMINAL = "text", "nominal"
OVER = {
    "both": "new items and new annotators",
    "items": "new items only",
    "annotators": "new annotators only",
}


@dataclass(frozen=True, slots=True)
class QuestionSection:
    """What was answered to one question.

    Args:
        name: The question.
        key: The same as part of an address and of file names.
        text: The question as people read it; empty if that is not known.
        sentences: What a reader should know before the figure.
        figure: The answers in every cell, with the items; None if it cannot be drawn.
        tables: Means or shares, and contrasts.
        cautions: What to bear in mind about intervals.
        model: The mixed model.
        no_model: Why there is none.
        files: Tables to be taken along.
        answer: What was found, in one sentence; empty if several numbers are needed.
        family: Of the model; empty if there is none.
    """

    name: str
    key: str
    text: str
    sentences: tuple[str, ...]
    figure: Figure | None
    tables: tuple[SectionTable, ...]
    cautions: tuple[str, ...]
    model: ModelPart | None
    no_model: str
    files: tuple[Figure, ...]
    answer: str = ""
    family: str = ""


@dataclass(frozen=True, eq=False)
class DescribedAnswers:
    """What the steps `describe` and `analyse` report.

    Args:
        described: The document of `describe`.
        values: The items behind its numbers.
        analysed: The document of `analyse`.
        wording: From a question to its text.
        agreement: From a question to what `agree` says about it.
        texts: From an item to its text.
        options: From a question to its answers, in the order people saw.
    """

    described: Document
    values: pl.DataFrame
    analysed: Document
    wording: Mapping[str, str]
    agreement: Mapping[str, Document] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Sequence[str]] = field(default_factory=dict)


def question_sections(answers: DescribedAnswers) -> tuple[QuestionSection, ...]:
    """Return a section for each question that is not answered in texts, in the form's order."""
    questions = answers.described.get("questions", {})
    form = {name: at for at, name in enumerate(answers.wording)}
    asked = [name for name, one in questions.items() if one["scale"] != TEXT]
    asked.sort(key=lambda name: form.get(name, len(form)))
    return tuple(
        _section(answers, name, key) for name, key in zip(asked, _keys(asked), strict=True)
    )


def answered_in_texts(answers: DescribedAnswers) -> list[str]:
    """Return a sentence about questions that are answered in texts; nothing if there are none.

    >>> described = {"questions": {"note": {"scale": "text"}}}
    >>> answered_in_texts(DescribedAnswers(described, pl.DataFrame(), {}, {}))
    ['There is no section about note: it is answered in free text.']
    """
    questions = answers.described.get("questions", {})
    texts = [name for name, one in questions.items() if one["scale"] == TEXT]
    if not texts:
        return []
    are = "it is" if len(texts) == 1 else "they are"
    return [f"There is no section about {listed(texts)}: {are} answered in free text."]


def methods_sentences(answers: DescribedAnswers) -> list[str]:
    """Return what a methods section says about means, intervals and models."""
    questions = answers.described.get("questions", {}).values()
    rows = [row for one in questions for row in one["rows"]]
    methods = {str(row["method"]) for row in rows if row.get("method")}
    once = str(answers.described.get("weigh", "items")).removesuffix("s")
    sentences = []
    if methods:
        plain = sorted({one.removesuffix(LOGIT) for one in methods})
        ends = any(one.endswith(LOGIT) for one in methods)
        logit = (
            ", on the logit scale and within exact binomial limits for shares and scales with ends"
        )
        sentences.append(
            f"Means and shares count every {once} once; 95 % intervals are by "
            f"{'; or by '.join(plain)}{logit if ends else ''}."
        )
    models = answers.analysed.get("questions", {}).values()
    sentences += [model_part(one).sentence for one in models if "failed" not in one]
    return sentences + list(_unmodelled(models))


def _unmodelled(models: Any) -> Iterator[str]:
    """Yield why questions were not modelled, those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for one in models:
        if "failed" in one:
            reasons.setdefault(_reason(one["failed"], one["question"]), []).append(one["question"])
    for reason, names in reasons.items():
        quoted = listed([f"“{one}”" for one in names])
        yield f"Answers to {quoted} were not modelled: {reason}."


def _reason(text: str, question: str) -> str:
    """Return a reason without the name of the question and the full stop, which stand around it."""
    return text.removeprefix(f"question {question!r}: ").rstrip(".")


def _keys(names: Sequence[str]) -> list[str]:
    """Return names for addresses and files, no two of them the same.

    >>> _keys(["how odd?", "how-odd", "fit"])
    ['how-odd', 'how-odd-2', 'fit']
    """
    keys: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") or "question"
        copies = sum(key == plain or key.startswith(f"{plain}-") for key in keys)
        keys.append(plain if not copies else f"{plain}-{copies + 1}")
    return keys


def _section(answers: DescribedAnswers, name: str, key: str) -> QuestionSection:
    one = _as_offered(answers.described["questions"][name], answers.options.get(name, ()))
    modelled = answers.analysed.get("questions", {}).get(name, {})
    failed = modelled.get("failed", "") if modelled else "the step analyse has no model of it"
    rows = _shown_answers(one["rows"])
    contrasts = _shown_answers(one["contrasts"], of=one["rows"])
    own = answers.values
    values = own.filter(pl.col("question") == name) if own.width else own
    figure, omitted = question_figure(key, name, one, values, answers.texts)
    tables = [_means(key, one, rows, answers.described)] if rows else []
    models = answers.described.get("models", {})
    helped = [row for row in rows if row.get("hybrid")]
    tables += [_hybrids(key, one, helped, models)] if helped else []
    tables += [contrast_table(key, contrasts)] if contrasts else []
    differing = [row for row in contrasts if row.get("hybrid")]
    tables += [hybrid_contrast_table(key, differing, models)] if differing else []
    model = model_part(modelled) if modelled and not failed else None
    return QuestionSection(
        name=name,
        key=key,
        text=answers.wording.get(name, ""),
        sentences=(
            *_sentences(name, one, answers.described, failed),
            *_agreed(answers.agreement.get(name)),
            *hybrid_sentences([*helped, *differing], models),
            *omitted,
        ),
        figure=figure,
        tables=tuple(tables),
        cautions=tuple(_cautions(one["rows"], one["contrasts"])),
        model=model,
        no_model=_no_model(name, failed) if one["scale"] is not None else "",
        files=tuple(_files(key, name, one, model)),
        answer=_answer(one, rows, contrasts),
        family=str(modelled.get("family", "")) if model else "",
    )


def _answer(one: Document, rows: Rows, contrasts: Rows) -> str:
    answer, ends = answer_sentence(rows, contrasts), _ends(one)
    return f"{answer} Answers count{ends}." if answer and ends else answer


def _ends(one: Document) -> str:
    """Return what the first and the last of ordered words count as in means.

    >>> _ends({"order": ["NO", "NEUTRAL", "YES"]})
    ' from 1 (NO) to 3 (YES)'
    """
    order = one.get("order") or ()
    return f" from 1 ({order[0]}) to {len(order)} ({order[-1]})" if order else ""


def _agreed(agreement: Document | None) -> list[str]:
    """Return how far people agree on a question, where that is known."""
    sentence = headline(agreement).sentence if agreement else ""
    return [sentence] if sentence else []


def _no_model(name: str, failed: str) -> str:
    return f"There is no model of “{name}”: {_reason(failed, name)}." if failed else ""


def _sentences(name: str, one: Document, described: Document, failed: str) -> Iterator[str]:
    scale, reason = one["scale"], _reason(str(one["reason"]), name)
    if scale is None:
        yield f"The scale of “{name}” is not known: {reason}. Nothing is described."
        return
    article = "a" if scale == NOMINAL else "an"
    yield f"The question “{name}” is on {article} {scale} scale ({reason})."
    unsplit = str(described.get("unsplit") or "")
    if unsplit and one["rows"] and not failed.startswith(unsplit):
        yield f"Answers are not split by condition: {unsplit}."


def _as_offered(one: Document, options: Sequence[str]) -> Document:
    """Return a question with the answers of every cell in the order people saw.

    >>> rows = [{"by": {}, "answer": "maybe"}, {"by": {}, "answer": "yes"}]
    >>> sorted_rows = _as_offered({"rows": rows, "contrasts": []}, ["yes", "maybe"])["rows"]
    >>> [row["answer"] for row in sorted_rows]
    ['yes', 'maybe']
    """
    place = {answer: at for at, answer in enumerate(options)}
    cells: dict[str, int] = {}
    for row in one["rows"]:
        cells.setdefault(cell_label(row), len(cells))

    def offered(row: Document) -> int:
        return place.get(str(row.get("answer")), len(place))

    rows = sorted(one["rows"], key=lambda row: (cells[cell_label(row)], offered(row)))
    return {**one, "rows": rows, "contrasts": sorted(one["contrasts"], key=offered)}


def _shown_answers(rows: Rows, *, of: Rows | None = None) -> list[Document]:
    """Return the rows; of two answers only those of the last, as the other has the rest."""
    last = pair(rows if of is None else of)
    return [row for row in rows if row.get("answer", last) == last] if last else list(rows)


def _means(key: str, one: Document, rows: Rows, described: Document) -> SectionTable:
    parts = list(rows[0]["by"])
    share = "answer" in rows[0]
    several = share and not pair(one["rows"])
    once = str(described["weigh"]).removesuffix("s")
    what = f"Mean answer{_ends(one)}" if not share else "Share of each answer"
    if share and not several:
        what = f"Share of the answer “{rows[0]['answer']}”"
    where = f" by {listed(parts)}" if parts else ""
    show = _percent if share else number
    header = (*parts, *(["answer"] if several else []), "share" if share else "mean")
    cells = [
        (
            *(str(row["by"][part]) for part in parts),
            *([str(row["answer"])] if several else []),
            show(row["value"]),
            _interval(row, show),
            *(number(row[name]) for name in ("items", "annotators", "ratings")),
        )
        for row in rows
    ]
    return SectionTable(
        f"{what}{where}, every {once} counting once, {_generalises(one['rows'])}",
        (*header, "95 % interval", "items", "annotators", "ratings"),
        tuple(cells[:MOST_SHOWN]),
        len(header) - 1,
        max(0, len(cells) - MOST_SHOWN),
        f"means-of-{key}",
    )


def _hybrids(key: str, one: Document, rows: Rows, models: Document) -> SectionTable:
    """Return the estimates that a model helps with, below those of people."""
    parts, share = list(rows[0]["by"]), "answer" in rows[0]
    several = share and not pair(one["rows"])
    header = (*parts, *(["answer"] if several else []), "share" if share else "mean")
    cells = [
        (
            *(str(row["by"][part]) for part in parts),
            *([str(row["answer"])] if several else []),
            *shown,
        )
        for row, shown in zip(rows, hybrid_rows(rows, _percent if share else number), strict=True)
    ]
    return SectionTable(
        f"The same from people and the model {models['model']}, with 95 % intervals; rho is its "
        "correlation with the items' answers, the gain the ratio of the two variances",
        (*header, "95 % interval", "rho", "gain", "note"),
        tuple(cells[:MOST_SHOWN]),
        len(header) - 1,
        max(0, len(cells) - MOST_SHOWN),
        f"hybrids-of-{key}",
    )


def _percent(share: float | None) -> str:
    return "not defined" if share is None else f"{percent(share)} %"


def _interval(row: Document, show: Any) -> str:
    if row["low"] is None:
        return "not defined"
    return f"{show(row['low']).removesuffix(' %')} to {show(row['high'])}"


def _generalises(rows: Rows) -> str:
    """Return what the intervals are about."""
    over = {row["over"] for row in rows if row.get("over")}
    if not over:
        return "without intervals"
    about = OVER[next(iter(over))] if len(over) == 1 else OVER["both"]
    unless = "" if len(over) == 1 else " unless a note says otherwise"
    return f"with 95 % intervals for {about}{unless}"


def _cautions(rows: Rows, contrasts: Rows) -> Iterator[str]:
    """Yield warnings and reasons, each once with the cells it is about."""
    notes: dict[str, list[str]] = {}
    for row in rows:
        text = row.get("warning") or row.get("reason")
        if text:
            notes.setdefault(str(text), []).append(cell_label(row))
    for row in contrasts:
        text = row.get("warning") or row.get("reason")
        if text:
            within = "".join(f", {one}" for one in row.get("by", {}).values())
            label = f"{row['of']} {MINUS} {row['against']}{within}"
            notes.setdefault(str(text), []).append(label)
    for text, labels in notes.items():
        cells = list(dict.fromkeys(filter(None, labels)))
        everywhere = not cells or len(labels) == len(rows) + len(contrasts)
        named = f" This concerns {'; '.join(cells[:6])}{'; …' if len(cells) > 6 else ''}."
        yield f"{text[:1].upper()}{text[1:]}.{'' if everywhere else named}"


def _files(key: str, name: str, one: Document, model: ModelPart | None) -> Iterator[Figure]:
    """Yield every table of a section as a file, with all rows and digits."""
    numbers = [*("value", "low", "high", "p", "groups", "items", "annotators", "ratings")]
    numbers += ["weight", "rho", "gain", "predicted", "finding"]
    helped = [{**row, **row["hybrid"]} for row in one["rows"] if row.get("hybrid")]
    differing = [{**row, **row["hybrid"]} for row in one["contrasts"] if row.get("hybrid")]
    tables = {"means": one["rows"], "hybrids": helped, "contrasts": one["contrasts"]}
    tables["hybrid-contrasts"] = differing
    for what, rows in tables.items():
        flat = [
            {
                **row.get("by", {}),
                **{column: row[column] for column in ("of", "against", "answer") if column in row},
                **{column: row[column] for column in numbers if column in row},
            }
            for row in rows
        ]
        table = listing(f"{what}-of-{key}", f"{name}: {what}", flat)
        if table is not None:
            yield table
    for part in model.listings if model else ():
        rows = [dict(zip(part.header, row, strict=True)) for row in part.rows]
        table = listing(f"model-{part.name}-of-{key}", f"{name}: {part.title}", rows)
        if table is not None:
            yield table
