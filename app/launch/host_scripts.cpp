#include "app/launch/host_scripts.h"

namespace n2nq::launch {

std::vector<std::string> shell(std::string_view script, const std::vector<std::string>& arguments) {
  std::vector<std::string> all{std::string(kShell), "-c", "echo n2nq-answer; " + std::string(script), "n2nq"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

namespace scripts {

// A machine of another kind is left as it is. A program of ours that is used keeps its folder from being pruned.
// Folders of runs that nobody came back for go as well: empty ones after two days, others after 30 without a write.
const std::string_view kProbe =
    R"sh(cd "${HOME:-/}" || exit 11; m=$(uname -m); s=$(uname -s); echo "system=$s"; echo "machine=$m"; )sh"
    R"sh(echo "kernel=$(uname -r)"; )sh"
    R"sh(echo "login_shell=${SHELL:-}"; [ "$s $m" = "Linux $2" ] || exit 0; w=$1; r=$3; shift 3; )sh"
    R"sh(old() { find runs -mindepth 1 -maxdepth 1 -type d -name '[0-9]*T[0-9]*Z-????-????????' -mtime "$@"; }; )sh"
    R"sh(gone='n=$(find "$1" ! -mtime +30) && [ -z "$n" ] && rm -rf "$1"'; )sh"
    R"sh(prune() { old +1 -exec rmdir {} +; old +30 -exec sh -c "$gone" sh {} \;; } 2>/dev/null; )sh"
    R"sh(if [ -x "$w/n2nq-broker" ]; then cd "$w" && echo "folder=$(pwd -P)" && echo placed=yes; )sh"
    R"sh(mkdir -p runs 2>/dev/null; prune; exit 0; fi; )sh"
    R"sh(mkdir -p "$w/cache" "$w/runs" && cd "$w" || exit 11; echo "folder=$(pwd -P)"; )sh"
    R"sh(prune; )sh"
    R"sh(t=cache/.try-$r; trap 'rm -f "$t"' EXIT; )sh"
    R"sh({ echo '#!/bin/sh'; echo 'exit 0'; } >"$t" && chmod 700 "$t" || exit 12; "./$t" || exit 13; )sh"
    R"sh(for p in "$@"; do h=${p%%:*}; n=${p#*:}; [ -f "cache/$h/$n" ] || continue; )sh"
    R"sh(case "$(sha256sum <"cache/$h/$n")" in "$h"*) touch "cache/$h"; echo "have=$n";; esac; done)sh";

// Byte for byte into a name of its own, so that nobody ever starts half a program; a link that is cut in the middle is
// noticed by what does not come. How long the file is says ls: the wc of BusyBox reads all of it.
const std::string_view kUpload =
    R"sh(cd "$1" && mkdir -p "cache/$3" || exit 11; t=cache/.part-$2-$5; )sh"
    R"sh(trap 'rm -f "$t"; rmdir "cache/$3" 2>/dev/null' EXIT; trap 'exit 14' HUP INT TERM PIPE; )sh"
    R"sh(command -v timeout >/dev/null || timeout() { shift; "$@"; }; : >"$t" || exit 12; n=0; )sh"
    R"sh(while [ "$n" -lt "$4" ]; do timeout 12 head -c 65536 >>"$t" || exit 14; )sh"
    R"sh(m=$(set -- $(ls -ln "$t"); echo "$5"); [ "$m" -gt "$n" ] || exit 14; n=$m; echo "$n"; done; )sh"
    R"sh(case "$(sha256sum <"$t")" in "$3"*) ;; *) exit 15;; esac; )sh"
    R"sh(chmod 755 "$t" && mv -f "$t" "cache/$3/$2" || exit 12; )sh"
    R"sh(find cache -mindepth 1 -maxdepth 1 -type d -mtime +30 -exec rm -rf {} + 2>/dev/null; )sh"
    R"sh(find cache -maxdepth 1 -name '.*-*' -type f -mmin +60 -exec rm -f {} + 2>/dev/null; exit 0)sh";

const std::string_view kStart =
    R"sh(umask 077; cd "$1" || exit 126; p=$2; shift 2; )sh"
    R"sh([ -x "$p" ] || { echo "$p is not there any more, or may not be run" >&2; exit 127; }; )sh"
    R"sh(echo "n2nq-pid $$" >&2; exec "$p" "$@")sh";

const std::string_view kSignal = R"sh(kill "-$1" "$2")sh";

const std::string_view kRead =
    R"sh([ -e "$1" ] || { echo -1 plain; exit 0; }; s=$(wc -c <"$1") || exit 11; )sh"
    R"sh(command -v timeout >/dev/null || timeout() { shift; "$@"; }; )sh"
    R"sh(if command -v gzip >/dev/null; then echo $((s)) gzip; )sh"
    R"sh(timeout 20 sh -c 'tail -c "+$2" "$1" | head -c "$3" | gzip -1' sh "$1" "$2" "$3"; )sh"
    R"sh(else echo $((s)) plain; timeout 20 sh -c 'tail -c "+$2" "$1" | head -c "$3"' sh "$1" "$2" "$3"; fi)sh";

const std::string_view kList = R"sh(LC_ALL=C; export LC_ALL; cd "$1" && ls -lAn)sh";
// Whoever asked may be gone before it is there, and then nobody would remove it.
const std::string_view kMakeFolder =
    R"sh(umask 077; mkdir -p "$1" && chmod 700 "$1" && echo made && read -r answer && [ "$answer" = keep ] || { rmdir "$1" 2>/dev/null; exit 11; })sh";
const std::string_view kRemoveFolder = R"sh(rm -rf "$1")sh";

// The log folder of each process of a run is among its arguments.
const std::string_view kLeftRuns =
    R"sh(cd "$1/runs" 2>/dev/null || exit 0; f=$(pwd -P); )sh"
    R"sh(u=$(for p in /proc/[0-9]*; do tr '\0' '\n' <"$p/cmdline" | sed -n '/^--log-dir$/{n;p;}'; done 2>/dev/null); )sh"
    R"sh(for d in [0-9]*T[0-9]*Z-????-????????; do [ -d "$d" ] && [ ! -L "$d" ] || continue; )sh"
    R"sh(if printf '%s\n' "$u" | grep -qxF -- "$f/$d"; then echo "runs $d"; else echo "over $d"; fi; done)sh";

const std::string_view kClock = R"sh(LC_ALL=C; export LC_ALL; if command -v chronyc >/dev/null && )sh"
                                R"sh(c=$(timeout 3 chronyc -c tracking 2>/dev/null); then echo chrony; echo "$c"; )sh"
                                R"sh(elif command -v timedatectl >/dev/null && )sh"
                                R"sh(c=$(timeout 3 timedatectl show -p NTPSynchronized --value 2>/dev/null); )sh"
                                R"sh(then echo timedatectl; echo "$c"; else echo none; fi)sh";

}  // namespace scripts
}  // namespace n2nq::launch
