"""Every published number of PAP, and what its release says instead."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from plausibly.replications import Record, Value
from plausibly.replications import replicate as run

pytestmark = pytest.mark.data

CONDITIONS = ("attested", "perturbed")
COLUMNS = ("plausible", "implausible", "unsure")
EXACT, ROUNDING, ERRATUM, UNKNOWN = "exact", "rounding", "erratum", "not computable"
FAULT, UNPRINTED = "release fault", "unprinted"
Expected = dict[str, tuple[Value, Value, str]]  # id: published, recomputed, verdict

SIZES: Expected = {
    "triples.total": (1733, 1733, EXACT),
    "triples.attested": (None, 862, UNPRINTED),
    "triples.perturbed": (None, 871, UNPRINTED),
    "triples.distinct": (None, 1733, UNPRINTED),
    "triples.share_kept": (0.8, 0.802, EXACT),
    "ratings.total": (15571, 15571, EXACT),
    "ratings.plausible": (None, 10750, UNPRINTED),
    "ratings.share_plausible": (0.6898, 0.6904, ERRATUM),
    "ratings.share_plausible.mean_over_triples": (None, 0.6911, UNPRINTED),
    "ratings.share_plausible.mean_of_conditions": (None, 0.6910, UNPRINTED),
    "ratings_per_triple.minimum": (8, 8, EXACT),
    "ratings_per_triple.maximum": (12, 12, EXACT),
    "ratings_per_triple.at_least_8": (1733, 1733, EXACT),
    "ratings_per_triple.more_than_8": (1733, 1733 - 550, ERRATUM),
    "ratings_per_triple.counts": (
        None,
        {"8": 550, "9": 689, "10": 468, "11": 22, "12": 4},
        UNPRINTED,
    ),
    "mean_ratings": (8.9, 8.985, ROUNDING),
    "combination.mean.attested": (32, 31.93, EXACT),
    "combination.mean.perturbed": (32, 32.26, EXACT),
    "combination.smallest.size.attested": (27, 27, EXACT),
    "combination.smallest.size.perturbed": (27, 27, EXACT),
    "combination.smallest.names.attested": (["a-a-m"], ["m-m-a"], ERRATUM),
    "combination.smallest.names.perturbed": (["m-c-c"], ["a-a-a", "a-m-a"], ERRATUM),
    "combination.smallest.printed_name.attested": (None, 31, UNPRINTED),
    "combination.smallest.printed_name.perturbed": (None, 29, UNPRINTED),
    "table3.raw.ratings.total": (22593, None, UNKNOWN),
    "table3.failed_check.ratings.total": (21317, None, UNKNOWN),
    "table3.low_approval.triples.total": (1819, None, UNKNOWN),
    "table3.low_agreement.annotators.attested": (452, None, UNKNOWN),
    "table3.low_agreement.ratings.attested": (7726, 7726, EXACT),
    "table3.low_agreement.ratings.perturbed": (7845, 7845, EXACT),
    "table3.low_agreement.ratings.total": (15571, 15571, EXACT),
    "table3.low_agreement.triples.total": (1733, 1733, EXACT),
    "check_instances": (20, 20, EXACT),
    "check_instances.by_expected": (
        {"implausible": 10, "plausible": 10},
        {"implausible": 10, "plausible": 10},
        EXACT,
    ),
    "check_instances.withdrawn": (3, None, UNKNOWN),
    "check_instances.withdrawn.known": (None, 2, UNPRINTED),
}
TABLE_1: Expected = {
    "table1.count.attested.plausible": (622, 622, EXACT),
    "table1.count.attested.implausible": (11, 11, EXACT),
    "table1.count.attested.unsure": (229, 229, EXACT),
    "table1.count.perturbed.plausible": (309, 309, EXACT),
    "table1.count.perturbed.implausible": (46, 46, EXACT),
    "table1.count.perturbed.unsure": (516, 516, EXACT),
    "table1.count.on_the_boundary": (None, 102, UNPRINTED),
    "table1.count.more_than": (
        None,
        {
            "attested.plausible": 580,
            "attested.implausible": 9,
            "attested.unsure": 273,
            "perturbed.plausible": 262,
            "perturbed.implausible": 35,
            "perturbed.unsure": 574,
        },
        UNPRINTED,
    ),
    "table1.as_printed": (None, 14, UNPRINTED),
    "table1.exchanged_rows": (None, 36, UNPRINTED),
    "table1.permutations.complete": (None, 1, UNPRINTED),
    "table1.permutations.next_best": (None, 18, UNPRINTED),
    "table1.published_rule": (None, 16, UNPRINTED),
    "table1.published_rule.missed": (
        None,
        ["attested.unsure.verb.mid-range", "attested.unsure.object.mid-range"],
        UNPRINTED,
    ),
    "table1.published_rule.denominator.attested": (
        None,
        {"counted": 526, "constituents": 687},
        UNPRINTED,
    ),
    "table1.published_rule.denominator.perturbed": (
        None,
        {"counted": 1190, "constituents": 1548},
        UNPRINTED,
    ),
    "table1.reading": (
        ["abstract verbs", "concrete objects", "concrete subjects"],
        ["abstract subjects", "concrete objects", "concrete verbs"],
        ERRATUM,
    ),
}
COLUMNS_RELEASED: Expected = {
    "distribution_multiclass": (1733, 1733, EXACT),
    "distribution_multiclass.bit_exact": (1733, 1733, EXACT),
    "distribution_multiclass.other_last_digits": (None, 468, UNPRINTED),
    "distribution_binary": (1733, 1733, EXACT),
    "distribution_binary.swapped": (0, 0, EXACT),
    "majority_binary": (1733, 1733, EXACT),
    "majority_binary.unsure": (745, 745, EXACT),
    "majority_binary.unsure.ties": (None, 132, UNPRINTED),
    "majority_multiclass.errata": (0, 61, FAULT),
    "majority_multiclass.count.1": (0, 6, FAULT),
    "majority_multiclass.count.2": (0, 0, EXACT),
    "majority_multiclass.count.4": (0, 55, FAULT),
    "majority_multiclass.count.5": (66, 66, EXACT),
    "majority_multiclass.count.unsure": (1667, 1606, FAULT),
}


def binned(*counts: int) -> Value:
    return dict(zip(("[1;2]", "(2;3]", "(3;4]", "(4;5]"), counts, strict=True))


FIGURES: Expected = {
    "figure3.a.attested": (None, {"1": 802, "2": 972, "4": 2907, "5": 3045}, UNPRINTED),
    "figure3.a.perturbed": (None, {"1": 1712, "2": 1335, "4": 2944, "5": 1854}, UNPRINTED),
    "figure3.a.total": (None, {"1": 2514, "2": 2307, "4": 5851, "5": 4899}, UNPRINTED),
    "figure3.a.share_plausible.attested": (None, 0.7704, UNPRINTED),
    "figure3.a.share_plausible.perturbed": (None, 0.6116, UNPRINTED),
    "figure3.b.median.attested": (None, binned(49, 40, 452, 321), UNPRINTED),
    "figure3.b.median.perturbed": (None, binned(204, 91, 508, 68), UNPRINTED),
    "figure3.b.mean.attested": (None, binned(5, 87, 445, 325), UNPRINTED),
    "figure3.b.mean.perturbed": (None, binned(25, 305, 467, 74), UNPRINTED),
    "figure3.b.median.mean.attested": (None, 4.141, UNPRINTED),
    "figure3.b.median.mean.perturbed": (None, 3.436, UNPRINTED),
    "figure3.b.mean.mean.attested": (None, 3.833, UNPRINTED),
    "figure3.b.mean.mean.perturbed": (None, 3.243, UNPRINTED),
    **{
        f"figure3.b.{average}.{name}": (value if printed else None, value, verdict)
        for average, printed, verdict in (("median", True, EXACT), ("mean", False, UNPRINTED))
        for name, value in (
            ("peak.attested", "(3;4]"),
            ("peak.perturbed", "(3;4]"),
            ("more_weakly_implausible", "perturbed"),
            ("more_highly_plausible", "attested"),
        )
    },
    "figure4.medians.attested": (None, {"above": 773, "below": 53, "on": 36}, UNPRINTED),
    "figure4.medians.perturbed": (None, {"above": 576, "below": 213, "on": 82}, UNPRINTED),
    "figure4.mostly.attested": ("above", "above", EXACT),
    "figure4.mostly.perturbed": ("below", "above", ERRATUM),
    "figure4.deviation.population.attested": (None, 1.145, UNPRINTED),
    "figure4.deviation.population.perturbed": (None, 1.367, UNPRINTED),
    "figure4.deviation.sample.attested": (None, 1.215, UNPRINTED),
    "figure4.deviation.sample.perturbed": (None, 1.451, UNPRINTED),
    "figure4.deviation.population.larger": ("perturbed", "perturbed", EXACT),
    "figure4.deviation.sample.larger": (None, "perturbed", UNPRINTED),
    "figure5a.mean_share.plausible": (None, 0.7239, UNPRINTED),
    "figure5a.mean_share.implausible": (0.013, 0.0128, EXACT),
    "figure5a.mean_share.unsure": (0.262, 0.2633, ERRATUM),
    "figure5a.pooled_share.implausible": (None, 0.0128, UNPRINTED),
    "figure5a.pooled_share.unsure": (None, 0.2657, UNPRINTED),
    "figure5a.below_half": (["a-c-c", "a-c-m", "c-c-m"], ["c-c-m"], ERRATUM),
    "figure5a.below_half.more_than": (None, ["a-c-c", "c-a-c", "c-c-m"], UNPRINTED),
    "figure5a.lowest": (
        None,
        {"c-c-m": 0.484, "a-c-c": 0.531, "a-m-c": 0.531, "c-a-c": 0.567},
        UNPRINTED,
    ),
    "figure5a.overlap": (27, 27, EXACT),
    "figure5a.overlap.with_unsure": (None, 26, UNPRINTED),
    "figure5b.implausible_leads": (["a-c-c"], ["a-c-c"], EXACT),
    "figure5b.plausible_majority.count": (4, 4, EXACT),
    "figure5b.plausible_majority.names": (
        ["a-m-a", "m-a-a", "m-m-a"],
        ["a-m-a", "m-a-a", "m-a-m", "m-m-a"],
        ERRATUM,
    ),
    "figure5b.plausible_majority.exactly_half": (None, ["a-c-a"], UNPRINTED),
    "figure5b.no_majority": (0.8, 0.778, ROUNDING),
    "figure5b.no_majority.with_ties": (None, 0.815, UNPRINTED),
    "figure5b.no_majority.above_half": (None, 0.778, UNPRINTED),
    "iaa.soft_jaccard": (0.64, None, UNKNOWN),
    "iaa.same_side": (None, 0.606, UNPRINTED),
    "iaa.same_side.mean_over_triples": (None, 0.607, UNPRINTED),
    "iaa.same_side.attested": (None, 0.670, UNPRINTED),
    "iaa.same_side.perturbed": (None, 0.546, UNPRINTED),
}
MACE: Expected = {
    "mace.triples": (2160, 2160, EXACT),
    "mace.triples.attested": (1080, 1080, EXACT),
    "mace.triples.perturbed": (1080, 1080, EXACT),
    "mace.triples.covered": (1733, 1733, EXACT),
    "mace.out_of_order": (None, 0, UNPRINTED),
    "mace.lines.binary": (2160, 2160, EXACT),
    "mace.lines.multiclass": (2160, 2160, EXACT),
    "mace.largest_first.binary": (2160, 2160, EXACT),
    "mace.largest_first.multiclass": (2160, 2160, EXACT),
    "mace.labels.binary": (None, {"0": 621, "1": 1539}, UNPRINTED),
    "mace.labels.multiclass": (None, {"1": 466, "2": 272, "4": 750, "5": 672}, UNPRINTED),
    "mace.argmax.binary": (None, 38, UNPRINTED),
    "mace.argmax.multiclass": (None, 13, UNPRINTED),
    "mace.sides_disagree": (None, 333, UNPRINTED),
    "mace.majority.decided": (None, 988, UNPRINTED),
    "mace.majority.agree": (None, 933, UNPRINTED),
    "mace.majority.plausible_to_plausible": (None, 880, UNPRINTED),
    "mace.majority.implausible_to_implausible": (None, 53, UNPRINTED),
    "mace.majority.plausible_to_implausible": (None, 51, UNPRINTED),
    "mace.majority.implausible_to_plausible": (None, 4, UNPRINTED),
    "mace.unsure.plausible": (None, 318, UNPRINTED),
    "mace.unsure.implausible": (None, 427, UNPRINTED),
    "mace.simple_majority.untied": (None, 1601, UNPRINTED),
    "mace.simple_majority.agree": (None, 1329, UNPRINTED),
    "mace.simple_majority.plausible_to_implausible": (None, 227, UNPRINTED),
    "mace.multiclass_majority.decided": (None, 127, UNPRINTED),
    "mace.multiclass_majority.agree": (None, 114, UNPRINTED),
    "mace.multiclass_majority.released.decided": (None, 66, UNPRINTED),
    "mace.multiclass_majority.released.agree": (None, 60, UNPRINTED),
    "mace.original_label.released": (None, 1137, UNPRINTED),
    "mace.original_label.all": (None, 1411, UNPRINTED),
    "mace.rerun": (None, None, UNPRINTED),
}
NORMS: Expected = {
    "letters.two_letters": (None, 0, UNPRINTED),
    "letters.both_roles": (None, 263, UNPRINTED),
    "letters.both_roles_differ": (None, 0, UNPRINTED),
    "norms.rows": (40000, 39954, EXACT),
    "norms.duplicates": (None, 0, UNPRINTED),
    "norms.single_words": (None, 37058, UNPRINTED),
    "norms.two_words": (None, 2896, UNPRINTED),
    "norms.no_pos": (None, 11247, UNPRINTED),
    "norms.nouns": (12880, None, UNKNOWN),
    "norms.nouns.before_filter": (None, 14592, UNPRINTED),
    "norms.verbs": (2522, None, UNKNOWN),
    "norms.verbs.before_filter": (None, 5369, UNPRINTED),
    "norms.coverage": (None, 5199, UNPRINTED),
    "norms.uninflected_verbs": (None, 38, UNPRINTED),
    "norms.ambiguous_verbs": (None, 6, UNPRINTED),
    "norms.letter_order": ("subject-verb-object", "subject-verb-object", EXACT),
    "norms.mean.subject": (None, {"a": 2.31, "m": 3.83, "c": 4.81}, UNPRINTED),
    "norms.misplaced.attested.subject": (0, 0, EXACT),
    "norms.misplaced.attested.verb": (0, 0, EXACT),
    "norms.misplaced.attested.object": (0, 0, EXACT),
    "norms.misplaced.perturbed.subject": (0, 0, EXACT),
    "norms.misplaced.perturbed.verb": (0, 0, EXACT),
    "norms.misplaced.perturbed.object": (0, 1, FAULT),
    "norms.exceptions": (None, ["rich", "saving"], UNPRINTED),
    "norms.exceptions.as_plural": (None, {"rich": 3.52, "saving": 3.32}, UNPRINTED),
    "norms.two_binnings.perturbed_subjects_below": (None, 52, UNPRINTED),
    "norms.two_binnings.attested_subjects_above": (None, 42, UNPRINTED),
    "norms.two_binnings.perturbed_objects_above": (None, 86, UNPRINTED),
    "norms.quintiles.noun": (None, [2.46, 3.27, 4.00, 4.59], UNPRINTED),
    "norms.quintiles.verb": (None, [2.20, 2.64, 3.12, 3.64], UNPRINTED),
    "norms.quintiles.share.subject": (None, 0.786, UNPRINTED),
    "norms.quintiles.share.verb": (None, 0.683, UNPRINTED),
    "norms.quintiles.share.object": (None, 0.855, UNPRINTED),
}
PRINTED_ONLY: Expected = {
    "design.sampled": (2160, 2160, EXACT),
    "design.per_combination": (40, 40, EXACT),
    "design.ratings.raw": (None, 22020, UNPRINTED),
    "table3.order": (
        ["failed check", "few ratings", "against label", "low agreement"],
        ["failed check", "against label", "few ratings", "low approval", "low agreement"],
        "side unknown",
    ),
    "table3.sums.raw": (22593, 22593, EXACT),
    "annotators.bounds.low_agreement": (None, [452, 904], UNPRINTED),
    "table1.unit": ("percent", "fraction", ERRATUM),
    "table1.falls.data.verbs": (
        ["concrete verbs", "mid-range verbs"],
        ["mid-range verbs"],
        ERRATUM,
    ),
    "table1.falls.data.nouns": (
        ["abstract objects", "abstract subjects", "mid-range subjects"],
        ["abstract objects", "mid-range subjects"],
        ERRATUM,
    ),
    "table1.grim.attested.implausible": (
        None,
        {"cells": 9, "achievable": 9, "of": 33, "by_chance": 0.034},
        UNPRINTED,
    ),
    "figure1.cat-eats-sardine": ("attested", "attested", EXACT),
    "figure1.law-prohibits-discrimination": ("attested", None, UNKNOWN),
    "figure4.deviation.by_median.perturbed": (
        None,
        {"[1;2]": 1.436, "(2;3]": 1.527, "(3;4]": 1.327, "(4;5]": 1.246},
        UNPRINTED,
    ),
    "figure4.deviation.falls_towards.by_mean": (None, ["implausible", "plausible"], UNPRINTED),
    "figure5a.higher": (["a-a-a", "m-a-a"], ["a-a-a", "m-a-a"], EXACT),
    "levels.perturbed.plausible": (["abstract", "mid-range"], ["abstract", "mid-range"], EXACT),
    "levels.perturbed.plausible.shares": (
        None,
        {"concrete": 0.2816, "mid-range": 0.3571, "abstract": 0.3614},
        UNPRINTED,
    ),
    **{
        f"abstractness.{side}.{condition}": (kind, kind, EXACT)
        for side, kind in (("plausible", "abstract"), ("implausible", "concrete"))
        for condition in ("attested", "perturbed")
    },
    **{
        f"abstractness.{name}.shares": (None, {"abstract": one, "concrete": other}, UNPRINTED)
        for name, one, other in (
            ("plausible.attested", 0.7876, 0.6190),
            ("plausible.perturbed", 0.4630, 0.2707),
            ("implausible.attested", 0.0088, 0.0216),
            ("implausible.perturbed", 0.0463, 0.0786),
        )
    },
    "figure4.deviation.falls_towards.perturbed": (
        ["implausible"],
        ["implausible", "plausible"],
        ERRATUM,
    ),
    "words.subjects": (None, 508, UNPRINTED),
}
EXPECTED = {**SIZES, **TABLE_1, **COLUMNS_RELEASED, **FIGURES, **MACE, **NORMS, **PRINTED_ONLY}

# Subject, verb, object for concrete, mid-range and abstract in turn.
PROPORTIONS = {
    ("attested", "plausible"): ".109 .106 .100 .115 .115 .111 .109 .113 .122",
    ("attested", "implausible"): ".091 .182 .182 .091 .061 .061 .152 .091 .091",
    ("attested", "unsure"): ".124 .121 .156 .096 .099 .108 .114 .114 .070",
    ("perturbed", "plausible"): ".093 .100 .088 .128 .118 .111 .112 .115 .134",
    ("perturbed", "implausible"): ".116 .152 .159 .072 .058 .138 .145 .123 .036",
    ("perturbed", "unsure"): ".132 .110 .121 .101 .110 .114 .099 .112 .098",
}
# Plausible, implausible and unsure triples, attested and perturbed.
COMBINATIONS = """
a-a-a 26/0/6 13/1/13   a-a-c 24/1/11 10/2/19   a-a-m 22/0/9 12/3/18
a-c-a 26/0/3 15/1/14   a-c-c 17/2/13 7/8/18    a-c-m 23/1/8 11/1/21
a-m-a 25/1/4 16/1/10   a-m-c 17/0/15 9/1/21    a-m-m 24/0/9 11/2/20
c-a-a 26/0/6 13/2/17   c-a-c 17/0/13 6/0/32    c-a-m 24/0/8 8/5/24
c-c-a 24/2/5 11/0/22   c-c-c 20/0/14 8/5/22    c-c-m 15/0/16 8/3/20
c-m-a 27/0/7 6/0/27    c-m-c 26/0/10 13/0/17   c-m-m 24/1/6 13/1/24
m-a-a 29/0/7 21/0/15   m-a-c 20/2/8 7/3/22     m-a-m 23/0/10 17/1/14
m-c-a 21/0/7 14/0/19   m-c-c 24/1/12 9/2/18    m-c-m 27/0/5 10/1/17
m-m-a 24/0/3 15/0/14   m-m-c 21/0/11 13/1/19   m-m-m 26/0/3 13/2/19
"""
# Largest a, smallest and largest m, smallest c.
RANGES = {
    "attested.subject": (2.93, 3.61, 4.14, 4.66),
    "attested.verb": (2.18, 2.50, 2.72, 3.22),
    "attested.object": (2.38, 3.04, 3.59, 4.46),
    "perturbed.subject": (2.72, 3.43, 4.10, 4.64),
    "perturbed.verb": (2.18, 2.48, 2.78, 3.33),
    "perturbed.object": (2.41, 3.11, 3.85, 4.57),
}


@cache
def replicated(folder: Path) -> dict[str, Record]:
    return {record.id.removeprefix("pap."): record for record in run("pap", data=folder).records}


@pytest.fixture
def records(data_folder: Path) -> dict[str, Record]:
    return replicated(data_folder)


def near(value: Value) -> object:
    """Return something that equals every number that rounds to the given one."""
    if isinstance(value, float):
        digits = len(str(value).partition(".")[2])
        return pytest.approx(value, abs=0.5000001 * 10**-digits)
    if isinstance(value, list):
        return [near(inner) for inner in value]
    if isinstance(value, dict):
        return {key: near(inner) for key, inner in value.items()}
    return value


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_number_has_its_verdict(records: dict[str, Record], name: str) -> None:
    published, recomputed, verdict = EXPECTED[name]
    record = records[name]
    assert record.published == published
    assert record.recomputed == near(recomputed)
    assert record.verdict == verdict


@pytest.mark.parametrize(("condition", "column"), list(PROPORTIONS))
def test_a_column_of_table_1_is_computed_right(
    records: dict[str, Record], condition: str, column: str
) -> None:
    cells = [
        records[f"table1.proportion.{condition}.{column}.{constituent}.{level}"]
        for level in ("concrete", "mid-range", "abstract")
        for constituent in ("subject", "verb", "object")
    ]
    right = [float(share) for share in PROPORTIONS[condition, column].split()]
    shares = [cell.recomputed for cell in cells]
    assert shares == [pytest.approx(share, abs=0.00051) for share in right]
    assert sum(float(str(share)) for share in shares) == pytest.approx(1)
    for cell, share in zip(cells, right, strict=True):
        assert (cell.verdict == EXACT) == (cell.published == share)
        assert cell.verdict in (EXACT, ERRATUM)


def test_fourteen_cells_of_table_1_stand_in_the_right_row(records: dict[str, Record]) -> None:
    cells = {name: r for name, r in records.items() if name.startswith("table1.proportion")}
    assert len(cells) == 54
    exact = [name for name, record in cells.items() if record.verdict == EXACT]
    assert len(exact) == 14
    assert not [name for name in exact if ".unsure." in name]


def test_figure_5_has_these_triples(records: dict[str, Record]) -> None:
    words = COMBINATIONS.split()
    for name, *counts in zip(words[::3], words[1::3], words[2::3], strict=True):
        for figure, printed in zip("ab", counts, strict=True):
            triples = [int(count) for count in printed.split("/")]
            found = records[f"figure5{figure}.combination.{name}"].recomputed
            assert found == dict(zip(COLUMNS, triples, strict=True)), name


@pytest.mark.parametrize("name", sorted(RANGES))
def test_bins_have_these_bounds(records: dict[str, Record], name: str) -> None:
    found = records[f"norms.range.{name}"].recomputed
    assert isinstance(found, dict)
    low, middle, high = (found[letter] for letter in "amc")
    assert isinstance(low, list)
    assert isinstance(middle, list)
    assert isinstance(high, list)
    assert (low[1], *middle, high[0]) == pytest.approx(RANGES[name])


def test_only_letters_at_their_own_place_order_the_words(records: dict[str, Record]) -> None:
    for name in ("subject", "verb", "object"):
        trend = records[f"norms.trend.{name}"].recomputed
        assert isinstance(trend, dict)
        for place, rise in trend.items():
            assert isinstance(rise, float)
            assert rise > 1.8 if place == name else abs(rise) < 0.1


@pytest.mark.parametrize("kind", ["binary", "multiclass"])
def test_distributions_are_whole(records: dict[str, Record], kind: str) -> None:
    deviation = records[f"mace.sum_deviation.{kind}"].recomputed
    assert isinstance(deviation, float)
    assert deviation <= 4.5e-16


def test_earlier_rows_of_table_3_are_not_computable(records: dict[str, Record]) -> None:
    names = [name for name in records if name.startswith("table3.") and name.count(".") == 3]
    computable = [name for name in names if records[name].verdict != UNKNOWN]
    assert len(names) == 36
    assert computable == [
        f"table3.low_agreement.{name}"
        for name in ("ratings.attested", "ratings.perturbed", "ratings.total", "triples.total")
    ]


def test_every_record_is_checked_here(records: dict[str, Record]) -> None:
    elsewhere = (
        "table1.proportion.",
        "table1.sums.",
        "table1.grim.",
        "table1.falls.",
        "table3.",
        "design.",
        "annotators.",
        "extracted.",
        "generated.",
        "rated.",
        "words.",
        "figure1.",
        "figure4.deviation.",
        "figure5a.combination.",
        "figure5b.combination.",
        "norms.range.",
        "norms.trend.",
        "norms.mean.",
        "mace.sum_deviation.",
    )
    unchecked = [n for n in records if n not in EXPECTED and not n.startswith(elsewhere)]
    assert not unchecked
