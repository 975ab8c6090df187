"""The rack beside this chapter's steps: chips that keep what layers computed, and chips that compute it again."""

from __future__ import annotations

from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.batch.trains import HBM_BYTES
from ridgeline.boards.lecture.cryptography.reversible import COLOURS, PLAIN, REVERSIBLE, bytes_kept
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import RackPicture, Standing, cabinets, number, stated, words
from ridgeline.equations import training
from ridgeline.quantity_text import format_quantity

__all__ = ["kept", "kept_and_again", "memory_for_time", "resting"]

HBM = controls.hbm_bytes(HBM_BYTES)


def resting(at: Standing) -> RackPicture:
    """A rack that waits: neither ciphers nor their rounds are about one."""
    return RackPicture(
        cabinets=cabinets(1, chips=number(at, controls.chips())),
        words=words("Ciphers need no rack: it rests here, and is back for reversible training."),
        is_resting=True,
    )


def kept(at: Standing) -> RackPicture:
    """Chips that keep what a plain stack of the board's layers computed."""
    chips, hbm_bytes = number(at, controls.chips()), number(at, HBM)
    kept_bytes = bytes_kept(at.values, PLAIN)
    part = kept_bytes / hbm_bytes
    return RackPicture(
        cabinets=cabinets(1, chips=chips, memory=[(COLOURS[PLAIN], part)]),
        words=words(
            f"{chips:.0f} chips, {at.values['layers']:.0f} layers: each chip keeps ",
            (f"{format_quantity(kept_bytes, 'bytes')} of activations, {_part(part)}", COLOURS[PLAIN]),
            " of its ",
            stated(at, HBM),
            ".",
        ),
    )


def kept_and_again(at: Standing) -> RackPicture:
    """Chips that each train a stack of the board's layers: a plain one, and a reversible one."""
    return _two(at, with_times=False)


def memory_for_time(at: Standing) -> RackPicture:
    """Memory of both networks, with the time that each computes."""
    return _two(at, with_times=True)


def _two(at: Standing, *, with_times: bool) -> RackPicture:
    chips, hbm_bytes = number(at, controls.chips()), number(at, HBM)
    kept = {name: bytes_kept(at.values, name) for name in (PLAIN, REVERSIBLE)}
    least, most = (
        float(training.rl_flop_per_param(trained_fraction=1, repeated_forward_fraction=part)) for part in (0.0, 1.0)
    )
    took = {PLAIN: least / most, REVERSIBLE: 1.0}
    plain, undone = (
        (f"{format_quantity(kept[name], 'bytes')} ({_part(kept[name] / hbm_bytes)})", COLOURS[name]) for name in kept
    )
    more = format_quantity(most / least - 1, "fraction", 2)
    again = (", for ", (f"{more} more compute", Colour.COMPUTE)) if with_times else ()
    return RackPicture(
        cabinets=tuple(
            cabinet
            for name in kept
            for cabinet in cabinets(
                1,
                chips=chips,
                memory=[(COLOURS[name], kept[name] / hbm_bytes)],
                tracks=[[(Colour.COMPUTE, 0.0, took[name])]] if with_times else [],
            )
        ),
        words=words(
            "Activations in a chip's ",
            stated(at, HBM),
            ": plain ",
            plain,
            ", reversible ",
            undone,
            *again,
            ".",
        ),
    )


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
