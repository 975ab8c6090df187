"""Prompts first: while prompts wait and there is room for them, steps read them alone, and decoding stops.

Source: Kwon et al. 2023, "PagedAttention" (vLLM before chunked prompts); SGLang's default without mixed chunks.
"""

from ridgeline.simulator.orders.first_come import first_come
from ridgeline.simulator.policy import Policy

__all__ = ["PROMPTS_FIRST"]

PROMPTS_FIRST = Policy(
    name="prompts-first",
    says="while prompts wait and have room, steps read them alone and decode nothing",
    order=first_come,
    reads_alone=True,
)
