from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from ridgeline.boards.board import Board, ControlError, Facts, Mode, Values
from ridgeline.boards.document import board_document
from ridgeline.boards.lecture import BOARDS, CLAIMS, EXERCISES, board
from ridgeline.boards.picture import Curves, Picture, Table, Timeline
from ridgeline.catalog import load_machine, load_model, machine_ids
from ridgeline.equations import collectives, contexts, cuts, departures, pricing, roofline
from ridgeline.estimator import expert_placement
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
    assert all(one.high is None or np.all(one.high >= one.y) for one in drawing.lines)
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
            start = control.start(mode, one.facts())
            assert start is not None
            assert control.low <= start <= control.high, control.name
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
    assert len(set(one.claims)) == len(one.claims)
    assert set(one.claims) <= {claim.id for claim in CLAIMS}


@every_board
def test_exercises_are_the_banks(one: Board) -> None:
    assert one.exercises
    assert len(set(one.exercises)) == len(one.exercises)
    assert set(one.exercises) <= {exercise.id for exercise in EXERCISES}


def test_names_are_unique_and_an_unknown_one_is_refused_with_those_that_there_are() -> None:
    assert len({one.name for one in BOARDS}) == len(BOARDS)
    with pytest.raises(ValueError, match="'latincy' is not a board; there are latency, cost"):
        board("latincy")


def test_what_is_turned_wrongly_is_refused() -> None:
    with pytest.raises(ControlError, match="has no control 'batch'; it has active_params"):
        board("latency").values(LECTURE, {"batch": 1})
    with pytest.raises(ControlError, match=r"chips=0 is outside 1 to 16\.38k"):
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
    # From some hundred sequences on every expert is read.
    many = found.x > 300
    assert line(found, "step")[many] == pytest.approx(np.asarray(expected)[many], rel=1e-3)
    assert np.all(line(found, "step") <= expected * (1 + 1e-12))
    both = np.maximum(line(found, "compute"), line(found, "KV fetch") + line(found, "weight fetch"))
    assert line(found, "step") == pytest.approx(both)
    assert line(found, "weight fetch")[-1] == pytest.approx(1.165e-3, rel=0.01)  # the floor, A6
    alone = np.interp(1, found.x, line(found, "weight fetch"))
    assert alone < 0.2 * line(found, "weight fetch")[-1]  # one sequence reads its active parameters
    serial = line(found, "compute") + line(found, "KV fetch") + line(found, "weight fetch")
    assert line(found, "without overlap") == pytest.approx(serial)  # A1
    assert np.all(serial <= 2 * line(found, "step") * (1 + 1e-12))


@pytest.mark.parametrize(("name", "said"), [("latency", "binds at any batch"), ("cost", "the floor")])
def test_where_no_batch_balances_the_line_of_the_caches_says_so(name: str, said: str) -> None:
    found = drawn(name, CAREFUL, context_tokens=1e5)
    assert said in next(one.name for one in found.lines if one.name.startswith("KV fetch"))
    assert "balance batch" not in {one.name for one in found.marks}


def test_cost_falls_to_its_floor_and_is_the_steps_over_the_batch() -> None:
    found, times = drawn("cost"), drawn("latency")
    cost = line(found, "cost")
    assert np.all(np.diff(cost) <= 1e-12 * cost[:-1])
    assert cost.min() == pytest.approx(line(found, "compute")[0])
    step_s = np.interp(1000, times.x, line(times, "step"))
    assert np.interp(1000, found.x, cost) == pytest.approx(step_s * 72 / 1000 * 2 / 3600, rel=1e-3)
    assert mark(found, "one sequence")[1] / cost.min() == pytest.approx(2400, rel=0.001)  # A4: and a KV fetch


