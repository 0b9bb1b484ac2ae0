# `make` alone prints the commands below. Everything lives in this folder: .venv and .frontrow.
.DEFAULT_GOAL := help
.PHONY: help up test test-slow check fix lock pictures clean
PYTHON ?=
TESTS ?=
SIDE_BY_SIDE := --numprocesses auto --maxprocesses 4 --dist worksteal  # each worker has engines of its own
export PYTHON

help: ## Show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

up: ## Set everything up and run Frontrow with demo data at http://127.0.0.1:8000 (Ctrl-C stops it)
	@tools/setup run
	@.venv/bin/frontrow up --with-parent

test: ## Set everything up and run all tests but the slow ones (some: make test TESTS="tests/cli tests/web")
	@tools/setup dev
	@.venv/bin/python -m pytest -m "not slow" $(SIDE_BY_SIDE) $(TESTS)

test-slow: ## Run the tests that take long: more examples, more faults
	@tools/setup dev
	@.venv/bin/python -m pytest -m slow $(SIDE_BY_SIDE) $(TESTS)

check: ## Run all static checks: format, lint, types, layers, house rules
	@tools/setup dev
	@tools/check

fix: ## Format and mend what the linter can mend
	@tools/setup dev
	@.venv/bin/ruff format . && .venv/bin/ruff check --fix .

lock: ## Lock the dependencies anew, by hash
	@tools/setup dev
	@tools/lock

pictures: ## Take the pictures of the documents anew, from the demo that `make up` runs
	@tools/setup dev
	@tools/pictures

clean: ## Remove all that the other commands made: .venv, .frontrow with its demo data, caches
	@tools/clean
