#!/usr/bin/env bash
# Builds Leman for aarch64 with Debian's cross compiler, without LibTorch, and runs some tests and the
# program under qemu. The arm64 packages are unpacked into build/aarch64/sysroot; dpkg of this machine
# learns of no other architecture. Not part of `./leman test` (a quarter of an hour). Needs Debian
# with its package lists reachable. Usage: tests/aarch64.sh [JOBS]
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-1}
work=$PWD/build/aarch64 sysroot=$PWD/build/aarch64/sysroot
tools=(g++-aarch64-linux-gnu qemu-user-static)
packages=(libc6-dev libstdc++-12-dev libboost-dev libboost-context-dev libboost-graph-dev libeigen3-dev libexpat1-dev libfmt-dev
          libgmp-dev libgtest-dev libkainjow-mustache-dev libnauty2-dev libsqlite3-dev libxxhash-dev libzip-dev
          nlohmann-json3-dev zlib1g-dev)
programs=(base_test graph_test formats_test engines_test regression_test quotient_kernels_test pooling_kernels_test
          triangle_kernels_test store_test)

for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
  command -v "$tool" >/dev/null || { echo "tests/aarch64.sh: no $tool (apt-get install ${tools[*]})" >&2; exit 2; }
done

# A package manager of its own, that has installed nothing: its downloads are all that is needed.
unpack_sysroot() {
  local apt=$work/apt package
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$sysroot/usr/lib"
  : >"$apt/state/status"
  printf '%s\n' 'APT::Architecture "arm64";' 'APT::Architectures { "arm64"; };' "Dir::State \"$apt/state\";" \
    "Dir::State::status \"$apt/state/status\";" "Dir::Cache \"$apt/cache\";" 'APT::Sandbox::User "root";' >"$apt/conf"
  APT_CONFIG=$apt/conf apt-get update -q
  APT_CONFIG=$apt/conf apt-get install -q -y --download-only --no-install-recommends "${packages[@]}"
  ln -sfn usr/lib "$sysroot/lib"
  for package in "$apt"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$sysroot" --keep-directory-symlink
  done
  rm -rf "$apt"
}

mkdir -p "$work"
if [ "$(cat "$sysroot/.packages" 2>/dev/null)" != "${packages[*]}" ]; then
  rm -rf "$sysroot"
  set +e
  (set -e; unpack_sysroot) >"$work/sysroot.log" 2>&1
  failed=$?
  set -e
  if [ "$failed" -ne 0 ]; then
    tail -n 20 "$work/sysroot.log" >&2
    echo "tests/aarch64.sh: the arm64 packages cannot be had; log: $work/sysroot.log" >&2
    exit 2
  fi
  echo "${packages[*]}" >"$sysroot/.packages"
fi
cmake -S . -B "$work/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64.cmake" -DCMAKE_BUILD_TYPE=Release \
  -DLEMAN_WITH_TORCH=OFF -DLEMAN_CUDA=OFF -DLEMAN_TESTS=ON
nice cmake --build "$work/build" -j "$jobs" --target leman_program "${programs[@]}"
leman=(qemu-aarch64-static -L "$sysroot" "$work/build/leman")
"${leman[@]}" --version
"${leman[@]}" brec --builtin --engine 1wl,2fwl --pairs 0-99,260-264
ctest --test-dir "$work/build" -j "$jobs" --output-on-failure -R "^($(IFS='|'; echo "${programs[*]}"))\\."
