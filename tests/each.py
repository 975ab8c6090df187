"""One test that says its sentence of each of many things, where a test for each would take longer than to say it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

__all__ = ["of_each"]


def of_each(
    names: str | tuple[str, ...], values: Iterable[Any], ids: Callable[[Any], str] | Iterable[str] = str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with each value in turn and fail once, with all values of which it is not so; as ``parametrize``.

    Fixtures are made once: none may keep what one value does to it.

    Args:
        names: name of the test's argument; several where each value has one for each.
        values: values of the argument.
        ids: names of the values in a failure.
    """
    tried = list(values)
    # Spelled in a failure only: to spell a record of arrays takes longer than most tests.
    called = [partial(ids, value) for value in tried] if callable(ids) else [partial(str, one) for one in ids]

    def of_all(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def said_of_each(**fixtures: Any) -> None:  # noqa: ANN401  whatever fixtures give
            failed = []
            for value, name in zip(tried, called, strict=True):
                given = {names: value} if isinstance(names, str) else dict(zip(names, value, strict=True))
                try:
                    test(**fixtures, **given)
                except Exception as error:  # noqa: BLE001  raised below with the others
                    error.add_note(f"of {name()}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(tried)}", failed)
            assert tried, "nothing to say it of"

        whole, taken = inspect.signature(test), (names,) if isinstance(names, str) else names
        others = [one for one in whole.parameters.values() if one.name not in taken]
        said_of_each.__signature__ = whole.replace(parameters=others)  # type: ignore[attr-defined]
        return said_of_each

    return of_all
