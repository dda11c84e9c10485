# What ./run, ./test and ./prove share. Sourced from the top folder of the repository, never run.
# shellcheck shell=bash

# shellcheck disable=SC2034 # used by ./test
clang_version=19
data_dir=${FOOTFALL_DATA_DIR:-$PWD/../shared/data}

say() { printf '==> %s\n' "$*"; }
warn() { printf '!!! %s\n' "$*" >&2; }
die() { warn "$@"; exit 1; }

# 1 min 05 s
duration() { if (($1 < 60)); then echo "$1 s"; else printf '%d min %02d s\n' $(($1 / 60)) $(($1 % 60)); fi; }

# As many compilers at once as there are cores and 1.5 GiB of memory for each.
jobs_at_once() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo)
    if ((memory < 1)); then memory=1; fi
    echo $((cores < memory ? cores : memory))
}

# --- packages -------------------------------------------------------------------------------------------------------

packages_of() { awk -v section="$1" '$1 == section { print $2 }' tools/packages; }

# The cargo that can build drivers/cql, as cmake/rust.cmake looks for it: the first that is new enough. False if there is none.
new_cargo() {
    local least cargo version
    least=$(sed -nE 's/^set\(FOOTFALL_RUST_AT_LEAST ([0-9.]+)\).*/\1/p' cmake/rust.cmake)
    while read -r cargo; do
        version=$("$cargo" --version 2>/dev/null | awk '{ print $2 }') || continue
        if printf '%s\n' "$least" "$version" | sort -V -C; then echo "$cargo"; return 0; fi
    done < <(PATH=${CARGO_HOME:-$HOME/.cargo}/bin:$PATH type -ap cargo)
    return 1
}

# The wanted packages (sections as arguments) that are not installed. One question to dpkg: 50 ms.
missing_packages() {
    local section wanted=()
    for section in "$@"; do
        if [[ $section == rust ]] && new_cargo >/dev/null; then continue; fi
        mapfile -t -O ${#wanted[@]} wanted < <(packages_of "$section")
    done
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        mapfile -t -O ${#wanted[@]} wanted < <(packages_of node)
    fi
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null |
        awk '$2 == "installed" { print $1 }' | sort -u | comm -13 - <(printf '%s\n' "${wanted[@]}" | sort -u)
}

# Runs apt-get as root; sudo keeps no environment, so proxies are handed over by name.
apt_get() {
    local words=(env DEBIAN_FRONTEND=noninteractive) name
    for name in http_proxy https_proxy no_proxy; do
        if [[ -n ${!name:-} ]]; then words+=("$name=${!name}"); fi
    done
    words+=(apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@")
    if ((EUID != 0)); then words=(sudo "${words[@]}"); fi
    "${words[@]}"
}

# Installs what is missing of the given sections of tools/packages; says nothing and asks no server when nothing is.
install_packages() {
    local missing
    if ! command -v dpkg-query >/dev/null; then
        warn "not a Debian system: install what tools/packages lists by other means; building with what is here"
        return 0
    fi
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then return 0; fi
    local install=(install -y --no-install-recommends "${missing[@]}")
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        warn "${#missing[@]} packages are missing, and installing them needs root (there is no sudo). As root, run:"
        die "    apt-get update && apt-get ${install[*]}"
    fi
    say "installing ${#missing[@]} packages: ${missing[*]}"
    apt_get update -q || die "apt-get update failed; check the network and /etc/apt, then start again"
    apt_get -q "${install[@]}" || die "apt-get failed (see above). On another release than Debian 12 some packages have other names: tools/packages"
}

# --- building -------------------------------------------------------------------------------------------------------

# configure PRESET [-D...]: runs CMake only when its arguments, the presets or the presence of real data changed since the
# last time; edits of CMakeLists.txt are noticed by ninja itself.
configure() {
    local preset=$1 folder=build/$1 key
    shift
    if [[ -n ${FOOTFALL_DATA_DIR:-} ]]; then set -- "$@" "-DFOOTFALL_DATA_DIR=$data_dir"; fi
    key="$* data=$([[ -d $data_dir ]] && echo yes || echo no) $(cksum CMakePresets.json)"
    if [[ -f $folder/build.ninja && $(cat "$folder/configured" 2>/dev/null) == "$key" ]]; then return 0; fi
    say "configuring $folder"
    cmake --preset "$preset" "$@" || return 1
    echo "$key" >"$folder/configured"
}

# configure_release SWITCH...: the release folder serves ./run, ./test, ./bench and the others alike. Each names what it needs;
# what another has switched on stays on, so that nothing is compiled anew because they take turns.
configure_release() {
    local name switches=()
    for name in FOOTFALL_TESTS FOOTFALL_BENCHMARKS WITH_CASSANDRA; do
        if [[ " $* " == *" $name "* ]] || grep -qs "^$name:BOOL=ON" build/release/CMakeCache.txt; then
            switches+=("-D$name=ON")
        else
            switches+=("-D$name=OFF")
        fi
    done
    configure release "${switches[@]}"
}

# build PRESET [TARGET...]
build() {
    local preset=$1
    shift
    NINJA_STATUS='[%f/%t %es] ' ninja -C "build/$preset" -j "$(jobs_at_once)" "$@"
}
