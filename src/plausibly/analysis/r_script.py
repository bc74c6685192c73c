"""A script that fits the same mixed model in R: lmer, glmer or clmm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plausibly.measures.mixed.design import parse_terms
from plausibly.measures.mixed.results import MixedModel, RandomEffects

TEXT = """# Fits the model of ratings.csv in R; run it in this folder: Rscript model.R
# Needs the package {package}. Columns are coded as plausibly codes them, so estimates are the same.
ratings <- read.csv("ratings.csv", check.names = FALSE, na.strings = "", colClasses = {classes})
{columns}
formula <- value ~ {fixed}{random}

{fit}
print(summary(model))
print(logLik(model), digits = 10)
"""
LINEAR = """# p as here by Satterthwaite's method, where lmerTest is installed.
fit <- if (requireNamespace("lmerTest", quietly = TRUE)) lmerTest::lmer else lme4::lmer
model <- fit(formula, data = ratings, REML = {restricted},
             control = lme4::lmerControl(optimizer = "bobyqa"))"""
LOGISTIC = """# The model of the answer {answer}; R's p is by z, plausibly's by t.
model <- lme4::glmer(formula, data = ratings, family = binomial("{link}"),
                     control = lme4::glmerControl(optimizer = "bobyqa", tolPwrss = 1e-13))"""
ORDINAL = """# R's p is by z, plausibly's by t.
library(ordinal)
model <- clmm(formula, data = ratings, link = "{link}")"""
PACKAGES = {"linear": "lme4", "logistic": "lme4", "ordinal": "ordinal"}
HALVES = "c(-0.5, 0.5)"


def r_script(model: MixedModel, terms: str, answers: Sequence[str] = ()) -> str:
    """Return the script.

    Args:
        model: The fitted model, which names the random effects the design identifies.
        terms: Formula of its fixed effects.
        answers: Of a logistic model, its two answers.
    """
    factors = [name for name, levels in model.levels.items() if levels]
    grouped = [_column(effects.factor) for effects in model.random]
    texts = dict.fromkeys(["item", *grouped, *factors])
    classes = "c(" + ", ".join(f"{_quoted(name)} = 'character'" for name in texts) + ")"
    lines = [f"ratings[[{_quoted(n)}]] <- factor(ratings[[{_quoted(n)}]])" for n in grouped]
    lines += [line for name, levels in model.levels.items() for line in _coded(name, levels)]
    lines += _copies(model)
    if model.family == "ordinal":
        lines.append("ratings$value <- factor(ratings$value, ordered = TRUE)")
    fits = {"linear": LINEAR, "logistic": LOGISTIC, "ordinal": ORDINAL}
    return TEXT.format(
        package=PACKAGES[model.family],
        classes=classes,
        columns="\n".join(lines),
        fixed=" + ".join(_product(names) for names in parse_terms(terms)),
        random="".join(f" +\n  {part}" for each in model.random for part in _random(each, model)),
        fit=fits[model.family].format(
            restricted="TRUE" if model.criterion == "REML" else "FALSE",
            link=model.link,
            answer=_quoted(answers[-1]) if answers else "1",
        ),
    )


def _column(factor: str) -> str:
    return "item_group" if factor == "group" else factor


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _name(column: str) -> str:
    plain = column.replace("_", "").replace(".", "")
    return column if plain.isalnum() and column[0].isalpha() else f"`{column}`"


def _product(names: Sequence[str]) -> str:
    return ":".join(map(_name, names))


def _coded(name: str, levels: Sequence[str]) -> list[str]:
    """Return lines that code a column: centred, halves apart, or with sum zero."""
    column = f"ratings[[{_quoted(name)}]]"
    if not levels:
        return [f"{column} <- {column} - mean({column})"]
    listed = ", ".join(map(_quoted, levels))
    coding = HALVES if len(levels) == 2 else f"contr.sum({len(levels)})"
    return [
        f"{column} <- factor({column}, levels = c({listed}))",
        f"contrasts({column}) <- {coding}",
    ]


def _copies(model: MixedModel) -> list[str]:
    """Return lines that make numbers of two-level terms.

    Slopes without correlations need them, and clmm, whose slopes ignore the coding of factors.
    """
    wanted = dict.fromkeys(
        term
        for each in model.random
        if _apart(each) or model.family == "ordinal"
        for term in each.slopes
        if _single(term, model)
    )
    return [
        f"ratings[[{_quoted(_copy(term))}]] <- "
        + " * ".join(_number(n, model.levels) for n in term.split(":"))
        for term in wanted
    ]


def _apart(effects: RandomEffects) -> bool:
    return bool(effects.slopes) and effects.correlations is None


def _single(term: str, model: MixedModel) -> bool:
    return all(len(model.levels[name]) <= 2 for name in term.split(":"))


def _copy(term: str) -> str:
    return f"{term}_number"


def _number(name: str, levels: Mapping[str, Sequence[str]]) -> str:
    column = f"ratings[[{_quoted(name)}]]"
    return f"{HALVES}[{column}]" if levels[name] else column


def _slope(term: str, model: MixedModel) -> str:
    number = model.family == "ordinal" and _single(term, model)
    return _name(_copy(term)) if number else _product(term.split(":"))


def _random(effects: RandomEffects, model: MixedModel) -> list[str]:
    group = _name(_column(effects.factor))
    if not _apart(effects):
        slopes = "".join(f" + {_slope(term, model)}" for term in effects.slopes)
        return [f"(1{slopes} | {group})"]
    # One variance for all levels of a term is a variance of each group's own levels.
    return [f"(1 | {group})"] + [
        f"(0 + {_name(_copy(term))} | {group})"
        if _single(term, model)
        else f"(1 | {group}:{_product(term.split(':'))})"
        for term in effects.slopes
    ]
