#!/usr/bin/env bash
# A test that is skipped inside with_xvfb.sh is no success of what runs it there. 77: there is no Xvfb.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command -v Xvfb >/dev/null || { echo "skipped: no Xvfb; apt-get install xvfb" >&2; exit 77; }
failures=0

# expect EXIT_CODE CI COMMAND: a shell command inside with_xvfb.sh
expect() {
  local code=0
  CI=$2 "$here/with_xvfb.sh" 640x480 bash -c "$3" >/dev/null 2>&1 || code=$?
  if ((code == $1)); then return; fi
  echo "CI=$2, $3: exit code $code in place of $1" >&2
  failures=1
}

passed='echo "[       OK ] A.B (1 ms)"'
skipped="$passed; echo '[  SKIPPED ] A.C (0 ms)'"
expect 0 '' "$passed"
expect 0 true "$passed"
expect 77 '' "$skipped"
expect 1 true "$skipped"
expect 5 '' "$skipped; exit 5"
expect 5 true "$passed; exit 5"
exit "$failures"
