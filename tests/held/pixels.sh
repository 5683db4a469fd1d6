#!/usr/bin/env bash
# The figures of two folders that `dump.sh` wrote, compared pixel by pixel at 1 and 3 times their size.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for old in "$1"/svg/*.svg; do
    new=$2/svg/$(basename "$old")
    [ -f "$new" ] || { echo "$(basename "$old"): only in $1"; continue; }
    for zoom in 1 3; do
        rsvg-convert --zoom "$zoom" -o "$place/old.png" "$old"
        rsvg-convert --zoom "$zoom" -o "$place/new.png" "$new"
        cmp -s "$place/old.png" "$place/new.png" || {
            differ=$(compare -metric AE "$place/old.png" "$place/new.png" null: 2>&1 || true)
            echo "$(basename "$old") at ${zoom}x: $differ pixels differ"
        }
    done
done
