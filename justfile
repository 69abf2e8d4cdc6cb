# What one types while working on metnos. `just` alone lists it.

default:
    @just --list

# everything that must pass before a commit: the same as the first half of .ci/run
check: lint test doc deny

# formatting and lints, warnings are errors
lint:
    cargo fmt --check
    cargo clippy --all-targets --all-features -- -D warnings

# every test that needs no server
test *args:
    cargo test {{args}}

# the tests that talk to a real llama-server and a Bot API server; starts and stops both
test-live:
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'scripts/testbed/llama.sh stop; scripts/testbed/telegram.sh stop' EXIT
    export "$(scripts/testbed/llama.sh start smollm2 | tail -n 1)"
    export "$(scripts/testbed/telegram.sh start | tail -n 1)"
    cargo test --features live --test live

# documentation of the public items, warnings are errors
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# licences, banned crates, sources
deny:
    cargo deny check bans licenses sources

# metnos in this terminal, with a data folder of its own
run *args:
    METNOS_DATA_DIR=target/data cargo run -- {{args}}

# formats the code
fmt:
    cargo fmt

# holds the conversation of the walkthrough and writes docs/walkthrough.md
walkthrough:
    scripts/walkthrough.sh

# the figures: replay, lookup, start
bench:
    cargo bench

# starts the servers of the live tests and leaves them running; `just testbed stop` ends them
testbed action="start":
    scripts/testbed/llama.sh {{action}} {{ if action == "start" { "smollm2" } else { "" } }}
    scripts/testbed/telegram.sh {{action}}
