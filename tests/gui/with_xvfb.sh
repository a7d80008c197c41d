#!/usr/bin/env bash
# with_xvfb.sh WIDTHxHEIGHT COMMAND...: runs it on a screen of its own, which goes with it. The exit code is the command's;
# but where tests that it runs were skipped inside, that is no success: 77, and 1 with CI=true.
set -euo pipefail
size=$1
shift
command -v Xvfb >/dev/null || { echo "with_xvfb: SKIPPED, there is no Xvfb; apt-get install xvfb" >&2; exit 77; }
exec {number_in}<> <(:)
Xvfb -displayfd "$number_in" -screen 0 "${size}x24" -nolisten tcp >/dev/null 2>&1 &
xvfb=$!
said=$(mktemp)
trap 'rm -f "$said"; kill "$xvfb" 2>/dev/null; wait "$xvfb" 2>/dev/null || true' EXIT
IFS= read -r -t 20 -u "$number_in" number || { echo "with_xvfb: Xvfb did not start" >&2; exit 3; }
unset WAYLAND_DISPLAY QT_QPA_PLATFORM
DISPLAY=:$number stdbuf --output=L "$@" | tee "$said"
grep -qF '[  SKIPPED ]' "$said" || exit 0
echo 'with_xvfb: tests in there were skipped, see [  SKIPPED ] above' >&2
if [[ ${CI-} == true ]]; then exit 1; fi
exit 77
