# make figures   build, run the experiments that are missing or changed, draw the figures
# make test      the fast tests
# make ci        what must hold before a change lands: format, lints, docs, tests, a quick run of every experiment
# make test-slurm  shards on a real Slurm on this machine; says so and skips where there can be none
# make verify    slow checks: statistics against theory and independent implementations, kills and damaged files by the thousand
# make bench     the hot loops, against a plain C rival where there is a C compiler
# make reference the small results that stand in the repository, made anew from the present code
# make clean     remove the build and what `make ci` wrote; results and figures stay

CARGO  ?= cargo
REINES := target/release/reines
SPECS  := $(wildcard experiments/*.toml)
QUICK  := target/quick

.PHONY: figures test test-slurm ci verify bench reference clean build

figures: build
	$(REINES) run $(SPECS)
	$(REINES) report $(SPECS)

build:
	$(CARGO) build --release --locked

test:
	$(CARGO) test --release --locked

ci:
	$(CARGO) fmt --check
	$(CARGO) clippy --release --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --locked --no-deps --document-private-items
	$(MAKE) test
	$(MAKE) build
	rm -rf $(QUICK)
	$(REINES) run --quick --results $(QUICK)/results $(SPECS)
	$(REINES) verify-files $(QUICK)/results
	$(REINES) report --results $(QUICK)/results --figures $(QUICK)/figures $(SPECS)
	$(REINES) report --results results/reference --figures $(QUICK)/reference $(SPECS)

test-slurm: build
	tests/slurm/run.sh $(REINES)

verify:
	$(CARGO) test --release --locked --test verify --test exact_slow -- --nocapture

bench:
	$(CARGO) bench --locked

reference: figures
	rm -rf results/reference
	$(REINES) run --quiet --results results/reference $(SPECS)

clean:
	$(CARGO) clean
