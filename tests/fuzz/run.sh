#!/usr/bin/env bash
# Runs every fuzz target of a build folder for its share of the given seconds, from a corpus made on
# the spot. Usage: run.sh BUILD_DIR SECONDS
set -eu
build=$1 seconds=$2
targets=(auto graph6 sparse6 digraph6 edgelist dimacs matrix networkx metis matrixmarket npy json dot gml graphml
  array zip csv published config weights dataset
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
printf '\x93NUMPY\x01\x00\x76\x00%-117s\n%b' "{'descr': '|S4', 'fortran_order': False, 'shape': (2, 1), }" 'DQc\0:An\0' >"$corpus/strings"
printf "a b {'w': 3, 'x': [1]}\nb c {}\n" >"$corpus/networkx"
printf 'source,target,w\n"a",b,1\n7,8,2\n' >"$corpus/header_csv"
printf '3 2 11\n1 2 5\n1 1 5 3 6\n1 2 6\n' >"$corpus/metis"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 1\n' >"$corpus/matrixmarket"
printf '%%%%MatrixMarket matrix array integer symmetric\n2 2\n0\n1\n0\n' >"$corpus/array"
printf '{"directed": true, "nodes": [{"id": "a", "w": 1.5}, {"id": [1, 2]}],\n "links": [{"source": "a", "target": [1,2], "w": "x"}]}' >"$corpus/json"
printf 'strict digraph { a -> {b c} [w=1]; node [w=2]; subgraph x { d:p } }\ngraph { a -- "b" }' >"$corpus/dot"
printf 'graph [ directed 1 node [ id 0 w "a&#38;" ] node [ id 1 ] edge [ source 0 target 1 w 2.5 ] ]' >"$corpus/gml"
printf '<graphml><key id="k" for="all" attr.name="w" attr.type="string"><default>1</default></key>\n<graph edgedefault="directed"><node id="a"><data key="k">7</data></node><node id="b"/><edge source="a" target="b"/></graph></graphml>' >"$corpus/graphml"
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
