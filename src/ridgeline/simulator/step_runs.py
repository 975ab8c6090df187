"""Closed forms of a run of steps: how long its first step takes, and how many steps it has.

Times of the steps of a run form an arithmetic series, ``t_i = a + b i``, so that ``k`` of them take
``k a + b k (k - 1) / 2``.

All functions run interpreted on lists and compiled on arrays.
"""

from __future__ import annotations

from math import ceil, frexp, sqrt

from ridgeline.serving.step_tables import StepTables

__all__ = ["attend_prompts_s", "steps_before", "steps_in_memory"]


def attend_prompts_s(
    takes: list[int], reading: list[int], past: list[int], tables: StepTables, groups: int, steps: int
) -> tuple[float, float, int]:
    """Time of the prompts' attention in a step.

    Args:
        takes: tokens that the step reads of each prompt.
        reading: index of each prompt's request.
        past: cached tokens of all requests.
        tables: times of steps.
        groups: number of groups over which the prompts are spread.
        steps: number of steps in which it is read alike; more than 1 only for a prompt by itself.

    Returns:
        The result is the time, s; its increase with each further step, s; and for how many of the steps this holds.
    """
    nodes, node_of, cores = tables.prompt_nodes, tables.node_of, tables.prompt_cores_s
    launch_s = cores[0][0][0]
    sum_s = most_s = rise_s = 0.0
    for at in range(len(takes)):
        take, before = takes[at], past[reading[at]]
        if take:
            node = node_of[take]
            octave = frexp(before)[1] if before else 0
            low, high = cores[node - 1][octave], cores[node][octave]
            part = (take - nodes[node - 1]) / (nodes[node] - nodes[node - 1])
            slope = low[1] + (high[1] - low[1]) * part
            core_s = low[0] + (high[0] - low[0]) * part + slope * before
            if core_s > launch_s:
                sum_s += core_s - launch_s
            if core_s > most_s:
                most_s = core_s
            if steps > 1:
                steps = min(steps, ceil((2**octave - before) / take))
                rise_s = slope * take
    step_s = sum_s / groups + launch_s if most_s > launch_s else most_s
    if step_s < most_s:
        step_s = most_s
    return step_s, rise_s, steps


def steps_in_memory(steps: int, free: int, decoding: int, tick: int, phases: list[int], block: int) -> int:
    """Number of steps for which the decoding sequences have memory, at most ``steps``.

    Every sequence takes a block within each ``block`` steps, in the one that its phase says.
    """
    fits, room = free // decoding * block, free % decoding
    while fits < steps and phases[(tick + fits) % block] <= room:
        room -= phases[(tick + fits) % block]
        fits += 1
    return min(steps, fits)


def steps_before(steps: int, step_s: float, rise_s: float, now_s: float, stop_s: float) -> tuple[int, float]:
    """Number of steps that start before a time, at least 1, and how long they take, s.

    Args:
        steps: number of steps, which end after that time.
        step_s: time of the first one, s.
        rise_s: increase with each further one, s.
        now_s: start of the first one, s.
        stop_s: time before which they start, s.

    >>> steps_before(100, 1.0, 0.0, 0.0, 2.5)
    (3, 3.0)
    """
    left_s = stop_s - now_s
    if rise_s > 0.0:
        half_s = step_s - rise_s / 2
        fits = ceil((sqrt(half_s * half_s + 2 * rise_s * left_s) - half_s) / rise_s)
    else:
        fits = ceil(left_s / step_s)
    if steps > fits:
        steps = fits if fits > 1 else 1
    total_s = steps * step_s + rise_s * (steps * (steps - 1) // 2)
    # What the root rounds to is mended by whole steps.
    while steps > 1 and now_s + total_s - (step_s + rise_s * (steps - 1)) >= stop_s:
        steps -= 1
        total_s = steps * step_s + rise_s * (steps * (steps - 1) // 2)
    while now_s + total_s < stop_s:
        steps += 1
        total_s = steps * step_s + rise_s * (steps * (steps - 1) // 2)
    return steps, total_s
