"""A PyTorchJob and its fabric → the network that NCCL is going to choose, and why."""

from __future__ import annotations

from genjob.transport.choice import Site, Transport, predicted_transports
from genjob.transport.podview import PodView

__all__ = ["PodView", "Site", "Transport", "predicted_transports"]
