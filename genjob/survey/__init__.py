"""A workspace and what is remembered of it → the outcome of each experiment, and all findings.

Where `rendering` gives the objects, this gives what a command says and writes: of what did not
change it is remembered, and the rest is made on all cores.
"""

from genjob.survey.outcome import Outcome, outcome_from
from genjob.survey.surveying import (
    Survey,
    findings_of,
    found_in,
    planned_files,
    survey,
)

__all__ = [
    "Outcome",
    "Survey",
    "findings_of",
    "found_in",
    "outcome_from",
    "planned_files",
    "survey",
]
