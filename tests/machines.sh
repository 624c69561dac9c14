#!/usr/bin/env bash
# Runs the release tests as other machines would: BLAS kernels, attention kernels, one processor,
# locales and time zones. One line per variant; logs in build/machines/. Not part of `./leman test`
# (two minutes per variant). Usage: tests/machines.sh [VARIANT…]
set -u
cd "$(dirname "$0")/.." || exit 2
logs=build/machines
mkdir -p "$logs" || exit 2

has() { grep -m1 '^flags' /proc/cpuinfo | grep -qw "$1"; }

variants=(plain one-processor openblas-Prescott openblas-Haswell openblas-Zen kernel-portable kernel-avx2 timezone locale-C locale-comma)
has avx512f && variants+=(openblas-SkylakeX openblas-Cooperlake kernel-avx512)
[ $# -gt 0 ] && variants=("$@")

# The command that stands before ctest in a variant.
prefix() {
  case $1 in
    plain) echo env ;;
    one-processor) echo taskset -c 0 ;;
    openblas-*) echo env "OPENBLAS_CORETYPE=${1#openblas-}" ;;
    kernel-*) echo env "LEMAN_KERNEL=${1#kernel-}" ;;
    timezone) echo env TZ=Pacific/Chatham ;;
    locale-C) echo env -u LANG LC_ALL=C ;;
    locale-comma) echo env LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 ;;
    *) return 1 ;;
  esac
}

status=0
for variant in "${variants[@]}"; do
  command=$(prefix "$variant") || { echo "tests/machines.sh: no variant $variant" >&2; exit 2; }
  if [ "$variant" = locale-comma ] && ! locale -a | grep -qi '^de_DE.utf-\?8$'; then
    echo "$variant: left out, no locale de_DE.UTF-8 (apt-get install locales-all)"
    continue
  fi
  # shellcheck disable=SC2086 # words of the prefix
  $command ctest --preset release -j "$(nproc)" --quiet -O "$logs/$variant.log" || status=1
  echo "$variant: $(grep -E 'tests passed' "$logs/$variant.log")"
  sed -n '/The following tests FAILED/,$p' "$logs/$variant.log"
done
exit $status
