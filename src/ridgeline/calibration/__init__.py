"""Measurements in, efficiencies and scores out: cases that nobody here measured."""
