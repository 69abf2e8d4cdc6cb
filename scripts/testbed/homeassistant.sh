#!/usr/bin/env bash
# A real Home Assistant with its demo home, on loopback. The first start installs it and lets it install what its parts
# need, which takes some minutes; later ones take seconds. Idempotent.
# Usage: homeassistant.sh [start|stop|clean]; start prints its URL, and leaves a token that lasts in the file `token` of
# its folder. METNOS_TESTBED names the folder, METNOS_HOMEASSISTANT_PORT the port.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bed=${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}/homeassistant
port=${METNOS_HOMEASSISTANT_PORT:-18123}
url=http://127.0.0.1:$port
mkdir -p "$bed/config"
cd "$bed"

stop() {
    if [ -f pid ] && kill -0 "$(cat pid)" 2>/dev/null; then
        kill "$(cat pid)"
        for _ in $(seq 100); do kill -0 "$(cat pid)" 2>/dev/null || break; sleep 0.1; done
    fi
    rm -f pid
}

case ${1:-start} in
stop) stop; exit 0 ;;
clean) stop; rm -rf config token; mkdir config ;;
start) ;;
*) sed -n '2,6s/^# \{0,1\}//p' "$here/homeassistant.sh" >&2; exit 2 ;;
esac

# The last release for Python 3.11, which Debian has; its parts want an older josepy than pip would choose.
if ! venv/bin/python -c "import homeassistant" 2>/dev/null; then
    python3 -m venv venv
    venv/bin/pip install -q --disable-pip-version-check homeassistant==2024.3.3
fi

cat >config/configuration.yaml <<C
homeassistant: {name: Bed, latitude: 45.46, longitude: 9.19, elevation: 120, unit_system: metric, time_zone: Europe/Rome,
  country: IT, currency: EUR, external_url: "$url", internal_url: "$url"}
http: {server_host: 127.0.0.1, server_port: $port}
api:
websocket_api:
demo:
logger: {default: warning}
C
[ -f config/.storage/auth_provider.homeassistant ] || venv/bin/hass --script auth -c config add bed bedpass >/dev/null

answers() { [ "$(curl -s -o /dev/null -w '%{http_code}' --max-time 2 "$url/api/")" = 401 ]; }
go() { setsid nohup venv/bin/hass -c config >hass.log 2>&1 & echo $! >pid; }

if ! answers && [ ! -f warm ]; then
    go
    for _ in $(seq 600); do
        grep -q ComparableX509 hass.log && break
        answers && break
        sleep 1
    done
    stop
    venv/bin/pip install -q --disable-pip-version-check 'josepy<2'
    touch warm
fi
answers || go
for _ in $(seq 240); do
    answers && break
    sleep 0.5
done
answers || { echo "port $port does not answer; see $bed/hass.log" >&2; exit 1; }
# One that was made by an older script does not show what this one shows.
[ -s token ] && cmp -s "$here/habed.py" furnished || { venv/bin/python "$here/habed.py" "$url" >token; cp "$here/habed.py" furnished; }
echo "$url$bed"
