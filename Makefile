# Two commands matter: `make demo` shows the product at work, `make test` proves it.
SHELL := /bin/bash
PY := .venv/bin/python

.PHONY: help demo test check fast bench bench-leaderboard lock screenshots clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

demo: .venv/runtime  ## set up, start everything, check sample submissions, serve until Ctrl-C
	@$(PY) deploy/demo.py

test: packages-for-tests .venv/dev check  ## everything: check, then integration and browser tests
	$(PY) -m pytest -m "integration or rocq or isabelle or browser" -p no:randomly

check: .venv/dev  ## format, lint, types, import contracts, migrations in step, fast tests
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy .
	.venv/bin/lint-imports
	$(PY) manage.py makemigrations --check --dry-run
	$(MAKE) --no-print-directory fast

fast: .venv/dev  ## the fast tests alone
	$(PY) -m pytest -n logical --maxprocesses 8 -m "not integration and not rocq and not isabelle and not browser"

bench: packages-for-tests .venv/dev  ## every benchmark but the big board's; exit 1 when one is over its budget
	$(PY) benchmarks/run_all.py

screenshots: packages-for-tests .venv/dev  ## pictures of the main pages under docs/images
	$(PY) deploy/screenshots.py

bench-leaderboard: .venv/dev  ## the board of 1,000 submissions, cold, warm and under load, on SQLite and PostgreSQL
	$(PY) benchmarks/big_board.py

lock: .venv/dev  ## lock files from pyproject.toml
	deploy/lock.sh

clean:  ## what a run leaves behind: environments, database, static files
	rm -rf var

.PHONY: packages packages-for-tests
packages:
	@deploy/packages.sh python3-venv coq bubblewrap redis-server

packages-for-tests:
	@deploy/packages.sh python3-venv coq bubblewrap redis-server chromium fonts-dejavu-core

.venv/runtime: requirements.lock | packages
	@deploy/venv.sh requirements.lock $@

.venv/dev: requirements-dev.lock | packages
	@deploy/venv.sh requirements-dev.lock $@
