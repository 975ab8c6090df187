r"""Activations that a training step keeps of each layer for its gradients, with and without recompute.

.. math::

    s\,b\,h\,L\,(34 + 5\,a s / h) \text{ bytes}, \qquad f L / n + n \text{ layers with checkpoints}

A stack of :math:`L` layers, :math:`h` wide with :math:`a` heads, on :math:`b` sequences of :math:`s` tokens. Keeping
the input of one layer in :math:`n`, a part :math:`f` of a layer's activations, is least at :math:`n = \sqrt{f L}`.

Sources: lecture 2:12 (E3, E4); Korthikanti et al. 2022 (arXiv 2205.05198); Chen et al. 2016 (arXiv 1604.06174);
Gomez et al. 2017 (arXiv 1707.04585).
"""

from ridgeline.numeric import Numeric, minimum

__all__ = [
    "ACTIVATION_BYTES",
    "INPUT_BYTES",
    "SCORE_BYTES",
    "activation_bytes",
    "checkpointed_peak_layers",
    "partly_reversible_peak_layers",
]

ACTIVATION_BYTES, INPUT_BYTES = 34, 2
"""Activation bytes per value of the stream of a dense 16-bit layer, four times as wide inside: all that its gradients
need except scores, and its input alone; Korthikanti et al. 2022, section 4.1.
"""

SCORE_BYTES = 5
"""Activation bytes per score of a head, where scores are stored: section 4.1 of the same paper."""


def activation_bytes(
    *, sequence_tokens: Numeric, sequences: Numeric, hidden: Numeric, heads: Numeric, layers: Numeric
) -> Numeric:
    r"""Activations of a plain 16-bit stack without recompute: :math:`s b h L (34 + 5 a s / h)`.

    The dense block is four times as wide inside as outside; the second term vanishes where scores are never stored.

    One sequence of GPT-3:

    >>> activation_bytes(sequence_tokens=2048, sequences=1, hidden=12288, heads=96, layers=96)
    275e9

    Source: Korthikanti et al. 2022, equation 2 (E4).
    """
    scores = SCORE_BYTES * heads * sequence_tokens / hidden
    return sequence_tokens * sequences * hidden * layers * (ACTIVATION_BYTES + scores)


def checkpointed_peak_layers(*, layers: Numeric, interval: Numeric, kept_fraction: Numeric) -> Numeric:
    """Layers' activations at the peak with checkpoints: all kept inputs and one interval, ``f L / n + n``.

    The minimum is ``2 sqrt(f L)`` at the best ``n``. Checkpoints of whole layers, every eighth of 64:

    >>> checkpointed_peak_layers(layers=64, interval=8, kept_fraction=1)
    16.0

    Source: Chen et al. 2016 (arXiv 1604.06174), section 4.
    """
    return kept_fraction * layers / interval + interval


def partly_reversible_peak_layers(*, layers: Numeric, reversible_fraction: Numeric) -> Numeric:
    """Layers' activations at the peak where part of a stack is reversible: all others', and one of that part.

    >>> [partly_reversible_peak_layers(layers=64, reversible_fraction=part) for part in (0.0, 0.5, 1.0)]
    [64.0, 33.0, 1.0]

    Source: Gomez et al. 2017; lecture 2:12 (E3).
    """
    reversible = reversible_fraction * layers
    return layers - reversible + minimum(reversible, 1.0)
