"""Fitting MACE to one question: starts, iterations, and what the best restart still gains."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from plausibly.labels._digamma import digamma
from plausibly.labels._kernel import KERNELS, EStep, posteriors
from plausibly.labels._layout import Ints, Layout, Places, lay_out
from plausibly.labels._starts import Hashes, colours, mix, twins, uniform
from plausibly.labels.results import Estimate
from plausibly.measures.coded import Coded, Floats

STRATEGY_PRIOR = 10.0
NOISE = 0.5
TINY = 1e-290
LAST = 10
OVERTIME = 10
ABOVE = 2.5
GAIN = 1e-6
SHARE = 1e-10
WORTH_COMPILING = 1.5e9
PRIOR = 0.5


@dataclass(frozen=True, slots=True)
class Training:
    """How the parameters are estimated.

    Args:
        em: Plain expectation maximisation instead of variational Bayes.
        restarts: Number of random starts.
        iterations: Iterations of each restart.
        alpha: Prior weight of guessing, under variational Bayes (default: 0.5).
        beta: Prior weight of knowing the label, under variational Bayes (default: 0.5).
        smoothing: Added to every count under EM (default: 0.01 divided by the number of labels).
        backend: `numpy`, `numba`, or `auto`: numba if it is installed and there are so many ratings
            that compiling (about a second) pays off.
    """

    em: bool = False
    restarts: int = 10
    iterations: int = 50
    alpha: float | None = None
    beta: float | None = None
    smoothing: float | None = None
    backend: str = "auto"

    @property
    def priors(self) -> tuple[float, float]:
        """The priors on guessing and on knowing."""
        alpha, beta = (PRIOR if one is None else one for one in (self.alpha, self.beta))
        return alpha, beta

    def kernel(self, layout: Layout) -> EStep:
        """Return the E-step of the backend asked for."""
        name = self.backend
        if name == "auto":
            work = len(layout.cell) * self.restarts * self.iterations
            name = "numba" if work >= WORTH_COMPILING and find_spec("numba") else "numpy"
        return KERNELS[name](layout)


@dataclass(frozen=True, eq=False)
class _State:
    """Parameters of each annotator (and label) per restart, and what the E-step makes of them.

    `guessing` and `knowing` are (annotator, restart), `strategy` is (annotator, label, restart),
    `known` are the expected counts of answers given knowingly.
    """

    guessing: Floats
    knowing: Floats
    strategy: Floats
    log_ratio: Floats
    known: Floats
    log_likelihood: Floats

    def likeliest(self) -> _State:
        """Return the restart with the greatest likelihood as a state of its own."""
        restart = int(self.log_likelihood.argmax())
        one = slice(restart, restart + 1)
        return _State(
            self.guessing[:, one],
            self.knowing[:, one],
            self.strategy[:, :, one],
            self.log_ratio[:, one],
            self.known[:, :, one],
            self.log_likelihood[one],
        )


class _Fit:
    """One question, one way of training: what stays the same over all iterations."""

    def __init__(self, layout: Layout, training: Training, alike: Places | None) -> None:
        self.layout = layout
        self.training = training
        self.alike = alike
        self.e_step = training.kernel(layout)

    def expect(self, guessing: Floats, knowing: Floats, strategy: Floats) -> _State:
        """Return the E-step of these parameters.

        With r = knowing / (guessing * strategy) of an answer's cell, a label weighs the product
        of 1 + r over those who chose it, and r / (1 + r) of an answer is given knowingly.
        """
        layout = self.layout
        chance = np.maximum(guessing[:, None] * strategy, TINY)
        ratio = knowing[:, None] / chance
        log_ratio = np.log1p(ratio).reshape(layout.n_cells, -1)
        sums, logs = self.e_step(log_ratio)
        known = sums.reshape(ratio.shape) * (ratio / (1 + ratio))
        said = np.einsum("al,alr->r", layout.used, np.log(chance))
        log_likelihood = said + logs - len(layout.item) * np.log(layout.n_labels)
        return _State(guessing, knowing, strategy, log_ratio, known, log_likelihood)

    def step(self, state: _State) -> _State:
        """Return the state after one M-step and one E-step."""
        known = state.known if self.alike is None else _levelled(state.known, self.alike)
        guessed = np.maximum(self.layout.used[:, :, None] - known, 0.0)
        return self.expect(*maximise(guessed, known, self.training))


def maximise(guessed: Floats, known: Floats, training: Training) -> tuple[Floats, Floats, Floats]:
    """Return the M-step: weights of guessing, of knowing, and of each label when guessing.

    Under variational Bayes the weights are exp(digamma) of the counts over that of their sum, so
    they add up to less than 1: without data, to 0.25 + 0.25.
    """
    guesses, knows = guessed.sum(axis=1), known.sum(axis=1)
    labels = guessed.shape[1]
    if training.em:
        extra = 0.01 / max(labels, 1) if training.smoothing is None else training.smoothing
        whole = guesses + knows + 2 * extra
        strategy = _ratio(guessed + extra, (guesses + labels * extra)[:, None], 1 / max(labels, 1))
        return _ratio(guesses + extra, whole, 0.5), _ratio(knows + extra, whole, 0.5), strategy
    alpha, beta = training.priors
    whole = digamma(guesses + knows + alpha + beta)
    strategy = digamma(guessed + STRATEGY_PRIOR)
    strategy -= digamma(guesses + labels * STRATEGY_PRIOR)[:, None]
    return (
        np.exp(digamma(guesses + alpha) - whole),
        np.exp(digamma(knows + beta) - whole),
        np.exp(strategy),
    )


def _ratio(part: Floats, whole: Floats, otherwise: float) -> Floats:
    found = np.full(part.shape, otherwise)
    np.divide(part, whole, out=found, where=whole > 0)
    return found


def _levelled(known: Floats, alike: Places) -> Floats:
    """Return the counts with cells of one colour at their mean: rounding cannot part them."""
    flat = known.reshape(len(alike), -1)
    sizes = np.bincount(alike)
    means = np.stack([np.bincount(alike, column) / sizes for column in flat.T], axis=1)
    return means[alike].reshape(known.shape)


def fit(
    coded: Coded,
    training: Training,
    *,
    seed: int,
    prior: Floats | None = None,
    control: Ints | None = None,
) -> Estimate:
    """Return MACE's estimate for one question; see `plausibly.labels.mace.mace`."""
    if coded.n_ratings == 0:
        return _nothing(coded, training)
    layout = lay_out(coded, prior=prior, control=control)
    colour = colours(layout)
    fitting = _Fit(layout, training, twins(layout, colour))
    state = fitting.expect(*_start(layout, colour, training, seed))
    best = state.likeliest()
    for left in reversed(range(training.iterations)):
        state = fitting.step(state)
        now = state.likeliest()
        if left >= LAST or now.log_likelihood[0] > best.log_likelihood[0]:
            best = now
    best, overtime = _run_on(fitting, best, state.log_likelihood)
    return Estimate(
        posterior=posteriors(layout, best.log_ratio[:, 0], coded.n_items),
        competence=best.knowing[:, 0],
        log_likelihood=float(best.log_likelihood[0]),
        iterations=training.iterations,
        overtime=overtime,
    )


