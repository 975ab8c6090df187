"""Where a KV cache lives and for how long: tiers of memory, what each costs, and when each is the cheapest."""
