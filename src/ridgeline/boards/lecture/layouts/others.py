"""Sentences of the chapter's steps on the numbers that they do not open in."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.in_a_sentence import as_long, count_text
from ridgeline.boards.lecture.layouts import domains, scale_out
from ridgeline.boards.lecture.pipelines.hand_over import times
from ridgeline.boards.lecture.whose import where_he
from ridgeline.boards.note import DIGITS
from ridgeline.boards.scene import Racks
from ridgeline.boards.walk import Seen, height, is_as_opened
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["copied", "drawn_small", "faster_links", "fewer_leave", "leaving_share", "sparser"]


def _his(seen: Seen, name: str) -> float:
    return float(seen.board.control(name).lecture)


def copied(seen: Seen) -> str:
    """Sentence on the copies that fill a rack."""
    values = seen.values[seen.mode]
    experts, copies, chips = values["experts"], values["redundant_experts"], values["chips"]
    each = (experts + copies) / chips
    even = (
        f"{format_number(each)} on each{'' if each.is_integer() else ', on average'}"
        if each > 1
        else "one at most on each"
    )
    lie = "lie on one chip" if chips == 1 else f"lie on {chips:,.0f} chips, {even}"
    more = f" and {copies:,.0f} more copies of popular ones" if copies else ""
    return (
        f"He takes {_his(seen, 'chips'):g} chips of a rack, over which {_his(seen, 'experts'):g} experts divide evenly."
        f" Here {times(experts, 'expert')}{more} {lie}."
    )


def drawn_small(seen: Seen) -> str:
    """Sentence on the few chips that stand for a rack on the blackboard."""
    values = seen.values[seen.mode]
    chips, switches, cables = (values[name] for name in ("chips", "switches", "cables_per_chip"))
    where = "On his blackboard" if is_as_opened(seen, "chips", "switches", "cables_per_chip") else "Here"
    stand = (
        f"{where} {chips:g} chips and {'one switch' if switches == 1 else f'{switches:g} switches'} stand for a rack"
    )
    is_wired = "Here, too, every chip reaches every switch" if cables >= switches else "No chip reaches every switch"
    return f"{stand}, with {chips * cables:,.0f} cables. {is_wired}, and twice the chips need twice the cables."


def leaving_share(seen: Seen) -> float:
    """Part of all visits that leave their rack, as it is drawn."""
    picture = seen.pictures[seen.mode]
    if not isinstance(picture, Racks):
        raise TypeError(f"visits are asked of a view of {type(picture).__name__}; ask the first of the board")
    return picture.leaving_fraction


def fewer_leave(seen: Seen) -> str:
    """Sentence on the visits that copies keep in their rack."""
    values = seen.values[seen.mode]
    racks, copies = values["racks"], values["redundant_experts"]
    if racks == 1:
        return "With one rack no visit leaves it, be there copies of popular experts or not."
    leaving, evenly = (format_quantity(one, "fraction", 2) for one in (leaving_share(seen), 1 - 1 / racks))
    popular = "Some experts are more popular here, and" if values["skew"] else "Here"
    kept = f"{popular} {f'{copies:,.0f} more copies' if copies else 'no more copies'} of experts are kept"
    if leaving == evenly:
        return f"{kept}. Over {racks:g} racks, {leaving} of a token's visits leave their rack, as with his numbers."
    ours = " How popular they are is our assumption." if values["skew"] else ""
    return (
        f"{kept}. A token finds one in its own rack more often: over {racks:g} racks {leaving} of its visits leave it,"
        f" not {evenly}.{ours}"
    )


def faster_links(seen: Seen) -> str:
    """Sentence on links of a rack that are faster still."""
    values, his = seen.values[seen.mode], seen.board.values(Mode.LECTURE)
    racks, ratio = values["racks"], values["link_ratio"]
    own = "On GB200, links" if is_as_opened(seen, "link_ratio") else "Links"
    fast = "just" if ratio == 1 else f"{format_number(ratio)} times"
    says = where_he("he says", f"{his['link_ratio']:g} times", fast)
    links = f"{own} inside a rack are {fast} as fast as those out of it{says}"
    if racks == 1:
        return f"{links}. In one rack no traffic leaves it."
    slower = height(seen, "all-to-all", racks)
    with_his = max(float(scale_out.inside(racks)), float(scale_out.between(his, racks)))
    takes = f"{links}. Over {racks:g} racks the all-to-all takes {as_long(slower)} as in one"
    if format_number(slower) == format_number(with_his):
        return f"{takes}."
    so = "the more reason to stay in one" if slower > with_his else "it matters less to stay in one"
    return f"{takes}, not {format_number(with_his)} times: {so}."


def sparser(seen: Seen) -> str:
    """Sentence on a known model, and the first domain that holds it."""
    values = seen.values[seen.mode]
    room = domains.held_by_hoppers(values)
    own = "DeepSeek-V3 has" if is_as_opened(seen, "total_params") else "This model has"
    wanted, his = (count_text(one, DIGITS) for one in (values["total_params"], _his(seen, "total_params")))
    nodes = "" if values["stages"] == 1 else f"{values['stages']:g} nodes of "
    hoppers = f"{nodes}eight" if nodes else "Eight"
    first = domains.first_to_hold(values)
    held = (
        f"so NVIDIA's first machine to hold it is {nodes}{first}"
        if first
        else "and no machine of NVIDIA's holds it yet"
    )
    return (
        f"{own} {wanted} parameters{where_he('he takes', his, wanted)}. {hoppers} H100 have room for"
        f" {count_text(room, DIGITS)}, {'so they hold it' if values['total_params'] < room else held}."
    )
