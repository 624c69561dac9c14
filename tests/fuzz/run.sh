#!/usr/bin/env bash
# Runs every fuzz target of a build folder for its share of the given seconds,
# from a corpus made on the spot. Usage: run.sh BUILD_DIR SECONDS
set -eu
build=$1 seconds=$2
formats=(auto graph6 sparse6 digraph6 edgelist dimacs matrix)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
corpus=$work/corpus
mkdir -p "$corpus"
printf 'D?{\nD?{\n' >"$corpus/graph6"
printf '>>graph6<<EEh_\n~?@?\n' >"$corpus/header"
printf ':Fa@x^\n:DaY_~\n;Aa\n' >"$corpus/sparse6"
printf '&DI?AO?\n' >"$corpus/digraph6"
printf 'n 4\nv 1 3\n0 1\n1 2 7\nn 3 directed\n0 1\n1 0\n' >"$corpus/edgelist"
printf 'c x\np edge 4 2\nn 1 5\ne 1 2\ne 2 3 9\np sp 2 1\na 1 2\n' >"$corpus/dimacs"
printf '0 1 1\n1 0 2\n1 2 0\n\n01\n10\n' >"$corpus/matrix"
share=$(( (seconds + ${#formats[@]} - 1) / ${#formats[@]} ))
passed=0 failed=0
for format in "${formats[@]}"; do
  mkdir -p "$work/$format"
  if "$build/fuzz_$format" -max_total_time="$share" -timeout=5 -rss_limit_mb=1024 -max_len=4096 -verbosity=0 \
      -print_final_stats=1 -artifact_prefix="$build/" "$work/$format" "$corpus" >"$work/log" 2>&1; then
    passed=$((passed + 1))
    printf 'fuzz %-9s %ss, %s inputs, no failure\n' "$format" "$share" \
      "$(awk '/number_of_executed_units/ {print $2}' "$work/log")"
  else
    failed=$((failed + 1))
    printf 'fuzz %-9s FAILED; the input is kept in %s\n' "$format" "$build"
    tail -n 30 "$work/log"
  fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
