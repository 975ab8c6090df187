"""Continuous batching with chunked prefill: a step decodes all sequences, and reads prompts with the tokens left.

Source: Yu et al. 2022, "Orca"; Agrawal et al. 2024, "Sarathi-Serve" (arXiv 2403.02310); vLLM's scheduler, v1.
"""

from ridgeline.simulator.orders.first_come import first_come
from ridgeline.simulator.policy import Policy

__all__ = ["CONTINUOUS"]

CONTINUOUS = Policy(
    name="continuous",
    says="each step decodes all sequences and reads prompts with the tokens that are left",
    order=first_come,
)
