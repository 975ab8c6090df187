"""Connections of the page's server on which no request's head arrives in time: uvicorn would hold them for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from h11 import IDLE
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["protocol_with_timely_heads"]


def protocol_with_timely_heads(longest_s: float) -> Callable[..., asyncio.Protocol]:
    """Makes uvicorn's protocols, each of which ends where a request's head takes longer to arrive.

    Args:
        longest_s: time limit for a head, s, from the start of the connection or the end of the answer before it; a late
            one is noticed after at most twice that.
    """

    def made(**given: Any) -> asyncio.Protocol:  # noqa: ANN401  what uvicorn hands to its own
        protocol = H11Protocol(**given)
        asyncio.get_running_loop().call_later(longest_s, _look, protocol, longest_s, None)
        return protocol

    return made


def _look(protocol: H11Protocol, longest_s: float, before: object) -> None:
    """Close a connection that waits for the same head as one look before; else look again."""
    if protocol.transport is None or protocol.transport.is_closing():
        return
    # A cycle is a request whose head has arrived: while one is answered nothing is awaited.
    awaited = ("after", protocol.cycle) if protocol.conn.their_state is IDLE else None
    if awaited is not None and (awaited == before or protocol.cycle is None):
        protocol.transport.close()
        return
    asyncio.get_running_loop().call_later(longest_s, _look, protocol, longest_s, awaited)
