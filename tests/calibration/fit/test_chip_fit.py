"""A fit finds the numbers that cases were made with, and says how sure it is."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from tests.each import of_each

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.blocks import BLOCKS, START
from ridgeline.calibration.fit.chip_fit import fit_chips
from ridgeline.calibration.fit.stacks import residuals, training, with_kernels
from ridgeline.calibration.kinds.kind import KINDS, KernelKind
from ridgeline.calibration.kinds.run import Run
from ridgeline.catalog import load_machine
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.kernels import (
    KERNELS,
    MEASURED_BUS,
    MEASURED_BUS_BYTES_PER_S,
    SHARED,
    KernelFile,
    kernels_of,
    numbers_of,
)
from ridgeline.catalog.machines import kernels_reference, machine_entry, machine_ids
from ridgeline.estimator.clock import kernel_timing
from ridgeline.estimator.interval import total_s
from ridgeline.estimator.kernels import ExpertMatmul, Matmul
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.kernels import Kernels
from ridgeline.specs.machine import Machine
from ridgeline.specs.number_format import matmul_format

H100 = load_machine("h100-sxm")
TRUE = dataclasses.replace(
    START,
    gemm=dataclasses.replace(START.gemm, hbm_fraction=0.7, launch_s=4e-6),
    decode_attention=dataclasses.replace(START.decode_attention, hbm_fraction=0.65, launch_s=2e-5),
)


def made(kernels: Kernels, noise: float = 0.0) -> list[Case]:
    """Products and attention as a chip with these kernels would take, and some noise."""
    rng = np.random.default_rng(1)
    machine = with_kernels(H100, kernels)
    cases = []
    shapes = [(m, n, k) for m in (1, 64, 512, 4096) for n in (1024, 8192) for k in (1024, 8192)]
    for m, n, k in shapes:
        facts: dict[str, Any] = {"m": m, "n": n, "k": k, "weight_dtype": "bf16", "activation_dtype": "bf16"}
        cases.append(_case("gemm", facts))
    for batch in (1, 8, 64):
        for context in (256, 1024, 4096, 65536):
            facts = {"batch": batch, "context_tokens": context, "kv_dtype": "bf16"}
            facts |= {"query_heads": 32, "kv_heads": 8, "head_dim": 128}
            cases.append(_case("attention_decode", facts))
    return [
        dataclasses.replace(case, measured=_taken_s(case, machine) * float(np.exp(noise * rng.standard_normal())))
        for case in cases
    ]


def _taken_s(case: Case, machine: Machine) -> float:
    kind = KINDS[case.kind]
    assert isinstance(kind, KernelKind)
    return float(total_s(kind.parts(Run(case=case, machine=machine, fidelity=MEASURED, models={}))))


def _case(kind: str, facts: dict[str, Any]) -> Case:
    return Case(
        name=kind,
        family="made",
        kind=kind,
        quantity="latency_s",
        machine="h100-sxm",
        measured=1.0,
        engine="trtllm-1.3",
        **facts,
    )


def test_what_cases_were_made_with_leaves_no_residual() -> None:
    stacks = [stack for name in ("gemm", "decode_attention") for stack in training(made(TRUE), BLOCKS[name])]
    # Many rows of one product are one stack, and so are those of one shape of attention.
    assert len(stacks) == 2
    assert residuals(stacks, {"h100-sxm": TRUE}) == pytest.approx(0, abs=1e-12)
    assert np.abs(residuals(stacks, {"h100-sxm": START})).max() > 0.1


def test_a_column_of_numbers_has_a_line_of_residuals_for_each() -> None:
    def kernels(changes: Mapping[str, Any]) -> dict[str, Kernels]:
        return {"h100-sxm": dataclasses.replace(TRUE, gemm=dataclasses.replace(TRUE.gemm, **changes))}

    stacks = [stack for name in ("gemm", "decode_attention") for stack in training(made(TRUE), BLOCKS[name])]
    numbers: dict[str, tuple[float, float]] = {"launch_s": (1e-6, 5e-6), "hbm_fraction": (0.5, 1.0)}
    at_once = residuals(stacks, kernels({name: np.array(pair)[:, np.newaxis] for name, pair in numbers.items()}))
    each = [residuals(stacks, kernels({name: pair[line] for name, pair in numbers.items()})) for line in (0, 1)]
    # The same arithmetic, but for the last bits of logarithms.
    assert at_once == pytest.approx(np.stack(each), abs=1e-12)
    with pytest.raises(ValueError, match="must be above 0 and at most 1"):
        kernels({"hbm_fraction": np.array([[0.5], [1.1]])})


def test_a_fit_finds_what_the_cases_were_made_with() -> None:
    _, chips = fit_chips(made(TRUE, noise=0.02), reference=lambda machine: machine)
    found = {one.name: one for one in chips["h100-sxm"].parameters}
    for name, true in (
        ("gemm.hbm_fraction", 0.7),
        ("gemm.launch_s", 4e-6),
        ("decode_attention.hbm_fraction", 0.65),
        ("decode_attention.launch_s", 2e-5),
    ):
        one = found[name]
        # Two priors pull towards the start, the more the less the rows say: five deviations, and 3 % for the pull.
        assert abs(np.log(one.value / true)) < 5 * one.log_sd + 0.03, name
        assert one.log_sd < 0.2
    assert found["gemm.launch_s"].rows == 16


def test_few_rows_say_nothing_of_a_chip() -> None:
    few = [case for case in made(TRUE) if case.kind == "attention_decode"][:9]
    _, chips = fit_chips(few, reference=lambda machine: machine)
    assert not chips


@pytest.mark.parametrize("name", [SHARED, *(name for name in machine_ids() if (KERNELS / f"{name}.toml").is_file())])
def test_no_packaged_fraction_is_above_one(name: str) -> None:
    file = read_toml(KERNELS / f"{name}.toml", KernelFile)
    numbers = numbers_of(Kernels(**file.blocks()))
    fractions = {place: value for place, value in numbers.items() if place.split(".")[1].endswith("fraction")}
    assert len(fractions) > len(BLOCKS)
    for place, value in fractions.items():
        assert 0 < value <= 1, place
    # What is said of a number is said of one that there is.
    assert file.uncertainty.keys() <= numbers.keys()
    assert file.uncertainty


def test_a_fraction_is_fitted_up_to_one_and_refused_above() -> None:
    twice = [dataclasses.replace(case, measured=(case.measured or 0) / 4) for case in made(TRUE)]
    _, chips = fit_chips(twice, reference=lambda machine: machine)
    kernels = chips["h100-sxm"].kernels
    assert kernels.gemm.fraction["bf16"] == kernels.gemm.hbm_fraction == kernels.decode_attention.hbm_fraction == 1
    with pytest.raises(ValueError, match=r"gemm.fraction.bf16=2.22 must be above 0 and at most 1"):
        dataclasses.replace(START, gemm=dataclasses.replace(START.gemm, fraction={"bf16": 2.22}))
    with pytest.raises(ValueError, match=r"elementwise.hbm_fraction='most' must be a number"):
        dataclasses.replace(START, elementwise=dataclasses.replace(START.elementwise, hbm_fraction="most"))  # type: ignore[arg-type]  # a file may say so


def test_a_number_that_no_row_moves_is_not_said_to_be_fitted() -> None:
    _, chips = fit_chips(made(TRUE, noise=0.02), reference=lambda machine: machine)
    fitted = chips["h100-sxm"]
    told = {one.name for one in fitted.parameters}
    assert "gemm.fraction.bf16" in told
    assert "gemm.fraction.fp8" not in told
    assert "gemm.quantise_s.fp8" not in told
    assert fitted.kernels.gemm.fraction["fp8"] == pytest.approx(START.gemm.fraction["fp8"], rel=1e-12)
    assert fitted.rows == {"gemm": 16, "decode_attention": 12}


def test_each_gpu_has_kernels_of_its_own_or_of_its_family() -> None:
    for name in machine_ids():
        facts = machine_entry(name).facts
        is_bus = facts.fabric[0].topology == "bus"
        link_bytes_per_s = facts.fabric[0].bytes_per_s.value
        found = kernels_of(name, facts.family, bus_bytes_per_s=link_bytes_per_s if is_bus else None)
        assert (found is None) is (kernels_reference(name) is None)
        if found is not None:
            if facts.chip.largest_product_flop_per_s is None:
                assert load_machine(name).efficiency.kernels == found.kernels
            own = (KERNELS / f"{name}.toml").is_file()
            assert own is found.status.startswith("fitted on")
            assert found.status in MEASURED.status_on(load_machine(name).efficiency)
            assert (found.kernels.collectives.ranks_power > 0.5) is is_bus  # switches give everybody the same
            if is_bus and not own:
                assert load_machine(MEASURED_BUS).fabric[0].bytes_per_s == MEASURED_BUS_BYTES_PER_S
                measured = kernels_of(MEASURED_BUS, "ada", bus_bytes_per_s=MEASURED_BUS_BYTES_PER_S)
                assert measured is not None
                fastest = measured.kernels.collectives.simple_fraction * MEASURED_BUS_BYTES_PER_S
                assert found.kernels.collectives.simple_fraction * link_bytes_per_s <= fastest * (1 + 1e-12)


@of_each("name", [name for name in machine_ids() if kernels_reference(name)])
def test_large_kernels_are_never_faster_than_the_chip(name: str) -> None:
    machine = load_machine(name)
    kernels = (
        Matmul(rows=32768, columns=16384, inner=16384, format=matmul_format("bf16")),
        ExpertMatmul(
            visits=2**20, experts_touched=64, hidden=7168, expert_hidden=2048, gated=True, format=matmul_format("bf16")
        ),
    )
    for kernel in kernels:
        timing = kernel_timing(kernel, machine)
        assert timing.time_s >= float(timing.work.flop) / machine.chip.flop_per_s["bf16"]
        assert sum(float(part) for part in timing.causes.values()) == pytest.approx(float(timing.time_s))


def test_every_kind_of_kernel_is_fitted_by_one_block() -> None:
    kinds = [kind for block in BLOCKS.values() for kind in block.kinds]
    assert len(kinds) == len(set(kinds))
    assert set(BLOCKS) == {field.name for field in dataclasses.fields(Kernels)}
