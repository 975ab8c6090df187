"""Requests that are made up: the same however they are cut, at the rate and with the spread that was asked for."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from ridgeline.errors import RidgelineError
from ridgeline.traces import RequestSource, open_trace, paced, read_trace, synthetic
from ridgeline.traces.arrivals import Arrivals, Daily, Even, Gamma, Poisson
from ridgeline.traces.request_lengths import Drawn, Fixed, Lognormal, RequestLengths

ALIKE = Fixed(prompt_tokens=100, output_tokens=10)
TAILED = Lognormal(prompt_tokens=2000, output_tokens=300, prompt_variation=1.5, output_variation=0.5)
LOG = "docs/example_trace.jsonl"

ARRIVALS: tuple[Arrivals, ...] = (Poisson(20.0), Even(20.0), Gamma(20.0, 2.0), Daily(20.0, 0.8, day_s=50.0))


def bytes_of(source: RequestSource, most: int) -> bytes:
    blocks = list(source.blocks(most))
    assert all(0 < len(block) <= most for block in blocks)
    columns = ([block.arrivals_s for block in blocks], [block.prompt_tokens for block in blocks])
    return b"".join(np.concatenate(column).tobytes() for column in (*columns, [one.output_tokens for one in blocks]))


@pytest.mark.parametrize("arrivals", ARRIVALS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("lengths", [ALIKE, TAILED, Drawn(read_trace(LOG))], ids=lambda one: type(one).__name__)
def test_a_seed_gives_the_same_bytes_however_they_are_cut(arrivals: Arrivals, lengths: RequestLengths) -> None:
    source = synthetic(requests=20_000, arrivals=arrivals, lengths=lengths, seed=7)
    whole = bytes_of(source, 65_536)
    assert len(whole) == 20_000 * 24
    assert all(bytes_of(source, most) == whole for most in (997, 8192, 8193))
    shorter = synthetic(requests=9_000, arrivals=arrivals, lengths=lengths, seed=7)
    (first,), (longer, *_) = list(islice(shorter.blocks(8000), 1)), list(islice(source.blocks(8000), 1))
    assert first.arrivals_s.tobytes() == longer.arrivals_s.tobytes()
    assert first.prompt_tokens.tobytes() == longer.prompt_tokens.tobytes()
    another = synthetic(requests=20_000, arrivals=arrivals, lengths=lengths, seed=8)
    assert (bytes_of(another, 65_536) == whole) is (isinstance(arrivals, Even) and lengths is ALIKE)


@pytest.mark.parametrize("arrivals", ARRIVALS, ids=lambda one: type(one).__name__)
def test_requests_come_at_their_rate_from_0_on(arrivals: Arrivals) -> None:
    """The mean of 40,000 gaps with a variation of 2 is within 1 % with one standard error, so that 4 % are four."""
    source = synthetic(requests=40_000, arrivals=arrivals, lengths=ALIKE)
    times = np.concatenate([block.arrivals_s for block in source.blocks()])
    assert times[0] == 0
    gaps = np.diff(times)
    assert gaps.min() >= 0
    assert gaps.mean() == pytest.approx(1 / 20, rel=0.04)
    if not isinstance(arrivals, Daily):
        asked = {Poisson: 1.0, Even: 0.0}.get(type(arrivals), 2.0)
        assert gaps.std() / gaps.mean() == pytest.approx(asked, abs=0.06)


def test_a_day_has_its_peak_where_it_was_asked_for() -> None:
    """Counts a quarter of a day are Poisson: the rate's integral, within four of their standard deviations."""
    day, swing, peak = 1000.0, 0.8, 250.0
    source = synthetic(requests=100_000, arrivals=Daily(20.0, swing, peak, day), lengths=ALIKE)
    times = np.concatenate([block.arrivals_s for block in source.blocks()])
    whole = times[times < 4 * day] % day
    for start in (0.0, 250.0, 500.0, 750.0):
        ends = 2 * np.pi * (np.array([start, start + 250]) - peak) / day
        expected = 4 * 20.0 * (250 + swing * day / (2 * np.pi) * np.diff(np.sin(ends))[0])
        found = np.count_nonzero((whole >= start) & (whole < start + 250))
        assert abs(found - expected) < 4 * np.sqrt(expected)


def test_lengths_have_the_mean_and_the_spread_that_were_asked_for() -> None:
    """Of 100,000 draws with variation v the mean is within v / 316 with one standard error."""
    prompts, outputs = TAILED.draw(np.random.default_rng(0), 100_000)
    assert prompts.mean() == pytest.approx(2000, rel=4 * 1.5 / 316)
    assert outputs.mean() == pytest.approx(300, rel=4 * 0.5 / 316)
    assert np.log(prompts).std() == pytest.approx(np.sqrt(np.log1p(1.5**2)), rel=0.02)
    assert abs(np.corrcoef(np.log(prompts), np.log(outputs))[0, 1]) < 4 / 316


def test_lengths_of_a_log_stay_together() -> None:
    log = read_trace(LOG)
    prompts, outputs = Drawn(log).draw(np.random.default_rng(0), 1000)
    pairs = set(zip(log.prompt_tokens.tolist(), log.output_tokens.tolist(), strict=True))
    found = set(zip(prompts.tolist(), outputs.tolist(), strict=True))
    assert found <= pairs
    assert len(found) > len(pairs) / 2


def test_a_log_is_paced(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("num_prefill_tokens,num_decode_tokens\n" + "\n".join(f"{one + 1},{one % 3}" for one in range(100)))
    source = paced(open_trace(path), Poisson(2.0), seed=3)
    assert source.has_arrivals
    blocks = list(source.blocks(7))
    made = synthetic(requests=66, arrivals=Poisson(2.0), lengths=ALIKE, seed=3)
    assert [one for block in blocks for one in block.arrivals_s] == [
        one for block in made.blocks() for one in block.arrivals_s
    ]
    assert [one for block in blocks for one in block.prompt_tokens] == [one + 1 for one in range(100) if one % 3]
    assert sum(block.failed for block in blocks) == 34


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Poisson(0.0), "requests_per_s=0.0 must be more than 0"),
        (lambda: Even(float("inf")), "must be more than 0 and finite"),
        (lambda: Gamma(1.0, 0.0), "take Even"),
        (lambda: Daily(1.0, 1.5), "swing_fraction=1.5 must be from 0 to 1"),
        (lambda: Daily(1.0, 0.5, day_s=0.0), "day_s=0.0 must be more than 0"),
        (lambda: Fixed(prompt_tokens=0, output_tokens=1), "prompt_tokens=0 must be 1 or more"),
        (
            lambda: Lognormal(prompt_tokens=9, output_tokens=9, prompt_variation=-1, output_variation=0),
            "prompt_variation=-1",
        ),
        (lambda: synthetic(requests=0, arrivals=Even(1.0), lengths=ALIKE), "requests=0 must be 1 or more"),
        (lambda: synthetic(requests=1, arrivals=Even(1.0), lengths=ALIKE, seed=-1), "seed=-1 must be 0 or more"),
    ],
)
def test_what_cannot_come_is_refused(make: object, said: str) -> None:
    assert callable(make)
    with pytest.raises(RidgelineError, match=said):
        make()
