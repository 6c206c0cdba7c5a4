"""A folder → its workspace: what is found, what is well formed, and what is wrong with the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.workspace.loading import find_root, load

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import MakesWorkspace

EX = "version: genjob/v1\nname: {name}\nimage: b\nscript: c\nenvironments: {{dev: {{}}}}\n"
DEV = "version: genjob/v1\nname: dev\nnamespace: ml-dev\n"


def test_a_workspace_is_found_from_any_folder_in_it(repo: MakesWorkspace) -> None:
    root = repo({"experiments/a/experiment.yaml": EX.format(name="a")})

    assert root.resolve() == find_root(root / "experiments/a")


def test_genjob_yaml_alone_makes_a_workspace_and_the_nearest_one_counts(tmp_path: Path) -> None:
    inner = tmp_path / "ml/inner"
    inner.mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "ml"):
        (folder / "genjob.yaml").write_text("version: genjob/v1\n", encoding="utf-8")

    assert (tmp_path / "ml").resolve() == find_root(inner)


def test_a_folder_that_belongs_to_no_workspace_has_none(tmp_path: Path) -> None:
    (tmp_path / "experiments").mkdir()

    assert find_root(tmp_path) is None


def test_experiments_and_environments_are_known_by_their_places(repo: MakesWorkspace) -> None:
    root = repo(
        {
            "experiments/a/experiment.yaml": EX.format(name="a"),
            "experiments/b-2/experiment.yaml": EX.format(name="b-2"),
            "experiments/notes/README.md": "nothing to run",
            "environments/dev.yaml": DEV,
            "environments/README.md": "nothing to read",
        }
    )

    loaded = load(root)

    assert (["a", "b-2"], ["dev"]) == ([*loaded.experiments], [*loaded.environments])
    assert [] == loaded.diagnostics
    assert root / "experiments/a" == loaded.experiment_folder("a")


def test_genjob_yaml_says_where_things_are(repo: MakesWorkspace) -> None:
    root = repo(
        {
            "genjob.yaml": "paths: {experiments: ml/jobs, environments: ml/clusters}\n",
            "ml/jobs/a/experiment.yaml": EX.format(name="a"),
            "ml/clusters/dev.yaml": DEV,
        }
    )

    loaded = load(root)

    assert (["a"], ["dev"]) == ([*loaded.experiments], [*loaded.environments])


def test_a_broken_file_hides_no_other(repo: MakesWorkspace) -> None:
    root = repo(
        {
            "genjob.yaml": "gitop: {}\n",
            "experiments/a/experiment.yaml": "name: [\n",
            "experiments/b/experiment.yaml": EX.format(name="c"),
            "environments/dev.yaml": "version: genjob/v1\n",
            "environments/prod.yaml": DEV,
        }
    )

    loaded = load(root)

    assert ["b"] == [*loaded.experiments]
    assert (["a"], ["dev"]) == ([*loaded.broken], [*loaded.broken_environments])
    assert ["GJ001", "GJ101", "GJ102", "GJ102", "GJ105", "GJ105"] == sorted(
        found.code for found in loaded.diagnostics
    )


def test_every_file_that_a_finding_can_point_into_is_kept_as_text(repo: MakesWorkspace) -> None:
    root = repo(
        {
            "experiments/a/experiment.yaml": "name: [\n",
            "environments/dev.yaml": DEV.encode() + "# geprüft".encode("latin-1"),
        }
    )

    sources = load(root).sources

    assert sources["experiments/a/experiment.yaml"] == "name: [\n"
    assert sources["environments/dev.yaml"].endswith("# gepr\N{REPLACEMENT CHARACTER}ft")


def test_an_environment_with_an_unknown_version_is_still_used(repo: MakesWorkspace) -> None:
    root = repo({"environments/dev.yaml": DEV + 'target: {kubernetes: "1.3"}\n'})

    loaded = load(root)

    assert ["GJ107"] == [found.code for found in loaded.diagnostics]
    assert loaded.environments["dev"].model.target.kubernetes == "1.31"
