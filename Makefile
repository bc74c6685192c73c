# Two commands: `make demo` runs the main job on embedded defaults, `make test` passes the tests.
# Each sets up its own virtual environment; nothing else is needed but Python 3.11 or newer.

PYTHON ?= python3
DEMO := .venv-demo/bin
TEST := .venv-test/bin
PIP := -m pip install --quiet --disable-pip-version-check -c constraints.txt

ifneq ($(wildcard ../shared/data),)
export PLAUSIBLY_DATA ?= $(abspath ../shared/data)
endif

.PHONY: demo test check outside docs dist clean

# From a piece of Wikipedia to a report and a release; with OPEN=1 the server stays open afterwards.
demo: .venv-demo/ready
	rm -rf demo
	$(DEMO)/plausibly demo demo
	@echo
	@echo "The report is in demo/study/report.html; plausibly status demo/study shows the steps behind it."
ifdef OPEN
	@echo "Take part yourself: http://127.0.0.1:8080/ (Ctrl-C ends it)"
	$(DEMO)/plausibly serve demo/study --port 8080
endif

test: .venv-test/ready outside check
	$(TEST)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -q

check: .venv-test/ready
	$(TEST)/ruff format --check .
	$(TEST)/ruff check .
	$(TEST)/lint-imports --no-cache
	$(TEST)/mypy

outside:
	@sh tests/outside.sh

.venv-demo/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-demo
	$(DEMO)/python $(PIP) -e '.[parse,stimuli,web,demo]'
	@touch $@

.venv-test/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-test
	$(TEST)/python $(PIP) -e '.[fast,figures,parse,stimuli,spark,web,transformers,demo,dev]'
	$(TEST)/plausibly models get smollm2
	@touch $@

# A site that can be searched without a network, in build/site; a dead link stops it. The gallery's
# studies are built first, in about two minutes.
docs: .venv-docs/ready .venv-demo/ready
	$(DEMO)/python docs/make_gallery.py build/gallery
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict
	@echo "The site is in build/site/index.html."

# What is published: sdist and wheel, checked.
dist: .venv-docs/ready
	rm -rf dist
	.venv-docs/bin/python -m build --outdir dist
	.venv-docs/bin/twine check --strict dist/*

.venv-docs/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python $(PIP) mkdocs-material build twine
	@touch $@

clean:
	rm -rf .venv-demo .venv-test .venv-docs demo build dist
