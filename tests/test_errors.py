"""Bad input → the exact text that a person is shown; exit code 1 for an error; nothing written.

A case is a folder `tests/errors/<code>-<slug>`: the files of a workspace that matter, and
`expected.out`, a transcript. A first line `$ genjob render --env prod` in it runs that instead of
`$ genjob validate`; its last line is the exit code. `--update-golden` rewrites the transcripts. A
workspace without `environments/` gets a valid `dev`. What Git or an editor would mend (CRLF, BOM, a
huge file) is made here, in `MADE`.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from genjob.codes import Code
from genjob.document import Code as ReadingCode
from genjob.rules import RULES

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand

CHECKOUT = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "errors"
TRANSCRIPT = "expected.out"
COMMAND = "$ genjob validate"

DEV = """\
version: genjob/v1
name: dev
namespace: ml-dev
provides: {secrets: [Hub_1], config_maps: [x], pvcs: [data]}
"""
WHOLE = """\
version: genjob/v1
name: a
image: registry.example.com/train:1.0
script: train.py
environments: {dev: {}}
"""
FILE = "experiments/a/experiment.yaml"

MADE: dict[str, dict[str, str | bytes]] = {
    "GJ001-not-yaml-at-all": {FILE: "version: genjob/v1\nname: [a\nimage: b\n"},
    "GJ003-folder-instead-of-a-file": {f"{FILE}/train.py": "print()\n"},
    "GJ004-file-of-50-megabytes": {FILE: WHOLE.encode() + b"# " + b"x" * 50_000_000},
    "GJ005-not-utf-8": {FILE: WHOLE.encode() + "# geprüft\n".encode("latin-1")},
    "GJ006-byte-order-mark": {FILE: b"\xef\xbb\xbf" + WHOLE.encode()},
    "GJ007-crlf-line-ends": {FILE: WHOLE.replace("\n", "\r\n")},
    "GJ008-control-character": {FILE: WHOLE + "labels: {team: n\x07lp}\n"},
    "GJ009-conflict-marker": {
        FILE: WHOLE + "<<<<<<< ours\nnodes: 2\n=======\nnodes: 4\n>>>>>>> theirs\n"
    },
    "GJ010-tab-indentation": {FILE: WHOLE + "resources:\n\tcpu: 4\n"},
    "GJ011-empty-file": {FILE: "", "environments/dev.yaml": "# nothing yet\n"},
    "GJ014-alias-bomb": {
        FILE: WHOLE
        + "".join(f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9)}]\n" for n in range(1, 10))
    },
    "GJ017-nested-too-deep": {FILE: WHOLE + f"affinity: {'{a: ' * 80}1{'}' * 80}\n"},
    "GJ492-files-too-large-together": {
        FILE: WHOLE + "storage: [{name: code, mount_path: /code, files: [a.txt, b.txt]}]\n",
        "experiments/a/a.txt": "a" * 700_000,
        "experiments/a/b.txt": "b" * 700_000,
    },
    "GJ655-object-too-large": {FILE: WHOLE + f"args: [{'a' * 250_000}]\n"},
    "GJ654-annotations-too-large": {
        FILE: WHOLE + f"annotations: {{note: {'n' * 300_000}}}\n",
    },
    "GJ405-file-too-large": {
        FILE: WHOLE + "storage: [{name: code, mount_path: /code, files: [weights.bin]}]\n",
        "experiments/a/weights.bin": b"x" * 1_048_577,
    },
}
"""Case → files of its workspace that cannot be committed as they are."""

CASES = sorted(path.name for path in FOLDER.iterdir())


def committed(case: str) -> dict[str, str | bytes]:
    """Return the files of a case's workspace that are committed."""
    folder = FOLDER / case
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != TRANSCRIPT
    }


def workspace(case: str) -> dict[str, str | bytes]:
    """Return the files of a case's workspace; a valid environment when it has none."""
    files = committed(case) | MADE.get(case, {})
    has_environments = any(path.startswith("environments/") for path in files)
    return files if has_environments else files | {"environments/dev.yaml": DEV}


def tree(root: Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def transcript(run_cli: RunsCommand, root: Path, command: str) -> str:
    """Return what a terminal shows of a command in a workspace."""
    words = shlex.split(command.removeprefix("$ genjob"))
    ran = run_cli(*words, "-C", root)
    return f"{command}\n{ran.stdout}{ran.stderr}[exit {ran.exit_code}]\n"


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_shown_like_this(
    case: str,
    repo: MakesWorkspace,
    run_cli: RunsCommand,
    monkeypatch: pytest.MonkeyPatch,
    *,
    update_golden: bool,
) -> None:
    golden = FOLDER / case / TRANSCRIPT
    expected = golden.read_text(encoding="utf-8") if golden.is_file() else f"{COMMAND}\n"
    root = repo(workspace(case))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(root.parent))
    before = tree(root)

    shown = transcript(run_cli, root, expected.partition("\n")[0])

    if update_golden:
        golden.write_text(shown, encoding="utf-8", newline="\n")
        expected = shown
    assert expected == shown
    assert before == tree(root)


