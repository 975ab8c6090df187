"""Memory of a device as nvidia-smi, rocm-smi and amd-smi print it: makers sell GiB as GB, and drivers keep a little.

Each number's address is under the key that its fact names in ``catalog/sources.toml``.
"""

from __future__ import annotations

import pytest
from tests.each import of_each

from ridgeline.catalog import load_machine, machine_entry, machine_ids

MIB = 2**20
PRINTED = {
    "a100-40-sxm": 40960 * MIB,
    "a100-80-sxm": 81920 * MIB,
    "h100-sxm": 81559 * MIB,
    "h200-sxm": 143771 * MIB,
    "b200-sxm": 183359 * MIB,
    "gb200-nvl72": 189471 * MIB,
    "gb300-nvl72": 284208 * MIB,
    "l40s": 46068 * MIB,
    "rtx-4090": 24564 * MIB,
    "mi300x": 206141652992,
    "mi355x": 294896 * MIB,
}
SOLD_GB = {"h100-sxm": 80, "h200-sxm": 141, "b200-sxm": 180, "mi250x": 128, "mi300x": 192, "mi325x": 256, "mi355x": 288}


@pytest.mark.parametrize(("machine_id", "bytes_printed"), PRINTED.items())
def test_a_chip_has_the_bytes_that_its_driver_prints(machine_id: str, bytes_printed: int) -> None:
    assert load_machine(machine_id).chip.hbm_bytes == bytes_printed


def test_an_h100_shows_85_52_gb_and_an_h200_150_75() -> None:
    """Belotti's table, to the digits printed; half a unit of the last for its own rounding down of the H200's."""
    shown = [load_machine(machine_id).chip.hbm_bytes / 1e9 for machine_id in ("h100-sxm", "h200-sxm")]
    assert shown == pytest.approx([85.52, 150.75], abs=0.01)


@pytest.mark.parametrize(("machine_id", "sold"), SOLD_GB.items())
def test_what_is_sold_as_gb_is_less_than_as_many_gib_by_one_percent_at_most(machine_id: str, sold: int) -> None:
    """NVIDIA's driver keeps 0.5 % (B200: 183,359 MiB of 184,320), AMD's 16 MiB a die."""
    shown = load_machine(machine_id).chip.hbm_bytes / 2**30
    assert 0.99 * sold <= shown <= sold


def test_both_dies_of_an_mi250x_have_the_memory_of_an_mi210() -> None:
    """rocminfo shows two devices of 64 GiB less 16 MiB each."""
    assert load_machine("mi250x").chip.hbm_bytes == 2 * load_machine("mi210").chip.hbm_bytes
    assert load_machine("mi210").chip.hbm_bytes == 64 * 2**30 - 16 * MIB


@of_each("machine_id", machine_ids())
def test_memory_has_a_source_and_what_is_announced_is_not_taken_for_read(machine_id: str) -> None:
    facts = machine_entry(machine_id).facts
    assert facts.chip.hbm_bytes.source != "memory"
    assert facts.chip.hbm_bytes.unverified or not facts.announced
