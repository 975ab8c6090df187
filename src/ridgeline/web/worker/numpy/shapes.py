"""Shapes of arrays, and lists of elements laid out in them."""

import math
from typing import Any

__all__ = ["Shape", "common", "expanded", "nested"]

Shape = tuple[int, ...]


def common(*shapes: Shape) -> Shape:
    """The shape to which all of them stretch."""
    axes = max(map(len, shapes))
    filled = [(1,) * (axes - len(shape)) + shape for shape in shapes]
    found = []
    for lengths in zip(*filled, strict=True):
        others = {length for length in lengths if length != 1}
        if len(others) > 1:
            raise ValueError(f"operands could not be broadcast together with shapes {' '.join(map(str, shapes))}")
        found.append(others.pop() if others else 1)
    return tuple(found)


def expanded(flat: list[Any], held: Shape, shape: Shape) -> list[Any]:
    """The elements of an array of one shape, stretched to another."""
    lengths = (1,) * (len(shape) - len(held)) + held
    width = 1
    for length, wanted in zip(reversed(lengths), reversed(shape), strict=True):
        if length != wanted:
            flat = [one for start in range(0, len(flat), width) for one in flat[start : start + width] * wanted]
        width *= wanted
    return flat


def nested(flat: list[Any], shape: Shape) -> list[Any]:
    """Elements as lists in lists."""
    if len(shape) == 1:
        return flat[:]
    width = math.prod(shape[1:])
    return [nested(flat[at * width : (at + 1) * width], shape[1:]) for at in range(shape[0])]