@pytest.mark.parametrize("case", CASES)
def test_a_case_shows_what_its_name_says_and_ends_as_its_findings_demand(case: str) -> None:
    shown = (FOLDER / case / TRANSCRIPT).read_text(encoding="utf-8")

    assert f"[{case.partition('-')[0]}]" in shown
    assert re.search(r"^\S+: error: ", shown, re.MULTILINE) is not None or "[exit 0]" in shown
    assert ("[exit 1]" in shown) == (": error: " in shown)


def test_every_made_file_belongs_to_a_case() -> None:
    assert [] == sorted(MADE.keys() - set(CASES))


NOT_FROM_A_WORKSPACE: dict[str, str] = {
    "GJ350": "the schema refuses it first, as GJ604",
    "GJ360": "nproc_per_node is always rendered as a number, which GJ358 and GJ359 compare",
    "GJ480": "a rendered claim always has these fields right",
    "GJ481": "access_mode is one of four words, and GJ103 otherwise",
    "GJ482": "access_mode is one of four words, and GJ103 otherwise",
    "GJ483": "a rendered claim always has these fields right",
    "GJ485": "a rendered claim always has these fields right",
    "GJ491": "a rendered ConfigMap has each key once, and true base64",
    "GJ493": "a rendered ConfigMap has each key once, and true base64",
    "GJ605": "the versions of an environment are checked before, as GJ107",
    "GJ611": "an elastic job is rendered with workers alone",
    "GJ612": "an elastic job is rendered with workers alone",
    "GJ613": "an elastic job is rendered with workers alone",
    "GJ614": "roles and their containers are rendered whole",
    "GJ615": "roles and their containers are rendered whole",
    "GJ616": "roles and their containers are rendered whole",
    "GJ617": "roles and their containers are rendered whole",
    "GJ618": "roles and their containers are rendered whole",
    "GJ619": "roles and their containers are rendered whole",
    "GJ621": "roles and their containers are rendered whole",
    "GJ622": "the field is one of a few words, and GJ103 otherwise",
    "GJ631": "roles and their containers are rendered whole",
    "GJ632": "an elastic job is rendered with workers alone",
    "GJ635": "rdzv_conf is left out when it is empty, and standalone cannot be said",
    "GJ636": "rdzv_conf is left out when it is empty, and standalone cannot be said",
    "GJ637": "the field is one of a few words, and GJ103 otherwise",
    "GJ638": "the field is one of a few words, and GJ103 otherwise",
    "GJ639": "nproc_per_node is a number, and GJ103 otherwise",
    "GJ650": "every rendered object has a name",
    "GJ656": "a claim is named by its storage, whose name GJ450 refuses",
    "GJ657": "reported for the whole environment, as GJ113",
    "GJ702": "a symbolic link cannot be committed for Windows: tests/test_tree.py makes one",
    "GJ703": "names are lower-case, so rendered paths are: tests/test_tree.py",
    "GJ821": "the repositories of tests/git/test_base.py lack the revision",
    "GJ822": "the repositories of tests/git/test_base.py have no common commit",
    "GJ823": "tests/cli/test_diff.py commits nothing",
    "GJ824": "tests/cli/test_diff.py commits what cannot be used",
    "GJ705": "tests/test_render_failures.py takes the disk away",
    "GJ860": "only a cluster says so: tests/cluster/test_commands.py",
    "GJ861": "only a cluster says so: tests/cluster/test_commands.py",
}
"""Code → why no workspace brings it about; the rule itself is tested in tests/rules."""


REACHED = """
import importlib, sys
from genjob.cli.main import COMMANDS
for module, _ in COMMANDS.values():
    importlib.import_module(module)
print(*(m.__file__ for name, m in sys.modules.items() if name.startswith("genjob")), sep="\\n")
"""


@cache
def emitted() -> set[str]:
    """Return every code that stands in a module which some verb imports."""
    argv = [sys.executable, "-c", REACHED]
    ended = subprocess.run(argv, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    return {
        code
        for file in ended.stdout.splitlines()
        for code in re.findall(r'"(GJ\d{3})"', Path(file).read_text(encoding="utf-8"))
    }


def shown_codes() -> set[str]:
    """Return every code that a transcript shows."""
    texts = [(FOLDER / case / TRANSCRIPT).read_text(encoding="utf-8") for case in CASES]
    return {code for text in texts for code in re.findall(r"\[(GJ\d{3})\]$", text, re.MULTILINE)}


def test_each_code_has_a_case_or_a_reason() -> None:
    assert emitted() == shown_codes() | NOT_FROM_A_WORKSPACE.keys()
    assert set() == shown_codes() & NOT_FROM_A_WORKSPACE.keys()


def test_no_code_has_two_meanings() -> None:
    codes = [*Code, *ReadingCode, *(rule.code for rule in RULES)]

    assert sorted(set(codes)) == sorted(codes)
    assert set(codes) == emitted()


def test_no_name_of_a_finding_is_used_twice() -> None:
    names = [each.slug for table in (Code, ReadingCode) for each in table]
    names += [rule.name for rule in RULES]

    assert sorted(set(names)) == sorted(names)
