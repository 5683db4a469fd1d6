#!/bin/sh
# Builds the program for this processor and with less optimisation, runs a quick run of every
# experiment with each, and compares the bytes of all tables but those of times.
#     tests/builds.sh PROGRAM SPEC...
# What is built anew are our packages; the libraries stay as they are (Polars alone takes
# minutes). WHOLE=1 builds them too.
set -eu
program=$1
shift
home=$PWD/target/builds
cargo=${CARGO:-cargo}
rm -rf "$home/results"
mkdir -p "$home/results"

# build NAME OPTION...: the program of that name.
build() {
    name=$1
    shift
    "$cargo" build --release --locked --bin reines --target-dir "$home/$name" "$@"
}

if [ -n "${WHOLE:-}" ]; then
    RUSTFLAGS='-C target-cpu=native' build native
    build less --config profile.release.opt-level=1 \
        --config profile.release.package.reines-solver.opt-level=1
else
    # Cargo calls the wrapper for our packages alone, and so keeps the libraries of its usual build.
    wrapper=$home/native.sh
    printf '#!/bin/sh\nexec "$@" -C target-cpu=native\n' > "$wrapper"
    chmod +x "$wrapper"
    shared="build.build-dir=\"$PWD/target\""
    RUSTC_WORKSPACE_WRAPPER=$wrapper build native --config "$shared"
    build less --config "$shared" --config profile.release.package.reines-solver.opt-level=1
fi

"$program" run --quick --quiet --results "$home/results/usual" "$@"
for build in native less; do
    "$home/$build/release/reines" run --quick --quiet --results "$home/results/$build" "$@"
    tables=$(cd "$home/results/usual" && find . -name '*.parquet' ! -name 'tim*.parquet' | sort)
    for file in $tables; do
        cmp "$home/results/usual/$file" "$home/results/$build/$file"
    done
    echo "$build: the same bytes in $(echo "$tables" | wc -l) tables"
done
