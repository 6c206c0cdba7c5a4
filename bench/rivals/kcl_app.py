"""A file of PyTorchJobs → the same ones, by the KCL program beside this."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from kcl_lib import api


def main(jobs: str, target: str) -> None:
    """Read the jobs from a JSON file and write them as YAML.

    The program goes beside the file: KCL reads nothing above it.
    """
    program = str(shutil.copy(Path(__file__).with_name("jobs.k"), Path(jobs).parent))
    arguments = [api.Argument(name="jobs", value=json.dumps(jobs))]
    made = api.API().exec_program(api.ExecProgramArgs(k_filename_list=[program], args=arguments))
    if made.err_message:
        sys.exit(made.err_message)
    Path(target).write_text(made.yaml_result, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
