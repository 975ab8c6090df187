"""What one price says by itself, in closed form or on a small grid: without a sampler, at each turn of a slider."""
