"""Measurements in, scores out: predictions held against cases that nobody here measured."""
