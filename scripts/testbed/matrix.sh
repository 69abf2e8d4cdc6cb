#!/usr/bin/env bash
# A Matrix homeserver to test against (Synapse, SQLite, loopback only, anybody may register), and beside it a door to
# people who talk with another client library than ours: mxbed.py over matrix-nio.
# Everything lives in a cache outside the checkout; running it twice changes nothing.
#
#   matrix.sh install        prepare the Python environments
#   matrix.sh start [PORT]   install, start the homeserver on 127.0.0.1:PORT (default 18208) and the people's door on
#                            PORT+1 unless they answer there, print the homeserver's URL
#   matrix.sh stop [PORT]    stop what `start` started on PORT, and forget everything said there
set -euo pipefail

cache="${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}/matrix"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
server="$cache/synapse/bin/python"
client="$cache/nio/bin/python"

install() {
    mkdir -p "$cache"
    if ! { [ -x "$server" ] && "$server" -c 'import synapse' 2>/dev/null; }; then
        python3 -m venv "$cache/synapse"
        "$cache/synapse/bin/pip" install --quiet --disable-pip-version-check matrix-synapse==1.163.2
    fi
    if ! { [ -x "$client" ] && "$client" -c 'import nio, vodozemac' 2>/dev/null; }; then
        python3 -m venv "$cache/nio"
        "$cache/nio/bin/pip" install --quiet --disable-pip-version-check 'matrix-nio[e2e]==0.26.0'
    fi
}

# Limits are lifted, or a test would mostly wait. The secrets guard nothing: it all goes with `stop`.
configure() { # PORT DATA
    mkdir -p "$2"
    cat >"$2/homeserver.yaml" <<YAML
server_name: bed.local
pid_file: $2/synapse.pid
listeners: [{port: $1, type: http, bind_addresses: ['127.0.0.1'], resources: [{names: [client], compress: false}]}]
database: {name: sqlite3, args: {database: $2/homeserver.db}}
media_store_path: $2/media
signing_key_path: $2/signing.key
macaroon_secret_key: bed
form_secret: bed
enable_registration: true
enable_registration_without_verification: true
report_stats: false
trusted_key_servers: []
suppress_key_server_warning: true
federation_domain_whitelist: []
presence: {enabled: false}
log_config: $2/log.yaml
rc_message: {per_second: 1000, burst_count: 1000}
rc_registration: {per_second: 1000, burst_count: 1000}
rc_login: {address: &free {per_second: 1000, burst_count: 1000}, account: *free, failed_attempts: *free}
rc_joins: {local: *free}
rc_invites: {per_room: *free, per_user: *free, per_issuer: *free}
YAML
    cat >"$2/log.yaml" <<YAML
version: 1
formatters: {plain: {format: '%(asctime)s %(name)s %(levelname)s %(message)s'}}
handlers: {file: {class: logging.FileHandler, filename: $2/synapse.log, formatter: plain}}
root: {level: WARNING, handlers: [file]}
disable_existing_loggers: false
YAML
    "$server" -m synapse.app.homeserver -c "$2/homeserver.yaml" --generate-keys >&2
}

answers() { # URL
    curl --fail --silent --max-time 2 --output /dev/null "$1"
}

await() { # URL LOG
    local tries=0
    until answers "$1"; do
        tries=$((tries + 1))
        if [ "$tries" -gt 300 ]; then
            echo "matrix.sh: no answer from $1; see $2" >&2
            exit 1
        fi
        sleep 0.2
    done
}

start() { # PORT
    local port="$1" door=$(($1 + 1)) data="$cache/run.$1"
    if ! answers "http://127.0.0.1:$port/health"; then
        install
        rm -rf "$data"
        configure "$port" "$data"
        nohup "$server" -m synapse.app.homeserver -c "$data/homeserver.yaml" >"$data/out.log" 2>&1 &
        echo $! >"$data/server.pid"
        await "http://127.0.0.1:$port/health" "$data/synapse.log"
    fi
    if ! answers "http://127.0.0.1:$door/health"; then
        install
        nohup "$client" "$here/mxbed.py" "$door" "http://127.0.0.1:$port" "$data/people" >"$data/people.log" 2>&1 &
        echo $! >"$data/door.pid"
        await "http://127.0.0.1:$door/health" "$data/people.log"
    fi
    echo "http://127.0.0.1:$port"
}

stop() { # PORT
    local data="$cache/run.$1" name
    for name in door server; do
        if [ -f "$data/$name.pid" ]; then
            kill "$(cat "$data/$name.pid")" 2>/dev/null || true
        fi
    done
    rm -rf "$data"
}

case "${1:-}" in
install) install ;;
start) start "${2:-18208}" ;;
stop) stop "${2:-18208}" ;;
*)
    sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
