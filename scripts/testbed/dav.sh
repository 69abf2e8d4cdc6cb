#!/usr/bin/env bash
# A calendar and contacts server for tests: Radicale behind TLS, on loopback, and beside it a web server for calendars
# at an address. An authority of its own signs the certificates; others are wrong on purpose. Idempotent.
# Usage: dav.sh [start|stop|clean]; start prints where it is: the first port, and the folder with certificates and
# collections behind it. METNOS_TESTBED names the folder, METNOS_DAV_PORT the first of five ports:
#   +0 Radicale   +1 calendars in `feed/`   +2 another name   +3 expired   +4 self-signed
# The users anna, luca, carla and dino may log in with the password `bedpass`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bed=${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}/dav
port=${METNOS_DAV_PORT:-21600}
mkdir -p "$bed"/{feed,collections}
cd "$bed"

stop() {
    local name
    for name in radicale beside; do
        if [ -f "$name.pid" ] && kill -0 "$(cat "$name.pid")" 2>/dev/null; then kill "$(cat "$name.pid")"; fi
        rm -f "$name.pid"
    done
}

case ${1:-start} in
stop) stop; exit 0 ;;
clean) stop; rm -rf collections/* feed/* ;;
start) ;;
*) sed -n '2,8s/^# \{0,1\}//p' "$here/dav.sh" >&2; exit 2 ;;
esac

if ! venv/bin/python -c "import radicale" 2>/dev/null; then
    python3 -m venv venv
    venv/bin/pip install -q --disable-pip-version-check radicale==3.9.0
fi

. "$here/tls.sh"
certificates

printf '%s:bedpass\n' anna luca carla dino >users
cat >config <<R
[server]
hosts = 127.0.0.1:$port
ssl = True
certificate = $bed/tls/good.pem
key = $bed/tls/good.key
[auth]
type = htpasswd
htpasswd_filename = $bed/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = $bed/collections
[web]
type = none
R

alive() { [ -f "$1.pid" ] && kill -0 "$(cat "$1.pid")" 2>/dev/null; }
alive radicale || { setsid venv/bin/python -m radicale --config config >radicale.log 2>&1 & echo $! >radicale.pid; }
alive beside || { setsid venv/bin/python "$here/davbed.py" "$port" "$bed" >beside.log 2>&1 & echo $! >beside.pid; }
for up in 0 1 2 3 4; do
    for _ in $(seq 150); do
        (exec 3<>"/dev/tcp/127.0.0.1/$((port + up))") 2>/dev/null && continue 2
        sleep 0.1
    done
    echo "port $((port + up)) does not answer; see $bed" >&2
    exit 1
done
echo "https://127.0.0.1:$port$bed"
