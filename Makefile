# make run       set up and start the bot (practice mode in a browser when there is no token)
# make quick     before each commit: form, types, doctests, and the tests that need no bot and draw nothing
# make test      before each push: the form, and all tests but the longest; with GAME=tangle those of that game alone
# make full      all but the long samples, as CI runs it; make rest is what make test leaves out of it
# make costs     run all of it, and write down which tests take long (tests/costs.toml)
# make coverage  run all of it, and find what make test doesn't reach (tests/reached_later.toml)
# make fuzz      let people try everything in any order, for STEPS steps (100,000 if none are given)
# make thorough  before a release and once a week: make full with all its samples, matches of computers, and make fuzz
# make audit     look for known holes in what the bot stands on; make sbom writes down what that is (build/sbom.json)
# make bench     measure (docs/performance.md says what)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Many processes are started by the tests; each would else compile all modules again where this is set.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run quick test full rest costs coverage form bench fuzz thorough audit sbom lock clean

run: $(VENV)/run.stamp
	@$(BIN)/python bot.py

quick: form
	$(BIN)/python -m tests.size --lower
	$(BIN)/python -m pytest -q -n auto --dist loadgroup --tier quick

test: form
	$(BIN)/python -m pytest -n auto --dist loadgroup $(if $(GAME),--tier full --game $(GAME))

full: form
	$(BIN)/python -m pytest -n auto --dist loadgroup --tier full

rest: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n auto --dist loadgroup --tier rest

costs: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n auto --dist loadgroup --tier full --record-costs

coverage: $(VENV)/dev.stamp
	rm -rf build/coverage && mkdir -p build/coverage
	for part in test rest; do COVERAGE_FILE=build/coverage/$$part \
		$(BIN)/python -m coverage run -m pytest -q -n auto --dist loadgroup --tier $$part || exit; done
	$(BIN)/python -m tests.reached

form: $(VENV)/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --num-workers auto
	$(BIN)/lint-imports

fuzz: $(VENV)/dev.stamp
	FUZZ_STEPS=$(or $(STEPS),100000) $(BIN)/python -m pytest tests/discord/play/test_fuzz.py -q -n 0

thorough:
	TEST_THOROUGHLY=1 $(MAKE) full
	$(BIN)/python -m tests.benchmarks strength --games 24
	$(MAKE) fuzz

bench: $(VENV)/dev.stamp
	$(BIN)/python -m tests.benchmarks

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Tangle Parlour needs Python 3.11 or later; try: make PYTHON=python3.13 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.lock | $(BIN)/python
	@echo "Installing what the bot stands on; this takes about a minute."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

# It holds all of the other lock file too, in one go; what is never imported is never compiled.
$(VENV)/dev.stamp: requirements-dev.lock requirements.lock | $(BIN)/python
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $(VENV)/run.stamp $@

# Apart from the bot's own environment, which holds what the lock files say and nothing else.
$(VENV)/supply/bin/pip-audit:
	$(PYTHON) -m venv $(VENV)/supply
	$(VENV)/supply/bin/python -m pip install --quiet --disable-pip-version-check pip-audit cyclonedx-bom

audit: $(VENV)/supply/bin/pip-audit
	@grep -q '^[A-Za-z0-9].*==' requirements.lock || { echo "requirements.lock names nothing to audit." >&2; exit 2; }
	$< --strict --require-hashes --disable-pip -r requirements.lock

sbom: $(VENV)/supply/bin/pip-audit
	@mkdir -p build && $(VENV)/supply/bin/cyclonedx-py requirements requirements.lock --output-reproducible -o build/sbom.json
	@echo "build/sbom.json lists what the bot stands on."

lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links --quiet pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links --quiet --group dev pyproject.toml -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache
