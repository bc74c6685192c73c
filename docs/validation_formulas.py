"""Formulas with citations, and what has no reference, for docs/make_validation.py."""

from __future__ import annotations

FORMULAS = {
    "krippendorff_alpha": (
        "1 - D_o / D_e; D_o is the mean distance of two answers to one item, D_e that of two "
        "answers to any items; distances: nominal 0 or 1, ordinal from cumulated counts, interval "
        "(a - b)², ratio ((a - b) / (a + b))²",
        "Krippendorff (2011), Computing Krippendorff's alpha-reliability",
    ),
    "masi_alpha": (
        "alpha with the distance 1 - J · M; J is Jaccard's coefficient, M is 1, 2/3, 1/3 or 0",
        "Passonneau (2006), Measuring agreement on set-valued items (MASI)",
    ),
    "soft_jaccard": (
        "share of shared items on which two people are on the same side of the scale, mean over "
        "pairs",
        "Eichel and Schulte im Walde (2023), A dataset for physical and abstract plausibility",
    ),
    "percent_agreement": (
        "share of equal pairs of answers in an item, mean over items",
        "Gwet (2014), Handbook of inter-rater reliability",
    ),
    "fleiss_kappa": (
        "(p_o - p_e) / (1 - p_e) with p_e = Σ π_k²; with gaps, π is the mean share over items",
        "Fleiss (1971), Measuring nominal scale agreement among many raters; Gwet (2014)",
    ),
    "cohen_kappa": (
        "1 - Σ w o / Σ w e over the table of two people; w is 0 or 1, |i - j| or (i - j)² of the "
        "places of the answers; mean over pairs of people",
        "Cohen (1960, 1968), A coefficient of agreement for nominal scales; Weighted kappa",
    ),
    "gwet_ac1": (
        "(p_o - p_e) / (1 - p_e) with p_e = Σ π_k (1 - π_k) / (q - 1) for q answers",
        "Gwet (2008), Computing inter-rater reliability and its variance in the presence of high "
        "agreement",
    ),
    "gwet_ac2": (
        "weights 1 - ((a - b) / range)² in p_o; p_e = Σ w / (q (q - 1)) · Σ π_k (1 - π_k)",
        "Gwet (2014), Handbook of inter-rater reliability",
    ),
    "icc": (
        "1,1: (B - W) / (B + (k - 1) W); 1,k: (B - W) / B; 2,1: (B - E) / (B + (k - 1) E + "
        "k (J - E) / n); 2,k: (B - E) / (B + (J - E) / n), from mean squares between items (B), "
        "within (W), of people (J) and residual (E)",
        "Shrout and Fleiss (1979), Intraclass correlations: uses in assessing rater reliability",
    ),
    "variance_components": (
        "(B - E) / k, (J - E) / n and E; with gaps from uncorrected sums of squares",
        "Henderson (1953), Estimation of variance and covariance components",
    ),
    "ratings_needed": (
        "least k with k r / (1 + (k - 1) r) of .8 or .9; r is icc 1,1",
        "Spearman (1910); Brown (1910)",
    ),
    "split_half": (
        "2 r / (1 + r); r from covariances and variances of half means, averaged over all splits",
        "Spearman (1910), Correlation calculated from faulty data; Brown (1910)",
    ),
    "pairwise_spearman": (
        "Pearson's r of ranks with ties averaged, mean over pairs of people",
        "Spearman (1904), The proof and measurement of association between two things",
    ),
    "one_vs_rest_spearman": (
        "Spearman's rho of a person with the mean of the others, mean over people",
        "Spearman (1904); Hill, Reichart and Korhonen (2015), SimLex-999",
    ),
    "accuracy": ("share of rows predicted right", "-"),
    "balanced_accuracy": (
        "mean recall of the labels that occur in the truth",
        "Brodersen et al. (2010), The balanced accuracy and its posterior distribution",
    ),
    "macro_f1": (
        "mean over labels of 2 TP / (2 TP + FP + FN)",
        "Opitz and Burst (2019), Macro F1 and macro F1",
    ),
    "mcc": (
        "(c s - Σ p_k t_k) / √((s² - Σ p_k²)(s² - Σ t_k²)) for s rows, c of them right",
        "Gorodkin (2004), Comparing two K-category assignments by a K-category correlation",
    ),
    "quadratic_kappa": ("Cohen's kappa with squared weights", "Cohen (1968), Weighted kappa"),
    "adjacent_accuracy": ("share of rows predicted at most one label away", "-"),
    "calibration_error": (
        "Σ n_b / n · |mean probability - share right| over ten bins of equal width",
        "Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities",
    ),
    "auc": (
        "share of pairs of a positive and a negative row in the right order, ties one half",
        "Hanley and McNeil (1982), The meaning and use of the area under a receiver operating "
        "characteristic (ROC) curve",
    ),
    "kendall": (
        "tau-b: (C - D) / √((C + D + T_x)(C + D + T_y))",
        "Kendall (1945), The treatment of ties in ranking problems",
    ),
    "cross_entropy": ("-Σ p log q", "Peterson et al. (2019), Human uncertainty"),
    "kl_people_model": (
        "Σ p log(p / q)",
        "Kullback and Leibler (1951), On information and sufficiency",
    ),
    "jsd": (
        "mean divergence of p and q from (p + q) / 2, in bits",
        "Lin (1991), Divergence measures based on the Shannon entropy",
    ),
    "manhattan": ("Σ |p - q|", "-"),
    "soft_accuracy": ("Σ min(p, q) = 1 - manhattan / 2", "-"),
    "wasserstein": (
        "∫ |P - Q| over the line of the answers",
        "Rubner, Tomasi and Guibas (2000), The earth mover's distance",
    ),
    "spearman_within_head": (
        "mean over heads of Spearman's rho inside the head; heads without a rho are dropped or 0",
        "Zhang, Ding and Song (2019), SP-10K",
    ),
    "mean_spearman, mean_mae": (
        "rho, and mean |a - b|, of the mean answers of model and people",
        "-",
    ),
    "entropy_correlation": ("Spearman's rho of the entropies of people and model", "-"),
    "decided_accuracy": ("accuracy on items for which more than half of the people agree", "-"),
    "holm": (
        "running maximum of (m - i + 1) p_(i)",
        "Holm (1979), A simple sequentially rejective multiple test procedure",
    ),
    "benjamini_yekutieli": (
        "running minimum from above of m H_m p_(i) / i",
        "Benjamini and Yekutieli (2001), The control of the false discovery rate",
    ),
    "mcnemar": (
        "two-sided binomial test of the rows only one system has right; mid-p: the probability of "
        "more uneven counts and half of that of equally uneven ones",
        "McNemar (1947), Note on the sampling error of the difference between correlated "
        "proportions or percentages; "
        "Fagerland, Lydersen and Laake (2013), The McNemar test for binary matched-pairs data",
    ),
    "proportion": (
        "Wilson's limits; at 0 and n of n those of Clopper and Pearson",
        "Wilson (1927), Probable inference; Clopper and Pearson (1934)",
    ),
    "sign_flip_test": (
        "(1 + draws farther from 0 + half of the ties; exact: all ties) / (1 + draws), units keep "
        "or change their sign",
        "Phipson and Smyth (2010), Permutation p-values should never be zero",
    ),
    "alternative_annotator": (
        "one-sided t test per person, against epsilon: how often the person is as near to the "
        "others as the model, minus how often the model is as near as the person; "
        "Benjamini-Yekutieli over people",
        "Calderon, Reichart and Dror (2025), The alternative annotator test",
    ),
    "rouge": (
        "F1 of shared runs of n words, or of the longest common subsequence (L)",
        "Lin (2004), ROUGE: a package for automatic evaluation of summaries",
    ),
    "plurality, strict-majority, agreed-by, per-option": (
        "most frequent answer; more than a share; at least so many votes",
        "-",
    ),
    "dawid-skene": (
        "EM: posterior ∝ π_l Π θ_a[l, answer]; by default the rows of θ have a learnt prior",
        "Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates",
    ),
    "one-coin": (
        "Dawid-Skene with one probability of being right per person",
        "Zhang et al. (2016), Spectral methods meet EM",
    ),
    "glad": (
        "P(right) = 1 / (1 + exp(-a_person · exp(b_item))) with normal priors",
        "Whitehill et al. (2009), Whose vote should count more",
    ),
    "mace": (
        "a person knows the label, or answers from a strategy of their own; variational Bayes",
        "Hovy et al. (2013), Learning whom to trust with MACE",
    ),
    "wawa": (
        "votes weighted by agreement with the most frequent answer",
        "Appen's worker agreement with aggregate, as crowd-kit describes it",
    ),
    "ordinal": (
        "items and cut points on a line; people differ in shift and spread (probit)",
        "a hierarchical ordered probit; no publication has exactly this model",
    ),
    "mean, median": ("arithmetic mean; middle value", "-"),
    "score, shares": ("mean of the codes of the answers; shares of the answers", "-"),
    "share": (
        "n / (n + k) of the raw share or mean, the rest of a prior; both learnt from other folds",
        "Henderson (1975), as for adjusted; for shares the mean of a beta-binomial posterior",
    ),
    "adjusted": (
        "best linear unbiased predictor of items with random people",
        "Henderson (1975), Best linear unbiased estimation and prediction",
    ),
    "reliability of means": (
        "σ²_item / (σ²_item + (q σ²_person + σ²_rest) / k); q is the share of the people's "
        "variance left in a comparison of two items, k the harmonic mean of ratings per item",
        "Putka, Le, McCloy and Diaz (2008), Ill-structured measurement designs",
    ),
    "label_stability": (
        "chance that another panel gives the same label; distributions of answers by "
        "nonparametric maximum likelihood",
        "Kiefer and Wolfowitz (1956), Consistency of the maximum likelihood estimator",
    ),
    "entropy_reliability": (
        "2 r / (1 + r); r is the correlation of items' entropies in two halves of their ratings",
        "Spearman (1910); Brown (1910)",
    ),
    "raters_worth": (
        "how many people's mean predicts one more person as well as the model does",
        "-",
    ),
    "means helped by a model": (
        "mean of y - w (f - mean f over all items); w is the cross-fitted slope, shrunk",
        "Angelopoulos, Duchi and Zrnic (2023), PPI++; Cochran (1977), Sampling techniques",
    ),
    "linear mixed model": (
        "profiled REML; t with Satterthwaite's degrees of freedom",
        "Bates et al. (2015), Fitting linear mixed-effects models using lme4; Kuznetsova et al. "
        "(2017), lmerTest",
    ),
    "logistic, ordinal mixed model": (
        "Laplace approximation of the likelihood",
        "Bates et al. (2015); Christensen (2019), ordinal",
    ),
    "surprisal": (
        "-log2 P(word | before), the probability of a space moved to the word it ends",
        "Pimentel and Meister (2024), How to compute the probability of a word; Oh and Schuler "
        "(2024)",
    ),
}

