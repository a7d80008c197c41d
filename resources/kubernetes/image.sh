#!/bin/sh
# image.sh [NAME [FOLDER]]: makes the image of the four programs, by podman or docker, from the folder that has them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=${1:-n2nq}
folder=${2:-}
for each in "$here/../../build/release/bin/for-hosts" /usr/local/bin /usr/bin; do
  if [ -z "$folder" ] && [ -x "$each/n2nq-broker" ]; then folder=$each; fi
done
if [ ! -x "${folder:-/nowhere}/n2nq-broker" ]; then
  echo "image.sh: there is no n2nq-broker${folder:+ in $folder}; build the bench, or give the folder of its programs: image.sh $name FOLDER" >&2
  exit 1
fi
if ! tool=$(command -v podman || command -v docker); then
  echo "image.sh: neither podman nor docker is installed; install one of them, such as: sudo apt install podman" >&2
  exit 1
fi
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
for program in n2nq-broker n2nq-sender n2nq-receiver n2nq-recorder; do cp "$folder/$program" "$context"; done
"$tool" build --file "$here/Containerfile" --tag "$name" "$context"
