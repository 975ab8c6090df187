"""One replica from event to event, with a closed form for every run of steps in between.

Between arrivals, admissions, chunks and completions, the batch is fixed. Its entries grow by the same number with every
step, so that step times form an arithmetic series: ``t_i = a + b i``, and ``k`` of them take ``k a + b k (k - 1) / 2``.
A run ends where a request comes or goes, where attention reaches another piece of the step surface, where the series
meets the least time of a step, or where memory runs out.

Decoding sequences all advance by one token per step. A sequence's completion is therefore known as a number of steps,
and a count of steps (``tick``) is the clock by which completions are ordered.

The source runs interpreted on lists and compiled on arrays: it uses only numbers, lists and heaps, which is why it is
one long function.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import ceil, frexp, inf, sqrt
from typing import Any

__all__ = ["HANDED", "NEVER", "SHIFT", "SWAPPED", "play"]

SHIFT = 1 << 32
"""Base of heap keys: a key is a request's order times this, plus its index."""

NEVER = -1
"""Step at which nothing is due, and number of cached tokens of a request without a cache."""

SWAPPED = -2
"""Number of cached tokens of a request whose cache was swapped to the host."""

HANDED = -3
"""Number of cached tokens of a request whose prompt was read elsewhere, and whose cache arrives with it."""


