# What one types while working on metnos. `just` alone lists it.

default:
    @just --list

# everything that must pass before a commit: the same as the first half of .ci/run
check: lint test doc deny

# formatting and lints, warnings are errors
lint:
    cargo fmt --all --check
    cargo clippy --all-targets --all-features -- -D warnings

# every test that needs no server
test *args:
    cargo test {{args}}

# the tests that talk to real servers: a llama-server, a Bot API server, a Matrix homeserver; starts and stops them
test-live:
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'scripts/testbed/llama.sh stop; scripts/testbed/telegram.sh stop; scripts/testbed/matrix.sh stop; scripts/testbed/mail.sh stop; scripts/testbed/dav.sh stop; scripts/testbed/searx.sh stop; scripts/testbed/homeassistant.sh stop; scripts/testbed/speech.sh stop' EXIT
    METNOS_LIVE_LLM_URL=$(scripts/testbed/llama.sh smollm2)
    METNOS_LIVE_TELEGRAM_URL=$(scripts/testbed/telegram.sh start)
    METNOS_LIVE_MATRIX_URL=$(scripts/testbed/matrix.sh start)
    METNOS_LIVE_MAIL=$(scripts/testbed/mail.sh start)
    METNOS_LIVE_DAV_URL=$(scripts/testbed/dav.sh start)
    METNOS_LIVE_SEARX_URL=$(scripts/testbed/searx.sh start)
    METNOS_LIVE_HOMEASSISTANT=$(scripts/testbed/homeassistant.sh start)
    METNOS_LIVE_SPEECH_URL=$(scripts/testbed/speech.sh start)
    METNOS_LIVE_MCP=$(scripts/testbed/mcp.sh start)
    export METNOS_LIVE_MCP METNOS_LIVE_SPEECH_URL METNOS_LIVE_LLM_URL METNOS_LIVE_TELEGRAM_URL METNOS_LIVE_MATRIX_URL METNOS_LIVE_MAIL METNOS_LIVE_DAV_URL METNOS_LIVE_SEARX_URL METNOS_LIVE_HOMEASSISTANT
    cargo test --features live --test live -- --test-threads=1

# how many plans a real small model gets right; downloads 1.1 GB the first time
test-plans:
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'scripts/testbed/llama.sh stop' EXIT
    METNOS_LIVE_LLM_URL=$(scripts/testbed/llama.sh qwen)
    export METNOS_LIVE_LLM_URL
    cargo test --features live --test it live:: -- --nocapture

# what households say (eval/scenarios), with one engine: simple, or metis with METNOS_LIVE_LLM_URL set
scenarios engine="simple" times="1" only="":
    scripts/scenarios.py --engine "{{engine}}" --times "{{times}}" --only "{{only}}"

# documentation of the public items, warnings are errors
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# licences, banned crates, sources
deny:
    cargo deny check bans licenses sources

# metnos in this terminal, with a data folder of its own
run *args:
    METNOS_DATA_DIR={{justfile_directory()}}/target/data cargo run -- {{args}}

# formats the code
fmt:
    cargo fmt --all

# holds the conversation of the walkthrough and writes docs/walkthrough.md
walkthrough:
    scripts/walkthrough.sh

# the figures: replay, lookup, start
bench:
    cargo bench

# time and memory of a snapshot of Home Assistant: the demo home, and 2,000 entities more
device-memory:
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'scripts/testbed/homeassistant.sh stop' EXIT
    METNOS_LIVE_HOMEASSISTANT=$(scripts/testbed/homeassistant.sh start)
    export METNOS_LIVE_HOMEASSISTANT
    cargo test --features live --test live devices::time_and_memory_of_a_snapshot -- --exact --ignored --nocapture

