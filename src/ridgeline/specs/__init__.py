"""Frozen records of what exists or is asked: models, machines, layouts, workloads, efficiencies, tariffs."""