def test_one_sequence_of_a_routed_model_costs_what_its_active_parameters_do() -> None:
    """A4, careful: alone, DeepSeek-V3 costs the balance ratio times its floor, as a dense model does."""
    found = drawn("cost", CAREFUL, context_tokens=1)
    claim = next(one for one in CLAIMS if one.id == "A4")
    assert claim.careful is not None
    ratio = mark(found, "one sequence")[1] / line(found, "cost").min()
    assert ratio == pytest.approx(float(claim.careful()), rel=0.01)
    assert 250 < ratio < 350
    all_read = drawn("cost", CAREFUL, context_tokens=1, expert_share=0)
    assert mark(all_read, "one sequence")[1] > 15 * mark(found, "one sequence")[1]


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
    """A20: DeepSeek-V3 on 72 chips balances in 1.16 ms; full at 1,576 tokens it holds 123,000, for 25 ms and a bit.

    7 %: past 116,000 sequences arithmetic takes longer than the sweep of the memory.
    """
    batch, rate = mark(drawn("tokens", CAREFUL, context_tokens=1), "balance")
    assert batch / rate == pytest.approx(1.165e-3, rel=0.01)
    found = drawn("tokens", CAREFUL, context_tokens=1576)
    full, rate = mark(found, "memory full")
    assert full == pytest.approx(123e3, rel=0.01)
    assert full / rate == pytest.approx(0.02483, rel=0.07)


def test_racks_that_googles_months_take() -> None:
    """A19, by the lecture's 128,000 a second."""
    found = drawn("tokens", view=1)
    months = {name: mark(found, name) for name in ("May 2025", "July 2025", "Oct 2025", "May 2026")}
    assert [x for x, _ in months.values()] == pytest.approx([185e6, 378e6, 502e6, 1235e6], rel=2e-3)
    assert [y for _, y in months.values()] == pytest.approx([1447, 2954, 3918, 9645], rel=1e-3)


@pytest.mark.parametrize(
    ("model", "machine", "marks"),
    [
        ("kimi-k2", "h200-sxm", {"memory full"}),
        ("kimi-k2", "h100-sxm", set()),
        ("deepseek-v3", "gb200-nvl72", None),
    ],
)
def test_a_rack_runs_no_batch_that_its_memory_does_not_hold(model: str, machine: str, marks: set[str] | None) -> None:
    """The larger the batch, the more tokens a second, so that the fullest rack is the best; one too small has none."""
    one = board("tokens")
    facts = Facts(model=load_model(model), machine=load_machine(machine))
    rack, traffic = one.pictures(one.values(CAREFUL, {"context_tokens": 4096}, facts))
    assert isinstance(rack, Curves)
    assert isinstance(traffic, Curves)
    assert np.all(np.diff(line(rack, "B / t")) >= 0)
    found = {each.name: each for each in rack.marks if each.name in {"balance", "memory full"}}
    assert set(found) == ({"balance", "memory full"} if marks is None else marks)
    assert ("at best, B / t" in {each.name for each in traffic.lines}) == bool(found)
    if found:
        assert line(traffic, "at best") == pytest.approx(traffic.x / found["memory full"].y)


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


def test_careful_budget_gives_reinforcement_learning_a_tenth_of_pre_trainings() -> None:
    """C5's form, at the part that DeepSeek-V3.2 reports."""
    found = drawn("budget", CAREFUL)
    here = board("budget").values(CAREFUL)["active_params"]
    parts = {name: float(np.interp(here, found.x, line(found, name))) for name in ("pre-training", "RL")}
    assert parts["RL"] / parts["pre-training"] == pytest.approx(0.1)


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


def test_racks_show_packages_dies_and_which_domains_hold_the_weights() -> None:
    one = board("racks")
    picture = one.views[1].compute(one.values(LECTURE))
    assert isinstance(picture, Timeline)
    ends = {picture.rows[block.row].split("\n")[0]: block.end for block in picture.blocks}
    assert (ends["H100"], ends["GB200"], ends["Rubin Ultra"]) == (8, 144, 576)  # B5: dies, where they are counted
    assert "the weights: GB200" in picture.text  # B6: a terabyte is more than 640 GB


def traffic(mode: Mode, **turned: float) -> np.ndarray:
    one = board("experts")
    picture = one.views[1].compute(one.values(mode, turned))
    assert isinstance(picture, Table)
    return picture.values


