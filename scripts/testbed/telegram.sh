#!/usr/bin/env bash
# A Bot API server to test against: tgbed.py over aiogram's models of the official API and teremok's rule checks.
# Everything lives in a cache outside the checkout; running it twice changes nothing.
#
#   telegram.sh install        prepare the Python environment
#   telegram.sh start [PORT]   install, start on 127.0.0.1:PORT (default 19001) unless this very one answers there, print
#                              its URL; anybody else on that port is refused
#   telegram.sh stop [PORT]    stop the one that `start` started on PORT
set -euo pipefail

cache="${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}/tg"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
python="$cache/venv/bin/python"
packages=(teremok==0.2.0 aiogram==3.31.0 aiohttp)

install() {
    if [ -x "$python" ] && "$python" -c 'import aiogram, aiohttp, teremok' 2>/dev/null; then
        return
    fi
    mkdir -p "$cache"
    python3 -m venv "$cache/venv"
    "$cache/venv/bin/pip" install --quiet "${packages[@]}"
}

# Whether this very server answers on a port: the same code, and nobody else who says yes to everything.
answers() {
    curl --fail --silent --max-time 2 "http://127.0.0.1:$1/_bed/health" 2>/dev/null |
        grep --quiet --fixed-strings "$(sha256sum "$here/tgbed.py" | cut -d ' ' -f 1)"
}

is_taken() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

start() {
    local port="$1"
    if ! answers "$port"; then
        if is_taken "$port"; then
            echo "telegram.sh: somebody else answers on port $port, or another version of this server;" \
                "end it, or name another port" >&2
            exit 1
        fi
        install
        nohup "$python" "$here/tgbed.py" "$port" >"$cache/tgbed.$port.log" 2>&1 &
        echo $! >"$cache/tgbed.$port.pid"
        local tries=0
        until answers "$port"; do
            tries=$((tries + 1))
            if [ "$tries" -gt 600 ]; then
                echo "telegram.sh: no answer on port $port; see $cache/tgbed.$port.log" >&2
                exit 1
            fi
            sleep 0.2
        done
    fi
    echo "http://127.0.0.1:$port"
}

stop() {
    local pid_file="$cache/tgbed.$1.pid"
    if [ -f "$pid_file" ]; then
        kill "$(cat "$pid_file")" 2>/dev/null || true
        rm -f "$pid_file"
    fi
}

case "${1:-}" in
install) install ;;
start) start "${2:-19001}" ;;
stop) stop "${2:-19001}" ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