# What is checked without a reference, and how.
WITHOUT = {
    "soft_jaccard": "no package has it; tests compute it by loops over pairs",
    "ratings_needed": "tests compute it by hand",
    "split_half": "packages draw splits; tests average 300 drawn splits (within .01)",
    "adjacent_accuracy": "scikit-learn does not have it; tests compute it in one line of NumPy",
    "calibration_error": "tests use cases whose error is known",
    "soft_accuracy": "tests: 1 for equal distributions, and 1 - manhattan / 2",
    "mean_spearman, mean_mae, entropy_correlation, decided_accuracy": "the measures above, of "
    "means, entropies and likeliest answers; tests with known distributions",
    "reliability of means": "lme4 has the variances, not the design; tests: equal to the "
    "intraclass correlations where everyone or nobody rated everything",
    "label_stability": "no package; tests draw second panels and count the labels they repeat",
    "entropy_reliability": "no package; tests with reliable and with chance disagreement",
    "raters_worth": "no package; tests: a model that knows the shares is worth more people than "
    "one that guesses",
    "means helped by a model": "ppi-python has no crossed people and items; "
    "[people and models](people-and-models.md) shows the coverage",
    "strict-majority": "counts of votes; tests with known votes",
    "agreed-by": "counts of votes; tests with known votes",
    "score": "mean of codes and its standard error; tests compute both by hand",
    "per-option": "counts of votes per option; tests with known votes",
    "shares": "shares of votes; tests with known votes",
    "share": "no package learns prior and k from other folds; tests check limits, and that a "
    "prior helps, on drawn ratings",
    "wawa": "crowd-kit 1.4.2's Wawa fails with scikit-learn 1.9; tests compute it by hand",
    "ordinal": "no package fits this model; tests use crowds whose positions are known",
    "dawid-skene, default prior": "no reference has this prior; [labels](labels.md) shows "
    "accuracy, log loss and calibration on drawn crowds",
    "one-coin, default prior": "as for dawid-skene",
    "mace, labels": "MACE.jar has no seed and breaks ties by chance: likelihoods are compared",
    "intervals of agreement": "no reference; [intervals](intervals.md) shows their coverage",
    "intervals of means and contrasts": "no reference; [intervals](intervals.md) shows "
    "coverage, [mixed models](mixed-models.md) type I error",
    "swap_test": "tests: equal to the sign-flip test for sums, and symmetric",
    "fit of the Dirichlet-multinomial": "tests: parameters of drawn counts come back (within 12 %)",
    "models of selectional preference (pp, ppmi, ds, nn, resnik, combined)": "no package; tests "
    "compute small cases by hand, [SP-10K](../results/sp10k.md) shows them on published data",
    "models of events and of adjectives": "no package; [events](../results/events.md) and "
    "[ADEPT](../results/adept.md) show them on published data",
    "scores of GITA, Winograd and overlap": "the authors' programs are not called; "
    "`plausibly replicate` compares with the printed numbers ([errata](../results/errata.md))",
    "irr (R)": "not compared: its coefficients are those of irrCAC and pingouin above",
}
