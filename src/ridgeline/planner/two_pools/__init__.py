"""Disaggregated serving: a prefill pool and a decode pool, their layouts, and the replicas of each."""
