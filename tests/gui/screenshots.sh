#!/usr/bin/env bash
# screenshots.sh FOLDER [NAME]: makes pictures of every page and state of the window, or of those whose file name contains
# NAME: light and dark, at 1280 x 800, 1920 x 1080, and 3840 x 2160 at 200 %. docs/images/make makes those of the docs.
set -euo pipefail
mkdir -p "${1:?usage: screenshots.sh FOLDER [NAME]}"
folder=$(cd "$1" && pwd)
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
source .ci/setup.sh
need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
use_ccache
build release "$(job_count)" n2nq-broker n2nq-sender n2nq-receiver n2nq-recorder state_pictures
export N2NQ_PICTURES=$folder N2NQ_PICTURE=${2-}
tests/gui/with_xvfb.sh 1920x1080 build/release/tests/state_pictures
QT_SCALE_FACTOR=2 tests/gui/with_xvfb.sh 3840x2160 build/release/tests/state_pictures
ls "$folder"
