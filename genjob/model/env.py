"""Environment variables: a text, or a value that Kubernetes looks up."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from genjob.model.base import Flag, Model, Quantity, Text, Word, exactly_one


class EnvSource(Model):
    """A value that is looked up when the pod starts, from exactly one kind of source."""

    secret: Word | None = Field(
        default=None, description="Name of a Secret; needs `key`.", examples=["wandb"]
    )
    config_map: Word | None = Field(
        default=None, description="Name of a ConfigMap; needs `key`.", examples=["shared-defaults"]
    )
    key: Word | None = Field(
        default=None, description="The key of the Secret or ConfigMap.", examples=["api-key"]
    )
    optional: Flag = Field(default=False, description="Start also when the key does not exist.")
    field: Word | None = Field(
        default=None,
        description="A field of the pod, such as status.podIP or metadata.name.",
        examples=["status.podIP", "metadata.name"],
    )
    resource: Word | None = Field(
        default=None,
        description="A resource of the container, such as limits.cpu.",
        examples=["limits.cpu"],
    )
    divisor: Quantity | None = Field(
        default=None, description="Unit that `resource` is given in.", examples=["1Gi", "1m"]
    )

    @model_validator(mode="after")
    def _one_source(self) -> EnvSource:
        exactly_one(self, ("secret", "config_map", "field", "resource"), "the source of a value")
        keyed = self.secret is not None or self.config_map is not None
        if keyed and self.key is None:
            raise PydanticCustomError("env", "'key' is missing: which key of it is the value?")
        if self.key is not None and not keyed:
            raise PydanticCustomError("env", "'key' belongs to 'secret' or 'config_map'")
        return self


def _shape(raw: object) -> str:
    return "source" if isinstance(raw, dict | EnvSource) else "text"


EnvValue: TypeAlias = Annotated[
    Annotated[Text, Tag("text")] | Annotated[EnvSource, Tag("source")], Discriminator(_shape)
]


class EnvFrom(Model):
    """All keys of a ConfigMap or Secret as environment variables."""

    config_map: Word | None = Field(
        default=None, description="Name of a ConfigMap.", examples=["shared-defaults"]
    )
    secret: Word | None = Field(default=None, description="Name of a Secret.", examples=["wandb"])
    prefix: Word | None = Field(
        default=None, description="Text put before each name.", examples=["WANDB_"]
    )
    optional: Flag = Field(default=False, description="Start also when it does not exist.")

    @model_validator(mode="after")
    def _one_source(self) -> EnvFrom:
        exactly_one(self, ("config_map", "secret"), "an entry of env_from")
        return self
