"""Storage of KV caches: tiers of memory, the cost of each, and hold times at which each is the cheapest."""
