#!/bin/sh
# install.sh PYTHON EXTRAS: this checkout, editable, with these extras, into PYTHON's environment.
set -eu

python=$1
extras=$2

echo "installing bgcore[$extras] (a minute or so, the first time)"
"$python" -m pip install --quiet --disable-pip-version-check --editable ".[$extras]"
"$python" tools/kernel_kind.py
