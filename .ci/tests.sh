# How the tests of a preset are run and judged. Sourced by check, from the root; needs $mode (gate: a test that fails
# may be unsteady; also, what has passed is passed over) and $filter (as ctest -R, or empty), and setup.sh.

# ctest's line that counts the tests: of the newest run, and of the newest one that failed.
last_count=
failed_count=
# More than these at once, and it is not chance.
readonly MOST_UNSTEADY=3
UNSTEADY=()

# What a sanitizer said, also where the test itself passed, or the process' stderr went nowhere. That the search for leaks
# could not read a thread which was killed meanwhile is no finding.
no_sanitizer_reports() {
  local preset=$1 found=0 findings=()
  mapfile -t findings < <(grep -rlvE '^(==[0-9]+==)?Unable to get registers from thread [0-9]+\.?$' "build/$preset/reports")
  if ((${#findings[@]} > 0)); then
    head -n 60 "${findings[@]}" && found=1
  fi
  if grep -nE '(Address|Thread|Leak|UndefinedBehavior)Sanitizer:|:[0-9]+:[0-9]+: runtime error:' "build/$preset/Testing/Temporary/LastTest.log"; then found=1; fi
  ((found == 0)) || printf 'check: a sanitizer had something to say, which is a failure\n'
  return "$found"
}

# Our processes: what runs from this build, what was copied from it to a host of a test, where its folder has its hash, and
# servers that were started for a run, in folders that match `servers_in`, or any.
our_processes() {
  local process exe hashes
  hashes=$(sha256sum build/*/bin/for-hosts/* 2>/dev/null | cut -c-16)
  for process in /proc/[0-9]*; do
    exe=$(readlink "$process/exe" 2>/dev/null) || continue
    if [[ $exe == "$PWD/build/"* || $(readlink "$process/cwd" 2>/dev/null) == ${servers_in-*}/n2nq-server-??????* ]] || { [[ $exe =~ /cache/([0-9a-f]{16})/ ]] && grep -q "${BASH_REMATCH[1]}" <<<"$hashes"; }; then
      printf '%s\n' "${process#/proc/}"
    fi
  done | sort
}

# none_left BEFORE: no process of ours but those outlives the tests; the last one may be on its way out.
none_left() {
  local left deadline=$((SECONDS + 5))
  while left=$(comm -13 <(printf '%s\n' "$1") <(our_processes)) && [[ -n $left ]]; do
    if ((SECONDS >= deadline)); then
      printf 'check: these processes outlived the tests, which is a failure:\n'
      ps -o pid,ppid,etime,args -p "$(paste -sd, <<<"$left")" || true
      return 1
    fi
    sleep 0.1
  done
}

# output_of PRESET NUMBER: what the test of that number said in the preset's last run.
output_of() {
  awk -v test="#$2:" '/^( *[0-9]+\/[0-9]+)? +Test +#/ { mine = index($0, test) } /^ +Start +[0-9]+:/ { mine = 0 } mine' \
    "build/$1/ctest.log"
}

# what_failed PRESET: where the first tests that failed in its last run did so, and why, as far as that fits a screen.
what_failed() {
  local number name
  [[ -s build/$1/failed.list ]] || return 0
  while IFS=: read -r number name; do
    printf '%s (%s)\n' "$name" "$1"
    output_of "$1" "$number" | grep -A12 -E ': Failure$' | cut -c1-240 | sed -n '1,24p' || true
  done < <(sed -n '1,5p' "build/$1/failed.list")
}

# try_again PRESET: whether all that failed in it fail by chance alone: each is run twice more, by itself.
# A crash, a bug that an assertion found and a process that is left are never chance.
try_again() {
  local failed=() line number name cases place preset=$1
  mapfile -t failed <"build/$preset/failed.list"
  if ((${#failed[@]} > MOST_UNSTEADY)); then
    printf 'check: %d tests failed; none is run again\n' "${#failed[@]}"
    return 1
  fi
  for line in "${failed[@]}"; do
    number=${line%%:*} name=${line#*:}
    output_of "$preset" "$number" >"build/$preset/failed.log"
    if grep -E '\*\*\*Exception|bug in n2nq|[Ss]ignal:? (4|6|7|8|11)\b|processes_left\(\)|an orphan' "build/$preset/failed.log"; then
      printf 'check: %s is not run again: it crashed or left a process\n' "$name"
      return 1
    fi
    cases=$(sed -nE 's/^\[  FAILED  \] ([^ ,]+) \(.*/\1/p' "build/$preset/failed.log" | sort -u | paste -sd' ')
    for _ in 1 2; do
      printf 'check: %s failed and is run again, alone\n' "$name"
      ctest --preset "$preset" --tests-information "$number,$number" --no-label-summary >"build/$preset/again.log" 2>&1 || {
        cat "build/$preset/again.log"
        return 1
      }
    done
    if [[ $cases == "$name" ]]; then cases=; fi
    place=$(sed -nE 's/^([^ ]+:[0-9]+): Failure$/ at \1/p' "build/$preset/failed.log" | sed -n 1p)
    UNSTEADY+=("unsteady: $name (1 of 3 failed under $preset)${cases:+: $cases}$place")
  done
}

# What the presets without a window do not read, or what release judges too.
readonly OF_THE_WINDOW=(':!app' ':!ui' ':!resources' ':!docs' ':!*.md' ':!tests/unit/app' ':!tests/headless' ':!tests/gui' ':!tests/launch' ':!tests/remote')

# A hash of all that they read, of what is installed, and of whether a skipped test counts; nothing where some of it is in
# no commit.
inputs_without_window() {
  git rev-parse -q --verify HEAD >/dev/null 2>&1 && [[ -z $(git status --porcelain -- . "${OF_THE_WINDOW[@]}") ]] || return 0
  {
    git ls-files -s -- . "${OF_THE_WINDOW[@]}" && dpkg-query -W
    if [[ -d build/servers ]]; then find build/servers -type f -printf '%P %s\n' | sort; fi
    printf 'CI=%s\n' "${CI-}"
  } | sha256sum | cut -d' ' -f1
}

# unless_passed NAME COMMAND...: stages of a preset without a window, which the gate passes over where they have passed on this
# computer with all that they read as it is now.
unless_passed() {
  local passed=${XDG_CACHE_HOME:-${HOME-}/.cache}/n2nq-check/$1 name=$1 failed=${#FAILED_STAGES[@]} inputs
  shift
  inputs=$(inputs_without_window)
  if [[ $mode == gate && -z $filter && -n $inputs && $(cat "$passed" 2>/dev/null) == "$inputs" ]]; then
    STAGE_TIMES+=("$(printf '%-24s passed over: it passed with the same sources and packages, %s' "$name" "$(date -r "$passed" '+%F %R')")")
    printf '\n== %s\n' "${STAGE_TIMES[-1]}"
    return 0
  fi
  "$@"
  if ((${#FAILED_STAGES[@]} == failed)) && [[ -n $inputs && -z $filter ]]; then
    { mkdir -p "${passed%/*}" && printf '%s\n' "$inputs" >"$passed"; } || true
  fi
}

# nothing_found PRESET BEFORE: neither by a sanitizer nor of what outlives the tests.
nothing_found() {
  local found=0
  if [[ $1 == [at]san* ]]; then no_sanitizer_reports "$1" || found=1; fi
  none_left "$2" || found=1
  return "$found"
}

# run_tests PRESET: its tests, those that wait beside six others.
run_tests() {
  local preset=$1 log=build/$1/ctest.log result=0 at_once=7 before
  rm -rf "build/$preset/reports" && mkdir -p "build/$preset/reports"
  before=$(our_processes)
  local temporary=build/$preset/Testing/Temporary
  rm -f "$temporary/LastTestsFailed.log"
  ctest --preset "$preset" --parallel "$at_once" --no-tests=error --no-label-summary ${filter:+--tests-regex "$filter"} 2>&1 |
    tee "$log" || result=1
  sort -n "$temporary/LastTestsFailed.log" >"build/$preset/failed.list" 2>/dev/null || true
  local count skipped=0
  count=$(grep -E '^[0-9]+% tests passed' "$log" || true)
  # A program of many cases passes also where some of them are skipped.
  if [[ ${CI-} == true ]] && grep -hE '\*\*\*(Skipped|Not Run)|\((Skipped|Disabled|Not Run)\)$|^\[  SKIPPED \] .*\)$' "$log" \
    "$temporary/LastTest.log" >&2; then
    printf 'check: the tests above did not run, which is a failure here (CI=true)\n' >&2
    skipped=1
  fi
  printf 'check: %d test cases ran under %s\n' "$(awk '/^\[==========\] [0-9]+ tests? from .* ran/ { n += $2 } END { print n + 0 }' \
    "$temporary/LastTest.log")" "$preset"
  local clean=0
  nothing_found "$preset" "$before" || clean=1
  if ((result != 0 && clean == 0)) && [[ $mode == gate && -s build/$preset/failed.list ]] && try_again "$preset" && nothing_found "$preset" "$before"; then
    result=0
    count="tests: ${count##* } passed, 0 failed"
  fi
  if ((skipped + clean > 0)) || [[ -z $count ]]; then result=1; fi
  last_count=$count
  if ((result != 0)); then failed_count=$count; fi
  return "$result"
}
