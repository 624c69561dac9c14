#!/usr/bin/env bash
# No symbol of libleman is defined a second time in what else is loaded beside it. (Templates and
# inline functions are weak, and the linker folds them.)  Usage: one_core_test.sh BUILD_DIR
set -eu
build=$1
defined() { nm -D --defined-only "$1" | awk '$2 ~ /^[TBDR]$/ {print $3}' | grep leman | sort; }
status=0
[ "$(defined "$build/libleman.so" | wc -l)" -gt 300 ] || { echo "libleman.so: too few symbols to mean anything"; exit 1; }
for other in leman libleman_torch.so libleman_bench.so; do
  [ -e "$build/$other" ] || continue
  twice=$(comm -12 <(defined "$build/libleman.so") <(defined "$build/$other"))
  if [ -n "$twice" ]; then
    echo "defined in libleman.so and in $other:"
    echo "$twice" | c++filt | head
    status=1
  fi
done
[ $status -eq 0 ] && echo "no symbol twice"
exit $status
