"""How well posteriors predict ratings they have not seen: log loss and calibration.

Labels have no known truth, but ratings can be left out. In each of five rounds, one rating of every
fifth item is left out and the method is fitted to the rest. What the item's posterior then predicts
is the answer left out: sum over labels of P(label) times how often people answer so to that label.
That table is the one that predicts the ratings left out in the other rounds best, the same for all
annotators.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, option
from plausibly.labels._votes import Ballot, ballots
from plausibly.labels.results import NOBODY, QUESTION, Fitted
from plausibly.labels.ties import distributions
from plausibly.measures.coded import Codes, Floats
from plausibly.measures.graded import calibration_error

POSTERIORS = ("dawid-skene", "glad", "mace", "one-coin", "ordinal", "wawa")
ROUNDS = 5
FEWEST = 3
SEED = 1
BINS = 10
CLIMBS = 50
Z = 1.959963984540054

Fit = Callable[[pl.DataFrame, Mapping[str, Any]], pl.DataFrame | Fitted]


@dataclass(frozen=True)
class HeldOutRatings:
    """How the posteriors of one question predict ratings left out.

    Args:
        ratings: Ratings that were left out and predicted.
        log_loss: Mean of minus the log probability (nats) of the answer given; None without.
        low: Lower limit of its 95 % interval, over items.
        high: Upper limit.
        log_loss_of_shares: The same if every item had the shares of answers overall.
        calibration_error: Mean distance of the probability of the likeliest answer from how often
            it was given, over ten bins.
        bins: From, to, ratings, predicted and given, for each bin that is not empty.
        reason: Why there are no numbers.
    """

    ratings: int = 0
    log_loss: float | None = None
    low: float | None = None
    high: float | None = None
    log_loss_of_shares: float | None = None
    calibration_error: float | None = None
    bins: tuple[Mapping[str, float | int], ...] = ()
    reason: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return the part of `label --calibrate --json`."""
        return {
            "ratings": self.ratings,
            "rounds": ROUNDS,
            "log_loss": self.log_loss,
            "low": self.low,
            "high": self.high,
            "log_loss_of_shares": self.log_loss_of_shares,
            "calibration_error": self.calibration_error,
            "bins": [dict(one) for one in self.bins],
            "reason": self.reason,
        }

    def sentence(self, question: str, *, several: bool) -> str:
        """Return what was computed, in words."""
        begins = f"{question}: " if several else ""
        if self.log_loss is None:
            return f"{begins}no rating could be left out: {self.reason}."
        return (
            f"{begins}{self.ratings} ratings left out and predicted: log loss {self.log_loss:.3f} "
            f"(95 % CI {self.low:.3f} to {self.high:.3f}; {self.log_loss_of_shares:.3f} from the "
            f"shares of answers alone), calibration error {self.calibration_error:.3f}."
        )


Calibration = Mapping[str, HeldOutRatings]


def check_calibrated(method: str, *, ours: bool) -> None:
    """Raise for a method of ours that only counts or averages.

    >>> check_calibrated("mean", ours=True)
    Traceback (most recent call last):
    plausibly.errors.StudyError: calibrate= is for methods with posteriors (dawid-skene, glad, \
mace, one-coin, ordinal, wawa); mean has none.
    """
    if ours and method not in POSTERIORS:
        raise StudyError(
            f"{option('calibrate')} is for methods with posteriors ({', '.join(POSTERIORS)}); "
            f"{method} has none.",
            parameter="calibrate",
        )


def calibration_of(
    ratings: pl.DataFrame,
    fit: Fit,
    arguments: Mapping[str, Any],
    *,
    scheme: LabelScheme | None = None,
) -> dict[str, HeldOutRatings]:
    """Return how posteriors predict ratings left out, by question.

    Args:
        ratings: The ratings table.
        fit: From ratings and arguments to labels with a distribution.
        arguments: What the method takes; items of `controls` are not predicted, because their
            label is known.
        scheme: From answers to labels.
    """
    heard = {**arguments, **({"silent": NOBODY} if "silent" in arguments else {})}
    pinned = tuple(arguments.get("controls") or ())
    if ratings.is_empty():
        return {QUESTION: HeldOutRatings(reason="there are no ratings")}
    found = {}
    for ballot in ballots(ratings, scheme=scheme):
        rows, turn = _left_out(ballot, pinned)
        if len(rows) < ROUNDS:
            found[ballot.question] = HeldOutRatings(
                reason=f"fewer than {ROUNDS} items have {FEWEST} ratings"
            )
            continue
        posterior = _posteriors(ballot, rows, turn, partial(_labels, fit, heard))
        known = ~np.isnan(posterior).any(axis=1)
        answer = ballot.label[rows]
        found[ballot.question] = _held_out(posterior[known], answer[known], turn[known])
    return found


