"""A file of PyTorchJobs → the same ones, synthesised by cdk8s.

Each is an `ApiObject` whose spec is patched in: fewer calls into Node than with typed constructs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cdk8s


def main(jobs: str, folder: str) -> None:
    """Read the jobs from a JSON file and write them into a folder."""
    app = cdk8s.App(outdir=folder)
    chart = cdk8s.Chart(app, "jobs")
    for number, job in enumerate(json.loads(Path(jobs).read_text(encoding="utf-8"))):
        known = {key: job["metadata"].get(key) for key in ("name", "namespace", "labels")}
        metadata = cdk8s.ApiObjectMetadata(**known, annotations=job["metadata"].get("annotations"))
        made = cdk8s.ApiObject(
            chart,
            f"job{number}",
            api_version=job["apiVersion"],
            kind=job["kind"],
            metadata=metadata,
        )
        made.add_json_patch(cdk8s.JsonPatch.add("/spec", job["spec"]))
    app.synth()


if __name__ == "__main__":
    main(*sys.argv[1:])
