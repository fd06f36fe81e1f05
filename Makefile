# `make demo` and `make test` are all that a newcomer needs; everything lands in .venv.
PYTHON ?= python3
BIN := .venv/bin
# Where it is set, each of the thousands of processes that tests start compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

# What `test` and `test-slow` test: `tree`, this checkout as it is, or `wheel`, as CI does: the wheel that is built of it, in an
# environment and a folder of their own (.wheel/venv, .wheel/tree), where the package's source is not.
TESTED ?= tree
ifeq ($(TESTED),wheel)
DEV := .wheel/installed
PYTHON_TESTED := $(CURDIR)/.wheel/venv/bin/python
PYTEST := cd .wheel/tree && NONOSAT_WHEEL=$(CURDIR)/.wheel ../venv/bin/pytest -c pyproject.toml --rootdir=. --pyargs tests nonosat
else
DEV := .venv/dev
PYTHON_TESTED := $(CURDIR)/.venv/bin/python
PYTEST := $(BIN)/pytest
endif

.PHONY: demo app test test-slow test-nightly test-sudoku test-pythons fuzz fuzz-formats oracle packs screenshots lint types check mutants
.PHONY: bench bench-full work figures notebooks docs reference release clean

demo: .venv/installed
	$(BIN)/nonosat warm
	$(BIN)/nonosat solve examples/gchq.json --unique --draw gchq.png; test $$? -eq 10
	@echo "The picture is in gchq.png"

# The workbench in the browser; Ctrl-C ends it.
app: .venv/installed
	$(BIN)/nonosat app

# All but the tests marked slow: minutes. CI runs both. A file's tests stay together, since they share what they set up.
WORKERS ?= 2
test: $(DEV)
	$(PYTEST) -m "not slow" -n $(WORKERS) --dist loadfile --no-loadscope-reorder

test-slow: $(DEV)
	$(PYTEST) -m "slow and not nightly" -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# What CI leaves out of the widest batteries: an hour.
test-nightly: $(DEV)
	$(PYTEST) -m nightly --timeout 0 -o faulthandler_timeout=0 -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# The wheel on every other CPython that is here (PYTHONS=newest: on one), by some of the tests; after `make test TESTED=wheel`.
test-pythons: $(DEV)
	.ci/pythons .wheel $(PYTHONS)

# A kind of puzzle that the package has never heard of: installed as people do, tried, and taken out again.
test-sudoku: $(DEV)
	$(PYTHON_TESTED) -m pip install --quiet --disable-pip-version-check examples/sudoku
	cd examples/sudoku && $(PYTHON_TESTED) -P -m pytest -c /dev/null -p no:cacheprovider -q tests; \
	    code=$$?; $(PYTHON_TESTED) -m pip uninstall --quiet --yes nonosat-sudoku; exit $$code

# Random boards through every solver for SECONDS; what is wrong is made small and written to tests/regressions.
SECONDS ?= 600
CORES ?= 1
fuzz: .venv/dev
	$(BIN)/python tests/fuzz.py --seconds $(SECONDS) --cores $(CORES) $(if $(SEED),--seed $(SEED))

# Valid texts of every format, changed at random, INPUTS of each: read or refused in one line. Minutes.
INPUTS ?= 100000
fuzz-formats: .venv/dev
	$(BIN)/python tests/fuzz_formats.py --inputs $(INPUTS) $(if $(SEED),--seed $(SEED))

# All boards of up to 25 cells, a minute or two: how many puzzles have one solution, beside OEIS and the native counter.
oracle: .venv/dev
	$(BIN)/python tests/oracle.py
	$(BIN)/python tests/three_methods.py

# The packs of the workbench, from the pictures and seeds in examples/packs: the same files every time.
packs: .venv/dev
	$(BIN)/python examples/packs/make.py

# The pictures of README and docs/workbench.md, taken of the pages as they are now.
screenshots: .venv/dev
	$(BIN)/python tests/browser/screenshots.py

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

# What must pass before anything lands, here; CI runs test-slow as well.
check: lint types test

# A minute: does `auto` work more than benchmarks/work.csv says? Counted, not timed; `benchmarks/work.py --renew` writes that.
work: .venv/dev
	$(BIN)/python benchmarks/work.py

