from __future__ import annotations

import itertools

import numpy as np
import pytest

from ridgeline.boards.board import Board, ControlError, Curves, Mode, Picture, Table, Timeline, Values
from ridgeline.boards.document import board_document
from ridgeline.boards.exercises import EXERCISES
from ridgeline.boards.ledger import CLAIMS
from ridgeline.boards.shelf import BOARDS, board
from ridgeline.equations import collectives, contexts, departures, pricing, roofline
from ridgeline.glossary import GLOSSARY

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL

every_board = pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
every_mode = pytest.mark.parametrize("mode", list(Mode))


def drawn(name: str, mode: Mode = LECTURE, *, view: int = 0, **turned: float) -> Curves:
    one = board(name)
    picture = one.views[view].compute(one.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def line(drawing: Curves, name: str) -> np.ndarray:
    return next(found.y for found in drawing.lines if found.name.startswith(name))


def mark(drawing: Curves, name: str) -> tuple[float, float]:
    return next((found.x, found.y) for found in drawing.marks if found.name == name)


def check(picture: Picture) -> None:
    """Numbers are finite and none below zero; of a timeline no row does two things at once."""
    match picture:
        case Curves():
            check_curves(picture)
        case Table():
            assert np.all(np.isfinite(picture.values))
            assert np.all(picture.values >= 0)
        case Timeline():
            for row in range(len(picture.rows)):
                blocks = sorted((one.start, one.end) for one in picture.blocks if one.row == row)
                assert all(start < end for start, end in blocks)
                assert all(end <= start + 1e-9 for (_, end), (start, _) in itertools.pairwise(blocks))
            assert {one.row for one in picture.blocks} <= set(range(len(picture.rows)))


def check_curves(drawing: Curves) -> None:
    """Lines are finite and as long as x, which rises; marks lie on the line that they name, inside the picture."""
    assert np.all(np.diff(drawing.x) > 0)
    lines = {found.name: found.y for found in drawing.lines}
    assert len(lines) == len(drawing.lines)
    assert any(found.is_bold for found in drawing.lines)
    for name, y in lines.items():
        assert y.shape == drawing.x.shape, name
        assert np.all(np.isfinite(y)), name
        assert np.all(y >= 0), name
    for found in drawing.marks:
        assert drawing.x[0] <= found.x <= drawing.x[-1], found.name
        # A mark's x is one of the line's own.
        assert np.interp(found.x, drawing.x, lines[found.line]) == pytest.approx(found.y, rel=1e-6), found.name
    assert len({found.name for found in drawing.marks}) == len(drawing.marks)


@every_board
@every_mode
def test_every_board_computes_where_it_starts_and_at_the_ends_of_each_control(one: Board, mode: Mode) -> None:
    turned: list[dict[str, float]] = [{}]
    turned += [{control.name: end} for control in one.controls for end in (control.low, control.high)]
    for picture in itertools.chain.from_iterable(one.pictures(one.values(mode, each)) for each in turned):
        check(picture)


@every_board
def test_controls_start_inside_their_range_which_is_the_glossarys_or_narrower(one: Board) -> None:
    assert len({control.name for control in one.controls}) == len(one.controls)
    for control in one.controls:
        for mode in Mode:
            assert control.low <= control.start(mode, one.facts()) <= control.high, control.name
        if control.name in GLOSSARY:
            assert GLOSSARY[control.name].low <= control.low < control.high <= GLOSSARY[control.name].high, control.name


@every_board
def test_every_control_moves_something(one: Board) -> None:
    """In one mode at least, to one of its ends; what is drawn compared by its numbers."""
    for control in one.controls:
        starts = [one.values(mode) for mode in Mode]
        ends = [(start, start | {control.name: end}) for start in starts for end in (control.low, control.high)]
        assert any(_numbers(one, start) != _numbers(one, end) for start, end in ends), control.name


def _numbers(one: Board, values: Values) -> list[object]:
    return list(board_document(one, values, one.facts())["views"])


@every_board
def test_claims_are_the_ledgers(one: Board) -> None:
    assert one.claims
    assert set(one.claims) <= {claim.id for claim in CLAIMS}


@every_board
def test_exercises_are_the_banks(one: Board) -> None:
    assert one.exercises
    assert set(one.exercises) <= {exercise.id for exercise in EXERCISES}


def test_names_are_unique_and_an_unknown_one_is_refused_with_those_that_there_are() -> None:
    assert len({one.name for one in BOARDS}) == len(BOARDS)
    with pytest.raises(ValueError, match="'latincy' is not a board; there are latency, cost"):
        board("latincy")


def test_what_is_turned_wrongly_is_refused() -> None:
    with pytest.raises(ControlError, match="has no control 'batch'; it has active_params"):
        board("latency").values(LECTURE, {"batch": 1})
    with pytest.raises(ControlError, match=r"chips=0 is outside 1 to 1\.024k"):
        board("latency").values(LECTURE, {"chips": 0})


def test_latency_is_the_rooflines_maximum_and_its_mark_the_balance_batch() -> None:
    found = drawn("latency", context_tokens=1, kv_bytes_per_token=100)
    batch, time_s = mark(found, "balance batch")
    assert batch == pytest.approx(2400, rel=1e-4)  # the board's, but for a token of context
    assert time_s == pytest.approx(37e9 * 8 / (72 * 1e15 / 300), rel=1e-4)
    at = board("latency").values(CAREFUL)
    found = drawn("latency", CAREFUL)
    expected = roofline.step_time_s(
        batch=found.x,
        active_params=at["active_params"],
        weight_bytes=at["active_params"] * at["expansion"] * at["bytes_per_param"],
        kv_bytes_per_sequence=at["context_tokens"] * at["kv_bytes_per_token"],
        flop_per_s=at["chips"] * at["flop_per_s"],
        hbm_bytes_per_s=at["chips"] * at["hbm_bytes_per_s"],
    )
    assert line(found, "step") == pytest.approx(expected)
    both = np.maximum(line(found, "compute"), line(found, "KV fetch") + line(found, "weight fetch"))
    assert line(found, "step") == pytest.approx(both)
    assert line(found, "weight fetch")[0] == pytest.approx(1.165e-3, rel=0.01)  # the floor, A6


@pytest.mark.parametrize("name", ["latency", "cost"])
def test_where_no_batch_balances_the_line_of_the_caches_says_so(name: str) -> None:
    found = drawn(name, CAREFUL, context_tokens=1e5)
    batch, y = mark(found, "bound by reading at any batch")
    assert y == pytest.approx(np.interp(batch, found.x, line(found, "KV fetch")))
    assert "balance batch" not in {one.name for one in found.marks}


def test_cost_falls_to_its_floor_and_is_the_steps_over_the_batch() -> None:
    found, times = drawn("cost"), drawn("latency")
    cost = line(found, "cost")
    assert np.all(np.diff(cost) <= 1e-12 * cost[:-1])
    assert cost.min() == pytest.approx(line(found, "compute")[0])
    step_s = np.interp(1000, times.x, line(times, "step"))
    assert np.interp(1000, found.x, cost) == pytest.approx(step_s * 72 / 1000 * 2 / 3600, rel=1e-3)
    assert mark(found, "one sequence")[1] / cost.min() == pytest.approx(2400, rel=0.001)  # A4: and a KV fetch


def test_departures_wait_as_the_equations_say() -> None:
    found = drawn("departures")
    load, mean_s = mark(found, "load")
    extra_s = departures.extra_wait_s(arrivals=load * 2400, seats=2400, period_s=0.020)
    assert mean_s == pytest.approx(float(departures.mean_latency_s(period_s=0.020, extra_wait_s=extra_s)))
    assert line(found, "just missed")[0] == pytest.approx(0.040)
    assert np.all(line(found, "mean, bursty") >= line(found, "mean, Poisson"))


def test_overflow_is_poissons_tail_and_what_it_leaves() -> None:
    found = drawn("departures", view=1, load_fraction=0.95)
    alone = departures.overfull_fraction(arrivals=0.95 * 2400, seats=2400.0)
    assert (
        mark(found, "periods in which too many come")[1]
        == pytest.approx(float(alone))
        == pytest.approx(0.006, abs=5e-4)
    )
    assert mark(found, "trains that leave some behind")[1] > alone
    assert np.all(line(found, "bursty") >= line(found, "Poisson") * (1 - 1e-2) - 1e-15)


def test_tokens_are_the_batch_over_the_step_and_the_seats_over_the_period() -> None:
    found = drawn("tokens", context_tokens=1)
    assert mark(found, "seats") == pytest.approx((2000, 128_000))  # A18
    assert {found.name for found in found.lines} >= {"20 ms: 100k"}
    assert mark(found, "fleet")[1] == pytest.approx(18 * 14_800)  # A26
    batch, rate = mark(found, "balance")
    assert batch == pytest.approx(2400, rel=1e-4)  # but for a token of context
    assert rate == pytest.approx(2400 / (37e9 * 8 / (72 * 1e15 / 300)), rel=1e-3)
    limit = np.minimum(line(found, "compute"), line(found, "KV fetch"))
    assert np.all(line(found, "B / t") <= limit * (1 + 1e-12))


def test_balance_and_full_memory_are_two_points_of_a_rack() -> None:
    """A20: DeepSeek-V3 on 72 chips balances in 1.16 ms; full at 1,576 tokens it holds 115,000, for 23 ms and a bit.

    6 %: at 113,000 sequences the sweep of the memory and the arithmetic would take as long.
    """
    batch, rate = mark(drawn("tokens", CAREFUL, context_tokens=1), "balance")
    assert batch / rate == pytest.approx(1.165e-3, rel=0.01)
    found = drawn("tokens", CAREFUL, context_tokens=1576)
    full, rate = mark(found, "memory full")
    assert full == pytest.approx(115e3, rel=0.01)
    assert full / rate == pytest.approx(0.02325, rel=0.06)


def test_racks_that_googles_months_take() -> None:
    """A19, by the lecture's 128,000 a second."""
    found = drawn("tokens", view=1)
    months = {name: mark(found, name) for name in ("May 2025", "July 2025", "Oct 2025", "May 2026")}
    assert [x for x, _ in months.values()] == pytest.approx([185e6, 378e6, 502e6, 1235e6], rel=2e-3)
    assert [y for _, y in months.values()] == pytest.approx([1447, 2954, 3918, 9645], rel=1e-3)


def test_quality_is_what_experts_are_worth_and_take() -> None:
    """A23: 64 experts at 370 million are as good as 1.37 billion, and 22 times the parameters; A24: not without end."""
    found = drawn("quality")
    assert mark(found, "S-BASE") == pytest.approx((64, 1.37e9), rel=5e-3)
    assert np.interp(64, found.x, line(found, "RL-R")) == pytest.approx(2.7 * 370e6, rel=0.01)
    assert np.interp(64, found.x, line(found, "Hash")) == pytest.approx(3.0 * 370e6, rel=0.01)
    assert np.all(line(found, "S-BASE") < line(found, "at most"))
    cost = drawn("quality", view=1)
    assert mark(cost, "memory") == pytest.approx((64, 22))
    assert "6,600" in next(one.text for one in cost.marks if one.name == "memory")
    grain = drawn("quality", view=2)
    assert np.all(np.diff(line(grain, "Krajewski")) > 0)


def test_quality_of_a_model_has_its_own_expansion() -> None:
    cost = drawn("quality", CAREFUL, view=1)
    assert mark(cost, "memory") == pytest.approx((32, 17.9), rel=2e-3)


def test_budget_is_in_thirds_on_the_board_and_least_where_the_fit_says() -> None:
    found = drawn("budget")
    assert mark(found, "board") == pytest.approx((100e9, 1))
    for name in ("pre-training", "RL", "serving"):
        assert np.interp(100e9, found.x, line(found, name)) == pytest.approx(1 / 3), name  # C5
    assert line(found, "all").min() == pytest.approx(mark(found, "least")[1])
    assert mark(found, "least")[1] < 1


def test_budget_by_law_has_its_least_where_each_says() -> None:
    """C11, which leaves reinforcement learning out."""
    found = drawn("budget", view=1, rl_tokens=0)
    assert mark(found, "fit of Hoffmann")[0] == pytest.approx(105e9, rel=0.01)
    assert mark(found, "fit of Besiroglu")[0] == pytest.approx(124e9, rel=0.01)
    for name in ("Hoffmann", "unrounded", "Besiroglu"):
        assert line(found, name).min() == pytest.approx(1), name
    assert mark(found, "board")[1] > 1


def test_two_costs_add_up_to_the_least_at_the_ratio_of_their_powers() -> None:
    """C1."""
    found = drawn("budget", view=2, rising_power=1, falling_power=0.5)
    x, least = mark(found, "least")
    assert line(found, "sum").min() == pytest.approx(least)
    assert np.interp(x, found.x, line(found, "rises")) / np.interp(x, found.x, line(found, "falls")) == pytest.approx(
        0.5
    )
    assert mark(drawn("budget", view=2), "least") == pytest.approx((1, 2))


@pytest.mark.parametrize(("mode", "marks"), [(LECTURE, 3), (CAREFUL, 4)])
def test_sparse_attention_crosses_where_as_many_tokens_are_read(mode: Mode, marks: int) -> None:
    found = drawn("sparse", mode)
    level = board("sparse").values(mode)["crossover_tokens"]
    assert len(found.marks) == marks
    for one in found.marks:
        assert one.y == pytest.approx(level, rel=2e-3), one.name  # blocks come in steps of a summary
    expected = contexts.scanned_crossover_tokens(
        crossover_context_tokens=level, chosen_tokens=2048, scan_fraction=132 / 1152
    )
    assert mark(found, "crossover of indexer (DSA)")[0] == pytest.approx(float(expected))


def test_racks_read_in_the_time_of_the_domains_bandwidth() -> None:
    found = drawn("racks", CAREFUL)
    h100, gb200 = (mark(found, f"domain of {name}") for name in ("H100", "GB200"))
    assert (h100[0], gb200[0]) == (8, 72)
    assert h100[1] / gb200[1] == pytest.approx(21.5, rel=0.01)  # B17: eight-fold by number, the rest by the chip
    assert gb200[1] == pytest.approx(1.17e-3, rel=0.01)  # A6


@pytest.mark.parametrize(("racks", "times"), [(1, 1.0), (2, 4.0), (4, 6.0), (8, 7.0)])
def test_scale_out_takes_the_slower_networks_time(racks: float, times: float) -> None:
    found = drawn("scale-out", racks=racks)
    assert mark(found, "racks") == pytest.approx((racks, times))  # B4
    there, one = (
        max(
            collectives.all_to_all_level_times_s(
                message_bytes=1e9, ranks=(1e6, count), bytes_per_s=(800e9, 100e9), latency_s=(0.0, 0.0)
            )
        )
        for count in (racks, 1)
    )
    assert there / one == pytest.approx(times, rel=1e-3)


def test_memory_divides_weights_and_never_the_cache() -> None:
    found = drawn("memory")
    kv = line(found, "keys and values")
    assert kv == pytest.approx(np.full_like(kv, 7.5e9))  # B15
    assert line(found, "weights")[[0, -1]] == pytest.approx([15.625e9, 1.953e9], rel=1e-3)
    assert mark(found, "stages")[1] == pytest.approx(7.5e9 + 3.90625e9)


def test_bubbles_are_the_closed_forms() -> None:
    found = drawn("bubbles")
    assert mark(found, "inference without micro-batches") == pytest.approx((1, 0.75))  # B9
    assert mark(found, "training with as many micro-batches as stages") == pytest.approx((4, 3 / 7))  # B10
    assert np.interp([4, 10], found.x, line(found, "inference")) == pytest.approx([0, 0], abs=1e-12)


@pytest.mark.parametrize(
    ("name", "times"),
    [("20 a parameter", 100), ("fit of Hoffmann", 17), ("its digits unrounded", 28), ("fit of Besiroglu", 111)],
)
def test_over_training_depends_on_the_fit(name: str, times: float) -> None:
    assert mark(drawn("over-training"), f"by {name}") == pytest.approx((100e9, times), rel=0.02)  # C10


def test_context_crosses_at_the_step_and_the_price_reaches_half_as_far_again() -> None:
    found = drawn("context")
    assert mark(found, "crossover") == pytest.approx((200e3, 1), rel=1e-5)  # D2, D3
    reach = pricing.price_step_reach_tokens(crossover_tokens=200e3, price_ratio=1.5)
    assert mark(found, "end of the price") == pytest.approx((float(reach), 1.5), rel=1e-5)
    careful, _ = mark(drawn("context", CAREFUL), "crossover")
    at = board("context").values(CAREFUL)
    expected = pricing.crossover_context_tokens(
        **{name: value for name, value in at.items() if not name.startswith("price")}
    )
    assert careful == pytest.approx(float(expected))


def test_prefill_is_bound_by_compute_from_the_price_ratio_on() -> None:
    found = drawn("prefill")
    assert mark(found, "decode") == pytest.approx((1, 5))  # D6
    assert mark(found, "bound by compute from here") == pytest.approx((5, 1))  # D8
    assert not [one for one in drawn("prefill", balance_batches=1e6).marks if "compute" in one.name]  # D7


def test_tiers_change_at_their_break_evens() -> None:
    found = drawn("tiers")
    assert np.all(line(found, "cheapest") <= line(found, "HBM") * (1 + 1e-12))
    assert mark(found, "flash to disk")[0] == pytest.approx(1.3 * 3600, rel=0.03)  # D16
    assert line(found, "compute it again")[0] == pytest.approx(5.56e-8 * 1e5 * 1e3, rel=1e-3)  # D14
    again = drawn("tiers", kv_bytes_per_token=1e6, active_params=1e9)
    assert again.marks[-1].name.endswith("compute it again")
