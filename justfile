# List the recipes.
default:
    @just --list

# Format, then lint.
lint:
    uv run ruff format
    uv run ruff check --fix

# Types and import contracts.
types:
    uv run mypy
    uv run lint-imports

# All tests; arguments go to pytest.
test *ARGS:
    uv run pytest {{ARGS}}

# Speed, printed beside the machine.
bench TRACES="../shared/reference/traces":
    uv run python bench/planner.py
    uv run python bench/estimate.py
    uv run python bench/studies.py
    uv run python bench/traces.py {{TRACES}}
    uv run python bench/reuse.py {{TRACES}}

# Build the page into the package.
page:
    cd page && npm ci --no-audit --no-fund && npm run lint && npm test && npm run build

# The page in Debian's Chromium: tests, then how fast it is.
browser:
    uv run --group browser pytest -q tests/browser
    uv run --group browser python bench/page.py

# The README's picture of the page, light and dark; --write draws it.
page-picture *ARGS="":
    uv run --group browser python bench/page_picture.py {{ARGS}}

# The catalog's own numbers of chips and engines, fitted anew; --write puts them there. Takes minutes.
calibrate EVIDENCE="../shared/evidence" *ARGS="":
    uv run python bench/calibrate.py {{EVIDENCE}} {{ARGS}}

# How right predictions are, beside the page on it; --write puts it there. Takes minutes.
accuracy EVIDENCE="../shared/evidence" *ARGS="--check":
    uv run python bench/accuracy.py {{EVIDENCE}} {{ARGS}}

# The page of what --json prints, from the code.
json:
    uv run python bench/json_page.py --write

# The README's sample of a plan, from its own command.
readme:
    uv run python bench/readme_sample.py --write

# The page's types of what it is answered with, from the code.
page-types:
    uv run python bench/page_types.py --write

# The page of quantities, from the glossary.
nomenclature:
    uv run python bench/nomenclature.py --write

# What all prices of a list say, for boards; takes a minute.
posteriors *ARGS="--write":
    uv run python bench/board_posteriors.py {{ARGS}}

# The page of worked examples, from what its blocks print.
worked:
    uv run python bench/worked.py --write

# Everything that must pass before a change lands.
ci:
    bash .ci/run
