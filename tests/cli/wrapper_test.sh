#!/usr/bin/env bash
# The wrapper ./leman in a copy of the tree, with stand-ins for dpkg-query,
# apt-get, id, sudo, cmake and ctest in front of the PATH: what does it install,
# what does it say when it cannot, and does it hand arguments on?
# Usage: wrapper_test.sh PATH_TO_WRAPPER
set -u
wrapper=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
equal() { check "$1" "=$2=" "=$3="; }
check() { # description, expected substring, text
  if [[ $3 == *"$2"* ]]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    printf 'FAILED: %s\n  expected: %s\n  got: %s\n' "$1" "$2" "$3"
  fi
}

tree=$work/tree bin=$work/bin
mkdir -p "$tree/wl" "$bin"
cp "$wrapper" "$tree/leman"
touch "$tree/CMakeLists.txt" "$tree/CMakePresets.json"

# Packages are there if listed in $work/installed; apt-get adds what it is asked
# for unless $work/offline or it is the package named in $work/broken.
cat >"$bin/dpkg-query" <<'STUB'
#!/bin/sh
for name; do :; done
grep -qx "$name" "$WORK/installed" && printf 'ii '
STUB
cat >"$bin/apt-get" <<'STUB'
#!/bin/bash
echo "apt-get $*" >>"$WORK/calls"
[ "$1" = install ] || exit 0
if [ -e "$WORK/offline" ]; then echo 'E: Unable to fetch some archives'; exit 100; fi
status=0
for word; do
  case $word in install | -*) ;; *)
    if [ "$word" = "$(cat "$WORK/broken" 2>/dev/null)" ]; then echo "E: Unable to locate package $word"; status=100
    else echo "$word" >>"$WORK/installed"; fi ;;
  esac
done
exit $status
STUB
cat >"$bin/id" <<'STUB'
#!/bin/sh
cat "$WORK/uid"
STUB
printf '#!/bin/sh\nexit 1\n' >"$bin/sudo"
cat >"$bin/cmake" <<'STUB'
#!/bin/sh
echo "cmake $*" >>"$WORK/calls"
[ -e "$WORK/nobuild" ] && { echo 'x.cpp:1: error: broken'; exit 1; }
mkdir -p build/release
touch build/release/build.ninja
for word; do case $word in -DLEMAN_TORCH=*) echo "LEMAN_TORCH:PATH=${word#*=}" >build/release/CMakeCache.txt ;; esac; done
printf '#!/bin/sh\necho "program: $*"\n' >build/release/leman
chmod +x build/release/leman
STUB
chmod +x "$bin"/*
export WORK=$work PATH=$bin:$PATH TMPDIR=$work
run() { "$tree/leman" "$@" 2>&1; }
reset() { rm -rf "$tree/build" "$work"/{installed,calls,offline,broken,nobuild}; touch "$work/installed" "$work/calls"; echo 0 >"$work/uid"; }

reset
text=$(run report)
check 'a fresh machine installs, builds, runs' 'program: report' "$text"
check 'packages are installed' 'apt-get install' "$(cat "$work/calls")"
check 'nauty is among them' 'libnauty2-dev' "$(cat "$work/calls")"
: >"$work/calls"
check 'arguments are handed on' 'program: pairs --show 3' "$(run pairs --show 3)"
check 'no arguments: help' 'program: --help' "$(run)"
check 'a second call does no set-up' 'calls:.' "calls:$(cat "$work/calls")."
sleep 0.01; touch "$tree/wl/new.cpp"
check 'a changed source builds again' 'program: x' "$(run x)"
check 'with cmake' 'cmake --build' "$(cat "$work/calls")"

reset; mkdir -p "$work/torch/Torch"; touch "$work/torch/Torch/TorchConfig.cmake"
run build --torch "$work/torch"
check 'a PyTorch of pip is configured' "cmake --preset release -DLEMAN_TORCH=$work/torch" "$(cat "$work/calls")"
check 'and built' 'cmake --build' "$(cat "$work/calls")"
equal 'without Debian'"'"'s LibTorch' 0 "$(grep -c libtorch-dev "$work/calls")"
: >"$work/calls"; touch "$tree/wl/new.cpp"
check 'it stays' 'program: x' "$(run x)"
equal 'LibTorch is not asked for later' 0 "$(grep -c libtorch-dev "$work/calls")"
run build --torch system
check 'and back' 'libtorch-dev' "$(cat "$work/calls")"
text=$(run build --torch "$work/nowhere"); code=$?
check 'no PyTorch there: what to give' 'torch.utils.cmake_prefix_path' "$text"
equal 'no PyTorch there: exit code' 2 "$code"
check 'build with a wrong option' 'usage: ./leman build' "$(run build --nonsense)"

reset; echo 1000 >"$work/uid"
text=$(run report); code=$?
check 'no root: packages named' 'missing packages: g++ cmake' "$text"
check 'no root: what to run' 'apt-get install g++' "$text"
equal 'no root: exit code' 2 "$code"

reset; touch "$work/offline"
text=$(run report); code=$?
check 'no network: packages named' 'could not install: g++' "$text"
check 'no network: apt says why' 'Unable to fetch' "$text"
equal 'no network: exit code' 2 "$code"

reset; echo libnauty2-dev >"$work/broken"
text=$(run report)
check 'a broken package is named alone' 'could not install: libnauty2-dev (' "$text"

reset; touch "$work/nobuild"
text=$(run report); code=$?
check 'a failed build shows the error' 'error: broken' "$text"
equal 'a failed build: exit code' 2 "$code"
rm "$work/nobuild"
cat >"$bin/cmake" <<'STUB'
#!/bin/sh
echo 'y.cpp:2: error: another'; exit 1
STUB
check 'a second failure shows its own error' 'error: another' "$(run report)"

reset
check 'test with a wrong option' 'usage: ./leman test' "$(run test --nonsense)"

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
