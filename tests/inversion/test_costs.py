"""One guess on one made-up machine, worked out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from ridgeline.inversion.costs import Chosen, costs, costs_of_chosen, values_of
from ridgeline.inversion.machines import ARRAYS, Candidates
from ridgeline.inversion.priors import DENSE, EXPERTS, KINDS, TIERS, UNKNOWNS, priors

MACHINE = Candidates(
    ids=("made-up",),
    formats=("fp8",),
    chances=np.ones(1),
    flop_per_s=np.array([1e15]),
    hbm_bytes_per_s=np.array([4e12]),
    bytes_per_param=np.ones(1),
    usd_per_chip_s=np.array([1e-3]),
    read_usd_per_byte=np.array([[0.0, 1e-13, 2e-13, 4e-13]]),
    hold_usd_per_byte_s=np.array([[1e-14, 1e-16, 1e-17, 1e-18]]),
    hbm_usd_per_byte_s=np.array([1e-14]),
)
GUESS = {
    "active_params": 1e11,
    "extra_expansion": 9.0,
    "kv_bytes_per_token": 1e5,
    "read_fraction": 0.5,
    "batch": 1000.0,
    "prefill_fraction": 0.5,
    "decode_fraction": 0.5,
    "utilisation_fraction": 0.5,
    "context_tokens": 1e4,
    "chip_price_ratio": 1.0,
    "byte_price_ratio": 2.0,
}
VALUES = values_of(np.zeros((1, len(UNKNOWNS))), priors(), GUESS)


def test_a_row_by_hand() -> None:
    at = costs(VALUES, MACHINE, request_s=20.0)
    # 200 GFLOP at half of 1 PFLOP/s take 0.4 ms of a chip at $0.001/s, half of whose day is idle.
    assert np.exp(at.input[0, 0]) == pytest.approx([0.8e-6, 0.8e-6])
    # 1 TB of weights, 1,000 sequences of 10,000 tokens of 50 kB: 1.5 TB in 0.375 s, where computing takes 0.2 s.
    assert np.exp(at.output[0, 0, EXPERTS]) == pytest.approx(1.5e-6)
    # 100 GB of weights: 0.15 s, and computing takes longer.
    assert np.exp(at.output[0, 0, DENSE]) == pytest.approx(0.8e-6)
    # 125 parameters a byte: balance batches of 1,250 and 125.
    assert at.balance_batches[0, 0] == pytest.approx([0.8, 8.0])
    # 100 GB / (125 x 50 kB) = 16,000 tokens, and an eighth of the time goes to weights; below one balance batch, none.
    assert at.crossover_tokens[0, 0] == pytest.approx([0.0, 14_000.0])
    large = costs(VALUES, MACHINE, request_s=20.0, has_large_batch=True)
    assert large.crossover_tokens[0, 0] == pytest.approx([16_000.0, 16_000.0])
    # 100 kB: two times 1e-13 to bring a byte back from DDR, and 20 s of HBM at 1e-14.
    assert np.exp(at.cached_input[0, 0, TIERS.index("DDR")]) == pytest.approx(1e5 * (2e-13 + 2e-13))
    assert np.exp(at.cached_input[0, 0, TIERS.index("HBM")]) == pytest.approx(1e5 * 2e-13)
    assert np.exp(at.hold[0, 0]) == pytest.approx([1e-9, 2e-11, 2e-12, 2e-13])


def test_costs_of_what_was_drawn_are_those_among_all_to_the_last_bit() -> None:
    """On two machines that differ in all, at guesses without pins, of kinds that differ, too."""
    arrays = {name: getattr(MACHINE, name) for name in ARRAYS}
    of = dataclasses.replace(
        MACHINE,
        ids=("made-up", "another"),
        formats=("fp8", "bf16"),
        **{name: np.concatenate([one, one * (2 + place)]) for place, (name, one) in enumerate(arrays.items())},
    )
    picks = np.array([(m, k, t) for m in range(2) for k in range(len(KINDS)) for t in range(len(TIERS))]).T
    chosen = Chosen(machine=picks[0], kind=picks[1], tier=picks[2])
    values = values_of(np.random.default_rng(0).standard_normal((picks.shape[1], len(UNKNOWNS))), priors(), {})
    every = costs(values, of, request_s=20.0, has_large_batch=True)
    found = costs_of_chosen(values, of, 20.0, chosen)
    rows = np.arange(picks.shape[1])
    for name in ("input", "output", "crossover_tokens", "balance_batches"):
        assert np.array_equal(getattr(found, name), getattr(every, name)[rows, chosen.machine, chosen.kind]), name
    for name in ("cached_input", "hold"):
        assert np.array_equal(getattr(found, name), getattr(every, name)[rows, chosen.machine, chosen.tier]), name


def test_priors_of_dense_models_are_their_own() -> None:
    middle = values_of(np.zeros((1, len(UNKNOWNS))), priors(), {})
    assert middle["prefill_fraction"][0] == pytest.approx([0.2, 0.458], rel=1e-3)  # of 0.1 to 0.4, and of 0.3 to 0.7
    assert middle["extra_expansion"][0, DENSE] == 0
    assert middle["batch"][0, EXPERTS] == middle["batch"][0, DENSE] == pytest.approx(600)
