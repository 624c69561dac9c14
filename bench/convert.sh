#!/usr/bin/env bash
# Throughput of `leman convert` on all graphs of one order, as a ratio to
# nauty-copyg on the same file. Output is compared byte for byte before anything
# is timed. One core, CPU seconds (user + system), median and range of RUNS.
#
#   bench/convert.sh [ORDER] [RUNS]      default: 9 11; about ten seconds
set -eu
order=${1:-9} runs=${2:-11}
cd "$(dirname "$0")/.."
leman=build/release/leman
[ -x "$leman" ] || { echo "bench/convert.sh: build first: ./leman build" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nauty-geng -q "$order" >"$work/all.g6"
graphs=$(wc -l <"$work/all.g6")

"$leman" convert --to graph6 "$work/all.g6" | cmp - "$work/all.g6"
nauty-copyg -q "$work/all.g6" | cmp - "$work/all.g6"
"$leman" convert --to sparse6 "$work/all.g6" >"$work/ours.s6"
nauty-copyg -q -s "$work/all.g6" | cmp - "$work/ours.s6"
"$leman" convert --to graph6 "$work/ours.s6" | cmp - "$work/all.g6"

TIMEFORMAT='%U %S'
cpu() { { time "$@" >/dev/null; } 2>&1 | awk '{print $1 + $2}'; }
measure() { # name, then the two commands to compare, separated by --
  local name=$1 ours=() theirs=() i; shift
  while [ "$1" != -- ]; do ours+=("$1"); shift; done; shift
  theirs=("$@")
  : >"$work/ours"; : >"$work/theirs"
  for ((i = 0; i < runs; ++i)); do
    cpu "${ours[@]}" >>"$work/ours"
    cpu "${theirs[@]}" >>"$work/theirs"
  done
  sort -n -o "$work/ours" "$work/ours"; sort -n -o "$work/theirs" "$work/theirs"
  paste "$work/ours" "$work/theirs" | awk -v name="$name" -v n="$graphs" -v runs="$runs" '
    {a[NR] = $1; b[NR] = $2}
    END {m = int((runs + 1) / 2)
      printf "%-18s %9d graphs  leman %.3f s (%.3f-%.3f), %.2f M graphs/s  nauty-copyg %.3f s (%.3f-%.3f)  %.2fx\n",
        name, n, a[m], a[1], a[runs], n / a[m] / 1e6, b[m], b[1], b[runs], b[m] / a[m]}'
}
echo "# $("$leman" --version), $(nauty-copyg --version 2>&1 | head -n 1), order $order, $runs runs, $(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo)"
measure 'graph6 -> graph6' "$leman" convert "$work/all.g6" -- nauty-copyg -q "$work/all.g6"
measure 'graph6 -> sparse6' "$leman" convert --to sparse6 "$work/all.g6" -- nauty-copyg -q -s "$work/all.g6"
measure 'sparse6 -> graph6' "$leman" convert "$work/ours.s6" -- nauty-copyg -q -g "$work/ours.s6"