def _start(
    layout: Layout, colour: Hashes, training: Training, seed: int
) -> tuple[Floats, Floats, Floats]:
    """Return 1 + 0.5 * uniform numbers, normalised."""

    def drawn(colour: Hashes, stream: int) -> Floats:
        numbers = uniform(colour, seed=seed, restarts=training.restarts, stream=stream)
        return 1 + NOISE * numbers

    people = mix(np.add.reduce(np.where(layout.used > 0, colour, np.uint64(0)), axis=1), 20)
    guessing, knowing, strategy = drawn(people, 105), drawn(people, 106), drawn(colour, 107)
    both = guessing + knowing
    return guessing / both, knowing / both, strategy / strategy.sum(axis=1, keepdims=True)


def _run_on(fitting: _Fit, best: _State, likelihoods: Floats) -> tuple[_State, int]:
    """Return the best restart, run on while its likelihood gains, and the iterations that took."""
    enough = np.inf
    if fitting.training.em:
        spread = likelihoods.std(ddof=1) if len(likelihoods) > 1 else -np.inf
        enough = likelihoods.mean() + ABOVE * spread
    made = 0
    while made < OVERTIME * fitting.training.iterations and best.log_likelihood[0] < enough:
        further = fitting.step(best)
        gain = further.log_likelihood[0] - best.log_likelihood[0]
        if gain <= 0:
            break
        best, made = further, made + 1
        if gain < max(GAIN, SHARE * abs(best.log_likelihood[0])):
            break
    return best, made


def _nothing(coded: Coded, training: Training) -> Estimate:
    """Return the estimate without a single rating: annotators are what the prior says."""
    none = np.zeros((coded.n_annotators, 0, 1))
    _, knowing, _ = maximise(none, none, training)
    posterior = np.full((coded.n_items, 0), np.nan)
    return Estimate(posterior, knowing[:, 0], log_likelihood=0.0, iterations=0)
