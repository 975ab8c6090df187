"""All schedules, by id and by other spellings."""

from __future__ import annotations

from difflib import get_close_matches

from ridgeline.training.schedules.dualpipe import DUALPIPE
from ridgeline.training.schedules.gpipe import GPIPE
from ridgeline.training.schedules.inference_loop import INFERENCE_LOOP
from ridgeline.training.schedules.interleaved import INTERLEAVED
from ridgeline.training.schedules.one_forward_one_backward import ONE_FORWARD_ONE_BACKWARD
from ridgeline.training.schedules.schedule import Schedule
from ridgeline.training.schedules.task import ScheduleError
from ridgeline.training.schedules.v_half import V_HALF
from ridgeline.training.schedules.v_min import V_MIN
from ridgeline.training.schedules.zb_h1 import ZB_H1
from ridgeline.training.schedules.zb_h2 import ZB_H2
from ridgeline.training.schedules.zb_v import ZB_V

__all__ = ["SCHEDULES", "find_schedule"]

SCHEDULES = {
    one.id: one
    for one in (
        GPIPE,
        ONE_FORWARD_ONE_BACKWARD,
        INTERLEAVED,
        ZB_H1,
        ZB_H2,
        ZB_V,
        V_HALF,
        V_MIN,
        DUALPIPE,
        INFERENCE_LOOP,
    )
}
"""Schedules by id, in order of publication; the one without training last."""

NAMES = {name: one for one in SCHEDULES.values() for name in (one.id, *one.aliases)}


def find_schedule(name: str) -> Schedule:
    """Schedule of that id, or of another spelling.

    Raises:
        ScheduleError: the name is unknown; the message lists all, and the nearest.

    >>> find_schedule("1F1B-Interleaved").id, find_schedule("zb_1p").id
    ('interleaved', 'zb-h1')
    """
    written = name.strip().lower().replace("_", "-").replace(" ", "-")
    if written in NAMES:
        return NAMES[written]
    near = get_close_matches(written, NAMES, n=1)
    meant = f" Is it {NAMES[near[0]].id} that you mean?" if near else ""
    raise ScheduleError(f"there is no schedule {name!r}; give one of {', '.join(SCHEDULES)}.{meant}")