# message to answer over Telegram and Matrix, and the memory of both; in release, with the servers of the live tests
figures-channels:
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'scripts/testbed/telegram.sh stop; scripts/testbed/matrix.sh stop' EXIT
    METNOS_LIVE_TELEGRAM_URL=$(scripts/testbed/telegram.sh start)
    METNOS_LIVE_MATRIX_URL=$(scripts/testbed/matrix.sh start)
    export METNOS_LIVE_TELEGRAM_URL METNOS_LIVE_MATRIX_URL
    cargo build --release
    METNOS_LIVE_BINARY=$(realpath "${CARGO_TARGET_DIR:-target}/release/metnos")
    export METNOS_LIVE_BINARY
    cargo test --features live --test live figures -- --ignored --nocapture

# starts the servers of the live tests, leaves them running and says where; `just testbed-stop` ends them
testbed model="smollm2":
    scripts/testbed/llama.sh {{model}}
    scripts/testbed/telegram.sh start
    scripts/testbed/matrix.sh start

testbed-stop:
    scripts/testbed/llama.sh stop
    scripts/testbed/telegram.sh stop
    scripts/testbed/matrix.sh stop

# runs the evaluation sets (../shared/eval, or METNOS_EVAL_SETS) over this code and writes docs/evaluation.md
eval *args:
    scripts/eval.py {{args}}

# fresh requests (a set of eval/fresh) with one engine: simple, auto or metis; the last two with METNOS_LIVE_LLM_URL
fresh set="2026-11-24.toml" engine="simple" only="":
    METNOS_SCENARIOS_SET={{set}} METNOS_SCENARIOS_ENGINE={{engine}} METNOS_SCENARIOS_ONLY={{only}} \
        cargo test --test it scenarios::fresh::report -- --ignored --exact --nocapture

# a scripted model that is always right, and one that is always wrong (eval/oracle): what the rules make of their plans
oracle:
    cargo test --test it scenarios::oracle::report -- --ignored --exact --nocapture
    cargo test --test it scenarios::oracle::wrong_report -- --ignored --exact --nocapture

# WorkBench's calendar and mail tasks on real servers; the planner is `plans` (scripted, always right), `rules` (no
# model) or `model` (METNOS_LIVE_LLM_URL)
workbench planner="plans" only="":
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'scripts/testbed/mail.sh stop; scripts/testbed/dav.sh stop' EXIT
    METNOS_LIVE_MAIL=$(scripts/testbed/mail.sh start)
    METNOS_LIVE_DAV_URL=$(scripts/testbed/dav.sh start)
    export METNOS_LIVE_MAIL METNOS_LIVE_DAV_URL
    export METNOS_WORKBENCH=${METNOS_EVAL_SETS:-../shared/eval}/open
    export METNOS_WORKBENCH_PLANNER={{planner}} METNOS_WORKBENCH_ONLY={{only}}
    cargo test --features live --test it workbench::report -- --ignored --exact --nocapture

# a mailbox of ten thousand: metnos beside Python's imaplib on the same server
mailbox-figures:
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'scripts/testbed/mail.sh stop; scripts/testbed/dav.sh stop' EXIT
    METNOS_LIVE_MAIL=$(scripts/testbed/mail.sh start)
    METNOS_LIVE_DAV_URL=$(scripts/testbed/dav.sh start)
    export METNOS_LIVE_MAIL METNOS_LIVE_DAV_URL METNOS_WORKBENCH=${METNOS_EVAL_SETS:-../shared/eval}/open
    cargo test --features live --test it workbench::large -- --ignored --nocapture

# what a home with many files costs: documents, questions, photos, names
file-figures *which:
    cargo build --release
    METNOS=target/release/metnos scripts/file_figures.py {{which}}

# what a call of a tool of others costs beside its server's own time
mcp-figures:
    cargo test --test it mcp::cost_of_a_call -- --ignored --nocapture

# what becomes of Home Assistant's own test sentences in its own test home, and how fast a large home is
device-figures:
    METNOS_EVAL_SETS="${METNOS_EVAL_SETS:-../shared/eval}" cargo test --test it -- turns::devices::sentences --ignored --nocapture
