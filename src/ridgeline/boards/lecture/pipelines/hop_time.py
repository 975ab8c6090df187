"""Time to hand a micro-batch to the next rack: shared parts of boards and claims on hops."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.board import Facts
from ridgeline.boards.claim import Step, step
from ridgeline.boards.constant import filled_in
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.residual_stream import VALUE_BYTES
from ridgeline.catalog import load_machine
from ridgeline.equations import collectives
from ridgeline.numeric import Numeric

__all__ = ["LATENCY_S", "MACHINE", "MOST_PORTS", "careful_hop_s", "hop_s", "latency_of", "ports_of", "to_deepseek"]

MACHINE = "gb200-nvl72"
MOST_PORTS = 256

LATENCY_S = filled_in(
    load_machine(MACHINE).efficiency.message_latency_s["scale_out"], why="the catalog's between racks of GB200"
)
"""Latency of a message that leaves its rack, through all parts on its way: the lecture lists them and gives no number.
"""


def hop_s(*, batch: Numeric, hidden: Numeric, ports: Numeric, port_bytes_per_s: Numeric, latency_s: Numeric) -> Numeric:
    """Time of a batch's 16-bit activations from rack to rack, s, spread evenly over ``ports`` ports."""
    return collectives.send_time_s(
        message_bytes=batch * hidden * VALUE_BYTES / ports,
        ranks=2,
        bytes_per_s=port_bytes_per_s,
        latency_s=latency_s,
    )


def ports_of(facts: Facts) -> float:
    """Network ports of a domain, one for each chip."""
    return min(MOST_PORTS, facts.machine.scale_up_chips)


def latency_of(facts: Facts) -> float | None:
    """Latency of a message beyond the domain, s; None where the machine has no such network."""
    return facts.machine.efficiency.message_latency_s.get(facts.machine.fabric[-1].name)


def to_deepseek() -> Iterable[Step]:
    """Steps from a hop through one port to DeepSeek-V3's between two racks."""
    facts = fleet.facts(MACHINE)
    yield step("a network port for each chip of the rack, all sending their part", ports=ports_of(facts))
    yield step("DeepSeek-V3's balance batch on a rack of GB200", batch=controls.whole_balance_batch(facts))


def careful_hop_s() -> float:
    """Time of a hop of DeepSeek-V3's balance batch between racks of GB200, s."""
    facts = fleet.facts(MACHINE)
    found = hop_s(
        batch=controls.whole_balance_batch(facts),
        hidden=facts.model.hidden,
        ports=ports_of(facts),
        port_bytes_per_s=facts.machine.fabric[-1].bytes_per_s,
        latency_s=facts.machine.efficiency.message_latency_s["scale_out"],
    )
    return float(found)
