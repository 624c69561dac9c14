#!/usr/bin/env bash
# Installs the build, then builds and runs the examples against what was installed, as another
# project would; pkg-config and add_subdirectory, too.  Usage: install_test.sh SOURCE BUILD
set -eu
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

run() { # what, expected first line, command...
  local what=$1 expected=$2
  shift 2
  local out
  out=$("$@") || { echo "$what: failed"; exit 1; }
  [ "${out%%$'\n'*}" = "$expected" ] || { echo "$what: expected \"$expected\", got:"; echo "$out"; exit 1; }
  echo "$what: ok"
}

cmake --install "$build" --prefix "$prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake -S "$source/examples" -B "$work/examples" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Debug >"$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
cmake --build "$work/examples" -j 2 >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cd "$work" # where there are no files of BREC
run colors '1-WL: 3 colours after 2 rounds' "$work/examples/colors" P5 1wl
run compare '1-WL: not distinguished' "$work/examples/compare" C6 EwCW
run count_pairs '2-FWL: 270 of 400' "$work/examples/count_pairs" 2fwl
run forward '19296 parameters, kernel portable' env LEMAN_KERNEL=portable "$work/examples/forward" C6
run program "$("$build/leman" --version)" "$prefix/bin/leman" --version
run program-torch 'LibTorch' bash -c "'$prefix/bin/leman' et info | cut -c1-8"
for file in share/man/man1/leman.1 share/bash-completion/completions/leman share/fish/vendor_completions.d/leman.fish \
            share/zsh/site-functions/_leman; do
  [ -s "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done

library=$(dirname "$(find "$prefix" -name leman.pc)")
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046 # words
  PKG_CONFIG_PATH=$library g++ "$source/examples/colors.cpp" -o "$work/by-pkg-config" \
    $(PKG_CONFIG_PATH=$library pkg-config --cflags --libs leman) -Wl,-rpath,"$(dirname "$library")"
  run pkg-config '1-WL: 3 colours after 2 rounds' "$work/by-pkg-config" P5 1wl
fi

# A header drags in nothing that a client has not asked for.
echo '#include <leman/wl/graph.hpp>' >"$work/client.cpp"
if g++ -std=c++20 -I "$prefix/include" -M "$work/client.cpp" | grep -q 'boost\|torch\|nlohmann'; then
  echo "leman/wl/graph.hpp includes Boost, LibTorch or JSON"
  exit 1
fi

mkdir "$work/parent"
cat >"$work/parent/CMakeLists.txt" <<PARENT
cmake_minimum_required(VERSION 3.22)
project(parent LANGUAGES CXX)
add_subdirectory("$source" leman)
add_executable(colors "$source/examples/colors.cpp")
target_link_libraries(colors PRIVATE leman::leman)
PARENT
cmake -S "$work/parent" -B "$work/parent/build" -DLEMAN_WITH_TORCH=OFF -DLEMAN_CUDA=OFF >"$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
echo "add_subdirectory: configures"
