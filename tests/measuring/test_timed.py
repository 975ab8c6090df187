"""Which cases are timed, in which order, and within what time."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ridgeline.calibration.cases import Case, cases_text, read_cases
from ridgeline.calibration.fit.blocks import block_of
from ridgeline.calibration.fit.chip_fit import FEWEST_ROWS
from ridgeline.calibration.judge.folds import shape_of
from ridgeline.calibration.kinds.predict import predict
from ridgeline.catalog import load_machine
from ridgeline.measuring.check import held_back
from ridgeline.measuring.measure import time_machine, timing_ends_s
from ridgeline.measuring.order import spread
from ridgeline.measuring.shapes import (
    CONTEXTS,
    MESSAGE_BYTES,
    MOST_CACHED_TOKENS,
    RANKS,
    ROWS,
    SERVED,
    STREAM_ROWS,
    shapes,
)
from ridgeline.measuring.timed import Timed, by_reason, time_cases
from ridgeline.measuring.torch_bench import CACHES, MOST_COPIES, MOST_RUNS, REPEATS, REPLAY_S
from ridgeline.specs.fidelity import MEASURED

H100 = "h100-sxm"
KINDS = {"gemm", "attention_decode", "attention_prefill", "elementwise"}
MESSAGES = {"all_reduce", "all_gather", "all_to_all"}


def timed(bench: Any, until_s: float) -> Timed:  # noqa: ANN401  a known bench
    return time_machine(bench, load_machine(H100), H100, until_s=until_s, clock=bench.clock)


def test_each_kind_is_covered_early(bench: Any) -> None:  # noqa: ANN401  a function to benches
    found = timed(bench(chips=8), 1000.0)
    groups = len(shapes(load_machine(H100), H100, chips=8, engine=""))
    assert {case.kind for case in found.cases[:groups]} == KINDS | MESSAGES
    # As many turns as a fit needs rows give every fit its rows.
    first = found.cases[: FEWEST_ROWS * groups]
    of_block: dict[str | None, set[str]] = {}
    for case in first:
        of_block.setdefault(block_of(case), set()).add(shape_of(case))
    assert all(len(of_block[name]) >= FEWEST_ROWS for name in ("gemm", "decode_attention", "elementwise"))
    # A short prefix spans what there is: its ends are within a quarter of the whole, in ranks.
    gemms = [case.measured or 0 for case in found.cases if case.kind == "gemm"]
    ranked = sorted(gemms)
    early = sorted(ranked.index(one) / len(ranked) for one in gemms[:16])
    assert early[0] < 0.1
    assert early[-1] > 0.8


def test_two_chips_are_enough_for_a_fit_of_messages(bench: Any) -> None:  # noqa: ANN401
    """Also where a fifth of them is held back."""
    _, others = held_back(timed(bench(chips=2), 1000.0).cases)
    assert len({shape_of(case) for case in others if block_of(case) == "collectives"}) >= FEWEST_ROWS


def test_what_does_not_fit_into_the_budget_is_named_and_the_budget_kept(bench: Any) -> None:  # noqa: ANN401
    short = bench(set_up_s=0.2)
    found = timed(short, 20.0)
    everything = timed(bench(), 1000.0)
    assert len(found.cases) + len(found.unreached) == len(everything.cases)
    assert not everything.unreached
    assert {case.kind for case in found.cases} == KINDS
    assert by_reason(found.unreached)["gemm", "the budget had ended"] > 20
    # A set-up is expected to take as long as the last, and each kind's first is not foreseen.
    assert 19.0 < short.now_s < 20.2


def test_no_case_takes_more_than_its_share(bench: Any) -> None:  # noqa: ANN401
    """A machine on which kernels are slow: what it can time is timed, and the rest is left out with the reason."""
    slow = bench({"gemm": {"hbm_fraction": 1e-5}, "decode_attention": {"hbm_fraction": 1e-5}}, set_up_s=0.0)
    found = timed(slow, 10.0)
    reasons = {reason for _, reason in by_reason(found.unreached)}
    assert reasons == {"would take more than 10 % of the time for all", "the budget had ended"}
    # The first of a kind is as slow as nobody could know; later ones are expected to be.
    assert slow.now_s < 10.0 + max(slow.runs * (case.measured or 0) for case in found.cases)


def test_what_a_bench_does_not_run_is_named(bench: Any) -> None:  # noqa: ANN401
    found = timed(bench(unrun=frozenset({"attention_prefill"})), 1000.0)
    assert by_reason(found.unrun) == {("attention_prefill", "attention_prefill is not there"): 27}
    assert "attention_prefill" not in {case.kind for case in found.cases}


def test_ranks_that_a_machine_does_not_have_are_named_before_anything_is_timed(bench: Any) -> None:  # noqa: ANN401
    many = bench(chips=9)  # one more than a domain of eight holds
    found = timed(many, 1000.0)
    assert 9 not in {case.ranks for case in many.seen} - {None}
    assert {kind for kind, _ in by_reason(found.unrun)} <= MESSAGES


def test_the_fits_have_their_part_of_the_budget() -> None:
    assert timing_ends_s(100.0, 60.0) == 155.0
    assert timing_ends_s(0.0, 8.0) == 6.0


def test_the_page_says_what_is_timed() -> None:
    page = (Path(__file__).parents[2] / "docs" / "measuring.md").read_text(encoding="utf-8")
    kinds = {case.kind for cases in shapes(load_machine(H100), H100, chips=8, engine="").values() for case in cases}
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert {word for line in rows for word in re.findall(r"`(\w+)`", line.split("|")[1])} == kinds
    for numbers in (ROWS, CONTEXTS, STREAM_ROWS, [MOST_CACHED_TOKENS], [tp for _, tp in SERVED]):
        assert re.search(rf"\b{max(numbers):,}\b", page), numbers
    smallest, largest = (min(MESSAGE_BYTES) / 2**10, max(MESSAGE_BYTES) / 2**20)
    assert f"| {smallest:g} KiB to {largest:g} MiB, over {', '.join(map(str, RANKS))} chips and all;" in page
    assert f"up to {MOST_COPIES}," in page
    assert (REPEATS, REPLAY_S, MOST_RUNS, CACHES) == (7, 5e-3, 512, 3)
    assert "seven\nreplays, each of 5 ms or more where 512 runs" in page
    assert "three times\nthe L2" in page


@pytest.mark.parametrize("count", [0, 1, 2, 5, 64])
def test_an_order_has_every_case_once(count: int) -> None:
    cases = [Case(name=str(at), family="made", m=at + 1) for at in range(count)]
    found = spread(cases, lambda case: case.m or 0)
    assert Counter(case.name for case in found) == Counter(case.name for case in cases)
    assert not found or found[0] == cases[0]


def test_every_fifth_of_a_kind_is_held_back() -> None:
    cases = [Case(name=f"{kind}{at}", family="made", kind=kind) for at in range(12) for kind in ("gemm", "all_reduce")]
    held, others = held_back(cases)
    assert Counter(case.kind for case in held) == {"gemm": 2, "all_reduce": 2}
    assert sorted(case.name for case in (*held, *others)) == sorted(case.name for case in cases)


def test_cases_are_rows_of_a_case_file(bench: Any, tmp_path: Path) -> None:  # noqa: ANN401
    """They read back as they were, with a prediction of the same time."""
    found = timed(bench(chips=2), 1000.0)
    (tmp_path / "measured.csv").write_text(cases_text(found.cases), encoding="utf-8")
    read = read_cases(tmp_path / "measured.csv")
    assert read == [dataclasses.replace(case, family="measured") for case in found.cases]
    one = next(case for case in read if case.kind == "elementwise")
    assert predict(one, {}, MEASURED).warnings == ()
    assert predict(one, {}, MEASURED).value == pytest.approx(one.measured, rel=1e-12)


def test_a_case_that_took_long_is_what_the_next_is_expected_to_take() -> None:
    class Slow:
        """Four times as slow as predicted."""

        runs = 1
        now_s = 0.0
        device = None

        def seconds(self, case: Case) -> float:
            self.now_s += 4 * (case.m or 0)
            return 4 * (case.m or 0)

    slow = Slow()
    cases = [Case(name=str(at), family="made", kind="gemm", m=size) for at, size in enumerate((1, 3, 2))]
    found = time_cases(slow, cases, lambda case: case.m or 0, until_s=40.0, clock=lambda: slow.now_s)  # type: ignore[arg-type]  # of a bench that has no device
    # 3 would take 12, more than a tenth of 40; 2 would take 8, as well.
    assert [case.name for case in found.cases] == ["0"]
    assert len(found.unreached) == 2
