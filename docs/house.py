#!/usr/bin/env python3
"""Draws docs/house.svg: the folders of Leman and who uses whom, read from the #includes.

A folder stands directly below those that use it, and above all that it uses. An arrow says "uses".
Arrows that follow from others are left out (transitive reduction).
"""
import os, re

HERE = os.path.dirname(os.path.abspath(__file__))
# Folder: column, what it holds.
FOLDERS = {
    "cli": (1, "the commands: parse, call, print"),
    "tests": (2, "one folder per folder"),
    "bench": (0, "speed, verified before timed"),
    "reports": (1, "tables, CSV, LaTeX, the page"),
    "examples": (2, "programs that link the library"),
    "study": (1, "records, run store, studies"),
    "brec": (0, "pairs, models, protocols, tests"),
    "proofs_check": (2, "the proof and its claims, run"),
    "et": (1, "the Edge Transformer, kernels"),
    "wl": (1, "graphs, formats, exact engines"),
    "base": (1, "errors, threads, files, text"),
}
LEAVES = {"bench", "tests", "examples"}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<](?:leman/)?(\w+)/', re.M)
WIDTH, HEIGHT, STEP_X, STEP_Y, LEFT, TOP = 240, 54, 270, 88, 10, 6


def includes(folder):
    used = set()
    for path, _, names in os.walk(os.path.join(HERE, "..", folder)):
        for name in names:
            if name.endswith((".hpp", ".cpp", ".cu")):
                with open(os.path.join(path, name), encoding="utf-8") as file:
                    used.update(INCLUDE.findall(file.read()))
    return used & FOLDERS.keys() - {folder}


def reachable(uses, start):
    return uses[start].union(*(reachable(uses, below) for below in uses[start]))


def layers(arrows):
    def height(folder):
        return 1 + max((height(below) for below in arrows[folder]), default=-1)

    result = {folder: height(folder) for folder in FOLDERS}
    for folder in FOLDERS:  # up to its lowest user
        result[folder] = min((result[user] - 1 for user in FOLDERS if folder in arrows[user]), default=result[folder])
    return result


def main():
    uses = {folder: includes(folder) for folder in FOLDERS}
    arrows = {a: [b for b in uses[a] if not any(b in reachable(uses, c) for c in uses[a])] for a in FOLDERS}
    layer = layers(arrows)
    top = max(layer.values())
    place = {f: (LEFT + STEP_X * FOLDERS[f][0], TOP + STEP_Y * (top - layer[f])) for f in FOLDERS}
    height = TOP + STEP_Y * top + HEIGHT + 36
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" width="800" height="{height}" role="img"',
           ' aria-label="The folders of Leman and who uses whom">', "<!-- made by docs/house.py -->", """<style>
svg { background: #fff; color: #1f2328; --box: #ddf0ee; --edge: #2f7f78; font: 13px system-ui, "DejaVu Sans", sans-serif }
@media (prefers-color-scheme: dark) { svg { background: #0d1117; color: #e6edf3; --box: #14352f; --edge: #5bb8ad } }
text { fill: currentColor; text-anchor: middle } .name { font-weight: 600; font-size: 16px }
rect { fill: var(--box); stroke: var(--edge) } .leaf { fill: none; stroke-dasharray: 5 4 }
line { stroke: currentColor; stroke-opacity: .65; stroke-width: 1.4 } #head path { fill: currentColor }
</style><defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>"""]
    for above in FOLDERS:
        for below in sorted(arrows[above]):
            (x1, y1), (x2, y2) = place[above], place[below]
            lean = (x2 - x1) * 0.22  # arrows from the side leave and land beside the middle
            out.append(f'<line x1="{x1 + WIDTH / 2 + lean:g}" y1="{y1 + HEIGHT}" x2="{x2 + WIDTH / 2 - lean:g}" y2="{y2 - 2}"'
                       ' marker-end="url(#head)"/>')
    for folder, (_, holds) in FOLDERS.items():
        x, y = place[folder]
        leaf = ' class="leaf"' if folder in LEAVES else ""
        out.append(f'<rect{leaf} x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="7"/>'
                   f'<text class="name" x="{x + WIDTH / 2:g}" y="{y + 22}">{folder}/</text>'
                   f'<text x="{x + WIDTH / 2:g}" y="{y + 42}">{holds}</text>')
    out.append(f'<text x="400" y="{height - 10}">An arrow says "uses"; what follows from other arrows is left out. Dashed: leaves.</text></svg>')
    with open(os.path.join(HERE, "house.svg"), "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


main()
