"""The entry point of `genjob` and of `python -m genjob`."""

from __future__ import annotations

from genjob.cli.main import main

if __name__ == "__main__":
    main()
