"""A script that fits an ordinal model in R: `ordinal` by Laplace, `brms` by sampling."""

from __future__ import annotations

from collections.abc import Sequence

TEXT = """# Fits the model of ratings.csv in R; run it in this folder: Rscript model.R
# Needs the package ordinal (Debian: r-cran-ordinal), and brms for the second part.
ratings <- read.csv("ratings.csv", stringsAsFactors = TRUE)
ratings$value <- factor(ratings$value, ordered = TRUE)
{groups}
formula <- value ~ {fixed}{random}

library(ordinal)
model <- clmm(formula, data = ratings, link = "{link}")
print(summary(model))

if (requireNamespace("brms", quietly = TRUE) && Sys.getenv("BRMS") != "") {{
  sampled <- brms::brm(formula, data = ratings, family = brms::cumulative("{link}"), seed = 1)
  print(summary(sampled))
}}
"""


def r_script(terms: Sequence[tuple[str, ...]], groups: Sequence[str], *, link: str) -> str:
    """Return the script.

    >>> "clmm(formula" in r_script([("condition",)], ["item"], link="logit")
    True
    """
    factors = "\n".join(f"ratings${name} <- factor(ratings${name})" for name in groups)
    fixed = " + ".join(":".join(term) for term in terms)
    random = "".join(f" + (1 | {name})" for name in groups)
    return TEXT.format(groups=factors, fixed=fixed, random=random, link=link)
