#!/bin/sh
# Builds the program for this processor and with less optimisation, runs a quick run of every
# experiment with each, and compares the bytes of all tables but those of times.
#     tests/builds.sh PROGRAM SPEC...
set -eu
program=$1
shift
home=target/builds
cargo=${CARGO:-cargo}
rm -rf "$home/results"
mkdir -p "$home/results"
"$program" run --quick --quiet --results "$home/results/usual" "$@"
RUSTFLAGS='-C target-cpu=native' "$cargo" build --release --locked --target-dir "$home/native"
"$cargo" build --release --locked --target-dir "$home/less" --config profile.release.opt-level=1
for build in native less; do
    "$home/$build/release/reines" run --quick --quiet --results "$home/results/$build" "$@"
    for file in $(cd "$home/results/usual" && find . -name '*.parquet' ! -name 'tim*.parquet' | sort); do
        cmp "$home/results/usual/$file" "$home/results/$build/$file"
    done
    echo "$build: the same bytes"
done
