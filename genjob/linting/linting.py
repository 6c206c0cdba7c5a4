"""Manifests → every finding, at the place where it was written.

The order of the checks is that of generated objects: schemas, then rules. Objects of one file are
taken to be applied together; a ConfigMap also meets the jobs of the other files of its folder.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from genjob.checks import check_bodies, each_once
from genjob.diagnostics import in_order
from genjob.foreign.forms import JOB
from genjob.linting.subjects import subjects_of
from genjob.rules.under_gitops import under_gitops
from genjob.rules.variables import in_config_maps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from genjob.diagnostics import Diagnostic, Finding
    from genjob.foreign.reading import ManifestFile
    from genjob.linting.conditions import Conditions
    from genjob.linting.subjects import Subject


@dataclass
class Linting:
    """What was found in manifests: findings, the texts of files, how much of which kind there was.

    `checked` counts by kind, `others` what was passed over.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    checked: Counter[str] = field(default_factory=Counter)
    others: int = 0


def lint(files: Iterable[ManifestFile], conditions: Conditions) -> Linting:
    """Check manifests, file by file."""
    linting = Linting()
    folders: dict[str, list[Subject]] = {}
    for file in files:
        subjects = _subjects(linting, file, conditions)
        linting.sources[file.file] = file.text
        linting.diagnostics += [*file.diagnostics, *_of_file(subjects, conditions)]
        folders.setdefault(str(PurePosixPath(file.file).parent), []).extend(subjects)
    for subjects in folders.values():
        linting.diagnostics += _of_folder(subjects)
    linting.diagnostics = in_order(under_gitops(linting.diagnostics, conditions.engine))
    return linting


def _subjects(linting: Linting, file: ManifestFile, conditions: Conditions) -> list[Subject]:
    """Return what is checked of a file, and count it."""
    subjects: list[Subject] = []
    linting.others += file.others
    for written in file.objects:
        found = subjects_of(written, conditions.command)
        kinds = [str(each.body.get("kind")) for each in found if each.body is not None]
        linting.checked.update(kinds)
        linting.others += not found
        subjects += found
    return subjects


def _of_file(subjects: list[Subject], conditions: Conditions) -> list[Diagnostic]:
    said = [s.written.diagnostic(finding) for s in subjects for finding in s.findings]
    known = [subject for subject in subjects if subject.body is not None]
    bodies = [subject.body or {} for subject in known]
    fabric = conditions.fabric(body for body in bodies if body.get("kind") == JOB)
    found = check_bodies(bodies, conditions.target, conditions.schemas, fabric=fabric)
    return each_once([*said, *_placed(known, found)])


def _of_folder(subjects: list[Subject]) -> Iterator[Diagnostic]:
    """Yield what is wrong with the variables of ConfigMaps that jobs of other files read."""
    known = [subject for subject in subjects if subject.body is not None]
    yield from _placed(known, in_config_maps([subject.body or {} for subject in known]))


def _placed(subjects: list[Subject], found: Iterable[tuple[int, Finding]]) -> Iterator[Diagnostic]:
    """Yield findings with their places, but for those about values that wait to be filled in."""
    for index, finding in found:
        if subjects[index].is_known(finding.path):
            yield subjects[index].written.diagnostic(finding)
