#!/usr/bin/env bash
# All panels of all figures of the shipped specs as JSON, as the present reader of specs gives them.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p "$1"
cargo run --release --locked --quiet --example panels -- experiments/*.toml experiments/large/*.toml |
    python3 tests/held/dump.py panels >"$1/panels.json"
