"""Pipeline schedules: order of work on each device, and the resulting time and memory.

A schedule is a frozen value (``SCHEDULES``). ``play`` runs any of them and gives a timeline; ``span_s``,
``bubble_fraction`` and ``peaks`` give the step's time and what is kept, fast enough to search over layouts; ``compare``
sets all schedules side by side.
"""

from ridgeline.training.schedules.comparison import Compared, StageTimes, compare
from ridgeline.training.schedules.play import Run, Timeline, Times, bubble_fraction, peaks, play, span_s
from ridgeline.training.schedules.schedule import Schedule, Shape
from ridgeline.training.schedules.schedules import SCHEDULES, find_schedule
from ridgeline.training.schedules.task import Part, ScheduleError, Task

__all__ = [
    "SCHEDULES",
    "Compared",
    "Part",
    "Run",
    "Schedule",
    "ScheduleError",
    "Shape",
    "StageTimes",
    "Task",
    "Timeline",
    "Times",
    "bubble_fraction",
    "compare",
    "find_schedule",
    "peaks",
    "play",
    "span_s",
]
