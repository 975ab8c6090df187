"""Kinds of kernels and messages: what a new one takes, and which form times those there are."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from ridgeline.catalog import load_machine
from ridgeline.equations.collectives import Levels, scattered_parts, send_time_s
from ridgeline.errors import RidgelineError
from ridgeline.estimator.clock import kernel_timing, message_timing
from ridgeline.estimator.engine_overhead import unreplayed
from ridgeline.estimator.kernels import (
    AttentionCore,
    ExpertMatmul,
    Ground,
    Kernel,
    Matmul,
    StateUpdate,
    Stream,
    Work,
    fitted,
    rests_on,
    roofline,
    work,
)
from ridgeline.estimator.messages import AllReduce, Group, Message
from ridgeline.estimator.messages.levels import message_bytes
from ridgeline.estimator.messages.message import fitted_time_s, parts, switch_time_s
from ridgeline.estimator.timing import Cause, Timing, fitted_timing, roofline_timing
from ridgeline.numeric import Numeric
from ridgeline.specs.as_run import AS_BENCHMARKED, AsRun
from ridgeline.specs.efficiency import IDEAL, Efficiency
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.kernels import Collectives, Gemm
from ridgeline.specs.machine import Machine
from ridgeline.specs.number_format import matmul_format

H100, V4 = load_machine("h100-sxm"), load_machine("tpu-v4")
FITTED = H100.efficiency.fitted
DERATED = dataclasses.replace(H100.efficiency, kernels=None)


# All that a new kind of kernel takes: a record, and its answers. In the house they are a file of their own.


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort(Kernel):
    """A kind that the house does not have."""

    values: Numeric
    passes: int = 4
    changed = frozenset({"launch_fraction", "eager_launch_s"})


@work.register
def _(kernel: Sort) -> Work:
    return Work(flop=0.0, activation_bytes=2 * 4 * kernel.values * kernel.passes)


@rests_on.register
def _(kernel: Sort, machine: Machine) -> Ground:
    return Ground(part="sorts", number="elementwise.hbm_fraction")


@roofline.register
def _(kernel: Sort, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    return roofline_timing(
        work(kernel),
        kind="elementwise",
        flop_per_s=machine.chip.flop_per_s["bf16"],
        hbm_bytes_per_s=machine.chip.hbm_bytes_per_s * machine.efficiency.hbm_fraction,
        launch_s=kernel.launches * machine.efficiency.kernel_launch_s * run.launch_fraction,
    )


@fitted.register
def _(kernel: Sort, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    done, numbers = work(kernel), machine.efficiency.fitted
    memory_s = done.activation_bytes / (machine.chip.hbm_bytes_per_s * numbers.elementwise.hbm_fraction)
    launch_s = kernel.launches * numbers.gemm.launch_s * run.launch_fraction
    return fitted_timing(
        done, kind="elementwise", time_s=memory_s + launch_s, compute_s=0.0, memory_s=memory_s, launch_s=launch_s
    )


# And a new kind of message; what it does not answer, here on a torus, it is refused.


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast(Message):
    """A kind that the house does not have."""


@parts.register
def _(message: Broadcast) -> Levels:
    return scattered_parts(message_bytes=message.buffer_bytes, ranks=message.group.ranks)


@switch_time_s.register
def _(message: Broadcast, part: Numeric, *, ranks: Numeric, bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    return send_time_s(message_bytes=part, ranks=ranks, bytes_per_s=bytes_per_s, latency_s=latency_s)


@fitted_time_s.register
def _(message: Broadcast, part: Numeric, *, ranks: Numeric, bytes_per_s: float, numbers: Collectives) -> Numeric:
    return numbers.launch_s + part / (bytes_per_s * numbers.simple_fraction)


def test_a_new_kind_of_kernel_is_timed_on_its_roofline() -> None:
    moved = 2 * 4 * 1e6 * 4
    ideal = kernel_timing(Sort(values=1e6), H100.with_efficiency(IDEAL))
    assert ideal.time_s == ideal.causes[Cause.ACTIVATIONS] == pytest.approx(moved / H100.chip.hbm_bytes_per_s)
    derated = kernel_timing(Sort(values=1e6, launches=2), H100.with_efficiency(DERATED))
    assert derated.causes[Cause.LAUNCH] == 2 * DERATED.kernel_launch_s
    assert derated.time_s == pytest.approx(float(ideal.time_s) / DERATED.hbm_fraction + 2 * DERATED.kernel_launch_s)


def test_a_new_kind_of_kernel_is_timed_as_fitted_and_launched() -> None:
    timing = kernel_timing(Sort(values=1e6), H100)
    moved_s = 2 * 4 * 1e6 * 4 / (H100.chip.hbm_bytes_per_s * FITTED.elementwise.hbm_fraction)
    assert timing.time_s == pytest.approx(moved_s + FITTED.gemm.launch_s)
    assert sum(timing.causes.values()) == pytest.approx(timing.time_s)
    as_launched = unreplayed(dataclasses.replace(IDEAL_ENGINE, is_captured=False), FITTED)
    eager = kernel_timing(Sort(values=1e6), H100, as_launched)
    assert eager.time_s == pytest.approx(float(timing.time_s) + FITTED.gemm.eager_launch_s)
    values = np.array([1e3, 1e6])
    grid = kernel_timing(Sort(values=values), H100).time_s
    points = [float(kernel_timing(Sort(values=one), H100).time_s) for one in values]
    assert np.array_equal(grid, points)


def test_a_new_kind_of_message_is_timed_level_after_level() -> None:
    message = Broadcast(buffer_bytes=1e9, group=Group(ranks=(8, 2)))
    assert message_bytes(message) == pytest.approx((1e9, 1e9 / 8))
    up, out = (level.bytes_per_s for level in H100.fabric)
    assert message_timing(message, H100.with_efficiency(IDEAL)).time_s == pytest.approx(1e9 / up + 1e9 / 8 / out)
    timing = message_timing(message, H100)
    assert timing.causes[Cause.SCALE_UP] == pytest.approx(
        FITTED.collectives.launch_s + 1e9 / (up * FITTED.collectives.simple_fraction)
    )
    assert timing.causes[Cause.LAUNCH] == 0
    assert timing.kind == "collectives"


def test_what_a_kind_does_not_answer_is_refused() -> None:
    with pytest.raises(TypeError, match="Broadcast is not a kind of message"):
        message_timing(Broadcast(buffer_bytes=1e9, group=Group(ranks=(64, 1))), V4.with_efficiency(IDEAL))
    for asked in (IDEAL, H100.efficiency):
        with pytest.raises(TypeError, match="Kernel is not a kind of kernel"):
            kernel_timing(Kernel(), H100.with_efficiency(asked))


def test_one_form_is_used_and_the_machine_says_which() -> None:
    kernel = Stream(rows=1000, width=4096, streams=3)
    assert kernel_timing(kernel, H100) == fitted(kernel, H100)
    assert kernel_timing(kernel, H100.with_efficiency(DERATED)) == roofline(kernel, H100.with_efficiency(DERATED))
    with pytest.raises(RidgelineError, match="no fitted kernels"):
        fitted(kernel, H100.with_efficiency(DERATED))


def with_products(products: Gemm) -> Efficiency:
    """Fitted numbers of H100 with these of products."""
    return dataclasses.replace(H100.efficiency, kernels=dataclasses.replace(FITTED, gemm=products))


def test_a_large_product_at_the_peak_takes_its_flop_and_a_little() -> None:
    """Large tiles would leave units idle in the last wave: the best of all tiles counts."""
    products = dataclasses.replace(
        FITTED.gemm,
        fraction={"bf16": 1.0},
        hbm_fraction=1.0,
        launch_s=0.0,
        penalty_values=0.0,
        prologue_values=0.0,
        k_value_s=0.0,
    )
    kernel = Matmul(rows=8192, columns=8192, inner=8192, format=matmul_format("bf16"))
    computing_s = 2 * 8192**3 / H100.chip.flop_per_s["bf16"]
    assert kernel_timing(kernel, H100.with_efficiency(with_products(products))).time_s == pytest.approx(
        computing_s, rel=0.005
    )


def test_a_product_of_few_tiles_is_split_where_that_is_faster() -> None:
    kernel = Matmul(rows=16, columns=512, inner=65536, format=matmul_format("bf16"))
    free, dear = (
        float(
            kernel_timing(
                kernel, H100.with_efficiency(with_products(dataclasses.replace(FITTED.gemm, split_k_s=one)))
            ).time_s
        )
        for one in (0.0, 1.0)
    )
    assert free < 0.5 * dear
    assert dear < 1e-3  # a split that costs a second is not made


def test_a_small_products_time_beyond_its_work_is_that_of_tiles() -> None:
    """An indexer's key: 128 columns are two tiles for 132 units, which wait for the latency of one, not for memory."""
    bf16 = matmul_format("bf16")
    small = kernel_timing(Matmul(rows=16, columns=132, inner=6144, format=bf16), H100)
    read_s = small.work.weight_bytes / (H100.chip.hbm_bytes_per_s * FITTED.gemm.hbm_fraction)
    assert small.causes[Cause.TILES] > read_s
    # Activations that were just written come from the cache, so that they add little to the weights.
    assert small.causes[Cause.WEIGHTS] + small.causes[Cause.ACTIVATIONS] == pytest.approx(read_s, rel=0.2)
    assert sum(small.causes.values()) == pytest.approx(small.time_s, rel=1e-12)
    large = kernel_timing(Matmul(rows=16384, columns=16384, inner=16384, format=bf16), H100)
    # Each tile's prologue, and the last wave, of a product that fills the chip a hundred times.
    assert 0 < large.causes[Cause.TILES] < 0.05 * large.time_s
    assert large.causes[Cause.COMPUTE] > 0.9 * large.time_s


