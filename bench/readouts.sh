#!/usr/bin/env bash
# How far apart are the two embeddings of a CFI pair, by shape of the Edge
# Transformer? The table of docs/brec.md: the 60 CFI pairs that 3-WL
# distinguishes, two seeds, on the colour quotient in float64.
set -eu
top=$(cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
published='"preset": "brec", "dtype": "float64", "batch_norm": false, "tied": false'
measure() { # title, configuration, further options
  printf '{%s}' "$2" >"$work/config.json"
  "$top/build/release/leman" brec --model et --protocol exact --pairs 260-319 --seeds 2 --config "$work/config.json" \
    --json "$work/out.json" "${@:3}" >/dev/null
  python3 - "$1" "$work/out.json" <<'P'
import json, sys
rows = json.load(open(sys.argv[2]))["rows"]
# With an epoch's distance 1 - cos = |a - b|^2 / 2 of unit vectors: that after the last step but one.
apart = [(2 * r["cosine_distances"][-1]) ** 0.5 if r["epochs"] == 2 else r["separation"] for r in rows]
print(f"{sys.argv[1]:50} least {min(apart):.1e}, above 1e-12: {sum(x > 1e-12 for x in apart)} of {len(apart)}", flush=True)
P
}
measure "published, untied, float64, no batch norm" "$published" --epochs 0
measure "  width 64" "$published, \"width\": 64, \"heads\": 8" --epochs 0
measure "  initial deviation 0.3" "$published, \"init_std\": 0.3" --epochs 0
measure "  six layers" "$published, \"layers\": 6" --epochs 0
measure "  readout nonlinear" "$published, \"graph_readout\": \"nonlinear\", \"activation\": \"gelu\"" --epochs 0
measure "  readout moments" "$published, \"graph_readout\": \"moments\"" --epochs 0
measure "  moments, LibTorch's initialisation" "$published, \"graph_readout\": \"moments\", \"init_std\": 0" --epochs 0
measure "  moments, after one step of training" "$published, \"graph_readout\": \"moments\"" --epochs 2
measure "  moments, no biases, after one step" '"preset": "sound"' --epochs 2
