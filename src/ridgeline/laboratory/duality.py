"""Worth of a byte in arithmetic on each machine, and two techniques that trade the one for the other.

A KV cache spends memory to save compute, a reversible network compute to save memory. Which of the two a machine
favours is a matter of two prices: that of a byte where memory binds, and that of a FLOP where arithmetic does.

Source: lecture 2:13:33 (E9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.catalog import load_machine, load_model, machine_ids
from ridgeline.equations import duality
from ridgeline.estimator.parameters import active_params, kv_bytes_per_token
from ridgeline.specs.machine import Machine

__all__ = ["Duality", "OfMachine", "Technique", "dual_prices"]

LECTURE_PARAMS, LECTURE_KV_BYTES = 100e9, 2e3
"""Active parameters of the lecture's model, and its bytes of keys and values a token (1:31:40, 1:38:45)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfMachine:
    """A machine's two shadow prices, and what they say of both techniques.

    Attributes:
        machine: catalog id of the machine.
        usd_per_flop: price of a FLOP where arithmetic binds; null where no price is listed.
        usd_per_byte_s: price of holding a byte for a second where memory binds; null where no price is listed.
        flop_worth_per_byte_s: FLOP that cost as much as a byte held for a second.
        kv_hold_s: time up to which the KV cache of the model asked for is worth holding in HBM.
        activation_hold_s: time up to which the activations of the training asked for are worth holding; a reversible
            network pays beyond.
    """

    machine: str
    usd_per_flop: float | None
    usd_per_byte_s: float | None
    flop_worth_per_byte_s: float
    kv_hold_s: float
    activation_hold_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Technique:
    """A trade between bytes and FLOP.

    Attributes:
        name: name of the technique and of its model.
        spends: resource that it spends, memory or compute; it saves the other.
        flop_per_byte: FLOP that compute a byte anew.
        held_s: time for which the byte is held, or would be.
        flop_per_byte_s: FLOP for a byte and second: it spends memory well where a byte is worth less, and compute well
            where it is worth more.
    """

    name: str
    spends: str
    flop_per_byte: float
    held_s: float
    flop_per_byte_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Duality:
    """Machines and techniques in one picture.

    Attributes:
        machines: machines of the catalog, those on which arithmetic is worth most first.
        techniques: KV caches and a reversible network, as trades of bytes for FLOP.
        reference: machine whose speed sets the time for which activations wait.
        reversible_break_even_fraction: part of all memory that activations would have to take for a reversible network
            to pay, on any machine.
    """

    machines: tuple[OfMachine, ...]
    techniques: tuple[Technique, ...]
    reference: str
    reversible_break_even_fraction: float


def dual_prices(
    *,
    machines: Sequence[str] | None = None,
    model: str = "deepseek-v3",
    held_s: float = 300.0,
    trained: str = "gpt3-175b",
    filled_fractions: Sequence[float] = (0.1, 1.0),
    reference: str = "h100-sxm",
    reached_fraction: float = 0.4,
) -> Duality:
    """Prices of a byte and of a FLOP on machines of the catalog, in 16-bit arithmetic.

    Args:
        machines: ids or paths of machines; left out, all of the catalog.
        model: model whose KV cache is held.
        held_s: time for which the KV cache is held, in seconds.
        trained: model whose activations wait for their gradients.
        filled_fractions: fractions of all memory that the activations take; the larger, the longer a step.
        reference: machine on which the activations wait.
        reached_fraction: fraction of peak arithmetic that training reaches.
    """
    served, stacked, on = load_model(model), load_model(trained), load_machine(reference)
    kv = float(
        duality.kv_flop_per_byte(
            active_params=active_params(served), kv_bytes_per_token=kv_bytes_per_token(served, served.precision)
        )
    )
    again = float(duality.activation_flop_per_byte(hidden=stacked.hidden))
    lecture = float(duality.kv_flop_per_byte(active_params=LECTURE_PARAMS, kv_bytes_per_token=LECTURE_KV_BYTES))
    # At the break-even they are held as long as the machine holds a byte for so many FLOP; less full, shorter.
    pays = float(duality.reversible_break_even_fraction())
    waits = [fraction / pays * _hold_s(on, again, reached_fraction) for fraction in filled_fractions]
    found = [_of_machine(load_machine(name), kv, again, reached_fraction) for name in machines or machine_ids()]
    return Duality(
        machines=tuple(sorted(found, key=lambda one: -one.flop_worth_per_byte_s)),
        techniques=(
            _technique("KV cache of the lecture's model", "memory", lecture, held_s),
            _technique(f"KV cache of {served.name}", "memory", kv, held_s),
            *(
                _technique(f"reversible {stacked.name}, {100 * fraction:.0f} % of memory", "compute", again, wait)
                for fraction, wait in zip(filled_fractions, waits, strict=True)
            ),
        ),
        reference=on.id,
        reversible_break_even_fraction=pays,
    )


def _technique(name: str, spends: str, flop_per_byte: float, held_s: float) -> Technique:
    return Technique(
        name=name,
        spends=spends,
        flop_per_byte=flop_per_byte,
        held_s=held_s,
        flop_per_byte_s=flop_per_byte / held_s,
    )


def _hold_s(machine: Machine, flop_per_byte: float, reached_fraction: float) -> float:
    chip = machine.chip
    return float(
        duality.break_even_hold_s(
            flop_per_byte=flop_per_byte,
            flop_per_s=reached_fraction * chip.flop_per_s["bf16"],
            capacity_bytes=chip.hbm_bytes,
        )
    )


def _of_machine(machine: Machine, kv: float, again: float, reached_fraction: float) -> OfMachine:
    flop_per_s, capacity = reached_fraction * machine.chip.flop_per_s["bf16"], machine.chip.hbm_bytes
    price = None if machine.tariff is None else machine.tariff.usd_per_chip_s
    return OfMachine(
        machine=machine.id,
        usd_per_flop=None
        if price is None
        else float(duality.usd_per_flop(usd_per_chip_s=price, flop_per_s=flop_per_s)),
        usd_per_byte_s=None
        if price is None
        else float(duality.usd_per_byte_s(usd_per_chip_s=price, capacity_bytes=capacity)),
        flop_worth_per_byte_s=float(duality.flop_worth_per_byte_s(flop_per_s=flop_per_s, capacity_bytes=capacity)),
        kv_hold_s=_hold_s(machine, kv, reached_fraction),
        activation_hold_s=_hold_s(machine, again, reached_fraction),
    )
