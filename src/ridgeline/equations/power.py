r"""Power of a chip: a static part, and one in proportion to its time at work.

.. math::

    P = P_{most} \left(f_{idle} + (1 - f_{idle})\, s_{work}\right)

with :math:`s_{work}` the part of time in which kernels and messages run, rather than the host or a launch.

Source: Weste and Harris 2010, "CMOS VLSI Design", 5.1: power of digital circuits.
"""

from ridgeline.numeric import Numeric

__all__ = ["chip_power_w"]


def chip_power_w(*, most_w: Numeric, idle_fraction: Numeric, working_fraction: Numeric) -> Numeric:
    """Mean power of a chip that works for a part of the time.

    >>> chip_power_w(most_w=1000.0, idle_fraction=0.2, working_fraction=0.5)
    600.0

    Heuristic: a static part, and switching power in proportion to time at work, whatever the work.
    """
    return most_w * (idle_fraction + (1 - idle_fraction) * working_fraction)
