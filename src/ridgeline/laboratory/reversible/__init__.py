"""Reversible networks as they run: the coupling of a Feistel network as a layer. Needs JAX, the extra ``grad``."""

from ridgeline.laboratory.reversible.comparison import Comparison, OfForm, compare
from ridgeline.laboratory.reversible.inversion import Inversion, inversions
from ridgeline.laboratory.reversible.library import require_jax

__all__ = ["Comparison", "Inversion", "OfForm", "compare", "inversions", "require_jax"]
