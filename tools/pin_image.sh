#!/bin/sh
# pin_image.sh PYTHON: deploy/constraints.txt anew, the newest versions of what the image installs.
set -eu

python=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check '.[server,postgres]'
{
    echo "# What the image installs besides bgcore; made by \`make pins\`."
    "$folder/venv/bin/python" -m pip freeze --quiet --disable-pip-version-check --exclude bgcore
} >deploy/constraints.txt
