"""Static batching: requests waiting at an idle replica are served together, and none joins before all are finished.

Source: FasterTransformer and its servers before continuous batching; Yu et al. 2022, "Orca", section 2.
"""

from ridgeline.simulator.orders.first_come import first_come
from ridgeline.simulator.policy import Policy

__all__ = ["STATIC"]

STATIC = Policy(
    name="static",
    says="a batch of those who wait runs until all of them are done before anybody joins",
    order=first_come,
    is_joined=False,
)
