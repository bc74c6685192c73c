"""What may be chosen is read from the function that is called."""

from __future__ import annotations

from dataclasses import MISSING

import pytest

from plausibly.errors import StudyError, UnknownName
from plausibly.labels import METHODS, Effort
from plausibly.labels.mace import Known, Training
from plausibly.study.parameters import accepted, argument_docs, check_options, parameters_of

OTHERS = {"seed": 3, "scheme": None, "silent": None}


def test_fields_stand_for_their_dataclass() -> None:
    chosen = parameters_of(METHODS["mace"], without=OTHERS)
    assert list(chosen) == [
        *("em", "restarts", "iterations", "alpha", "beta", "smoothing", "backend"),
        *("controls", "priors", "threshold"),
    ]
    assert chosen["restarts"].default == 10
    assert chosen["restarts"].doc == "Number of random starts."
    assert chosen["threshold"].inside == "known"
    assert chosen["smoothing"].option == "--smoothing"


def test_a_parameter_without_a_default_is_required() -> None:
    at_least = parameters_of(METHODS["agreed-by"], without=OTHERS)["at_least"]
    assert at_least.required
    assert at_least.default is MISSING


def test_flat_options_become_the_arguments_of_the_method() -> None:
    options = {"restarts": 3, "em": True, "threshold": 0.5}
    arguments = accepted(options, of=METHODS, name="mace", supplied={**OTHERS, "stranger": 1})
    assert arguments == {
        "training": Training(restarts=3, em=True),
        "known": Known(threshold=0.5),
        **OTHERS,
    }
    fewer = accepted({"iterations": 7}, of=METHODS, name="glad", supplied={"seed": 3})
    assert fewer == {"effort": Effort(iterations=7)}


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        (
            "mace",
            {"min_share": 0.7},
            "min_share= is an option of strict-majority, not of mace.",
        ),
        (
            "mean",
            {"iterations": 7},
            "iterations= is an option of dawid-skene, glad, mace, one-coin, ordinal, not of mean.",
        ),
        (
            "agreed-by",
            {},
            "agreed-by needs at_least=: Number of annotators who must give the same label.",
        ),
        ("mace", {"restarts": "3"}, "mace: restarts must be a whole number; got '3'."),
        ("mace", {"alpha": float("inf")}, "mace: alpha must be a number; got inf."),
        ("mace", {"restarts": True}, "mace: restarts must be a whole number; got True."),
        ("mace", {"controls": {"t1": 4}}, "mace: controls must be a table from text to text; "),
    ],
)
def test_an_option_that_does_not_fit_is_refused(
    method: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(StudyError) as refusal:
        accepted(options, of=METHODS, name=method, supplied=OTHERS)
    assert str(refusal.value).startswith(message)


def test_an_option_of_nothing_is_an_unknown_name() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'restarts'"):
        check_options({"restart": 3}, of=METHODS, name="mace", supplied=OTHERS)


def test_every_option_of_every_method_is_explained() -> None:
    for name in METHODS:
        for option in parameters_of(METHODS[name], without=OTHERS).values():
            assert option.doc.endswith("."), (name, option.name)


def test_an_argument_is_explained_by_its_first_sentence() -> None:
    def method(*, share: float) -> None:
        """Label.

        Args:
            share: How many of the ratings
                must agree. At one half or below, two could win.

        Returns:
            nothing: of use.
        """

    assert argument_docs(method) == {"share": "How many of the ratings must agree."}
