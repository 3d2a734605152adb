# Needs make and Python 3.11 or newer. Everything else goes into .venv/ and var/; where pip looks is its own business.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run hall test test-faults coverage test-deploy test-machines test-container format messages migration docs pictures screenshots lock audit release bench bench-draw bench-federation bench-night bench-pages bench-phone load clean
CHECKS := check-format check-lint check-templates check-types check-imports check-migrations check-tests
.PHONY: $(CHECKS)

python := .venv/bin/python
# Not compiled ahead: half of it is never imported, and the first start writes what it needs.
install := $(python) -m pip --disable-pip-version-check --no-input install -qq --no-compile --require-hashes
compile := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
templates = templates $(wildcard scoring/games/*/templates)

PORT ?= 8000
export PORT
# Bytecode is written even where the environment forbids it: else each process that a test starts compiles everything.
unexport PYTHONDONTWRITEBYTECODE

help:  ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run: .venv/runtime.stamp  ## Start the application with a demo club on this machine (PORT=8000); Ctrl-C stops it
	@exec $(python) -m deploy.local --with-parent

hall: .venv/runtime.stamp  ## Start it empty, without the demo club: a hall server, its data in var/hall (HOST=0.0.0.0 for phones)
	@exec $(python) -m deploy.local --with-parent --no-demo --var var/hall

# Two at once: types take one processor for most of a minute, while the tests begin.
test: .venv/dev.stamp  ## Run everything that must pass before a commit: all checks, all tests
	@$(python) -m tests.browser
	@$(python) -m tests.messages install
	@$(python) -m tests.debian
	@$(MAKE) --keep-going --no-print-directory --jobs 2 $(CHECKS)

# Three at once on two processors: what drives a browser or kills workers mostly waits.
test-faults: .venv/dev.stamp  ## Run the slow tests: break real servers and workers, send hostile requests, walk every address: half an hour
	@$(python) -m pytest -m 'faults or hypothesis' --hypothesis-profile=all -n 3 --dist loadgroup -rfEP

coverage: .venv/dev.stamp  ## Print which lines neither test nor test-faults runs: more than an hour
	@rm -rf var/coverage && mkdir -p var/coverage
	@$(python) -m coverage run -m pytest -m 'not faults and not deploy and not machines and not containers' --hypothesis-profile=few -n auto --dist loadgroup
	@$(python) -m coverage run -m pytest -m 'faults or hypothesis' --hypothesis-profile=all -n 3 --dist loadgroup
	@$(python) -m coverage combine --quiet
	@$(python) -m coverage report

test-deploy: .venv/dev.stamp  ## Follow docs/operations.md on servers booted in a container, Debian 12 and 13 (needs Debian, root): a quarter of an hour
	@$(python) -m tests.browser
	@$(python) -m pytest tests/server -m deploy -n 2 --dist loadgroup -x -rfEP

test-machines: .venv/dev.stamp  ## Follow docs/several-machines.md on four booted servers (needs Debian, root): half an hour
	@$(python) -m tests.browser
	@$(python) -m pytest tests/server -m machines -n 0 -x -rfEP

test-container: .venv/dev.stamp  ## Build, start, upgrade and restore the containers by docs/operations.md on a booted server (needs Debian, root): ten minutes
	@$(python) -m tests.browser
	@$(python) -m pytest tests/server -m containers -n 0 -x -rfEP

format: .venv/dev.stamp  ## Format the code, and fix lint errors (ruff)
	@$(python) -m ruff format --quiet
	@$(python) -m ruff check --fix
	@$(python) -m ruff format

messages: .venv/dev.stamp  ## Gather the strings to translate into locale/, and compile the translations
	@$(python) -m tests.messages

APP ?= league
migration: .venv/dev.stamp  ## Make a migration after a change of the models (NAME=add_club_motto, APP=players for the other app)
	@$(python) -m deploy.servers $(python) manage.py makemigrations $(if $(NAME),--name $(NAME)) $(APP)

bench: .venv/dev.stamp  ## Run the benchmarks
	@$(python) -m bench.engine
	@$(python) -m bench.ratings
	@$(python) -m bench.standings
	@$(python) -m bench.pairing
	@$(python) -m deploy.servers $(python) -m bench.watchers
	@$(python) -m deploy.servers $(python) -m bench.tournament

bench-draw: .venv/dev.stamp  ## Run the benchmark of the draw: some minutes
	@$(python) -m bench.draw

bench-federation: .venv/dev.stamp  ## Measure an evening of 300 clubs of a federation at once: a quarter of an hour
	@$(python) -m bench.federation

bench-night: .venv/dev.stamp  ## Measure the night in leagues of 10⁴, 10⁵ and 10⁶ tables: about a quarter of an hour
	@$(python) -m bench.night

bench-pages: .venv/dev.stamp  ## Measure pages and recording in a league of 10⁶ tables: some minutes
	@$(python) -m deploy.servers $(python) -m bench.pages

bench-phone: .venv/dev.stamp  ## Measure when pages can be used on a phone with a slow connection: some minutes
	@$(python) -m tests.browser
	@$(python) -m deploy.servers $(python) -m bench.phone

load: .venv/dev.stamp .venv/load.stamp  ## Send 300 readers, 20 secretaries and 2,000 watchers at once (LOAD='--readers 100' for others): five minutes
	@$(python) -m bench.load .venv/load/bin/locust $(LOAD)

docs: .venv/docs.stamp  ## Build the documentation as a site into build/docs/; a dead link stops it
	@NO_MKDOCS_2_WARNING=1 .venv/docs/bin/mkdocs build --strict --quiet --clean

pictures: .venv/dev.stamp  ## Photograph the demo club for the documentation into docs/pictures/, in both languages
	@$(python) -m tests.browser
	@$(python) -m deploy.servers $(python) -m tests.screenshots --documents

screenshots: .venv/dev.stamp  ## Photograph every page into var/screenshots/, with contact sheets (SHOTS='--widths 390 --only hall'): an hour
	@$(python) -m tests.browser
	@$(python) -m deploy.servers $(python) -m tests.screenshots $(SHOTS)

lock: .venv/dev.stamp  ## Resolve the requirements again (LOCK=--upgrade for newer versions)
	@$(compile) $(LOCK) pyproject.toml -o requirements.txt
	@$(compile) $(LOCK) -c requirements.txt --group local -o deploy/requirements-local.txt
	@$(compile) $(LOCK) -c requirements.txt --group dev -o tests/requirements.txt
	@$(compile) $(LOCK) --group audit -o tests/requirements-audit.txt
	@$(compile) $(LOCK) --group load -o bench/requirements-load.txt
	@$(compile) $(LOCK) --group docs -o docs/requirements.txt

audit: .venv/audit.stamp  ## Ask what is publicly known against the packages of the lock files
	@$(python) -m tests.known_vulnerabilities .venv/audit/bin/pip-audit

release: .venv/dev.stamp  ## Make a release (VERSION=0.2.0): version, CHANGELOG.md, the dump for the next upgrade's test, tag
	@$(python) -m deploy.release $(VERSION)

clean:  ## Remove .venv/ and the tools' caches, never var/, where the data is
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis test-results

check-format:
	@printf '\n== Format (ruff; make format puts it right)\n'
	@$(python) -m ruff format --quiet --check || { $(python) -m ruff format --check; exit 1; }

check-lint:
	@printf '\n== Lint (ruff)\n'
	@$(python) -m ruff check --quiet

check-templates:
	@printf '\n== Templates (djlint), and the length of lines\n'
	@$(python) -m djlint --lint --quiet $(templates)
	@$(python) -m tests.line_length

check-types:
	@printf '\n== Types (mypy)\n'
	@$(python) -m mypy .

check-imports:
	@printf '\n== Imports run one way (import-linter)\n'
	@.venv/bin/lint-imports

check-migrations:
	@printf '\n== No migration is pending\n'
	@$(python) -m deploy.servers $(python) manage.py makemigrations --check --dry-run

check-tests:
	@printf '\n== Tests (pytest)\n'
	@$(python) -m pytest -m 'not faults and not deploy and not machines and not containers' --hypothesis-profile=few -n auto --dist loadgroup

.venv/bin/python:
	@for found in python3 python3.14 python3.13 python3.12 python3.11; do \
	  if "$$found" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    "$$found" -m venv --clear .venv && exit 0; \
	    rm -rf .venv; exit 1; \
	  fi; \
	done; \
	echo 'Python 3.11 or newer is needed, and none is on the PATH.' >&2; exit 1

.venv/runtime.stamp: .venv/bin/python requirements.txt deploy/requirements-local.txt
	@echo 'Installing the requirements into .venv/ (once, about half a minute) …'
	@$(install) -r requirements.txt -r deploy/requirements-local.txt
	@touch $@

.venv/dev.stamp: .venv/runtime.stamp tests/requirements.txt
	@echo 'Installing the tools for development into .venv/ (once, about half a minute) …'
	@$(install) -r tests/requirements.txt
	@touch $@

# Environments of their own, for tools that share nothing with the project.
.venv/audit.stamp: tests/requirements-audit.txt
.venv/load.stamp: bench/requirements-load.txt
.venv/docs.stamp: docs/requirements.txt
.venv/audit.stamp .venv/docs.stamp .venv/load.stamp: .venv/bin/python
	@$(python) -m venv --clear $(@:.stamp=)
	@$(@:.stamp=)/bin/python -m pip --disable-pip-version-check --no-input install -qq --no-compile --require-hashes -r $(filter %.txt,$^)
	@touch $@
