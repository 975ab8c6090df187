"""The recording: where it is, and links to a second of it."""

from __future__ import annotations

__all__ = ["END_S", "link", "seconds"]

VIDEO = "https://www.youtube.com/watch?v=xmkSf5IS-zw"
"""Dwarkesh Patel with Reiner Pope, 29 April 2026."""
END_S = 8020
"""Length of the recording, s; the podcast's feed has 8,030 s of sound, whose chapters begin ten seconds later."""


def seconds(time_stamp: str) -> int:
    """Time from the recording's start, s.

    >>> seconds("1:03:27")
    3807
    """
    hours, minutes, rest = (int(part) for part in time_stamp.split(":"))
    return 3600 * hours + 60 * minutes + rest


def link(time_stamp: str) -> str:
    """Address of the recording at that second; empty without a time stamp, as for a board that he does not draw.

    >>> link("0:19:22")
    'https://www.youtube.com/watch?v=xmkSf5IS-zw&t=1162s'
    """
    return f"{VIDEO}&t={seconds(time_stamp)}s" if time_stamp else ""