def test_experts_lie_four_to_a_chip_and_copies_relieve_the_busiest() -> None:
    found = drawn("experts")
    assert next(one.text for one in found.marks).endswith("4 experts a chip")  # B1
    assert "4 experts a chip" in drawn("experts", CAREFUL).marks[0].text  # 288 over 72
    assert line(found, "placed greedily")[0] == pytest.approx(1)  # the lecture's experts are sought alike
    skewed = drawn("experts", skew=0.5)
    busiest, least = line(skewed, "placed greedily"), line(skewed, "at best")
    assert np.all(busiest >= least * (1 - 1e-12))
    assert mark(skewed, "copies") == pytest.approx((0, line(skewed, "without copies")[0]))
    assert busiest[-1] < busiest[0]


def test_half_of_the_visits_leave_one_of_two_racks_unless_copies_keep_them() -> None:
    assert traffic(LECTURE) == pytest.approx(np.full((2, 2), 8 / 2))  # B4
    assert traffic(LECTURE, racks=4) == pytest.approx(np.full((4, 4), 8 / 4))
    # A second copy of every expert lies on the next chip, and so in the other rack.
    assert traffic(LECTURE, redundant_experts=256) == pytest.approx(np.diag([8.0, 8.0]))
    copied = traffic(CAREFUL)
    assert copied.sum(axis=1) == pytest.approx([8, 8])
    visits = expert_placement.visit_fractions(experts=256, active_experts=8, skew=0.5)
    copies = expert_placement.copies_of_experts(visits=visits, redundant_experts=32)
    once = sum(visited for visited, held in zip(visits, copies, strict=True) if held == 1)
    # Half of the visits to what only one rack holds leave, at the least; half of all, had copies no choice.
    assert once / 2 * (1 - 1e-12) <= (copied.sum() - np.trace(copied)) / 2 < 8 / 2


def test_racks_of_experts_are_whole_domains_and_are_counted_from_one() -> None:
    """With as many copies as 144 chips leave room for, two to a chip, each rack holds half of all."""
    one = board("experts")
    at = one.values(CAREFUL)
    assert (at["chips"], at["racks"]) == (72, 2)
    picture = one.views[1].compute(at)
    assert isinstance(picture, Table)
    assert picture.first == 1
    document = board_document(one, at, one.facts())["views"][1]
    assert document["first"] == 1
    visits = expert_placement.visit_fractions(experts=256, active_experts=8, skew=0.5)
    copies = expert_placement.copies_of_experts(visits=visits, redundant_experts=32)
    holders = expert_placement.holders_of_experts(visits=visits, copies=copies, chips=144)
    arriving = expert_placement.arriving_visits(visits=visits, holders=holders, chips=144, racks=2)
    assert picture.values == pytest.approx(2 * 8 * np.array(expert_placement.visits_between_racks(arriving=arriving)))


def test_cuts_send_the_equations_bytes_and_hide_where_times_are_equal() -> None:
    at = board("cuts").values(LECTURE)
    found, times = drawn("cuts"), drawn("cuts", view=1)
    tensor = cuts.tensor_bytes(tokens=2400, hidden=7168, value_bytes=2, ranks=64)
    assert line(found, "tensor") == pytest.approx(np.full_like(found.x, tensor))
    width, sent = mark(found, "width of an expert")
    assert sent == pytest.approx(63 / 64 * 256 * 3 * 7168 * width)
    # Reading the experts of a layer takes 53 us; the balance batch of 2,400 computes them faster.
    floor = line(times, "the layer's own")
    assert floor[0] == pytest.approx(256 * 3 * 7168 * 2048 / (64 * 1e15 / 300))
    for name in ("tensor", "expert"):
        wide, _ = mark(found, f"width from which the {name} cut is hidden")
        assert np.interp(wide, found.x, line(found, "hides behind")) == pytest.approx(line(found, name)[0], rel=1e-3)
        rate, time_s = mark(times, f"links that hide the {name} cut")
        assert time_s == pytest.approx(floor[0])
        assert wide / 2048 == pytest.approx(rate / at["link_bytes_per_s"])
    for view in (found, times):
        order = [line(view, name)[0] for name in ("pipeline", "expert", "context", "tensor", "data")]
        assert order == sorted(order)


