#!/usr/bin/env bash
# Virtual environment .venv from the hashed lock file $1; $2 is the stamp that make looks at.
set -euo pipefail
lock=$1 stamp=$2
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "Python 3.11 or later is needed; this one is $(python3 --version)." >&2
  exit 1
}
[ -x .venv/bin/python ] || python3 -m venv .venv
case "$lock" in
  *dev*) echo "Installing the libraries for tests into .venv (about 300 MB to download, one to two minutes)" ;;
  *) echo "Installing the libraries into .venv (about 110 MB to download, half a minute)" ;;
esac
.venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
touch "$stamp"
