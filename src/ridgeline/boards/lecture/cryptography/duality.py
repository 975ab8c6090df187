"""Exchange rate of memory for arithmetic on each machine, between the KV cache and a reversible network."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS
from ridgeline.boards.picture import Axis, Colour, Curves, Dots
from ridgeline.boards.pictures import Form, curve, curves, logarithmic
from ridgeline.catalog import load_machine, machine_ids
from ridgeline.equations import duality
from ridgeline.seconds import HOUR_S

__all__ = ["BOARD"]

EFLOP, GB_MONTH = 1e18, 1e9 * 730 * HOUR_S
"""FLOP, and bytes times seconds, that are priced: a gigabyte held for a month of 730 hours."""
BESIDE = 1.6
"""Room beside the dots, as a factor."""
REFERENCE = "h100-sxm"
"""Chip on which activations wait."""
KV, REVERSIBLE = "KV cache", "reversible\nnetwork"
FIVE_MINUTES_S = said(300.0, "1:59:45")
GPT3_WIDTH = 12288


@cache
def _machines() -> tuple[tuple[str, float, float, float | None], ...]:
    """Id, peak of 16-bit arithmetic, memory, and price a second if there is one."""
    found = [load_machine(name) for name in machine_ids()]
    return tuple(
        (
            one.id,
            one.chip.flop_per_s["bf16"],
            one.chip.hbm_bytes,
            None if one.tariff is None else one.tariff.usd_per_chip_s,
        )
        for one in found
    )


def _reference() -> tuple[float, float]:
    return next((flop_per_s, held) for name, flop_per_s, held, _ in _machines() if name == REFERENCE)


def _again(values: Values) -> dict[str, float]:
    """FLOP that make a byte anew, by technique."""
    return {
        KV: float(
            duality.kv_flop_per_byte(
                active_params=values["active_params"], kv_bytes_per_token=values["kv_bytes_per_token"]
            )
        ),
        REVERSIBLE: float(duality.activation_flop_per_byte(hidden=values["hidden"])),
    }


def _held_s(values: Values) -> dict[str, float]:
    """Time for which a byte waits, by technique: activations of so much of the memory, on the reference machine."""
    flop_per_s, capacity = _reference()
    pays = duality.break_even_hold_s(
        flop_per_byte=_again(values)[REVERSIBLE],
        flop_per_s=values["reached_fraction"] * flop_per_s,
        capacity_bytes=capacity,
    )
    part = values["memory_fraction"] / duality.reversible_break_even_fraction()
    return {KV: values["held_s"], REVERSIBLE: float(part * pays)}


COLOURS = {KV: Colour.KV, REVERSIBLE: Colour.ALSO}


def _prices(values: Values) -> Curves:
    priced = [one for one in _machines() if one[3] is not None]
    x, y = np.array(
        [
            [
                EFLOP
                * duality.usd_per_flop(usd_per_chip_s=price or 0.0, flop_per_s=values["reached_fraction"] * flop_per_s),
                GB_MONTH * duality.usd_per_byte_s(usd_per_chip_s=price or 0.0, capacity_bytes=capacity),
            ]
            for _, flop_per_s, capacity, price in priced
        ]
    ).T
    again, held = _again(values), _held_s(values)
    slopes = {name: again[name] / held[name] * GB_MONTH / EFLOP for name in again}
    low, high = float(x.min()) / BESIDE, float(x.max()) * BESIDE
    return curves(
        logarithmic(low, high, is_closed=True),
        *(curve(name, _times(slope), COLOURS[name], is_bold=name == KV) for name, slope in slopes.items()),
        dots=(Dots(name="machines", x=x, y=y, labels=tuple(one[0] for one in priced), colour=Colour.BOUND),),
        top=BESIDE * max(float(y.max()), high * max(slopes.values())),
        bottom=min(float(y.min()) / BESIDE, low * min(slopes.values())),
    )


def _times(slope: float) -> Form:
    return lambda x: slope * np.asarray(x)


def _holds(values: Values) -> Curves:
    worth: NDArray[np.float64] = np.array(
        [
            float(
                duality.flop_worth_per_byte_s(
                    flop_per_s=values["reached_fraction"] * flop_per_s, capacity_bytes=capacity
                )
            )
            for _, flop_per_s, capacity, _ in _machines()
        ]
    )
    again = _again(values)
    return curves(
        logarithmic(float(worth.min()) / BESIDE, float(worth.max()) * BESIDE, is_closed=True),
        curve("held", values["held_s"], Colour.ASIDE, is_floor=True),
        *(curve(name, _over(flop), COLOURS[name], is_bold=name == KV) for name, flop in again.items()),
        dots=(
            Dots(
                name="machines",
                x=worth,
                y=again[KV] / worth,
                labels=tuple(one[0] for one in _machines()),
                colour=Colour.BOUND,
            ),
        ),
        top=2 * max(again[KV] * BESIDE / float(worth.min()), values["held_s"]),
        bottom=0.5 * min(again[REVERSIBLE] / BESIDE / float(worth.max()), values["held_s"]),
    )


def _over(flop: float) -> Form:
    return lambda x: flop / np.asarray(x)


BOARD = Board(
    name="duality",
    time_stamp="2:13:33",
    title="Compute for memory, memory for compute",
    question="When is it cheaper to keep a result in memory, and when to compute it again?",
    caption="Whether to keep a result in memory, or compute it again. A chip's whole rent is charged to its FLOP, and"
    " once more to its bytes. Above a technique's line memory is the dearer: compute again. Below it: keep."
    " Activations wait on an H100 for their gradients. A reversible network pays once activations would take"
    " two thirds of all memory.",
    formula=(
        Term(tex=r"\$_{flop}=\dfrac{\$_{chip}}{F}"),
        Term(tex=r",\qquad\$_{byte}=\dfrac{\$_{chip}}{C}"),
        Term(tex=r",\qquad t_h^{*}="),
        Term(tex=r"\dfrac{2\,N_a}{\beta}", colour=Colour.KV),
        Term(tex=r"\cdot\dfrac{C}{F}"),
    ),
    controls=(
        controls.active_params(ACTIVE_PARAMS),
        controls.kv_bytes_per_token(),
        Control(
            name="held_s",
            meaning="for which a cache is held",
            called="time for which a cache is held",
            short="held for",
            dimension="duration",
            low=1.0,
            high=2592000.0,
            lecture=FIVE_MINUTES_S,
            careful=FIVE_MINUTES_S.value,
        ),
        Control(
            name="hidden",
            meaning="values wide",
            called="width of the trained model, in values",
            short="model width",
            dimension="count",
            low=256,
            high=65536,
            lecture=filled_in(GPT3_WIDTH, why="GPT-3's"),
            careful=GPT3_WIDTH,
        ),
        Control(
            name="memory_fraction",
            meaning="of memory in activations",
            short="activations",
            dimension="fraction",
            low=0.001,
            high=1.0,
            lecture=filled_in(0.1, why="a guess"),
            careful=0.1,
        ),
        Control(
            name="reached_fraction",
            meaning="of peak arithmetic",
            short="share of peak",
            dimension="fraction",
            low=0.01,
            high=1.0,
            lecture=filled_in(0.4, why="a usual share of peak"),
            careful=0.4,
        ),
    ),
    views=(
        View(
            equations=(2,),
            heading="Shadow prices",
            x=Axis(caption="price of 10¹⁸ FLOP", dimension="usd", is_logarithmic=True),
            y=Axis(caption="price of a GB held for a month", dimension="usd", is_logarithmic=True),
            compute=_prices,
        ),
        View(
            equations=(2,),
            heading="Worth holding up to",
            x=Axis(caption="FLOP that a byte-second is worth", dimension="count", is_logarithmic=True),
            y=Axis(caption="time that a byte is held", dimension="duration", is_logarithmic=True),
            compute=_holds,
        ),
    ),
    claims=("E9",),
    exercises=("duality-hold",),
    first_move=FirstMove(
        control="active_params",
        to=1e12,
        then="the line of the KV cache rises: what is dearer to compute is worth more memory",
        seen=(Moves(what="KV cache", way=Way.UP),),
    ),
)