def test_a_stage_hides_its_hand_over_from_the_lectures_one_layer_on() -> None:
    found = drawn("stages")
    assert mark(found, "enough layers, bytes alike") == pytest.approx((1, 2))  # B8
    assert mark(found, "enough layers, bytes as sent") == pytest.approx((1, 1.5))
    stages = drawn("stages", layers_per_stage=15)
    assert mark(stages, "layers of a stage, bytes alike") == pytest.approx((15, 30))
    assert mark(stages, "layers of a stage, bytes as sent") == pytest.approx((15, 22.5))
    alone = drawn("stages", layers_per_stage=1).marks
    assert [one.name for one in alone] == ["enough layers, bytes as sent", "enough layers, bytes alike"]
    careful = drawn("stages", CAREFUL)
    layers, ratio = mark(careful, "enough layers, bytes as sent")
    assert layers == 2
    assert 1 <= ratio < 2


def test_a_hop_takes_a_millisecond_at_most_where_the_lecture_has_a_few() -> None:
    found = drawn("stages", view=1)
    assert mark(found, "one port")[1] == pytest.approx(0.69e-3, rel=0.01)  # B16
    assert mark(found, "ports")[1] == pytest.approx(6e-6 + 2400 * 7168 * 2 / 64 / 50e9)
    assert line(found, "lecture:\n2.5 ms a hop")[0] == pytest.approx(2.5e-3)


def test_a_torus_takes_three_times_as_long_and_cables_grow_with_chips() -> None:
    assert mark(drawn("wires"), "chips") == pytest.approx((64, 3 * 64 / 63))
    found = drawn("wires", view=1)
    assert mark(found, "cables to switches") == pytest.approx((64, 128))
    assert mark(drawn("wires", view=1, chips=128), "cables to switches")[1] == pytest.approx(256)  # B5


def test_memory_divides_weights_and_never_the_cache() -> None:
    found = drawn("memory")
    kv = line(found, "keys and values")
    assert kv == pytest.approx(np.full_like(kv, 7.5e9))  # B15
    assert line(found, "weights")[[0, -1]] == pytest.approx([15.625e9, 1.953e9], rel=1e-3)
    assert mark(found, "stages")[1] == pytest.approx(7.5e9 + 3.90625e9)


def test_bubbles_are_the_closed_forms() -> None:
    found = drawn("bubbles")
    assert mark(found, "inference without micro-batches") == pytest.approx((1, 0.75))  # B9
    assert mark(found, "training") == pytest.approx((4, 3 / 7))  # B10
    assert np.interp([4, 10], found.x, line(found, "inference")) == pytest.approx([0, 0], abs=1e-12)
    assert mark(drawn("bubbles", micro_batches=29), "training") == pytest.approx((29, 3 / 32))


def test_bubbles_keep_all_micro_batches_or_as_many_as_stages() -> None:
    found = drawn("bubbles", view=1, micro_batches=10)
    assert mark(found, "1F1B keeps") == (10, 4)
    assert np.interp([3, 10], found.x, line(found, "1F1B")) == pytest.approx([3, 4])
    assert np.interp([3, 10], found.x, line(found, "GPipe")) == pytest.approx([3, 10])


@pytest.mark.parametrize(("stages", "micro_batches", "ratio"), [(4, 4, 1), (4, 4, 2), (3, 7, 1.5), (5, 2, 2)])
def test_bubbles_are_seen_in_the_schedule(stages: int, micro_batches: int, ratio: float) -> None:
    one = board("bubbles")
    turned = {"stages": stages, "micro_batches": micro_batches, "backward_ratio": ratio}
    picture = one.views[2].compute(one.values(LECTURE, turned))
    assert isinstance(picture, Timeline)
    assert len(picture.rows) == stages
    assert len(picture.blocks) == 2 * stages * micro_batches
    whole = stages * max(block.end for block in picture.blocks)
    idle = 1 - sum(block.end - block.start for block in picture.blocks) / whole
    bubble = (stages - 1) / (micro_batches + stages - 1)
    assert idle == pytest.approx(bubble)
    assert f"{100 * bubble:.3g} % idle" in picture.text


