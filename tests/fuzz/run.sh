#!/usr/bin/env bash
# Runs every fuzz target of a build folder for its share of the given seconds, from a corpus made on
# the spot. Usage: run.sh BUILD_DIR SECONDS
set -eu
build=$1 seconds=$2
targets=(auto graph6 sparse6 digraph6 edgelist dimacs matrix
         npy zip csv published config weights dataset
         AgreementChunk AgreementRecord ClaimRecord KernelTime StepRecord DatasetRecord ModelSource store)
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
printf '\x93NUMPY\x01\x00\x76\x00%-117s\n%b' "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }" '\0\0\0\0\0\0\0\0' >"$corpus/npy"
printf 'model,source,seeds,basic,regular,extension,cfi,all\n"a ""quoted"" name",b,1,60,50,100,48,258\n' >"$corpus/csv"
printf '{"preset": "brec", "layers": 3, "dtype": "float64"}' >"$corpus/config"
printf 'B{"graph6":"Bw","node_colors":[1,2,1],"label":[1,"a"]}\n{"n":2,"edges":[[0,1]],"edge_colors":[3],"label":[0.5,true]}\n' >"$corpus/dataset"
printf 'T{"graph6":"A_","node_labels":[1,"x"]}\n' >"$corpus/dataset_nodes"
printf 'Cid,graph6,label\n1,Bw,2.5\n2,@,-1e3\n' >"$corpus/dataset_csv"
printf 'A1, 2\n2, 1\n3, 3\n\0011\n1\n2\n\0011\n-1\n\0010.5\n2\n\0011\n2\n2\n\0014\n4\n5\n' >"$corpus/dataset_tu"
if command -v python3 >/dev/null; then
  python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    archive.writestr("a/data/0", b"1234")
    archive.writestr("a/version", b"3")' "$corpus/zip"
fi
head -c 400 /dev/urandom >"$corpus/edits" # a program of edits for what is changed, not read
share=$(( (seconds + ${#targets[@]} - 1) / ${#targets[@]} ))
passed=0 failed=0
for target in "${targets[@]}"; do
  mkdir -p "$work/$target"
  if "$build/fuzz_$target" -max_total_time="$share" -timeout=5 -rss_limit_mb=1024 -max_len=4096 -len_control=0 -verbosity=0 \
      -print_final_stats=1 -artifact_prefix="$build/" "$work/$target" "$corpus" >"$work/log" 2>&1; then
    passed=$((passed + 1))
    printf 'fuzz %-15s %ss, %s inputs, no failure\n' "$target" "$share" \
      "$(awk '/number_of_executed_units/ {print $2}' "$work/log")"
  else
    failed=$((failed + 1))
    printf 'fuzz %-15s FAILED; the input is kept in %s\n' "$target" "$build"
    tail -n 30 "$work/log"
  fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