def _left_out(ballot: Ballot, pinned: Collection[str]) -> tuple[Codes, Codes]:
    """Return one rating of each item that has enough, and the round it is left out in."""
    order = ballot.ratings.with_row_index("row").sort("item", "annotator")["row"].to_numpy()
    order = order[ballot.label[order] >= 0]
    voting = np.bincount(ballot.item[order], minlength=len(ballot.items))
    enough = voting >= FEWEST
    if pinned:
        enough &= ~ballot.items.is_in(list(pinned)).to_numpy()
    generator = np.random.default_rng(SEED)
    order = generator.permutation(order)
    _, first = np.unique(ballot.item[order], return_index=True)
    rows = order[first]
    rows = rows[enough[ballot.item[rows]]]
    turn = generator.permutation(np.arange(len(rows)) % ROUNDS)
    return rows.astype(np.int32), turn.astype(np.int32)


def _labels(fit: Fit, arguments: Mapping[str, Any], ratings: pl.DataFrame) -> pl.DataFrame:
    outcome = fit(ratings, arguments)
    return outcome.labels if isinstance(outcome, Fitted) else outcome


def _posteriors(
    ballot: Ballot, rows: Codes, turn: Codes, fit: Callable[[pl.DataFrame], pl.DataFrame]
) -> Floats:
    """Return the posterior of the item of each rating, fitted without that rating."""
    place = {label: number for number, label in enumerate(ballot.labels)}
    posterior = np.full((len(rows), len(ballot.labels)), np.nan)
    for number in range(ROUNDS):
        here = np.flatnonzero(turn == number)
        keep = np.ones(ballot.ratings.height, dtype=bool)
        keep[rows[here]] = False
        labels = fit(ballot.ratings.filter(pl.Series(keep)))
        read = dict(zip(labels["item"].to_list(), distributions(labels), strict=True))
        for row in here:
            shares = read.get(ballot.items[int(ballot.item[rows[row]])])
            if shares and set(shares) <= set(place):
                posterior[row] = 0.0
                for label, share in shares.items():
                    posterior[row, place[label]] = share
    return posterior


def _held_out(posterior: Floats, answer: Codes, turn: Codes) -> HeldOutRatings:
    if len(answer) < ROUNDS:
        return HeldOutRatings(reason="the method gives no distribution over the answers")
    predicted, alone = np.empty_like(posterior), np.empty_like(posterior)
    for number in range(ROUNDS):
        here, others = turn == number, turn != number
        shares = _shares(answer[others], posterior.shape[1])
        predicted[here] = posterior[here] @ channel(posterior[others], answer[others], shares)
        alone[here] = shares
    rows = np.arange(len(answer))
    loss = -np.log(predicted[rows, answer])
    half = Z * float(loss.std(ddof=1)) / sqrt(len(loss))
    mean = float(loss.mean())
    return HeldOutRatings(
        ratings=len(answer),
        log_loss=mean,
        low=mean - half,
        high=mean + half,
        log_loss_of_shares=float(-np.log(alone[rows, answer]).mean()),
        calibration_error=calibration_error(predicted, answer.astype(np.int64), bins=BINS),
        bins=tuple(_bins(predicted, answer)),
    )


def _shares(answer: Codes, labels: int) -> Floats:
    """Return how often each answer was given, each counted once more."""
    counts = np.bincount(answer, minlength=labels) + 1.0
    shares: Floats = counts / counts.sum()
    return shares


def channel(posterior: Floats, answer: Codes, shares: Floats) -> Floats:
    """Return how often people give each answer (column) to each label (row).

    The table under which the answers are likeliest, by expectation maximisation; every row begins
    with one answer more, spread like the answers overall.

    >>> posterior = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> channel(posterior, np.array([0, 0, 1]), np.array([0.5, 0.5])).round(2).tolist()
    [[0.83, 0.17], [0.25, 0.75]]
    """
    labels = posterior.shape[1]
    table: Floats = (np.eye(labels) + shares) / 2
    given = np.eye(labels)[answer]
    for _ in range(CLIMBS):
        meant = posterior * table[:, answer].T
        meant /= np.maximum(meant.sum(axis=1, keepdims=True), 1e-300)
        table = meant.T @ given + shares
        table /= table.sum(axis=1, keepdims=True)
    return table


def _bins(predicted: Floats, answer: Codes) -> Iterator[dict[str, float | int]]:
    sureness = predicted.max(axis=1)
    right = predicted.argmax(axis=1) == answer
    cell = np.minimum((sureness * BINS).astype(np.int64), BINS - 1)
    for one in np.unique(cell):
        here = cell == one
        yield {
            "from": float(one) / BINS,
            "to": float(one + 1) / BINS,
            "ratings": int(here.sum()),
            "predicted": float(sureness[here].mean()),
            "given": float(right[here].mean()),
        }


def calibration_json(calibration: Calibration | None, question: str) -> dict[str, object]:
    """Return the key `calibration` of a question, where it was asked for."""
    if calibration is None:
        return {}
    return {"calibration": calibration[question].as_json() if question in calibration else None}


def calibration_notes(calibration: Calibration | None) -> list[str]:
    """Return one sentence per question, where calibration was asked for."""
    asked = calibration or {}
    return [one.sentence(name, several=len(asked) > 1) for name, one in asked.items()]
