#!/usr/bin/env bash
# What lands and what does not: .ci/tests.sh over small test suites with one planted fault each.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# suite NAME PRESET SCRIPT: a project whose tests are `steady`, which passes, and `planted`, which is that shell script. It runs
# in the build folder; the file `once` is gone from its second run on.
suite() {
  mkdir -p "$work/$1/build/$2"
  cd "$work/$1" || exit 1
  cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(planted LANGUAGES NONE)
enable_testing()
add_test(NAME steady COMMAND true)
add_test(NAME planted COMMAND bash -c "if rm once 2>/dev/null; then first=yes; fi; . ../../planted.sh")
TEXT
  cat >CMakePresets.json <<TEXT
{ "version": 6, "configurePresets": [{ "name": "$2", "generator": "Unix Makefiles", "binaryDir": "\${sourceDir}/build/$2" }],
  "testPresets": [{ "name": "$2", "configurePreset": "$2", "output": { "outputOnFailure": true } }] }
TEXT
  printf '%s\n' "$3" >planted.sh
  touch "build/$2/once"
  cmake --preset "$2" >/dev/null
}

# expect CODE WORDS PRESET SCRIPT [MODE]: the stage's result, and what it says (none of WORDS: a "-").
expect() {
  local code=0 said name=${#said_by[@]}
  said_by+=("$4")
  said=$(
    suite "$name" "$3" "$4"
    mode=${5-gate} filter= servers_in=$work  # those of tests beside this one are not ours
    source "$root/.ci/tests.sh"
    run_tests "$3" 2>&1
    code=$?
    if ((code != 0)); then what_failed "$3"; fi
    printf '%s\n' "${UNSTEADY[@]}" "last: $last_count"
    exit "$code"
  ) || code=$?
  if ((code != $1)) || [[ $2 != - && $said != *"$2"* ]]; then
    printf 'expected %s and "%s" of: %s\n%s\n\n' "$1" "$2" "$4" "$said" >&2
    failures=1
  fi
}
said_by=()

once='[[ ! ${first-} ]] || '
expect 0 'last: 100% tests passed' release 'true'
expect 0 'unsteady: planted (1 of 3 failed under release)' release "$once exit 1"
expect 0 'last: tests: 2 passed, 0 failed' release "$once exit 1"
expect 1 'last: 50% tests passed' release 'exit 1'
expect 1 - release "$once exit 1" suite
found="{ printf 'a.cpp:7: Failure\nof this\n'; exit 1; }"
expect 0 'unsteady: planted (1 of 3 failed under release) at a.cpp:7' release "$once $found"
expect 1 $'planted (release)\na.cpp:7: Failure\nof this' release "$found"
expect 1 'crashed or left a process' release "$once { echo 'bug in n2nq 0.1.0: a.cpp:1: n > 0 does not hold'; exit 1; }"
expect 1 'crashed or left a process' release "$once { echo 'exited with (code -1, signal 11)'; exit 1; }"
expect 1 'crashed or left a process' release "$once { echo 'Value of: processes_left()'; exit 1; }"
expect 1 'crashed or left a process' release "$once kill -SEGV \$\$"
expect 0 'unsteady: planted (1 of 3 failed under asan-core)' asan-core "$once exit 1"
expect 1 - asan-core 'exit 1'
expect 1 'a sanitizer had something to say' asan-core "if [[ \${first-} ]]; then exit 1; fi; echo 'ERROR: LeakSanitizer: detected memory leaks' >reports/address.1"
expect 1 'a sanitizer had something to say' tsan-core "$once { echo 'WARNING: ThreadSanitizer: data race (pid=1)'; exit 1; }"
expect 1 'a sanitizer had something to say' asan-core 'echo "==1==ERROR: LeakSanitizer: detected memory leaks" >reports/address.1'
expect 1 'a sanitizer had something to say' tsan-core 'echo "WARNING: ThreadSanitizer: data race (pid=1)"'
# A process of this build that goes on.
orphan='cp "$(command -v sleep)" n2nq-orphan; ./n2nq-orphan 8 >/dev/null 2>&1 &'
expect 1 'outlived the tests' release "$orphan"
expect 1 'outlived the tests' release "if [[ \${first-} ]]; then exit 1; fi; $orphan"

# runs COUNT [MODE] [FILTER]: how often a stage has run by now that fails where $work/red is, after one more call.
runs() {
  (
    mode=${2-gate} filter=${3-} FAILED_STAGES=() STAGE_TIMES=() XDG_CACHE_HOME=$work/cache
    source "$root/.ci/tests.sh"
    one() {
      printf 'x' >>"$work/runs"
      if [[ -e $work/red ]]; then FAILED_STAGES+=(one); fi
    }
    unless_passed one one >/dev/null
  )
  if [[ $(wc -c <"$work/runs") != "$1" ]]; then
    printf 'expected the stage to have run %s times, in line %s: %s\n' "$1" "${BASH_LINENO[0]}" "$(wc -c <"$work/runs")" >&2
    failures=1
  fi
}
# commit FILE: another line of it.
commit() {
  mkdir -p "${1%/*}" && printf 'x\n' >>"$1" && git add . && git -c user.name=a -c user.email=a@b commit -qm x
}
mkdir "$work/tree" && cd "$work/tree" && git init -q
runs 1 && runs 2    # of no commit yet
commit broker/a.cpp && runs 3
runs 3              # as it passed
commit app/a.cpp && commit docs/a.md && runs 3
runs 4 all && runs 4
runs 5 gate NAME && runs 5
printf 'y\n' >>broker/a.cpp
runs 6 && runs 7    # in no commit
commit broker/a.cpp && touch "$work/red" && runs 8
rm "$work/red" && runs 9    # it had failed
runs 9
commit tests/unit/wire/a.cpp && runs 10
CI=other runs 11    # where a skipped test may count otherwise
exit "$failures"
