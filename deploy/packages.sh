#!/usr/bin/env bash
# Debian packages named as arguments: installed when this runs as root, else asked for in one line.
set -euo pipefail
missing=()
for package in "$@"; do
  case "$package" in
    # A Python of one's own brings venv along; the package is needed only where it does not.
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=("$package") ;;
    coq) command -v coqc >/dev/null || missing+=("$package") ;;
    bubblewrap) command -v bwrap >/dev/null || missing+=("$package") ;;
    redis-server) command -v redis-server >/dev/null || missing+=("$package") ;;
    chromium) command -v chromium >/dev/null || missing+=("$package") ;;
    *) dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package") ;;
  esac
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ]; then
  echo "Missing on this machine: ${missing[*]}. Install them, then start again:" >&2
  echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi
sizes=""
for package in "${missing[@]}"; do
  case "$package" in
    coq | chromium) sizes+="; $package downloads about 120 to 140 MB and takes half a minute" ;;
  esac
done
echo "Installing from the distribution: ${missing[*]}$sizes"
log=$(mktemp)
if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -20 "$log" >&2
  echo "The distribution's packages could not be installed; the whole output is in $log." >&2
  exit 1
fi
rm -f "$log"
