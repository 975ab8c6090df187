"""Inference from one price by itself, in closed form or on a small grid: fast enough to follow a slider."""
