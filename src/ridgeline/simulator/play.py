"""One replica from event to event, with a closed form for every run of steps in between.

Between arrivals, admissions, chunks and completions, the batch is fixed. Its entries grow by the same number with every
step, so that step times form an arithmetic series: ``t_i = a + b i``, and ``k`` of them take ``k a + b k (k - 1) / 2``.
A run ends where a request comes or goes, where attention reaches another piece of the step surface, where the series
meets the least time of a step, or where memory runs out.

Decoding sequences all advance by one token per step. A sequence's completion is therefore known as a number of steps,
and a count of steps (``tick``) is the clock by which completions are ordered.

The source runs interpreted on lists and compiled on arrays: it uses only numbers, lists, heaps and tuples. Closed forms
and rare events are functions of their own. Admission, attention's sums and the ends of requests stand in the loop
itself: with a function for each, the interpreted loop gives the same times and takes a fifth longer.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import ceil, inf

from ridgeline.serving.step_tables import StepTables
from ridgeline.simulator.attended import bend, join, leave
from ridgeline.simulator.cache_tiers import CacheTiers
from ridgeline.simulator.endings import release_prompt, release_user
from ridgeline.simulator.preempt import preempt
from ridgeline.simulator.prefix_cache import PrefixCache
from ridgeline.simulator.staging import Staging
from ridgeline.simulator.state import NEVER, SHIFT, SWAPPED, Bounds, Clocks, Columns, Counts, Curves, Queues, Sums
from ridgeline.simulator.step_runs import attend_prompts_s, steps_before, steps_in_memory

__all__ = ["play"]


def play(  # noqa: C901, PLR0912, PLR0915  what happens in every run of steps
    tables: StepTables,
    bounds: Bounds,
    requests: Columns,
    curves: Curves,
    queues: Queues,
    sums: Sums,
    counts: Counts,
    clocks: Clocks,
    until_s: float,
    cache: PrefixCache | None = None,
    staging: Staging | None = None,
    tiers: CacheTiers | None = None,
) -> tuple[Counts, Clocks]:
    """Advance a replica up to the first step that starts at ``until_s`` or later, and return its counts and clocks.

    Args:
        tables: times of steps.
        bounds: limits on steps.
        requests: requests that the replica keeps; changed in place, as are the three that follow.
        curves: entries that a sequence attends to, by context, and the piece that each request is on.
        queues: requests by what they wait for.
        sums: sums over all decoding sequences.
        counts: integers of the replica's state before.
        clocks: times of the replica before.
        until_s: time at which to stop, s.
        cache: prefix cache of the replica; None without one.
        staging: caches of prompts that are read here and decoded elsewhere; None where they stay.
        tiers: cache tiers below the prefix cache; None without any.
    """
    cores, mixed_cores, edges = tables.cores_s, tables.mixed_cores_s, tables.octaves
    decode_s, experts_s, least_s = tables.decode_s, tables.experts_s, tables.least_s
    groups, pass_tokens, block, period_s = bounds.groups, bounds.pass_tokens, bounds.block_tokens, bounds.period_s
    reserves, alone, joins, gap = bounds.is_reserved, bounds.reads_alone, bounds.is_joined, bounds.gap_steps
    arrival, prompt, output, order = requests.arrivals_s, requests.prompts, requests.outputs, requests.orders
    past, target, made, due, turn = requests.past, requests.targets, requests.made, requests.due, requests.turns
    shared, first_s, done_s = requests.shared, requests.first_s, requests.done_s
    filed, waiting, reading, takes, phases = queues.filed, queues.waiting, queues.reading, queues.takes, queues.phases
    entries, growth, pieces = sums.entries, sums.growth, sums.pieces
    count, upcoming, tick, decoding, free, next_read, preemptions, finished, released = counts
    now, busy_s, reading_s, batch_s, free_s, queue_s, read_s = clocks
    kinds = curves.kinds
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

        # Memory for the tokens of the next step: where there is none, requests are preempted.
        moved_s = 0.0
        is_short = decoding > free and phases[tick % block] > free
        if is_short:
            free, decoding, preempted, moved_s = preempt(
                tick, free, decoding, bounds, requests, curves, queues, sums, cache, tiers
            )
            preemptions += preempted

        # Prompts in prefill continue, then others join.
        tokens = 0
        has_read = is_resumed = is_refused = False
        if (reading or waiting) and (tick >= next_read or not decoding):
            seats = bounds.sequences - decoding - len(reading)
            if tiers is not None:
                seats -= len(tiers)
            if is_short or not (joins or (decoding == 0 and len(reading) == 0)):
                seats = 0
            left = pass_tokens * groups
            if not alone:
                left -= decoding
            takes.clear()
            for one in reading:
                take = min(target[one] - past[one], pass_tokens, max(left, 0))
                takes.append(take)
                left -= take
                tokens += take
            ahead = phases[tick % block]
            while waiting and seats > 0 and left > 0:
                one = waiting[0] % SHIFT
                held = prompt[one] + output[one] if reserves else target[one]
                need, known = (held + block - 1) // block, 0
                if cache is not None:
                    if past[one] == NEVER:
                        need, known, shared[one] = cache.take(one, target[one], need, free, ahead, now)
                # A request that joins at once needs room for its next token at once.
                next_block = 1 if past[one] != NEVER and not reserves and held % block == 0 else 0
                if need < 0 or need + next_block > free - ahead:
                    is_refused = True
                    break
                heappop(waiting)
                free -= need
                seats -= 1
                queues.admitted.append(one)
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
                        moved_s += target[one] * bounds.swap_token_s
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
                if is_refused:
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
        steps, step_s, rise_s, of_group = 1 if is_short else bounds.longest_run, 0.0, 0.0, 0
        own_s = own_rise_s = 0.0  # of it, what decoding takes without the prompts
        if has_read:
            if len(takes) == 1:
                of_group = tokens
                left = target[reading[0]] - past[reading[0]]
                goes_on = left > tokens > 0 and not gap and not (is_refused and staging is not None)
                steps = min(steps, left // tokens) if goes_on else 1
            else:
                of_group = max(max(takes), (tokens + groups - 1) // groups)  # noqa: PLW3301  stars are not compiled
                steps = 1
            step_s, rise_s, steps = attend_prompts_s(takes, reading, past, tables, groups, steps)
        if tokens and (alone or not decoding):
            rows = of_group
            step_s += tables.alone_s[of_group] + tables.alone_experts_s[(tokens + groups - 1) // groups]
        elif decoding:
            sequences = (decoding + groups - 1) // groups
            rows = sequences + of_group
            if steps > next_due - tick:
                steps = next_due - tick
            for kind in kinds:
                each, more, at = entries[kind] / decoding, growth[kind] / decoding, pieces[kind]
                if each >= edges[at + 1] or each < edges[at]:
                    while edges[at + 1] <= each:
                        at += 1
                    while edges[at] > each:
                        at -= 1
                    pieces[kind] = at
                line = (mixed_cores if tokens else cores)[kind][sequences][at]
                own_s += line[0] + line[1] * each
                own_rise_s += line[1] * more
                if steps > 1 and each + more * steps > edges[at + 1]:
                    steps = ceil((edges[at + 1] - each) / more)
            if tokens:
                step_s += tables.rows_s[rows] + tables.beside_s[sequences] + tables.prompt_s[of_group] + own_s
                step_s += experts_s[(decoding + tokens + groups - 1) // groups]
                own_s += decode_s[sequences]
            else:
                step_s = decode_s[sequences] + own_s
            rise_s += own_rise_s
            if next_read > tick and (waiting or reading):
                steps = min(steps, next_read - tick)
            if steps > 1 and (steps // block + 1) * decoding * grows > free:
                steps = steps_in_memory(steps, free, decoding, tick, phases, block)
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
                if decoding + len(reading) < bounds.sequences and (joins or not decoding):
                    stop_s = arrival[upcoming]
            if tiers is not None:
                stop_s = min(stop_s, tiers.next_s())
            if total_s > stop_s - now:
                steps, total_s = steps_before(steps, step_s, rise_s, now, stop_s)
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
            if steps > 1:
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
                        released = release_user(arrival, released, now)
                    free += release_prompt(one, now, free, bounds, requests, cache, staging)
                    continue
                context = target[one] + 1
                decoding += 1
                due[one] = tick + left
                heappush(filed, (tick + left) * SHIFT + 2 * one)
                if not reserves:
                    seat = (tick - context + 1) % block
                    phases[seat] += 1
                    phases[seat + block] += 1
                nearest = join(one, context, curves, sums, left)
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
                nearest = bend(one, context, curves, sums, left)
                if nearest < left:
                    turn[one] = tick + nearest
                    heappush(filed, turn[one] * SHIFT + 2 * one + 1)
                    next_due = filed[0] // SHIFT
            elif due[one] == tick:
                done_s[one] = now
                finished += 1
                if 0 <= released < count:
                    released = release_user(arrival, released, now)
                decoding -= 1
                leave(one, context, curves, sums)
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
    counts = Counts(count, upcoming, tick, decoding, free, next_read, preemptions, finished, released)
    return counts, Clocks(now, busy_s, reading_s, batch_s, free_s, queue_s, read_s)
