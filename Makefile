# Two commands: `make demo` runs the main job on embedded defaults, `make test` passes the tests.
# Each sets up its own virtual environment; nothing else is needed but Python 3.11 or newer.

PYTHON ?= python3
DEMO := .venv-demo/bin
TEST := .venv-test/bin
PIP := -m pip install --quiet --disable-pip-version-check -c constraints.txt

ifneq ($(wildcard ../shared/data),)
export PLAUSIBLY_DATA ?= $(abspath ../shared/data)
endif

.PHONY: demo test check outside clean

demo: .venv-demo/ready
	rm -rf demo
	$(DEMO)/plausibly init pap demo --example
	$(DEMO)/plausibly run demo
	@echo
	@echo "The report is in demo/report.html; plausibly status demo shows the steps behind it."

test: .venv-test/ready outside check
	$(TEST)/python -m pytest -n 2 -q

check: .venv-test/ready
	$(TEST)/ruff format --check .
	$(TEST)/ruff check .
	$(TEST)/lint-imports --no-cache
	$(TEST)/mypy

outside:
	@sh tests/outside.sh

.venv-demo/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-demo
	$(DEMO)/python $(PIP) -e .
	@touch $@

.venv-test/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-test
	$(TEST)/python $(PIP) -e '.[fast,parse,stimuli,spark,web,transformers,demo,dev]'
	$(TEST)/plausibly models get smollm2
	@touch $@

clean:
	rm -rf .venv-demo .venv-test demo build dist