def play(  # noqa: C901, PLR0912, PLR0915  a call in the loop takes as long as what it would do
    costs: Any,  # noqa: ANN401  lists or arrays, as are all that follow
    limits: Any,  # noqa: ANN401
    requests: Any,  # noqa: ANN401
    curves: Any,  # noqa: ANN401
    files: Any,  # noqa: ANN401
    sums: Any,  # noqa: ANN401
    counts: Any,  # noqa: ANN401
    clocks: Any,  # noqa: ANN401
    until_s: float,
    cache: Any = None,  # noqa: ANN401
    staging: Any = None,  # noqa: ANN401
    tiers: Any = None,  # noqa: ANN401
) -> tuple[Any, Any]:
    """Advance a replica up to the first step that starts at ``until_s`` or later, and return its counts and clocks.

    Args:
        costs: tables of a step's time, in the order of ``StepTables``.
        limits: limits on a step, in the order of ``Limits``.
        requests: columns of requests, in the order of ``Columns``.
        curves: contexts at which the slope of its entries changes, the entries there, their slope per token beyond, and
            each request's stretch, for each kind of attention.
        files: heap of events by step; heap of waiting requests; requests in prefill; tokens of each that this step
            reads; requests in the order of admission; sequences by the step at which they need a block, twice.
        sums: entries of all sequences by kind of attention, their growth per step, and the line that they lie on.
        counts: integers of the replica's state, in the order of ``Counts``.
        clocks: times of the replica, s, in the order of ``Clocks``.
        until_s: time at which to stop, s.
        cache: prefix cache of the replica; None without one.
        staging: caches of prompts that are read here and decoded elsewhere; None where they stay.
        tiers: cache tiers below the prefix cache; None without any.
    """
    decode_s, rows_s, beside_s, prompt_s, alone_s, experts_s, alone_experts_s, least_s = costs[:8]
    cores, mixed_cores, edges, nodes, node_of, prompt_cores = costs[8:]
    groups, pass_tokens, most_sequences, block, reserves, alone, joins, period_s, gap, longest = limits[:10]
    swap_token_s, ranks = limits[10:]
    arrival, prompt, output, order, past, target, made, due, turn, shared, first_s, done_s = requests
    bends, levels, slopes, stretch = curves
    filed, waiting, reading, takes, admitted, phases = files
    entries, growth, lines = sums
    count, upcoming, tick, decoding, free, next_read, preemptions, finished, released = counts
    now, busy_s, reading_s, batch_s, free_s, queue_s, read_s = clocks
    kinds, launch_s = range(len(entries)), prompt_cores[0][0][0]
    has_floor = period_s > 0.0 or least_s[1] > 0.0
    next_due = filed[0] // SHIFT if filed else 0
    grows = 0 if reserves else 1
    while True:
        if staging is not None:
            free += staging.freed(now, free)
        while upcoming < count and arrival[upcoming] <= now:
            heappush(waiting, order[upcoming] * SHIFT + upcoming)
            queue_s += now - arrival[upcoming]
            upcoming += 1
        if tiers is not None:
            reading.extend(tiers.arrived(now))
        if not decoding and not reading and not waiting:
            next_s = arrival[upcoming] if upcoming < count else inf
            if tiers is not None:
                next_s = min(next_s, tiers.next_s())
            if next_s >= until_s:
                break
            now = next_s
            if period_s:
                now = max(ceil(now / period_s) * period_s, now)  # a quotient may be rounded down
            continue
        if now >= until_s:
            break

        # Memory for the tokens of the next step: where there is none, the last admitted request is preempted.
        moved_s = 0.0
        is_short = False
        while decoding > free and phases[tick % block] > free:
            last = len(admitted) - 1
            if ranks:
                for other in range(len(admitted)):
                    if past[admitted[other]] >= 0 and order[admitted[other]] >= order[admitted[last]]:
                        last = other
            one = admitted.pop(last)
            if past[one] < 0:
                continue  # it has finished
            is_short = True
            preemptions += 1
            held = target[one]
            read = past[one]
            if due[one] == NEVER:
                is_read = True
                if tiers is not None:
                    own = tiers.give_up(one)
                    if own >= 0:
                        read, is_read = own, False
                if is_read:
                    reading.remove(one)
                past[one] = NEVER
            else:
                made[one] = output[one] - (due[one] - tick)
                context = prompt[one] + made[one]
                held = context - 1
                decoding -= 1
                seat = (tick - context + 1) % block
                phases[seat] -= 1
                phases[seat + block] -= 1
                for kind in kinds:
                    at = stretch[kind][one]
                    entries[kind] -= levels[kind][at] + slopes[kind][at] * (context - bends[kind][at])
                    growth[kind] -= slopes[kind][at]
                due[one] = turn[one] = past[one] = NEVER
                target[one] = context
                if swap_token_s:
                    moved_s += held * swap_token_s
                    past[one], target[one] = SWAPPED, held
                    made[one] -= 1
            given = (held + block - 1) // block - shared[one]
            if cache is not None:
                given = cache.release(one, free, read, given)
                shared[one] = 0
            free += given
            heappush(waiting, order[one] * SHIFT + one)

        # Prompts in prefill continue, then others join, up to the limits on tokens, sequences and memory of a step.
        tokens = 0
        has_read = False
        is_resumed = is_short_of_staged = False
        if (reading or waiting) and (tick >= next_read or not decoding):
            room_for = most_sequences - decoding - len(reading)
            if tiers is not None:
                room_for -= len(tiers)
            if is_short or not (joins or (decoding == 0 and len(reading) == 0)):
                room_for = 0
            left = pass_tokens * groups
            if not alone:
                left -= decoding
            takes.clear()
            room = free - phases[tick % block]
            for one in reading:
                take = min(target[one] - past[one], pass_tokens, max(left, 0))
                takes.append(take)
                left -= take
                tokens += take
            while waiting and room_for > 0 and left > 0:
                one = waiting[0] % SHIFT
                held = prompt[one] + output[one] if reserves else target[one]
                need, known = (held + block - 1) // block, 0
                if cache is not None:
                    if past[one] == NEVER:
                        need, known, shared[one] = cache.take(one, target[one], need, free, phases[tick % block], now)
                # A request that joins at once needs room for its next token at once.
                ahead = 1 if past[one] != NEVER and grows and held % block == 0 else 0
                if need < 0 or need + ahead > room:
                    is_short_of_staged = True
                    break
                heappop(waiting)
                free -= need
                room -= need
                room_for -= 1
                admitted.append(one)
                if tiers is not None:
                    if tiers.is_away(one):
                        past[one] = known
                        continue
                reading.append(one)
                if past[one] == NEVER:
                    past[one] = known
                else:
                    is_resumed = True
                    if past[one] == SWAPPED:
                        moved_s += target[one] * swap_token_s
                    past[one] = target[one]
                take = target[one] - past[one]
                if take > pass_tokens:
                    take = pass_tokens
                if take > left:
                    take = left
                takes.append(take)
                left -= take
                tokens += take
            has_read = len(takes) > 0
            if staging is not None:
                if is_short_of_staged:
                    if not staging.is_known(now) or (not reading and staging.next_s() <= now):
                        staging.is_paused = True
                        break
                    if not reading:
                        now = min(staging.next_s(), until_s)
                        if tiers is not None:
                            now = min(now, tiers.next_s())
                        if upcoming < count:
                            now = min(now, arrival[upcoming])
                        continue
            if is_resumed:  # those whose cache is there need no step to join
                tokens = 0
                for at in range(len(takes)):
                    takes[at] = 0

        if tiers is not None:
            if not decoding and not reading:  # all that are admitted wait for their caches
                now = min(tiers.next_s(), until_s)
                if upcoming < count:
                    now = min(now, arrival[upcoming])
                continue

        # Time of the first step, increase with each further one, and number of steps for which this holds.
        steps, step_s, rise_s, of_group = 1 if is_short else longest, 0.0, 0.0, 0
        own_s = own_rise_s = 0.0  # of it, what decoding takes without the prompts
        if has_read:
            if len(takes) == 1:
                of_group = tokens
                left = target[reading[0]] - past[reading[0]]
                goes_on = left > tokens > 0 and not gap and not (is_short_of_staged and staging is not None)
                steps = min(steps, left // tokens) if goes_on else 1
            else:
                of_group = max(max(takes), (tokens + groups - 1) // groups)  # noqa: PLW3301  stars are not compiled
                steps = 1
            sum_s = most_s = 0.0
            for at in range(len(takes)):
                take, before = takes[at], past[reading[at]]
                if take:
                    node = node_of[take]
                    octave = frexp(before)[1] if before else 0
                    low, high = prompt_cores[node - 1][octave], prompt_cores[node][octave]
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
            if tokens:
                step_s = sum_s / groups + launch_s if most_s > launch_s else most_s
                if step_s < most_s:
                    step_s = most_s
        if tokens and (alone or not decoding):
            rows = of_group
            step_s += alone_s[of_group] + alone_experts_s[(tokens + groups - 1) // groups]
        elif decoding:
            sequences = (decoding + groups - 1) // groups
            rows = sequences + of_group
            if steps > next_due - tick:
                steps = next_due - tick
            for kind in kinds:
                each, more, at = entries[kind] / decoding, growth[kind] / decoding, lines[kind]
                while edges[at + 1] <= each:
                    at += 1
                while edges[at] > each:
                    at -= 1
                lines[kind] = at
                line = (mixed_cores if tokens else cores)[kind][sequences][at]
                own_s += line[0] + line[1] * each
                own_rise_s += line[1] * more
                if steps > 1 and each + more * steps > edges[at + 1]:
                    steps = ceil((edges[at + 1] - each) / more)
            if tokens:
                step_s += rows_s[rows] + beside_s[sequences] + prompt_s[of_group] + own_s
                step_s += experts_s[(decoding + tokens + groups - 1) // groups]
            else:
                step_s = decode_s[sequences] + own_s
            rise_s += own_rise_s
            own_s += decode_s[sequences]
            if next_read > tick and (waiting or reading):
                steps = min(steps, next_read - tick)
            if (steps // block + 1) * decoding * grows > free:
                fits = free // decoding * block
                room = free % decoding
                while fits < steps and phases[(tick + fits) % block] <= room:
                    room -= phases[(tick + fits) % block]
                    fits += 1
                steps = min(steps, fits)
        else:
            rows, steps = 0, 1
        if has_floor:
            floor_s = max(least_s[rows], period_s)
            if step_s < floor_s:
                if rise_s > 0.0 and steps > 1:
                    steps = min(steps, ceil((floor_s - step_s) / rise_s))
                step_s, rise_s = floor_s, 0.0

        # As many of them as start before the next arrival.
        total_s = step_s
        if steps > 1:
            total_s = steps * step_s + rise_s * (steps * (steps - 1) // 2)
            stop_s = until_s
            if upcoming < count and arrival[upcoming] < stop_s:
                # A request that arrives at a full replica cannot join, and where none may join, all wait.
                if decoding + len(reading) < most_sequences and (joins or not decoding):
                    stop_s = arrival[upcoming]
            if tiers is not None:
                stop_s = min(stop_s, tiers.next_s())
            if total_s > stop_s - now:
                left_s = stop_s - now
                if rise_s > 0.0:
                    half_s = step_s - rise_s / 2
                    fits = ceil((sqrt(half_s * half_s + 2 * rise_s * left_s) - half_s) / rise_s)
                else:
                    fits = ceil(left_s / step_s)
                if steps > fits:
                    steps = fits if fits > 1 else 1
                total_s = steps * step_s + rise_s * (steps * (steps - 1) // 2)
                while steps > 1 and now + total_s - (step_s + rise_s * (steps - 1)) >= stop_s:
                    steps -= 1
                    total_s = steps * step_s + rise_s * (steps * (steps - 1) // 2)
                while now + total_s < stop_s:
                    steps += 1
                    total_s = steps * step_s + rise_s * (steps * (steps - 1) // 2)
        if is_resumed:
            steps, total_s = 0, 0.0
        total_s += moved_s
        now += total_s
        busy_s += total_s
        batch_s += total_s * decoding
        free_s += total_s * free
        if waiting:
            queue_s += total_s * len(waiting)
        if reading:
            read_s += total_s * len(reading)
        if tokens:
            own_s = steps * own_s + own_rise_s * (steps * (steps - 1) // 2)
            if total_s > own_s:
                reading_s += total_s - own_s
        if decoding and not (tokens and alone):
            seat = tick % block
            if steps == 1:
                free -= phases[seat]
            else:
                free -= steps // block * decoding * grows + sum(phases[seat : seat + steps % block])
            tick += steps
            for kind in kinds:
                entries[kind] += growth[kind] * steps

        if tokens:
            next_read = tick + gap
        if has_read:
            unread = 0
            for at in range(len(takes)):
                one = reading[at]
                past[one] += takes[at] * steps
                if past[one] < target[one]:
                    reading[unread] = one
                    unread += 1
                    continue
                made[one] += 1
                if first_s[one] < 0.0:
                    first_s[one] = now
                left = output[one] - made[one]
                if not left:
                    done_s[one] = now
                    finished += 1
                    if 0 <= released < count:
                        place = released
                        while place > 0 and arrival[place - 1] > now:  # users who have not begun come after
                            arrival[place] = arrival[place - 1]
                            place -= 1
                        arrival[place] = now
                        released += 1
                    held = prompt[one] + output[one] if reserves else target[one]
                    given = (held + block - 1) // block - shared[one]
                    if staging is not None:
                        staging.keep(one, given, shared[one], past[one], now)
                        given = 0
                    elif cache is not None:
                        given = cache.release(one, free, past[one], given)
                    free += given
                    past[one] = NEVER
                    continue
                context = target[one] + 1
                decoding += 1
                due[one] = tick + left
                heappush(filed, (tick + left) * SHIFT + 2 * one)
                if not reserves:
                    seat = (tick - context + 1) % block
                    phases[seat] += 1
                    phases[seat + block] += 1
                nearest = left
                for kind in kinds:
                    at_bend, beyond = 0, len(bends[kind])
                    while beyond - at_bend > 1:
                        middle = (at_bend + beyond) // 2
                        if bends[kind][middle] <= context:
                            at_bend = middle
                        else:
                            beyond = middle
                    stretch[kind][one] = at_bend
                    slope = slopes[kind][at_bend]
                    entries[kind] += levels[kind][at_bend] + slope * (context - bends[kind][at_bend])
                    growth[kind] += slope
                    if at_bend + 1 < len(bends[kind]):
                        nearest = min(nearest, bends[kind][at_bend + 1] - context)
                if nearest < left:
                    turn[one] = tick + nearest
                    heappush(filed, turn[one] * SHIFT + 2 * one + 1)
            while len(reading) > unread:
                reading.pop()

            # Events after these steps: last tokens, and contexts at which the slope of the entries changes.
            next_due = filed[0] // SHIFT if filed else 0
        while filed and next_due <= tick:
            what = heappop(filed) % SHIFT
            next_due = filed[0] // SHIFT if filed else 0
            one = what // 2
            left = due[one] - tick
            context = prompt[one] + output[one] - left
            if what % 2:
                if turn[one] != tick:
                    continue  # it gave up its memory since
                nearest = left
                for kind in kinds:
                    at = stretch[kind][one]
                    if at + 1 < len(bends[kind]) and bends[kind][at + 1] <= context:
                        old, slope = levels[kind][at] + slopes[kind][at] * (context - bends[kind][at]), slopes[kind][at]
                        at += 1
                        entries[kind] += levels[kind][at] + slopes[kind][at] * (context - bends[kind][at]) - old
                        growth[kind] += slopes[kind][at] - slope
                        stretch[kind][one] = at
                    if at + 1 < len(bends[kind]):
                        nearest = min(nearest, bends[kind][at + 1] - context)
                if nearest < left:
                    turn[one] = tick + nearest
                    heappush(filed, turn[one] * SHIFT + 2 * one + 1)
                    next_due = filed[0] // SHIFT
            elif due[one] == tick:
                done_s[one] = now
                finished += 1
                if 0 <= released < count:
                    place = released
                    while place > 0 and arrival[place - 1] > now:  # users who have not begun come after
                        arrival[place] = arrival[place - 1]
                        place -= 1
                    arrival[place] = now
                    released += 1
                decoding -= 1
                for kind in kinds:
                    at = stretch[kind][one]
                    entries[kind] -= levels[kind][at] + slopes[kind][at] * (context - bends[kind][at])
                    growth[kind] -= slopes[kind][at]
                held = context
                if not reserves:
                    seat = (tick - context + 1) % block
                    phases[seat] -= 1
                    phases[seat + block] -= 1
                    held -= 1
                given = (held + block - 1) // block - shared[one]
                if cache is not None:
                    given = cache.release(one, free, held, given)
                free += given
                due[one] = turn[one] = past[one] = NEVER
        if not decoding:
            for kind in kinds:
                entries[kind] = growth[kind] = 0.0
    counts = (count, upcoming, tick, decoding, free, next_read, preemptions, finished, released)
    return counts, (now, busy_s, reading_s, batch_s, free_s, queue_s, read_s)
