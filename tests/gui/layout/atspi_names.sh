#!/usr/bin/env bash
# atspi_names.sh N2NQ_BENCH: atspi_names.py on a screen and a message bus of its own. 77: something it needs is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
for tool in dbus-run-session /usr/bin/python3; do
  command -v "$tool" >/dev/null || { echo "skipped: no $tool; apt-get install dbus python3" >&2; exit 77; }
done
XDG_RUNTIME_DIR=$(mktemp -d)
export XDG_RUNTIME_DIR
trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
unset AT_SPI_BUS_ADDRESS DBUS_SESSION_BUS_ADDRESS
"$here/../with_xvfb.sh" 1280x800 dbus-run-session -- /usr/bin/python3 "$here/atspi_names.py" "$1"
