#!/usr/bin/env bash
# built_with.sh NINJA BUILD_FOLDER PROGRAM OTHER...: fails unless building PROGRAM builds each OTHER too.
set -euo pipefail
ninja=$1 folder=$2 program=$3
shift 3
inputs=$("$ninja" -C "$folder" -t inputs "${program#"$folder"/}")
for other; do
  if ! grep -qxF "${other#"$folder"/}" <<<"$inputs"; then
    echo "building ${program##*/} does not build ${other##*/}" >&2
    exit 1
  fi
done