@pytest.mark.parametrize("visits", [8, 128, 65536])
def test_tiles_of_experts_are_no_computing(visits: int) -> None:
    bf16 = matmul_format("bf16")
    kernel = ExpertMatmul(
        visits=visits, experts_touched=8, hidden=4096, expert_hidden=2048, gated=True, format=bf16, tokens=visits
    )
    timing = kernel_timing(kernel, H100)
    assert timing.causes[Cause.TILES] >= 0
    assert sum(timing.causes.values()) == pytest.approx(timing.time_s, rel=1e-12)
    # One row of an expert fills a sixteenth of the smallest tile; 8,192 fill 64 of the largest, and bind by computing.
    assert (timing.causes[Cause.COMPUTE] > timing.causes[Cause.TILES]) is (visits == 65536)


@pytest.mark.parametrize("kernel", [Matmul(rows=1, columns=8, inner=8, format=matmul_format("int8")), Sort(values=8)])
def test_every_kind_says_what_its_time_rests_on(kernel: Kernel) -> None:
    for machine in (H100, V4):
        ground = rests_on(kernel, machine)
        assert ground.part
        assert machine is V4 or ground.number in H100.efficiency.sources
    with pytest.raises(TypeError, match="is not a kind of kernel"):
        rests_on(Kernel(), H100)


