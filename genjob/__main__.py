"""The entry point of `genjob` and of `python -m genjob`."""

from __future__ import annotations

import atexit
import gc
import os
import sys

from genjob import __version__


def main() -> None:
    """Run `genjob`; say its version before what parses command lines is imported."""
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"genjob {__version__}\n")
        return
    gc.disable()  # a tenth of a run went by looking for cycles, of which a run makes hardly any
    atexit.register(gc.freeze)  # and as much by looking through all that was imported, at its end
    # to find that pydantic has no plugins, all that is installed would be read; none has a say here
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    from genjob.cli.main import main as run  # noqa: PLC0415 # three quarters of a start

    run()


if __name__ == "__main__":
    main()
