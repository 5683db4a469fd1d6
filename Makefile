# make figures   build, run the experiments that are missing or changed, draw the figures, and
#                figures/index.html, one page with everything
# make test      the fast tests; those of pages where there is a Chromium (CHROMIUM=/path/to/it
#                names one)
# make ci        what must hold before a change lands: format, lints, docs, tests, a quick run of
#                every experiment
# make programs      methods and solvers in Python, as programs of specs, into target/programs: six
#                minutes
# make programs-docs  the same, and copies its tables and figures to docs; needs Gecode
# make test-readers  the tables read by pandas, pyarrow, DuckDB and Polars, which Python fetches
#                where it lacks one; says so and skips where there is no Python with venv
# make test-renderers  the figures in nine programs that draw an SVG: labels in their places, pale
#                bands; needs Python with venv
# make test-slurm  pieces of a run on a real Slurm on this machine; says so and skips where there
#                can be none
# make verify    slow checks: statistics against theory and independent implementations, larger
#                boards, kills, damaged files and sequences of actions by the thousand, every
#                system call failing once (where there is strace)
# make bench     the hot loops, against a plain C rival where there is a C compiler
# make docs      the three films
# make reference the small results that stand in the repository, made anew from the present code,
#                and the figures of wall-clock times in docs/wall-clock: when rows have changed, and
#                before a release
# make large     what takes longer: experiments/large; the head of a spec says how a twentieth of
#                its trials is run
# make large-docs  the same, and copies its tables to docs
# make diff REV=…        compare that git revision with the present code: by its sources and specs,
#                and where these differ built under target/against/ and run; SPECS='tiny size' for
#                some experiments alone, OPTIONS=--quick for a few trials; the options are those of
#                `reines diff`. make ends with 2 where `diff` ends with 1, 2 or 3: where that
#                counts, call scripts/diff-against REV
# make test-diff  the same of commits with a planted change of each rule, which it must find
# make test-package  both packages built from what `cargo package` packs, in an empty folder
# make check-reference   a quick run of every experiment against the rows of results/reference,
#                whichever code made them: every row must be the same
# make clean     remove the build and what `make ci` wrote; results and figures stay

