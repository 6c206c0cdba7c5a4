# Everything is installed into .venv; nothing outside this folder is touched.
PYTHON ?= python3
VENV   := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PIP_QUIET := --quiet --disable-pip-version-check

.PHONY: demo test test-cluster lint schemas gitops-schemas docs lock bench clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# The program and what it needs to run.
$(VENV)/run.stamp: requirements/run.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install $(PIP_QUIET) --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install $(PIP_QUIET) --no-deps --no-build-isolation --editable .
	@touch $@

# What its tests, linters and generators need beside.
$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/run.stamp
	$(BIN)/python -m pip install $(PIP_QUIET) --require-hashes -r requirements/dev.txt
	@touch $@

demo: $(VENV)/run.stamp ## validate, render and verify this repository's own workspace for prod
	$(BIN)/python tools/demo.py

test: $(VENV)/dev.stamp ## the complete test suite
	$(BIN)/python -m pytest -n auto

test-cluster: $(VENV)/dev.stamp ## the tests in front of a real cluster; builds it with Go, once
	$(BIN)/python -m tests.cluster.build
	$(BIN)/python -m pytest tests/cluster

lint: $(VENV)/dev.stamp ## formatting, style, types, spelling, YAML
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/yamllint --strict experiments environments bases overlays gitops genjob.yaml

schemas: $(VENV)/dev.stamp ## regenerate schemas/
	$(BIN)/python tools/make_schemas.py

gitops-schemas: $(VENV)/dev.stamp ## regenerate the schemas of Argo CD and Flux; needs npm
	$(BIN)/python -m tools.make_gitops_schemas

docs: $(VENV)/dev.stamp ## regenerate the reference pages
	$(BIN)/python -m tools.make_docs

lock: $(VENV)/dev.stamp ## pin the newest allowed dependencies, with hashes
	$(BIN)/python tools/lock.py

bench: $(VENV)/dev.stamp ## what each command takes, beside other tools; minutes, or an hour with 5000 experiments
	$(BIN)/python -m bench $(BENCH)

clean:
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis
