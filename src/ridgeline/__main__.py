"""Start of the program, before any slow import, so that an interrupt is never a traceback."""

from __future__ import annotations

import gc
import os
import sys

__all__ = ["main"]

INTERRUPTED = 130
"""Exit status of an interrupt: 128 and the number of SIGINT, as in shells."""


def main() -> None:
    """Run the command line."""
    # No matrices are multiplied here that a BLAS would need threads for, and starting them takes time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Nothing that is imported is garbage; the command that is found looks for it again.
    gc.disable()
    try:
        from ridgeline.cli import main as run  # noqa: PLC0415  an interrupt while it is imported is caught here

        sys.exit(run())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
