#!/bin/sh
# make_venv.sh FOLDER: a virtual environment made by the first Python on the PATH that is new enough.
# PYTHON=… names one instead.
set -eu

venv=$1

find_python() {
    for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3 python}; do
        # A name may be there and still not run, as pyenv's are.
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "no Python 3.11 or newer found${PYTHON:+ as $PYTHON}: install one, or say PYTHON=/path/to/python3" >&2
    return 1
}

python=$(find_python)
echo "making $venv with $("$python" --version 2>&1)"
if ! "$python" -m venv "$venv" >"$venv.log" 2>&1; then
    cat "$venv.log" >&2
    rm -rf "$venv" "$venv.log"
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "$python cannot make virtual environments: on Debian and Ubuntu, install python3-venv" >&2
    fi
    exit 1
fi
rm -f "$venv.log"