FP8, MXFP4 = matmul_format("fp8"), matmul_format("mxfp4")
HEADS: dict[str, Any] = {"query_heads": 8, "query_key_dim": 128, "value_dim": 128, "cache_bytes": 1e7, "queries": 64}
OF_ALL_KINDS: dict[type[Kernel | Message], list[Kernel | Message]] = {
    Matmul: [Matmul(rows=64, columns=4096, inner=4096, format=FP8)],
    ExpertMatmul: [
        ExpertMatmul(visits=64, experts_touched=8, hidden=4096, expert_hidden=2048, gated=True, format=one)
        for one in (FP8, MXFP4)
    ],
    AttentionCore: [
        AttentionCore(pairs=1e6, is_prefill=is_prefill, is_latent=is_latent, **HEADS)
        for is_prefill, is_latent in ((True, False), (False, False), (False, True))
    ],
    Stream: [Stream(rows=64, width=4096, streams=2, is_by_row=is_by_row) for is_by_row in (True, False)],
    StateUpdate: [StateUpdate(flop=1e9, state_bytes=1e7, tokens=64, width=4096)],
    AllReduce: [AllReduce(buffer_bytes=1e6, group=Group(ranks=(8, 2)), is_custom=False)],
}
CHANGES: dict[str, Any] = {one.name: False if one.type == "bool" else 1e-3 for one in dataclasses.fields(AsRun)}
OTHER_RUNS = {name: AsRun(**{name: value}) for name, value in CHANGES.items()}


def test_an_engine_changes_of_each_kind_what_the_kind_says() -> None:
    """Engines that differ in nothing else share a kind's times, so that none may leave out what it reads."""
    for kind, all_of_it in OF_ALL_KINDS.items():
        changed = {
            name
            for name, run in OTHER_RUNS.items()
            for one in all_of_it
            for efficiency in (H100.efficiency, DERATED)
            if _time_s(one, efficiency, run) != _time_s(one, efficiency, AS_BENCHMARKED)
        }
        assert changed == kind.changed, kind
    # All kinds of the house, and a message for all of theirs, whose launches are timed in one place.
    assert {*work.registry} - {object, Sort} == {*OF_ALL_KINDS} - {AllReduce}


def _time_s(one: Kernel | Message, efficiency: Efficiency, run: AsRun) -> Numeric:
    machine = dataclasses.replace(H100, efficiency=efficiency)
    if isinstance(one, Message):
        return message_timing(one, machine, run).time_s
    return kernel_timing(one, machine, run).time_s
