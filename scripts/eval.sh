#!/usr/bin/env bash
# Runs the product's own code over the evaluation sets in a folder, scores the predictions with the sets' own scorer and
# prints one table beside the peers' figures. Called by `just eval`.
set -euo pipefail

sets="${1:?the folder of the evaluation sets}"
out="target/eval"
mkdir -p "$out"
cargo build --release --example eval

score() { # kind, set
    target/release/examples/eval "$1" "$sets/open/$2.jsonl" > "$out/$2.pred"
    python3 "$sets/score.py" "$1" "$sets/open/$2.jsonl" "$out/$2.pred" > "$out/$2.score"
}

# One row: what is measured, ours, and the best peer's figure on the same cases (from the README of the sets).
row() { # set, line of the scorer, peer
    local ours
    ours=$(awk -v want="$2" '{ line = $0; sub(/ +n= *[0-9]+ .*/, "", line); if (line == want) print $NF }' "$out/$1.score")
    printf '| %s | %s | %s | %s |\n' "$1" "$2" "${ours:--}" "$3"
}

score args args
score time time_cases

echo '| set | figure | metnos | best peer |'
echo '|---|---|--:|--:|'
row args 'en every field right' '-'
row args 'it every field right' '-'
row time_cases 're en core' '.653 (Recognizers JS, its own corpus)'
row time_cases 're it core' '.332 (Duckling)'
row time_cases 'du en core' '.333 (Recognizers JS; Duckling is the reference)'
row time_cases 'du it core' '.573 (duckling crate, its own corpus; Duckling is the reference)'
row time_cases 're en agree (Recognizers and Duckling both say so)' '-'
row time_cases 're it agree (Recognizers and Duckling both say so)' '-'
row time_cases 're en silence on negatives' '-'
grep -h '^ms:' "$out/args.score" | sed 's/^/args, /'
grep -h '^ms:' "$out/time_cases.score" | sed 's/^/time, /'
