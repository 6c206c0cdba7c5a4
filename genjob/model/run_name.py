"""How a run is named, and so when Kubernetes takes it for another one."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from genjob.model.base import Model
from genjob.model.names import Suffix


class Run(Model):
    """The name of the job object: by content, by an id of your own, or always the same."""

    name: Literal["content", "stable"] = Field(
        default="content",
        description="content: <experiment>-<hash>, so that a change to what runs is a new run and "
        "the old one is removed. stable: the experiment's name; a change edits the running job, "
        "and only pods that restart get it.",
    )
    id: Suffix | None = Field(
        default=None,
        description="Names the run <experiment>-<id>; a change to what runs needs a new id.",
        examples=["3", "warm-up"],
    )

    @model_validator(mode="after")
    def _one_way(self) -> Run:
        if self.id is not None and self.name == "stable":
            raise PydanticCustomError(
                "run", "found 'id' beside name: stable; a run is named one way"
            )
        return self
