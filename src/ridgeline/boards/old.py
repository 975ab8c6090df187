"""Transitional: what chapters have not taken over yet."""

from __future__ import annotations

from dataclasses import replace

from ridgeline.boards.board import Board
from ridgeline.boards.claim import Claim
from ridgeline.boards.exercise import Exercise


def boards(*names: str) -> tuple[Board, ...]:
    from ridgeline.boards import shelf

    return tuple(one for name in names for one in shelf.BOARDS if one.name == name)


def claims(*ids: str) -> tuple[Claim, ...]:
    from ridgeline.boards import ledger

    return tuple(
        replace(one, time_stamp=_stamp(one.time_stamp)) for name in ids for one in ledger.CLAIMS if one.id == name
    )


def exercises(*starts: str) -> tuple[Exercise, ...]:
    from ridgeline.boards import exercises as bank

    taken = ("contexts-square-root", "contexts-blocks", "contexts-indexer")
    found = [one for one in bank.EXERCISES if any(one.id.startswith(start) for start in starts)]
    if "prices" in starts:
        found = [one for one in found if not one.id.startswith(taken)]
    return tuple(found)


def _stamp(text: str) -> str:
    if not text or text.count(":") == 2:
        return text
    first, second = text.split(":")
    return f"0:{int(first):02d}:{second}"