def test_ciphers_mix_in_a_few_rounds_and_a_residual_network_does_not() -> None:
    found = drawn("ciphers", rounds=10)
    aes, present, feistel = (mark(found, f"{name} mixed")[0] for name in ("AES", "PRESENT", "Feistel"))
    assert aes == 2  # each byte of four rounds' square feeds every byte after two
    assert aes < feistel < present < 10
    assert line(found, "AES")[0] == 1 / 128
    for name in ("AES", "PRESENT", "Feistel"):
        assert line(found, name)[-1] == pytest.approx(0.5, abs=0.02)  # thousands of bits
    # The network of E8 with layers still to come: each adds to what differs, which was one sign.
    whole = next(claim.careful for claim in CLAIMS if claim.id == "E8")
    assert whole is not None
    assert 1 / 64 < line(found, "residual")[-1] < whole()
    linear = drawn("ciphers", rounds=10, exponent=1)
    assert "Feistel mixed" not in {one.name for one in linear.marks}
    assert line(linear, "Feistel")[-1] < 0.1  # its function adds, and carries are short


def test_ciphers_show_both_difference_tables() -> None:
    one = board("ciphers")
    for view, size, largest in ((1, 16, 4), (2, 256, 4)):
        picture = one.views[view].compute(one.values(LECTURE, {"changes": 256}))
        assert isinstance(picture, Table)
        assert picture.values.shape == (size, size)
        assert picture.values.max() == largest
        assert picture.text == f"at most 4 of {size} inputs"
        assert set(picture.values[1:].sum(axis=1)) == {size}
        assert picture.values[0].sum() == 0


def test_reversible_stacks_keep_one_layer_at_any_depth_for_a_third_more_compute() -> None:
    layer_bytes = 34 * 2048 * 12288
    found = drawn("reversible")
    assert mark(found, "reversible at this depth") == pytest.approx((100, layer_bytes))
    assert mark(found, "plain at this depth") == pytest.approx((100, 100 * layer_bytes))
    assert mark(found, "every √L at this depth")[1] == pytest.approx(10 * (1 + 2 / 34) * layer_bytes)
    assert set(np.diff(line(found, "reversible"))) == {0.0}
    steps = drawn("reversible", view=1)
    assert mark(steps, "all layers kept") == pytest.approx((100, 100 * layer_bytes))
    assert line(steps, "every √L").max() == pytest.approx(10 * (1 + 2 / 34) * layer_bytes)
    assert set(line(steps, "reversible")) == {layer_bytes}
    price = drawn("reversible", view=2)
    assert mark(price, "none reversible") == pytest.approx((6, 100 * layer_bytes))
    assert mark(price, "all reversible") == pytest.approx((8, layer_bytes))
    assert next(one.text for one in price.marks if one.name == "all reversible") == "+33 %"  # E3


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
    expected = contexts.crossover_context_tokens(
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


def test_what_a_machine_does_not_say_has_to_be_set() -> None:
    one = board("cost")
    facts = one.facts()
    unpriced = dataclasses.replace(facts, machine=dataclasses.replace(facts.machine, tariff=None))
    with pytest.raises(ControlError, match="has no usd_per_chip_s"):
        one.values(CAREFUL, facts=unpriced)
    assert list(one.starts(unpriced)) == [LECTURE]
    assert one.values(CAREFUL, {"usd_per_chip_s": 1e-3}, unpriced)["usd_per_chip_s"] == 1e-3


@pytest.mark.parametrize("machine", machine_ids())
@pytest.mark.parametrize("model", ["deepseek-v3", "llama-3.1-70b", "qwen3.5-397b-a17b"])
def test_a_board_of_any_machine_is_drawn_or_says_what_is_missing(model: str, machine: str) -> None:
    facts = Facts(model=load_model(model), machine=load_machine(machine))
    for one in BOARDS:
        try:
            values = one.values(CAREFUL, facts=facts)
        except ControlError as error:
            assert error.control in {control.name for control in one.controls}  # noqa: PT017  said or drawn
        else:
            for picture in one.pictures(values):
                check(picture)


def test_half_a_chip_is_refused() -> None:
    with pytest.raises(ControlError, match=r"chips=64\.6 is not whole \(chips\); write 65"):
        board("latency").values(LECTURE, {"chips": 64.6})
