"""What a paper cites for the measures, labels and models of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from plausibly.measures.mid_p import CITED, MCNEMAR, PERMUTATION

MEASURES: Mapping[str, str] = {
    "krippendorff_alpha": "Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability.",
    "krippendorff_alpha_masi": (
        "Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and "
        "pragmatic annotation. LREC."
    ),
    "soft_jaccard": (
        "Eichel, A., & Schulte im Walde, S. (2023). A dataset for physical and abstract "
        "plausibility and sources of human disagreement. LAW XVII."
    ),
    "cohen_kappa": (
        "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and "
        "Psychological Measurement, 20."
    ),
    "fleiss_kappa": (
        "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological "
        "Bulletin, 76."
    ),
    "gwet_ac1": (
        "Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence "
        "of high agreement. British Journal of Mathematical and Statistical Psychology, 61."
    ),
    "icc": (
        "Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater "
        "reliability. Psychological Bulletin, 86."
    ),
    "pairwise_spearman": (
        "Spearman, C. (1904). The proof and measurement of association between two things. "
        "American Journal of Psychology, 15."
    ),
}
LABELS: Mapping[str, str] = {
    "dawid-skene": (
        "Dawid, A. P., & Skene, A. M. (1979). Maximum likelihood estimation of observer "
        "error-rates using the EM algorithm. Applied Statistics, 28."
    ),
    "glad": (
        "Whitehill, J., et al. (2009). Whose vote should count more: optimal integration of "
        "labels from labelers of unknown expertise. NIPS."
    ),
    "mace": "Hovy, D., et al. (2013). Learning whom to trust with MACE. NAACL-HLT.",
    "one-coin": (
        "Zhang, Y., et al. (2016). Spectral methods meet EM: a provably optimal algorithm for "
        "crowdsourcing. Journal of Machine Learning Research, 17."
    ),
    "adjusted": (
        "Henderson, C. R. (1975). Best linear unbiased estimation and prediction under a "
        "selection model. Biometrics, 31."
    ),
}
FAMILIES: Mapping[str, str] = {
    "linear": (
        "Kuznetsova, A., Brockhoff, P. B., & Christensen, R. H. B. (2017). lmerTest package: "
        "tests in linear mixed effects models. Journal of Statistical Software, 82."
    ),
    "logistic": (
        "Bates, D., et al. (2015). Fitting linear mixed-effects models using lme4. Journal of "
        "Statistical Software, 67."
    ),
    "ordinal": (
        "Christensen, R. H. B. (2019). ordinal: regression models for ordinal data. R package."
    ),
}


def references(
    agreement: Mapping[str, Any],
    method: str,
    families: Iterable[str],
    version: str,
    tests: Set[str] = frozenset(),
) -> list[str]:
    """Return what a report rests on, in the order of the alphabet, the software last.

    Args:
        agreement: What `agree` reports; its keys name the measures.
        method: Of the labels.
        families: Of the models that were fitted.
        version: Of this software.
        tests: Names of the tests by which models were compared.

    >>> [one[:6] for one in references({"icc": {}}, "mace", ["linear"], "0.1")]
    ['Hovy, ', 'Kuznet', 'Shrout', 'plausi']
    """
    found = {MEASURES[name] for name in agreement if name in MEASURES}
    found |= {LABELS[method]} if method in LABELS else set()
    found |= {FAMILIES[family] for family in families if family in FAMILIES}
    found |= {CITED} if tests & {MCNEMAR, PERMUTATION} else set()
    return [*sorted(found), f"plausibly (version {version}). Python package."]
