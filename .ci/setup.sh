# Shared by ./bench, ./check and .ci/run: packages, stages with their times, ccache. Sourced by bash, from the root.

readonly BUILD_PACKAGES=(g++ cmake ninja-build pkg-config libcli11-dev nlohmann-json3-dev libgtest-dev libgmock-dev
  libc-ares-dev zlib1g-dev libboost-dev libssl-dev librdkafka-dev libzstd-dev liblz4-dev qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6opengl6-dev libgl-dev libxkbcommon-dev
  libqt6sql6-sqlite qt6-qpa-plugins libssh-dev libgsl-dev libarchive-dev libsqlite3-dev fonts-dejavu-core)
readonly TEST_PACKAGES=(openssh-server openssh-client iproute2 libhdrhistogram-java redis-tools amqp-tools kcat haproxy xvfb xdotool sqlite3 dbus at-spi2-core python3 python3-gi python3-redis python3-pika gir1.2-atspi-2.0
  podman runc busybox-static)
# Whose installation would start a service of the system.
readonly SERVER_PACKAGES=(nats-server rabbitmq-server erlang-base erlang-asn1 erlang-crypto erlang-eldap erlang-ftp erlang-inets
  erlang-mnesia erlang-os-mon erlang-parsetools erlang-public-key erlang-runtime-tools erlang-snmp erlang-ssl erlang-syntax-tools
  erlang-tftp erlang-tools erlang-xmerl)
readonly LINT_PACKAGES=(clang-format-19 clang-tidy-19 clang-19)
readonly PACKAGING_PACKAGES=(dpkg-dev file debootstrap appstream desktop-file-utils)
readonly CLANG_PACKAGES=(clang-19 libclang-rt-19-dev llvm-19)

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 3
}

# Names those of the given packages that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || printf '%s\n' "$package"
  done
}

# need_packages P...: installs what is missing, and runs nothing when all is there.
need_packages() {
  command -v dpkg-query >/dev/null || die "needs Debian 12 (no dpkg here); install these by hand: $*"
  local missing sudo=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "missing packages and no sudo; as root run: apt-get install ${missing[*]}"
    sudo=(sudo)
  fi
  printf 'installing: %s\n' "${missing[*]}"
  # One sudo for both steps, so that it asks once.
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive sh -c \
    'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null' sh "${missing[@]}" ||
    die "could not install: ${missing[*]}"
}

# need_servers: unpacks the servers that tests start into build/servers, where nothing else knows of them.
need_servers() {
  local missing=() package folder into=$PWD/build/servers
  for package in "${SERVER_PACKAGES[@]}"; do
    [[ -e $into/$package ]] || missing+=("$package")
  done
  ((${#missing[@]} > 0)) || return 0
  printf 'unpacking: %s\n' "${missing[*]}"
  folder=$(mktemp -d)
  (cd "$folder" && { apt-get download -qq "${missing[@]}" 2>/dev/null || { renew_package_lists && apt-get download -qq "${missing[@]}"; }; }) ||
    die "could not download the packages ${missing[*]}"
  mkdir -p "$into"
  for package in "$folder"/*.deb; do
    dpkg -x "$package" "$into" || die "could not unpack $package"
  done
  # Erlang is started from where its package would have put it.
  sed -i "s|ROOTDIR=/usr/lib/erlang$|ROOTDIR=$into/usr/lib/erlang|" "$into/usr/lib/erlang/bin/erl"
  for package in "${missing[@]}"; do : >"$into/$package"; done
  rm -rf "$folder"
}

renew_package_lists() {
  if ((EUID == 0)); then apt-get update -qq; else sudo apt-get update -qq; fi
}

# A Java that runs source files, whichever it is, for the reference reader of .hlog files and for Kafka; and what fetches that.
java_packages() {
  command -v javac >/dev/null || printf 'default-jdk-headless\n'
  command -v mvn >/dev/null || printf 'maven\n'
}

# need_kafka: Kafka's libraries, which no package of the distribution has, in build/servers/kafka.
need_kafka() {
  local into=$PWD/build/servers/kafka folder
  [[ -d $into ]] && return 0
  printf 'fetching: Kafka\n'
  folder=$(mktemp -d)
  # The list that `n2nq-bench buses fetch kafka` goes by.
  (cd "$folder" && sed -n '/kPom = R"(/,/<\/project>/{s/.*R"(//;p}' "$OLDPWD/app/run/kafka_fetch.cpp" >pom.xml &&
    mvn -q -B dependency:copy-dependencies -DoutputDirectory="$folder/kafka/libs") || die "could not fetch Kafka with Maven"
  mkdir -p "$into" && mv "$folder/kafka/libs" "$into/libs"
  rm -rf "$folder"
}

# Presets and clones share what they compile alike: core compiles what release does. The option left out of the hash says where
# the checkout is, and keeps just that out of what is compiled.
use_ccache() {
  if ! command -v ccache >/dev/null; then return; fi
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_MAXSIZE=15G \
    CCACHE_IGNOREOPTIONS="-fmacro-prefix-map=*"
}

elapsed_text() {
  printf '%dm%02ds' $(($1 / 60)) $(($1 % 60))
}

STAGE_TIMES=()
FAILED_STAGES=()

# stage NAME COMMAND...: runs it under a heading and keeps its time; a failure is noted and returned.
stage() {
  local name=$1 start=$SECONDS result=0
  shift
  printf '\n== %s\n' "$name"
  "$@" || result=$?
  local took
  took=$(elapsed_text $((SECONDS - start)))
  if ((result == 0)); then
    STAGE_TIMES+=("$(printf '%-24s %8s' "$name" "$took")")
    printf '== %s: %s\n' "$name" "$took"
  else
    STAGE_TIMES+=("$(printf '%-24s %8s  FAILED' "$name" "$took")")
    FAILED_STAGES+=("$name")
    printf '== %s: FAILED after %s\n' "$name" "$took"
  fi
  return "$result"
}

# build PRESET JOBS [TARGET...]: configures quietly unless that fails, then builds.
build() {
  local preset=$1 jobs=$2 log
  shift 2
  log=$(mktemp)
  if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
  cmake --build --preset "$preset" --parallel "$jobs" ${1:+--target "$@"}
}

job_count() {
  nproc 2>/dev/null || printf '2\n'
}

is_count() {
  [[ $1 =~ ^[1-9][0-9]*$ ]]
}
