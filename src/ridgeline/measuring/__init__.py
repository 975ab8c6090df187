"""Kernels and messages of the machine at hand: which shapes are timed, within what time, and what is fitted on them."""
