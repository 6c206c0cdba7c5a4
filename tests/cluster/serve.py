"""Nothing → a cluster to try things by hand, until Ctrl-C: `python -m tests.cluster.serve`."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Event

from tests.cluster.build import programs
from tests.cluster.control_plane import control_plane


def main() -> None:
    """Start the cluster that the tests use, say how kubectl reaches it, and wait."""
    with (
        tempfile.TemporaryDirectory(prefix="genjob-cluster-") as scratch,
        control_plane(programs(), Path(scratch)) as cluster,
        suppress(KeyboardInterrupt),
    ):
        print(f"export KUBECONFIG={cluster.kubeconfig}", flush=True)
        Event().wait()


if __name__ == "__main__":
    main()
