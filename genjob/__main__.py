"""The entry point of `genjob` and of `python -m genjob`."""

from __future__ import annotations

import gc
import sys

from genjob import __version__


def main() -> None:
    """Run `genjob`; say its version before what parses command lines is imported."""
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"genjob {__version__}\n")
        return
    from genjob.cli.main import main as run  # noqa: PLC0415 # three quarters of a start

    gc.disable()  # a tenth of a run went by looking for cycles, of which a run makes hardly any
    run()


if __name__ == "__main__":
    main()