CARGO  ?= cargo
# Given to cargo in every target: what a user has set up for it puts the program elsewhere.
export CARGO_TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
REINES := $(CARGO_TARGET_DIR)/release/reines
# Beside this file, wherever make is called.
SCRIPTS := $(dir $(lastword $(MAKEFILE_LIST)))scripts
# As the shell finds them, whatever their names.
SPECS  ?= experiments/*.toml
LARGE  := experiments/large/*.toml
IN_DOCS := experiments/large/four-methods-large.toml experiments/large/figure-7.toml
QUICK  := target/quick
TABLES := target/docs

.PHONY: figures docs test programs programs-docs test-readers test-renderers test-slurm test-diff test-package ci verify bench reference large large-docs diff check-reference clean build

figures:
	@echo "The first time on two cores: 3 to 5 minutes to build, 2 to 3 for the experiments, less"
	@echo "than one for figures and page. What is there already is not made again."
	@CARGO="$(CARGO)" '$(SCRIPTS)/build'
	@$(REINES) run $(SPECS); code=$$?; [ $$code != 130 ] || exit 130; \
		$(REINES) report --force --html figures/index.html $(SPECS) && exit $$code

build:
	CARGO="$(CARGO)" '$(SCRIPTS)/build'

# Tests sync what they write: in memory where it has a gigabyte for them.
test: export TMPDIR ?= $(shell df -Pk /dev/shm 2>&1 | awk '$$6 == "/dev/shm" && $$4 > 1000000 \
	{ shm = 1 } END { print shm ? "/dev/shm" : "/tmp" }')
# Many tests wait for the disk: four times as many at a time as there are cores.
test: export RUST_TEST_THREADS ?= $(shell expr 4 \* $$(getconf _NPROCESSORS_ONLN))
test:
	$(CARGO) test --release --locked

ci:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --locked --all-targets
	$(CARGO) doc --release --locked --no-deps
	$(CARGO) doc --release --locked --no-deps --document-private-items
	$(MAKE) test
	$(CARGO) test --release --locked --test main rates:: -- --ignored --nocapture
	$(MAKE) build
	rm -rf $(QUICK)
	$(REINES) run --quick --results $(QUICK)/results $(SPECS)
	$(REINES) verify $(QUICK)/results
	$(MAKE) test-readers
	$(MAKE) check-reference
	$(MAKE) test-package test-diff
	$(REINES) report --quick --results $(QUICK)/results --figures $(QUICK)/figures $(SPECS)

# The films of the pair rule are of typical trials; tests/replay.rs says which these are.
docs: build
	$(REINES) replay pair n=6 epsilon=0.001 --trial 78 --force -o docs/replay-0.001.html
	$(REINES) replay pair n=6 epsilon=0.01 --trial 59 --force -o docs/replay.html
	$(REINES) replay pair n=6 epsilon=0.032 --trial 20 --force -o docs/replay-0.032.html
	$(REINES) replay cell n=7 epsilon=0.02 eta=0 --dynamics rejection-free --trial 276 --force -o docs/replay-trap.html

# The first trials of each point; a change that is meant to move a distribution raises the
# definition number and makes the reference anew.
check-reference: build
	$(REINES) run --quick --quiet --results $(QUICK)/results $(SPECS)
	$(REINES) diff --identical results/reference $(QUICK)/results

# The shell reads what is given, and runs none of it. SPECS of the command line or the environment
# are in its variables: names, paths and patterns with blanks between them, or the one path of a
# file that has blanks in its name.
diff: export REV ?=
diff:
	@if [ -f "$$SPECS" ]; then set -- "$$SPECS"; else set -- $$SPECS; fi; \
		CARGO="$(CARGO)" exec '$(SCRIPTS)/diff-against' "$$REV" $$OPTIONS "$$@"

# The tables of the quick run of `make ci` and an export.
test-readers: build
	tests/readers.sh $(REINES) $(QUICK)/results $(SPECS)

# Methods and solvers in Python as programs of specs, with packages of these versions; skipped
# where there is no Python that can make a virtual environment. Gecode is skipped where there is no
# MiniZinc; then the figures are drawn without it, which `report` ends with 1.
PROGRAMS := target/programs
programs: GECODE = $(foreach it,PN_PL PB_PL PA_PL PA_PD PN_PW PA_PW,algorithm!=gecode-$(it))
programs: build
	@if ! python3 -m venv $(PROGRAMS) >/dev/null 2>&1; then \
		echo "programs: skipped, there is no Python 3 with venv"; exit 0; fi; \
	set -e; export PATH="$$PWD/$(PROGRAMS)/bin:$$PATH"; \
	python3 -m pip install --quiet --disable-pip-version-check -r experiments/programs/requirements.txt; \
	only=; if ! command -v minizinc >/dev/null; then \
		echo "programs: Gecode is skipped, there is no MiniZinc"; \
		only=$$(echo $(GECODE) | tr ' ' ,); fi; \
	$(REINES) run --results $(PROGRAMS)/results experiments/programs/python-methods.toml; \
	$(REINES) run --results $(PROGRAMS)/results $${only:+--only "$$only"} \
		experiments/programs/peers.toml experiments/programs/peers-large.toml; \
	$(REINES) report --force --results $(PROGRAMS)/results --figures $(PROGRAMS)/figures \
		experiments/programs/*.toml || [ -n "$$only" ]; \
	python3 experiments/programs/seconds.py > $(PROGRAMS)/figures/python-seconds.csv; \
	echo "programs: tables and figures are in $(PROGRAMS)/figures"

# Every table in docs has all its rows, and its manifest is that of the same run.
programs-docs:
	@command -v minizinc >/dev/null || { \
		echo "programs-docs: docs stays as it is, there is no MiniZinc" >&2; exit 1; }
	$(MAKE) programs
	for run in peers peers-large; do \
		cp "$$(dirname "$$(readlink -f $(PROGRAMS)/results/$$run/trials.parquet)")/manifest.toml" \
			docs/tables/$$run.toml || exit 1; done
	for table in peers-first peers-all peers-large python-seconds; do \
		cp $(PROGRAMS)/figures/$$table.csv docs/tables/ || exit 1; done
	cp $(PROGRAMS)/figures/peers-first.svg $(PROGRAMS)/figures/peers-all.svg docs/programs/

# Builds the program from the files of its packages alone.
test-package:
	$(CARGO) test --release --locked --test main package:: -- --ignored --nocapture

# Builds the program once more, with a slip in it.
test-diff:
	$(CARGO) test --release --locked --test main diff_against:: -- --ignored --nocapture

# Every shipped figure by nine programs that draw an SVG, of which Python fetches what it can.
test-renderers:
	tests/renderers.sh figures docs/wall-clock

test-slurm: build
	tests/slurm/run.sh $(REINES)

# Its statistics take longer than a build of what is around the solver with optimisation.
verify: OPTIMISED = --config profile.release.package.reines.opt-level=3
verify: TESTS = cp:: damage:: exact:: figure_fuzz:: naive:: spec_fuzz:: state:: theory::
verify: build
	$(CARGO) test --release --locked $(OPTIMISED) --lib -- --ignored
	THOROUGH=1 $(CARGO) test --release --locked $(OPTIMISED) --test main -- \
		--include-ignored --nocapture $(TESTS)
	THOROUGH=1 $(CARGO) test --release --locked --test main faults:: -- --include-ignored \
		--nocapture --test-threads 1

bench: build
	$(CARGO) bench --locked --bench '*'
	python3 benches/tables.py $(REINES)

reference: figures
	rm -rf results/reference
	$(REINES) run --quiet --results results/reference $(SPECS)
	$(CARGO) run --release --locked --example traps > docs/tables/traps.csv
	$(REINES) run --quiet --results $(TABLES)/large/results $(IN_DOCS)
	$(REINES) report --quiet --results $(TABLES)/large/results --figures $(TABLES)/large $(IN_DOCS)
	cp $(TABLES)/large/*.csv docs/tables/
	$(REINES) report --quiet --results results/reference --figures $(TABLES)/wall-clock $(SPECS)
	cd docs/wall-clock && for it in *; do cp ../../$(TABLES)/wall-clock/$$it .; done
	$(MAKE) docs

large: build
	$(REINES) run $(LARGE)
	$(REINES) report $(LARGE)

large-docs: large
	for it in docs/tables/*.csv; do [ ! -f figures/$${it##*/} ] || cp figures/$${it##*/} $$it; done
	for spec in $(LARGE); do name=$$(basename $$spec .toml); [ ! -f docs/tables/$$name.csv ] || \
		cp "$$(dirname "$$(readlink -f results/$$name/trials.parquet)")/manifest.toml" docs/tables/$$name.toml; done

clean:
	$(CARGO) clean
