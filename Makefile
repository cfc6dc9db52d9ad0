# `make` alone lists the targets.
PYTHON  ?= python3.11
VENV    := .venv
PY      := $(VENV)/bin/python
PIP     := $(PY) -m pip --disable-pip-version-check
# More requirements for pip, e.g. PIN='mujoco==3.17.0 mujoco-warp==3.17.0'.
PIN     ?=
# One worker per core; more than eight only wait for each other.
WORKERS ?= auto
export MPLBACKEND := Agg

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test oldest check format stubs docs bench build clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

demo: $(VENV)/.report ## set up, then run the quadruped: a table and a report in out/
	$(VENV)/bin/unisim run configs/quadruped.toml --out out/quadruped

test: $(VENV)/.dev ## the whole test suite
	$(PY) -m pytest -n $(WORKERS) --maxprocesses 8 --dist worksteal

oldest: ## the test suite on the oldest MuJoCo that is supported
	$(MAKE) test VENV=.venv-oldest PIN='mujoco==3.17.0 mujoco-warp==3.17.0 $(PIN)'

check: $(VENV)/.dev stubs ## format, lint, types, import rules, sizes
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/pyright --pythonpath $(PY)
	$(VENV)/bin/lint-imports --no-logo
	$(PY) scripts/sizes.py

format: $(VENV)/.dev ## format the source and mend what can be mended
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

stubs: $(VENV)/.dev ## type stubs of the installed MuJoCo, in .typings/
	$(PY) scripts/stubs.py

docs: $(VENV)/.docs ## the manual, in docs/_build/
	$(PY) -m sphinx -W --keep-going -q docs docs/_build

bench: $(VENV)/.dev ## the benchmarks
	$(PY) -m pytest tests/benchmarks -p no:xdist --benchmark-only

build: $(VENV)/.dev ## wheel and sdist, each tried in an environment of its own
	rm -rf dist
	$(PY) -m build --outdir dist .
	$(PY) scripts/smoke.py dist/*

clean: ## remove what make made
	rm -rf $(VENV) .venv-oldest .typings dist build out docs/_build docs/api docs/features

$(PY):
	$(PYTHON) -m venv $(VENV)

# A stamp for each extra: installed again only after pyproject.toml has changed.
$(VENV)/.%: pyproject.toml | $(PY)
	$(PIP) install --quiet --editable '.[$*]' $(PIN)
	touch $@
