r"""What chips draw: something always, the rest while they work.

.. math::

    P = P_{most} \left(f_{idle} + (1 - f_{idle})\, s_{work}\right)

with :math:`s_{work}` the share of time in which kernels and messages run, and not the host or a launch.

Sources: power of digital circuits, a static part and one in proportion to switching (Weste and Harris 2010, "CMOS VLSI
Design", 5.1); the static part is measured.
"""

from ridgeline.numeric import Numeric

__all__ = ["IDLE_SHARE", "chip_power_w"]

IDLE_SHARE = 0.115
"""Of the most that a chip may draw, what it draws with a model loaded and nothing to do: an H200 80 of 700 W.

Source: serialalice.pt, GPU energy benchmark (June 2026), read 2026-11-21.
"""


def chip_power_w(*, most_w: Numeric, working_share: Numeric, idle_share: Numeric = IDLE_SHARE) -> Numeric:
    """What a chip draws that works a share of the time.

    >>> chip_power_w(most_w=1000.0, working_share=0.5, idle_share=0.2)
    600.0

    Source: a static part, and one in proportion to work.
    """
    return most_w * (idle_share + (1 - idle_share) * working_share)
