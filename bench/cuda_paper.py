#!/usr/bin/env python3
"""What the CUDA kernels need, and what a device would allow: on paper, nothing is measured.

    bench/cuda_paper.py [--write docs/cuda.md] [BUILD]

Registers, shared memory and spills are those that ptxas stated when BUILD (default: build/release)
was built. Occupancy, operations, bytes and times are computed from these, from the kernels' layout
(et/kernels/cuda/attend.hpp; it must give the shared memory that ptxas states) and from the vendor's
figures of the devices. With --write the tables replace those between the marks in the file.
"""
import argparse
import math
import pathlib
import re
import sys

THREADS = 256


class Device:
    def __init__(self, name, code, processors, clock, flops32, flops64, bandwidth, threads, shared):
        self.name, self.code, self.processors, self.clock = name, code, processors, clock
        self.flops = {"float": flops32, "double": flops64}
        self.bandwidth, self.threads, self.shared = bandwidth, threads, shared

    def blocks(self, registers, shared):
        """Blocks of 256 threads that a multiprocessor holds: registers come by 8 a thread, shared memory with 1 KB more."""
        by_registers = 65536 // (math.ceil(registers / 8) * 8 * THREADS)
        return min(by_registers, self.shared // (shared + 1024), self.threads // THREADS)


DEVICES = [  # multiprocessors, GHz, TFLOP/s in float32 and float64 without tensor cores, GB/s, threads, shared bytes
    Device("L40", "sm_80", 142, 2.49, 90.5, 1.41, 864, 1536, 100 * 1024),
    Device("A100", "sm_80", 108, 1.41, 19.5, 9.7, 2039, 2048, 164 * 1024),
    Device("H100", "sm_90", 132, 1.98, 66.9, 33.5, 3350, 2048, 228 * 1024),
]


class Layout:
    """As struct Layout in attend.hpp."""

    def __init__(self, number, room):
        self.size = {"float": 4, "double": 8}[number]
        self.group = room * self.size // 32
        self.columns = 16 if self.group <= 2 else 8 if self.group <= 8 else 4
        self.rows = THREADS // self.group // self.columns
        self.steps = 4 if 8192 // ((self.rows + self.columns) * room * self.size) >= 4 else 2
        self.pair = room * self.size

    def shared(self, kernel):
        if kernel == "forward":
            return 2 * (self.rows + self.columns) * self.steps * self.pair + self.steps * THREADS * self.size
        twice, once = (self.columns, self.rows) if kernel == "left" else (self.rows, self.columns)
        return (2 * twice + once) * self.steps * self.pair + 2 * once * self.steps * self.size + 4 * THREADS * 16

    def wavefronts(self, kernel):
        """Passes through shared memory of a warp and a value of the third index.

        16 bytes a thread take four passes, a quarter of the warp each, or two where neighbours (or next but
        one) read the same: so it is with what all pairs of a row read, for groups of one and two threads.
        """
        across, along, own, scalars = 4, 2 if self.group <= 2 else 4, 4, 2
        return {"forward": 4 * along + 4 * across + scalars, "left": 8 * across + 4 * along + 4 * own + scalars,
                "right": 8 * along + 4 * across + 4 * own + scalars}[kernel]


def read_ptxas(build):
    """{(kernel, number, room, norm, code): (registers, shared, spilled)} of the attention kernels."""
    found, name = {}, None
    for line in (build / "ptxas.log.triangle_cuda.cu.o").read_text().splitlines():
        if m := re.search(r"entry function '(\S+)' for '(sm_\d+)'", line):
            name, code = m[1], m[2]
        elif m := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spilled = int(m[1]) + int(m[2])
        elif m := re.search(r"Used (\d+) registers", line):
            shared = re.search(r"(\d+) bytes smem", line)
            kernel = re.search(r"attend_(backward_)?kernelI([fd])Li(\d+)ELb([01])E(?:Lb([01])E)?", name)
            if kernel:
                side = "forward" if not kernel[1] else "left" if kernel[5] == "1" else "right"
                number = {"f": "float", "d": "double"}[kernel[2]]
                key = (side, number, int(kernel[3]), kernel[4] == "1", code)
                found[key] = (int(m[1]), int(shared[1]) if shared else 0, spilled)
    if not {"sm_80", "sm_90", "sm_100"} <= {key[4] for key in found}:
        sys.exit("cuda_paper: the build is not for sm_80, sm_90 and sm_100; nothing to tabulate")
    for (side, number, room, _, _), (_, shared, _) in found.items():
        if Layout(number, room).shared(side) != shared:
            sys.exit(f"cuda_paper: {side}, {number}, heads of {room}: ptxas states {shared} bytes of shared memory, "
                     f"the layout here gives {Layout(number, room).shared(side)}")
    return found


def resources(found):
    """A row a kernel (the larger of with and without norm) and number, over all head widths."""
    yield "| kernel | numbers | heads of | registers sm_80 / sm_90 / sm_100 | shared | spills | blocks and occupancy: " + " | ".join(
        d.name for d in DEVICES) + " |"
    yield "| --- | --- | --- | --- | --- | --- | " + " | ".join("---" for _ in DEVICES) + " |"
    names = {"forward": "forward", "left": "backward, q and v1", "right": "backward, k and v2"}
    for number in ("float", "double"):
        for side in names:
            for room in (8, 16, 32, 64):
                def most(code, at):
                    return max(found[side, number, room, norm, code][at] for norm in (False, True))
                registers = {code: most(code, 0) for code in ("sm_80", "sm_90", "sm_100")}
                shared, spills = most("sm_80", 1), sum(most(code, 2) for code in registers)
                cells = []
                for d in DEVICES:
                    blocks = d.blocks(registers[d.code], shared)
                    cells.append(f"{blocks}, {100 * blocks * THREADS // d.threads} %")
                yield (f"| {names[side]} | {number}{'32' if number == 'float' else ''} | {room} | "
                       + " / ".join(str(r) for r in registers.values()) + f" | {shared} | {spills} | " + " | ".join(cells) + " |").replace(
                           "double |", "float64 |")


def work(n, d, heads, backward, number="float"):
    """(operations, bytes asked of global memory, bytes that must come from device memory, wavefronts)."""
    layout = Layout(number, d // heads)
    s, pairs, triples = layout.size, n * n * d, n ** 3
    rows, columns = math.ceil(n / layout.rows), math.ceil(n / layout.columns)
    warps = triples * heads * layout.group / 32
    # Scores 2, fused value 1, mean 1, centring 1, variance 2, sum 2 a triple and channel; projections.
    flops = 9 * triples * d + 10 * pairs * d
    asked = s * pairs * (2 * (rows + columns) + 1)  # q, v1 once a column of tiles, k, v2 once a row; contexts
    # Arrays of n^2 d numbers, each written and read once: x, p, q and k normalised, p again, context twice, y.
    must = s * pairs * (1 + 4 + 4 + 4 + 2 + 1)
    wavefronts = warps * layout.wavefronts("forward")
    if backward:  # twice: score 2, value 1, mean 1, centring 1, variance 2, pull 2, gradients 2 and 5
        flops += 32 * triples * d + 28 * pairs * d
        asked += s * pairs * (3 * rows + 3 * columns + 8) + s * n * n * heads * 2 * (rows + columns)
        # As before, then context's gradient, dots, both passes, norms, gains, gradients of x, of weights, of biases.
        must += s * pairs * (1 + 4 + 6 + 2 + 3 + 7 + 7 + 6 + 8 + 5 + 7 + 5)
        wavefronts += warps * (layout.wavefronts("left") + layout.wavefronts("right"))
    return flops, asked, must, wavefronts


def microseconds(seconds):
    us = seconds * 1e6
    return f"{us:.0f} µs" if us < 1e3 else f"{us / 1e3:.1f} ms" if us < 1e5 else f"{us / 1e6:.2f} s"


def figure(x):
    return f"{x:.3g}" if x < 100 else f"{x:,.0f}"


def roofline():
    yield "| n | d, heads | | GFLOP | MB asked | MB at least | " + " | ".join(f"{d.name}: roofline, shared" for d in DEVICES) + " |"
    yield "| --- | --- | --- | --- | --- | --- | " + " | ".join("---" for _ in DEVICES) + " |"
    for n in (40, 100, 198, 700):
        for width, heads in ((32, 4), (64, 4)):
            for backward in (False, True):
                flops, asked, must, wavefronts = work(n, width, heads, backward)
                cells = []
                for d in DEVICES:
                    compute, memory = flops / (d.flops["float"] * 1e12), must / (d.bandwidth * 1e9)
                    bound = "c" if compute > memory else "m"
                    inside = wavefronts / (d.processors * d.clock * 1e9)
                    cells.append(f"{microseconds(max(compute, memory))} {bound}, {microseconds(inside)}")
                yield (f"| {n} | {width}, {heads} | {'forward + backward' if backward else 'forward'} | {figure(flops / 1e9)} | "
                       f"{figure(asked / 1e6)} | {figure(must / 1e6)} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default="build/release", type=pathlib.Path)
    parser.add_argument("--write", metavar="FILE", type=pathlib.Path)
    args = parser.parse_args()
    try:
        found = read_ptxas(args.build)
    except OSError as e:
        sys.exit(f"cuda_paper: {e.filename}: {e.strerror}; build with nvcc first (./leman build)")
    tables = {"resources": "\n".join(resources(found)), "roofline": "\n".join(roofline())}
    if not args.write:
        return print("\n\n".join(tables.values()))
    text = args.write.read_text()
    for name, table in tables.items():
        text, times = re.subn(f"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m: f"{m[1]}{table}\n{m[2]}", text, flags=re.S)
        if times != 1:
            sys.exit(f"cuda_paper: {args.write} has no marks for the table {name}")
    args.write.write_text(text)


main()
