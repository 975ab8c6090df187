r"""Racks: memory and bandwidth of a scale-up domain, and when the network beyond it is fast enough.

.. math::

    W_{domain} = n W, \qquad
    \frac{t_{up}}{t_{out}} = \frac{c\, l\, (b_{dispatch} + b_{combine})}{r\, b_{send}}

where a pipeline stage of :math:`l` layers sends each token once to the next rack, and :math:`c` copies of it to experts
and back in each layer, over links :math:`r` times as fast.

Sources: lecture 36:00-53:00 (B1-B8) and 1:12-1:18 (B17, B18).
"""

from ridgeline.numeric import INFINITY, Numeric, ceil, where

__all__ = [
    "dies",
    "direct_cables",
    "domain_bytes",
    "domain_bytes_per_s",
    "layers_to_hide",
    "link_ratio",
    "links_crossed",
    "mesh_cables",
    "scale_up_over_scale_out",
    "stages_to_fit",
    "switch_cables",
    "torus_bisection_links",
    "torus_over_switch",
]


def links_crossed(*, tiers: Numeric) -> Numeric:
    """Links between any two chips under switches with a number of tiers: up through each, and down again.

    >>> links_crossed(tiers=1)
    2

    Source: lecture 36:00 (B2).
    """
    return 2 * tiers


def link_ratio(*, scale_up_bytes_per_s: Numeric, scale_out_bytes_per_s: Numeric) -> Numeric:
    """Ratio of a chip's bandwidth inside its domain to that beyond it, in one direction each.

    H100, where the lecture has 8:

    >>> link_ratio(scale_up_bytes_per_s=450e9, scale_out_bytes_per_s=50e9)
    9.0

    Source: lecture 39:00 (B3).
    """
    return scale_up_bytes_per_s / scale_out_bytes_per_s


def dies(*, chips: Numeric, dies_per_chip: Numeric) -> Numeric:
    """Dies of a number of packages; some makers count dies.

    Rubin Ultra's NVL576 has 144 packages:

    >>> dies(chips=144, dies_per_chip=4)
    576

    Source: lecture 41:00 (B5).
    """
    return chips * dies_per_chip


def domain_bytes(*, chips: Numeric, hbm_bytes: Numeric) -> Numeric:
    """Memory of a domain.

    >>> domain_bytes(chips=8, hbm_bytes=80e9)
    640e9

    Source: lecture 45:00 (B6).
    """
    return chips * hbm_bytes


def domain_bytes_per_s(*, chips: Numeric, hbm_bytes_per_s: Numeric) -> Numeric:
    """Bandwidth at which a domain reads weights that lie spread over all of it: ``n W``.

    From a node of H100 to a rack of GB200, the latency of reading the same weights falls by 21.5:

    >>> new = domain_bytes_per_s(chips=72, hbm_bytes_per_s=8e12)
    >>> new / domain_bytes_per_s(chips=8, hbm_bytes_per_s=3.35e12)
    21.5

    Source: lecture 1:17 (B17).
    """
    return chips * hbm_bytes_per_s


def scale_up_over_scale_out(
    *,
    copies_per_token: Numeric,
    layers_per_stage: Numeric,
    dispatch_bytes: Numeric,
    combine_bytes: Numeric,
    send_bytes: Numeric,
    link_ratio: Numeric,
) -> Numeric:
    """Time of a stage's all-to-all over that of its send to the next stage; from 1 on, pipelining costs no time.

    It assumes that both networks work at the same time. ``dispatch_bytes``, ``combine_bytes`` and ``send_bytes`` are
    those of a value on its way to an expert, back, and to the next stage. The lecture takes them as equal, here with 8
    experts and one layer per stage; a cheaper dispatch in 8 bits leaves less slack:

    >>> stage = dict(copies_per_token=8, layers_per_stage=1, link_ratio=8)
    >>> scale_up_over_scale_out(dispatch_bytes=2, combine_bytes=2, send_bytes=2, **stage)
    2.0
    >>> scale_up_over_scale_out(dispatch_bytes=1, combine_bytes=2, send_bytes=2, **stage)
    1.5

    Source: lecture 51:00 (B8).
    """
    inside = copies_per_token * layers_per_stage * (dispatch_bytes + combine_bytes)
    return inside / (link_ratio * send_bytes)


