"""The guides name every rule, preset and form there is, and their TOML is sound."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plausibly.cleaning import RULES, preset_names
from plausibly.cleaning.presets import parse_preset
from plausibly.cli.groups import below

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "how-to"


def guide(name: str) -> str:
    return (GUIDES / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", sorted(RULES))
def test_every_rule_is_in_the_guide(rule: str) -> None:
    assert f"| `{rule}` |" in guide("clean-ratings.md")


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_is_in_the_guide(preset: str) -> None:
    assert f"| `{preset}` |" in guide("clean-ratings.md")


@pytest.mark.parametrize("form", ["labelstudio", "potato", "mturk", "iks", "pap", "mace", "long"])
def test_every_form_of_a_platform_is_in_the_guide(form: str) -> None:
    assert f"| `{form}` |" in guide("import-ratings.md")


def test_the_rules_shown_are_rules() -> None:
    shown, *_ = re.findall(r"```toml\n(.*?)```", guide("clean-ratings.md"), flags=re.DOTALL)
    assert [spec.rule for spec in parse_preset(shown, name="shown").rules] == ["few_ratings"]


def test_every_command_for_experts_is_in_the_guide() -> None:
    assert all(f"plausibly experts {name}" in guide("expert-pass.md") for name in below("experts"))
