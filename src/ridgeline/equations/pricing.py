r"""Chip-seconds into dollars.

.. math::

    \frac{\$}{\text{token}} = \frac{n\, t\, \$_{chip \cdot s}}{\text{tokens}}

Source: lecture 13:00 (A9): a chip rents for about $2 an hour.
"""

from ridgeline.numeric import Numeric

__all__ = ["usd_per_token"]


def usd_per_token(*, time_s: Numeric, chips: Numeric, tokens: Numeric, usd_per_chip_s: Numeric) -> Numeric:
    """What a token costs when ``chips`` work ``time_s`` for ``tokens``.

    72 chips at $2 an hour that decode 2,400 sequences every 20 ms: 33 cents a million.

    >>> usd_per_token(time_s=0.02, chips=72, tokens=2400, usd_per_chip_s=2 / 3600) * 1e6
    0.333

    Source: lecture 13:00 (A9).
    """
    return time_s * chips * usd_per_chip_s / tokens