# Hours: do the tests notice small changes of the core? See results/mutants.md. Ended and called again, it goes on.
mutants: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check pytest-cov
	$(BIN)/python benchmarks/mutants.py $(or $(MUTANTS),/tmp/nonosat-mutants)

# Every figure and table in results/ again, from the records there.
figures: .venv/dev
	$(BIN)/python benchmarks/figures.py

# Jupyter on the notebooks, which read the records in results/.
notebooks: .venv/dev
	$(BIN)/jupyter lab notebooks

# The site in docs/_made/site, of the pages in docs/: half a minute, and the network only to install Sphinx. Warnings are errors.
docs: .venv/docs
	rm -rf docs/_made
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_made/site
	$(BIN)/python docs/_site/links.py docs/_made/site

# docs/reference/ again, which is made of the program and committed.
reference: .venv/dev
	$(BIN)/python docs/_site/made.py

# Is it fit to be published? Builds .release/dist, and has it and what tells of it looked at by the tools for that, which are in an
# environment of their own (cffconvert wants an older jsonschema than Jupyter).
release: .release/venv
	rm -rf .release/dist
	.release/venv/bin/python -m build --quiet --outdir .release/dist .
	.release/venv/bin/check-wheel-contents .release/dist/*.whl
	.release/venv/bin/validate-pyproject pyproject.toml
	.release/venv/bin/twine check --strict .release/dist/*
	.release/venv/bin/cffconvert --validate
	.release/venv/bin/interrogate nonosat
	.release/venv/bin/repo-review --show err .
	.release/venv/bin/zizmor --offline --quiet .github

# Minutes; the last line installs rivals from PyPI into an environment of their own. The first one compares this checkout with
# the commit OLD on every class of boards, and ends with an error if a class got slower.
OLD ?= HEAD
bench: .venv/dev
	$(BIN)/python benchmarks/compare.py $(OLD) . --boards 10 --limit 20
	$(BIN)/python benchmarks/encoding.py
	$(BIN)/python benchmarks/loading.py
	$(BIN)/python benchmarks/isolation_overhead.py
	$(BIN)/python benchmarks/limits.py
	$(BIN)/python benchmarks/throughput.py 2000
	$(BIN)/python benchmarks/records.py
	$(BIN)/python benchmarks/native.py
	$(BIN)/python benchmarks/editing.py
	$(BIN)/python benchmarks/auto.py
	$(BIN)/python benchmarks/certificates.py
	$(BIN)/python benchmarks/workbench.py
	$(BIN)/python benchmarks/growth.py 16 32 64 128
	$(BIN)/python benchmarks/frontier.py --limit 5 --boards 10 30x0.4 40x0.5
	$(BIN)/python benchmarks/counting.py --limit 10 10x0.4 15x0.4 20x0.5 25x0.5
	$(BIN)/python benchmarks/rivals.py --boards 3 10 20

# About an hour; writes results/growth, results/frontier and results/rivals. PUZZLES: files or folders of your own, such as a tournament's.
bench-full: bench
	$(BIN)/python benchmarks/encoding.py --every
	$(BIN)/python benchmarks/channels.py
	$(BIN)/python benchmarks/uniqueness.py
	$(BIN)/python benchmarks/growth.py -o results/growth
	$(BIN)/python benchmarks/frontier.py -o results/frontier
	$(BIN)/python benchmarks/rivals.py -o results/rivals
ifdef PUZZLES
	$(BIN)/python benchmarks/auto.py --limit 60 $(PUZZLES)
endif

clean:
	rm -rf .venv .wheel .release docs/_made

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("nonosat needs Python 3.11 or later") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/dev: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

.venv/docs: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

.release/venv:
	$(PYTHON) -m venv .release/venv
	.release/venv/bin/pip install --quiet --disable-pip-version-check build twine cffconvert check-wheel-contents \
	    'interrogate>=1.7' 'sp-repo-review[cli]' 'validate-pyproject[all]' zizmor || { rm -rf .release/venv; exit 1; }

ifeq ($(TESTED),wheel)
.wheel/installed: $(wildcard $(shell git ls-files --cached --others --exclude-standard))
	.ci/wheel $(PYTHON) .wheel
	@touch $@
endif
