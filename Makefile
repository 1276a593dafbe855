# make run    a server on this machine, on an embedded database in data/
# make test   everything that a change must pass
# `make help` has the rest. Python 3.11 or newer, git and make are all that must be there; without a
# C compiler the plain kernel serves (try CC=/bin/false).

SHELL := /bin/sh
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
LISTEN ?= 127.0.0.1:50051
HTTP ?= 127.0.0.1:8080
PYTEST_ARGS ?=
ORACLE_N ?= 50000
# The contract that nothing may break.
RELEASE := proto/bgcore-0.1.0.binpb
# Further extras for the tests' environment, such as EXTRAS=bench,deploy.
EXTRAS ?=
comma := ,

# What an installation depends on: the metadata, the build hook, and what the hook compiles.
SOURCES := pyproject.toml $(wildcard hatch_build.py bgcore/kernel/*.py bgcore/kernel/*.pxd)
# The compiled kernel is made next to its source, under a name that git ignores.
SOURCES := $(filter-out bgcore/kernel/_movement.py,$(SOURCES))

.PHONY: help run test pytest oracle lint format types proto proto-check rulebook options family axes settings authorisation pins buf clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-20s %s\n", $$1, $$2}'

run: $(VENV)/.server ## set up and serve, and say what to try; LISTEN=host:port HTTP=host:port choose where
	@mkdir -p data
	@exec $(BIN)/bgcore serve --listen $(LISTEN) --http $(HTTP) --db sqlite:///data/bgcore.db

test: lint types buf proto-check pytest ## set up and run every check and test; PYTEST_ARGS='-k words' chooses

pytest: $(VENV)/.dev
	@echo "== pytest ($$($(BIN)/python tools/kernel_kind.py))"
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

oracle: $(VENV)/.dev ## compare both kernels with the oracle, ORACLE_N positions of every game it knows
	@$(BIN)/python -m tests.oracle.compare --variant all --n $(ORACLE_N) --processes 2

lint: $(VENV)/.dev ## ruff: rules and format
	@echo "== ruff"
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/ruff format --quiet --output-format concise --check . || { echo "run: make format"; exit 1; }

format: $(VENV)/.dev ## let ruff correct what it can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: $(VENV)/.dev ## mypy, strict
	@echo "== mypy"
	@$(BIN)/mypy

buf: $(VENV)/.dev ## buf lint: STANDARD and COMMENTS; buf breaking: nothing that clients of the release need has gone
	@echo "== buf lint and breaking"
	@if [ -x $(BIN)/buf ]; then $(BIN)/buf lint && $(BIN)/buf breaking --against $(RELEASE); \
	else echo "no buf for this machine: left out"; fi

proto: $(VENV)/.dev ## make proto/bgcore_proto anew from the .proto files
	@$(BIN)/python tools/generate_proto.py

proto-check: $(VENV)/.dev ## fail if proto/bgcore_proto is not what the .proto files give
	@echo "== generated protobuf code"
	@$(BIN)/python tools/generate_proto.py --check

rulebook: $(VENV)/.dev ## make docs/rulebook.md anew from the tests and tests/data/rulebook
	@$(BIN)/python tools/generate_rulebook.py

options: $(VENV)/.dev ## make docs/options.md anew from the engine's options and presets
	@$(BIN)/python tools/generate_options.py

family: $(VENV)/.dev ## make docs/family anew: a page and pictures of every variant
	@$(BIN)/python tools/generate_family.py

axes: $(VENV)/.dev ## make docs/axes.md anew from the docstrings of variants and their axes
	@$(BIN)/python tools/generate_axes.py

settings: $(VENV)/.dev ## make the table of docs/configuration.md anew from the server's settings
	@$(BIN)/python tools/generate_settings.py

pins: $(VENV)/.dev ## make deploy/constraints.txt anew: the newest versions of what the image installs
	@sh tools/pin_image.sh $(BIN)/python

authorisation: $(VENV)/.dev ## make docs/authorisation.md anew from what the tests check
	@$(BIN)/python tools/generate_authorisation.py

clean: ## remove the environment and what was built; data/ stays
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
	@rm -f bgcore/kernel/*.so bgcore/kernel/*.pyd bgcore/kernel/*.c bgcore/kernel/_movement.py

# One environment for both; what `run` needs is a part of what `test` needs.
$(VENV)/.server: $(SOURCES) | $(BIN)/python
	@sh tools/install.sh $(BIN)/python server
	@touch $@

$(VENV)/.dev: $(SOURCES) | $(BIN)/python
	@sh tools/install.sh $(BIN)/python dev$(if $(EXTRAS),$(comma)$(EXTRAS))
	@touch $@ $(VENV)/.server

$(BIN)/python:
	@sh tools/make_venv.sh $(VENV)
