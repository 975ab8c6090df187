r"""Compute for memory, memory for compute: the worth of a byte in arithmetic, and two trades of one for the other.

.. math::

    p_{flop} = \frac{\$}{F}, \qquad p_{byte} = \frac{\$}{C}, \qquad
    \frac{p_{byte}}{p_{flop}} = \frac{F}{C}, \qquad t^* = \varphi\,\frac{C}{F}

A chip that rents for :math:`\$` per second does :math:`F` FLOP in it and holds :math:`C` bytes. Where memory is the
scarce resource, bytes bear the whole price, and FLOP do where arithmetic is: their shadow prices. Bytes that
:math:`\varphi` FLOP each would recompute are worth holding up to :math:`t^*`.

A KV cache holds bytes to save arithmetic; a reversible network recomputes to save bytes.

Source: lecture 2:13:33 (E9).
"""

from ridgeline.equations.activations import ACTIVATION_BYTES
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM
from ridgeline.numeric import Numeric

__all__ = [
    "activation_flop_per_byte",
    "break_even_hold_s",
    "flop_worth_per_byte_s",
    "kv_flop_per_byte",
    "reversible_break_even_fraction",
    "usd_per_byte_s",
    "usd_per_flop",
]

LAYER_PARAMS_PER_WIDTH = 12
"""Parameters of a dense layer four times as wide inside, for each value of the stream and each of its width: 4 in
attention, 8 in the feed-forward block.
"""


def usd_per_flop(*, usd_per_chip_s: Numeric, flop_per_s: Numeric) -> Numeric:
    """Shadow price of a FLOP where arithmetic binds: ``$ / F``.

    An H100 at $2 an hour that reaches 40 % of its peak, for 1e18 FLOP:

    >>> usd_per_flop(usd_per_chip_s=2 / 3600, flop_per_s=0.4 * 989e12) * 1e18
    1.40

    Derivation: the chip's price over its FLOP rate.
    """
    return usd_per_chip_s / flop_per_s


def usd_per_byte_s(*, usd_per_chip_s: Numeric, capacity_bytes: Numeric) -> Numeric:
    """Shadow price of holding a byte for a second where memory binds: ``$ / C``.

    The same chip's 80 GB, for a gigabyte and an hour:

    >>> usd_per_byte_s(usd_per_chip_s=2 / 3600, capacity_bytes=80e9) * 1e9 * 3600
    0.025

    Derivation: the chip's price over its capacity.
    """
    return usd_per_chip_s / capacity_bytes


def flop_worth_per_byte_s(*, flop_per_s: Numeric, capacity_bytes: Numeric) -> Numeric:
    """FLOP that cost as much as holding a byte for a second, ``F / C``: the price of the chip cancels.

    >>> flop_worth_per_byte_s(flop_per_s=0.4 * 989e12, capacity_bytes=80e9)
    4945.0

    Derivation: the ratio of the two shadow prices.
    """
    return flop_per_s / capacity_bytes


def break_even_hold_s(*, flop_per_byte: Numeric, flop_per_s: Numeric, capacity_bytes: Numeric) -> Numeric:
    """Time up to which a byte is worth holding that ``flop_per_byte`` would recompute: ``phi C / F``.

    A byte of DeepSeek-V3's cache on that H100, three and a half minutes:

    >>> break_even_hold_s(flop_per_byte=1.06e6, flop_per_s=0.4 * 989e12, capacity_bytes=80e9)
    214.4

    Derivation: ``phi`` FLOP at ``$ / F`` are ``t`` seconds of a byte at ``$ / C``.
    """
    return flop_per_byte * capacity_bytes / flop_per_s


def kv_flop_per_byte(*, active_params: Numeric, kv_bytes_per_token: Numeric) -> Numeric:
    """FLOP to recompute a byte of a KV cache, ``2 N_a / beta``, attention over the context left out.

    >>> kv_flop_per_byte(active_params=37e9, kv_bytes_per_token=70e3)
    1.06e6

    Source: lecture 1:56 (D14).
    """
    return FLOP_PER_PARAM * active_params / kv_bytes_per_token


def activation_flop_per_byte(*, hidden: Numeric) -> Numeric:
    """FLOP to recompute a byte of a layer's activations, of a dense 16-bit layer: ``2 * 12 h / 34``.

    Attention over the context is left out. GPT-3:

    >>> activation_flop_per_byte(hidden=12288)
    8673.9

    Derivation: ``12 h**2`` parameters a layer, 34 bytes of activations for each of a token's ``h`` values.
    """
    return FLOP_PER_PARAM * LAYER_PARAMS_PER_WIDTH * hidden / ACTIVATION_BYTES


def reversible_break_even_fraction() -> Numeric:
    """Part of all memory that activations would have to take for a reversible network to pay: 2/3 on any machine.

    A layer's activations wait for half of a step on average, ``3 N D / F``; recomputing them takes ``2 N D / F`` of the
    whole machine. Held, they cost the part of it that they occupy, for as long.

    >>> reversible_break_even_fraction()
    0.667

    Derivation: 2 FLOP a parameter and token again, over half of the 6 of a step.
    """
    return FLOP_PER_PARAM / (TRAINING_FLOP_PER_PARAM / 2)
