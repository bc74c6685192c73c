"""Presets are data in the form a user writes; what is unknown raises."""

from __future__ import annotations

from pathlib import Path

import pytest

from plausibly.cleaning import RULES, load_preset, preset_names
from plausibly.errors import StudyError, UnknownName


def names(preset: str) -> list[str]:
    return [spec.rule for spec in load_preset(preset).rules]


def test_pap_has_the_order_of_table_3() -> None:
    assert names("pap") == [
        "failed_check",
        "unmoved_slider",
        "against_label",
        "few_ratings",
        "low_approval",
        "low_agreement",
        "few_ratings_per_item",
    ]


def test_pap_text_has_the_order_of_section_4_2_without_approval() -> None:
    assert names("pap-text") == [
        "unmoved_slider",
        "failed_check",
        "few_ratings",
        "against_label",
        "low_agreement",
        "few_ratings_per_item",
    ]


@pytest.mark.parametrize("preset", preset_names())
def test_every_rule_of_a_preset_names_its_source(preset: str) -> None:
    loaded = load_preset(preset)
    assert loaded.source
    assert all(spec.source and spec.row for spec in loaded.rules)
    assert len(loaded.build()) == len(loaded.rules)


def test_sp10k_says_that_it_is_incomplete() -> None:
    preset = load_preset("sp10k")
    assert not preset.complete
    assert "incomplete" in preset.note
    assert all(load_preset(name).complete for name in preset_names() if name != "sp10k")


def test_recommended_asks_for_three_checks_and_no_opinion() -> None:
    parameters = {spec.rule: spec.parameters for spec in load_preset("recommended").rules}
    assert parameters["failed_check"]["min_checks"] == 3
    assert not {"low_competence", "low_agreement", "against_label"} & set(parameters)
    assert not any(rule.selects_on_agreement for rule in load_preset("recommended").build())


def test_the_cut_off_on_competence_comes_after_what_is_recommended() -> None:
    with_cut_off = load_preset("recommended-competence").rules
    assert with_cut_off[:-1] == load_preset("recommended").rules
    assert with_cut_off[-1].rule == "low_competence"


def test_an_unknown_preset_proposes_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown preset 'papp'\. Did you mean 'pap'"):
        load_preset("papp")


def written(folder: Path, text: str) -> Path:
    path = folder / "rules.toml"
    path.write_text(text)
    return path


def test_a_file_of_rules_has_the_same_form(tmp_path: Path) -> None:
    text = 'sides = "1|2"\n[[rules]]\nrule = "few_ratings"\nfewer_than = 3\n'
    preset = load_preset(written(tmp_path, text))
    assert preset.name == "rules"
    assert str(preset.rules[0]) == "few_ratings(fewer_than=3)"
    assert preset.rules[0].row == "few_ratings"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[rules]]\nrule = "few_rating"\n', "Did you mean 'few_ratings'"),
        ('[[rules]]\nrule = "few_ratings"\nfewer_then = 3\n', "Did you mean 'fewer_than'"),
        ('side = "1|2"\n[[rules]]\nrule = "few_ratings"\nfewer_than = 3\n', "Did you mean 'sides'"),
        ('[[rules]]\nrule = "few_ratings"\n', "give one of fewer_than or at_most; got none"),
        ("[[rules]]\nfewer_than = 3\n", "a rule without a name"),
        ('[[rules]]\nrule = "unsure_share"\nmore_than = 0.1\n', "unsure_share: .*answers"),
        ("title = 'none'\n", "there are no rules"),
        ("title = \n", "not TOML"),
        (
            '[[rules]]\nrule = "few_ratings"\nfewer_than = 3\ntry = { fewer_then = [1] }\n',
            "unknown parameter of few_ratings 'fewer_then'",
        ),
    ],
)
def test_a_wrong_file_of_rules_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        load_preset(written(tmp_path, text))


def rule_of(name: str, line: str) -> str:
    return f'[[rules]]\nrule = "{name}"\n{line}\n'


FEW = rule_of("few_ratings", "fewer_than = 3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"sides = 12\n{FEW}", "rules.toml: sides must be text; got 12"),
        (f'complete = "no"\n{FEW}', "complete must be true or false; got 'no'"),
        ("rules = [3]\n", "a rule that is not a table"),
        ("[[rules]]\nrule = 3\n", "rule must be text; got 3"),
        (f"{FEW}row = 7\n", "few_ratings: row must be text; got 7"),
        (f"{FEW}try = 3\n", "few_ratings: try must be a table .* got 3"),
        (f"{FEW}try = {{ fewer_than = 3 }}\n", "few_ratings: try.fewer_than must be a list"),
        (
            f'{FEW}try = {{ fewer_than = ["a"] }}\n',
            "few_ratings: try.fewer_than must be a whole number; got 'a'",
        ),
        (
            rule_of("failed_check", 'min_checks = "3"'),
            "failed_check: min_checks must be a whole number; got '3'",
        ),
        (
            rule_of("failed_check", "min_checks = true"),
            "failed_check: min_checks must be a whole number; got True",
        ),
        (
            rule_of("straight_lining", 'at_least = "x"'),
            "straight_lining: at_least must be a whole number; got 'x'",
        ),
        (
            rule_of("refused_by_platform", "statuses = [1]"),
            r"refused_by_platform: statuses must be a list, each of it text; got \[1\]",
        ),
        (
            rule_of("refused_by_platform", 'statuses = "REJECTED"'),
            "statuses must be a list, each of it text; got 'REJECTED'",
        ),
        (
            rule_of("unsure_share", 'answers = "0"\nat_least = 0.2'),
            "unsure_share: answers must be a list, each of it text or a number; got '0'",
        ),
        (
            rule_of("off_gold", 'at_least_steps = "2"\nmore_than = 0.1'),
            "off_gold: at_least_steps must be a whole number; got '2'",
        ),
        (
            rule_of("too_fast", 'seconds_below = "a"'),
            "too_fast: seconds_below must be a number; got 'a'",
        ),
        (rule_of("too_fast", "seconds_below = nan"), "seconds_below must be a number; got nan"),
        (
            rule_of("against_label", 'more_than = 0.5\ntry = { on = ["bot"] }'),
            "unknown value of against_label: try.on 'bot'. Did you mean 'both'",
        ),
    ],
)
def test_a_value_of_a_wrong_type_names_rule_key_and_type(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(StudyError, match=message):
        load_preset(written(tmp_path, text))


def test_a_slider_may_start_at_a_number(tmp_path: Path) -> None:
    preset = load_preset(written(tmp_path, rule_of("unmoved_slider", "start = 3")))
    assert preset.rules[0].parameters == {"start": 3}


def test_a_file_of_rules_that_is_not_utf8_says_so(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(f"# caf\u00e9\n{FEW}".encode("latin-1"))
    with pytest.raises(StudyError, match="not UTF-8"):
        load_preset(path)


def test_a_missing_file_of_rules_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no such file"):
        load_preset(tmp_path / "none.toml")


def test_every_rule_is_in_a_function_of_its_name() -> None:
    assert len(RULES) == 18
    assert all(RULES[name].__name__ == name for name in RULES)
