# Every command a person needs; `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SCALE ?= 1 10
export PYTHONHASHSEED ?= 0

.DEFAULT_GOAL := help
.PHONY: help install demo test test-slow check audit perf docs docs-site format ui lock clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

install: $(VENV)/installed ## create .venv with the pinned packages

$(VENV)/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("turnup needs Python 3.11 to 3.14; found %d.%d. Try: make PYTHON=python3.12 ..." % sys.version_info[:2]) if not (3, 11) <= sys.version_info[:2] < (3, 15) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --only-binary :all: -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q -j 0 $(VENV)/lib expectations turnup reports assets pipelines >/dev/null 2>&1 || true
	@touch $@

demo: install ## make the demo programme in demo/ and its reports
	$(BIN)/turnup demo --home demo

ui: install ## the Dagster UI on http://127.0.0.1:3000 with the demo loaded
	@test -e demo/warehouse.duckdb || $(MAKE) --no-print-directory demo
	$(BIN)/turnup ui --home demo

test: install ## the tests, without the long campaigns
	$(BIN)/python -m pytest -q -n auto --dist loadscope -m "not slow"

test-slow: install ## the long campaigns, and every build of the tests with all of its tables
	$(BIN)/python -m pytest -q -n auto --dist loadscope -m slow
	TURNUP_WHOLE_BUILDS=1 $(BIN)/python -m pytest -q -n auto --dist loadscope -m "not slow" tests/readiness tests/supply tests/acceptance

check: install ## format, lint, types, layers, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) --no-print-directory audit
	$(MAKE) --no-print-directory test

audit: install ## known holes in the pinned packages; says so where nobody can be asked
	@found=$$($(BIN)/pip-audit --disable-pip --require-hashes -r requirements.lock --progress-spinner off 2>&1); code=$$?; \
	case "$$found" in \
	*ConnectionError*|*"onnection refused"*|*imed\ out*) echo "audit: the advisory service cannot be reached, nothing was audited";; \
	*) echo "$$found" | grep -v 'could not be audited'; \
	   echo "audit: $$(echo "$$found" | grep -c 'could not be audited') of $$(grep -c '^[a-zA-Z].*==' requirements.lock) packages could not be audited"; \
	   exit $$code;; \
	esac

perf: install ## everything measured beside a floor and a peer; prints ratios and writes perf/RESULTS.md (SCALE="1 10 100")
	$(BIN)/python -m perf --scale $(SCALE) --results perf/RESULTS.md

docs: install ## write docs/datasets and docs/metrics.md from the contracts and the metric registry
	$(BIN)/python -m pipelines.reference docs

docs-site: install ## docs/ as a site in site/, to be served by anything
	$(BIN)/mkdocs build --strict --quiet

format: install ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: ## pin every package again (needs uv)
	uv pip compile pyproject.toml --group dev --all-extras --universal --python-version 3.11 --generate-hashes \
		--no-strip-extras --no-annotate --no-header --upgrade -o requirements.lock

clean: ## remove what can be made again
	rm -rf demo $(VENV) .mypy_cache .ruff_cache .pytest_cache
