"""Environment variables of NCCL and of what runs beside it → what their readers make of them.

One mechanism for the fields of `nccl:`, for `env:` and for hand-written manifests, over the tables
of `genjob.catalog.variables`.
"""

from genjob.variables.fields import check_field, render_field
from genjob.variables.names import environment_name, field_name
from genjob.variables.problem import Problem
from genjob.variables.text import check_text

__all__ = [
    "Problem",
    "check_field",
    "check_text",
    "environment_name",
    "field_name",
    "render_field",
]
