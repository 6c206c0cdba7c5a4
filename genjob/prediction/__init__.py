"""A PyTorchJob as the API server stores it → the pods and Services that the operator makes of it.

Everything here reads the object alone, so a hand-written one will do; and nothing fails on a wrong
type: what the operator would refuse is what the rules report.
Source: https://github.com/kubeflow/trainer/tree/v1.9.0/pkg/controller.v1/pytorch
"""

from __future__ import annotations

from genjob.prediction.container import (
    Known,
    Setting,
    effective_settings,
    own_entries,
    unread_sources,
)
from genjob.prediction.pods import (
    PredictedPod,
    PredictedService,
    held_back,
    predicted_pods,
    predicted_services,
)
from genjob.prediction.scale import Processes, Scale, predicted_scale, processes_of, ranks_of

__all__ = [
    "Known",
    "PredictedPod",
    "PredictedService",
    "Processes",
    "Scale",
    "Setting",
    "effective_settings",
    "held_back",
    "own_entries",
    "predicted_pods",
    "predicted_scale",
    "predicted_services",
    "processes_of",
    "ranks_of",
    "unread_sources",
]
