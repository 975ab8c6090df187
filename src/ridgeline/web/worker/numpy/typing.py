"""Types of arrays, for annotations alone."""

from typing import Any

__all__ = ["ArrayLike", "NDArray"]


class NDArray:
    """An array; its brackets hold the type of its elements."""

    def __class_getitem__(cls, item: Any) -> type:
        return cls


ArrayLike = object
