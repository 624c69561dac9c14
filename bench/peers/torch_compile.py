#!/usr/bin/env python3
"""Leman's triangular attention beside PyTorch's compiler.

Needs a Python with PyTorch 2 and NumPy (pip install torch numpy), and a C++
compiler for torch.compile; Leman itself needs neither. One thread. Checks first
that an Edge Transformer written here in plain PyTorch, with the weights that
Leman saved, gives the embeddings that Leman computes; then times the whole
operation (projections included; width 32, 4 heads, layer norm of the values) as
`leman bench et` does, eager and compiled, and prints a line a case that ends in
the ratio of the compiled time to Leman's.

  bench/peers/torch_compile.py [--leman ./leman] [--n 40,100] [--forward-only]

About five minutes for the default; n = 198 needs 8 GB with a backward pass.
"""
import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
import torch.nn.functional as F


def triangle(x, w_in, b_in, w_out, b_out, heads, value_norm):
    """x: [n, n, d]."""
    n, _, d = x.shape
    q, k, v1, v2 = F.linear(x, w_in, b_in).view(n, n, 4, heads, d // heads).unbind(2)
    a = torch.softmax(torch.einsum("ilhc,ljhc->iljh", q, k) / (d // heads) ** 0.5, 1)
    v = torch.einsum("ilhc,ljhc->iljhc", v1, v2)
    if value_norm:
        v = F.layer_norm(v, (d // heads,))
    return F.linear(torch.einsum("iljh,iljhc->ijhc", a, v).reshape(n, n, d), w_out, b_out)


def model(adjacency, w, config):
    """The paper's model, node colours aside: what `leman et forward` computes."""
    n = adjacency.shape[0]
    token = torch.zeros(n, n, config["token_width"])
    token[adjacency > 0] = w["edge_tokens"][0]
    token[range(n), range(n)] = w["diagonal_token"]
    ones = torch.ones(n, n, 2)  # one-hot colours of both nodes; there is one colour

    def mlp(x, name, depth):
        for k in range(depth):
            x = F.linear(x if k == 0 else F.gelu(x), w[f"{name}_{k}_weight"], w[f"{name}_{k}_bias"])
        return x

    x = mlp(torch.cat([token, ones], -1), "token", config["token_depth"])
    for t in range(config["layers"]):
        p = f"layer{t}_"
        inner = F.layer_norm(x, x.shape[-1:], w[p + "input_gain"], w[p + "input_shift"])
        x = x + triangle(inner, w[p + "projection_weight"], w[p + "projection_bias"], w[p + "output_weight"],
                         w[p + "output_bias"], config["heads"], False)
        x = mlp(x, p + "ffn", config["ffn_depth"])
    return x


def verify(leman):
    """Relative difference between the pair embeddings here and Leman's."""
    with tempfile.TemporaryDirectory() as directory:
        weights, out = directory + "/w.pt", directory + "/x.npz"
        subprocess.run([leman, "et", "forward", "IheA@GUAo", "--config", "paper", "--save-weights", weights, "--out",
                        out], check=True, stdout=subprocess.DEVNULL)  # the Petersen graph
        arrays = np.load(out)
        config = json.loads(bytes(arrays["about"]))["config"]
        adjacency = torch.zeros(10, 10)
        for u, v in arrays["edges"]:
            adjacency[u, v] = adjacency[v, u] = 1
        stored = dict(torch.jit.load(weights).named_parameters())
        with torch.no_grad():
            mine = model(adjacency, stored, config).numpy()
        return np.linalg.norm(mine - arrays["pairs"]) / np.linalg.norm(arrays["pairs"])


def seconds(work, runs):
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times), min(times), max(times)


def peers(n, backward, compiled):
    """Median, least and most CPU seconds of PyTorch."""
    torch.manual_seed(1)
    d, heads = 32, 4
    leaves = [torch.randn(n, n, d), torch.randn(4 * d, d) / d**0.5, torch.randn(4 * d) / 10,
              torch.randn(d, d) / d**0.5, torch.randn(d) / 10]
    for leaf in leaves:
        leaf.requires_grad_(backward)
    grad = torch.randn(n, n, d)

    def plain(x, w_in, b_in, w_out, b_out):
        return triangle(x, w_in, b_in, w_out, b_out, heads, True)

    run = torch.compile(plain) if compiled else plain

    def step():
        for leaf in leaves:
            leaf.grad = None
        if backward:
            run(*leaves).backward(grad)
        else:
            with torch.no_grad():
                run(*leaves)

    step(), step()
    return seconds(step, 5 if n < 150 else 3)


def ours(leman, n):
    """Leman's own times by the name of the case, from its benchmark."""
    text = subprocess.run([leman, "bench", "et", "--n", str(n)], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        match = re.match(r"(\S+) (forward|forward\+backward) n=\d+\s+([\d.]+) s", line)
        if match and match[2] not in found:
            found[match[2]] = (match[1], float(match[3]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leman", default="./leman")
    parser.add_argument("--n", default="40,100")
    parser.add_argument("--forward-only", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    difference = verify(options.leman)
    print(f"# PyTorch {torch.__version__}, one thread; Leman's embeddings differ from these by {difference:.1e}")
    if difference > 1e-4:
        sys.exit("the two do not compute the same: no times")
    for n in map(int, options.n.split(",")):
        mine = ours(options.leman, n)
        for name in ["forward"] if options.forward_only else ["forward", "forward+backward"]:
            eager = peers(n, name != "forward", False)
            compiled = peers(n, name != "forward", True)
            kernel, time_ours = mine[name]
            print(f"{kernel} {name} n={n}  {time_ours:.4f} s  PyTorch eager {eager[0]:.4f} s ({eager[1]:.4f}-{eager[2]:.4f})  "
                  f"torch.compile {compiled[0]:.4f} s ({compiled[1]:.4f}-{compiled[2]:.4f})  "
                  f"{compiled[0] / time_ours:.1f}x", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1048576
    print(f"# peak memory of this process: {peak:.2f} GB")


if __name__ == "__main__":
    main()
