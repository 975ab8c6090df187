"""All exercises, in the order of the lecture."""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise
from ridgeline.boards.exercises_ciphers import EXERCISES as CIPHERS
from ridgeline.boards.exercises_layouts import EXERCISES as LAYOUTS
from ridgeline.boards.exercises_prices import EXERCISES as PRICES
from ridgeline.boards.exercises_serving import EXERCISES as SERVING
from ridgeline.boards.exercises_training import EXERCISES as TRAINING

__all__ = ["EXERCISES"]

EXERCISES: tuple[Exercise, ...] = (*SERVING, *LAYOUTS, *TRAINING, *PRICES, *CIPHERS)
