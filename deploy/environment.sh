# Sourced by deploy/run and deploy/test: makes .venv beside the README and installs the extras named in its arguments.
# Quiet and quick the second time: a stamp remembers what was installed from which pyproject.toml.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv="$top/.venv"

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    echo "The companion needs Python 3.11 or newer with venv (on Debian: apt install python3 python3-venv)." >&2
    return 1
}

prepare() {
    local extras=$1 stamp want python
    stamp="$venv/.installed-$extras"
    want=$(cksum <"$top/pyproject.toml")
    if [ -x "$venv/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$want" ]; then
        return
    fi
    python=$(find_python) || return 1
    echo "Preparing .venv ($extras); this is done once." >&2
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv" || return 1
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$top[$extras]" 2>"$venv/pip.log" || {
        cat "$venv/pip.log" >&2
        echo "Installing failed; the lines above say why. Nothing outside .venv was changed." >&2
        return 1
    }
    echo "$want" >"$stamp"
}