def layers_to_hide(*, ratio_of_one_layer: Numeric) -> Numeric:
    """Layers per stage from which on its all-to-alls take at least as long as its send, since each layer adds as much.

    Where one layer's all-to-all takes two thirds of the send's time, two are enough:

    >>> layers_to_hide(ratio_of_one_layer=0.667), layers_to_hide(ratio_of_one_layer=2)
    (2.0, 1.0)

    Source: lecture 52:00 (B8): at least one.
    """
    return ceil(1 / ratio_of_one_layer)


def switch_cables(*, chips: Numeric, cables_per_chip: Numeric) -> Numeric:
    """Cables from every chip of a domain to its switches: twice the chips need twice the cables in the same rack.

    A rack of 72 chips with 18 links each:

    >>> switch_cables(chips=72, cables_per_chip=18)
    1296

    Source: lecture 42:00 (B5), for the count in proportion to chips.
    """
    return chips * cables_per_chip


def direct_cables(*, chips: Numeric, cables_per_chip: Numeric) -> Numeric:
    """Cables of a domain whose chips are joined to each other, without switches: each serves a chip at both ends.

    It is half of those to switches, for as many per chip. 72 chips with 18 links each:

    >>> direct_cables(chips=72, cables_per_chip=18)
    648.0

    Derivation: ends of cables, two per cable.
    """
    return chips * cables_per_chip / 2


def mesh_cables(*, chips: Numeric) -> Numeric:
    """Cables where every chip has one to every other, without switches.

    >>> mesh_cables(chips=8), mesh_cables(chips=72)
    (28.0, 2556.0)

    Derivation: pairs of chips.
    """
    return chips * (chips - 1) / 2


def torus_bisection_links(*, chips: Numeric, axes: Numeric) -> Numeric:
    """Links that join the two halves of a torus of equal sides: ``2 a^(k-1)``, where ``a = n^(1/k)``.

    It is twice a side's plane, since rings are cut in two places. A cube of 64 chips:

    >>> torus_bisection_links(chips=64, axes=3)
    32.0

    Source: Dally and Towles 2004, "Principles and practices of interconnection networks".
    """
    return 2 * chips ** (1 - 1 / axes)


def torus_over_switch(*, chips: Numeric, axes: Numeric) -> Numeric:
    """Time of all-to-all over a torus, over that through a switch, where a chip's links send as much together.

    Half of all bytes, except those to itself, cross the bisection: ``n B / 2`` through a switch, ``2 a^(k-1) B / 2k``
    in each direction over a torus of even, equal sides: ``k n^(1/k) / 4 * n / (n - 1)``. Small ones lose nothing,
    except that a switch sends nothing to the sender itself.

    A cube of 64 and one of 4,096:

    >>> torus_over_switch(chips=64, axes=3), torus_over_switch(chips=4096, axes=3)
    (3.05, 12.0)

    Source: Dally and Towles 2004 (the bound by bisection); the ratio of the two forms in ``collectives.py``.
    """
    side_bytes = chips / 4 / torus_bisection_links(chips=chips, axes=axes) * 2 * axes
    return side_bytes * chips / (chips - 1)


def stages_to_fit(*, weight_bytes: Numeric, kv_bytes: Numeric, chips_per_stage: Numeric, hbm_bytes: Numeric) -> Numeric:
    """Fewest stages whose chips hold the weights beside ``kv_bytes`` a stage; infinite where keys and values fill them.

    A stage's KV does not depend on the number of stages, since more stages need more micro-batches.

    DeepSeek-V3 in 8 bits on a node of H100, and on a rack of GB200:

    >>> stages_to_fit(weight_bytes=671e9, kv_bytes=0, chips_per_stage=8, hbm_bytes=80e9)
    2.0
    >>> stages_to_fit(weight_bytes=671e9, kv_bytes=0, chips_per_stage=72, hbm_bytes=186e9)
    1.0

    Source: lecture 1:07-1:12 (B14, B15, B18).
    """
    room = domain_bytes(chips=chips_per_stage, hbm_bytes=hbm_bytes) - kv_bytes
    return where(room > 0, ceil(weight_bytes / where(room > 0, room, 1.0)), INFINITY)
