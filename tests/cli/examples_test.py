#!/usr/bin/env python3
"""Runs every example of every `leman COMMAND --help`, as it stands there.

Usage: examples_test.py PROGRAM. Files that examples name are made first. What takes longer than a
few seconds is interrupted as a user would, and must end in order.
"""
import os, re, shutil, struct, subprocess, sys, tempfile

program = os.path.abspath(sys.argv[1])
SECONDS = 2
LEFT_OUT = {
    "model.pt": "needs a TorchScript file; tests/brec/protocol_test.cpp makes and runs such files",
    "--kernel cuda": "needs a GPU",
    "man -l": "needs man, which containers seldom have",
    "import numpy": "needs NumPy",
}


def shell(command, seconds=SECONDS):
    # --foreground would keep children alive; a signal to the group is what a terminal sends.
    return subprocess.run(["timeout", "--signal=INT", "--kill-after=20", str(seconds), "bash", "-c", command],
                          capture_output=True, text=True, errors="replace")


def commands():
    overview = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    for line in overview.splitlines():
        match = re.match(r"  (?!leman )(\S+(?: \S+)?)  +\S", line)
        if match:
            yield match.group(1)


def examples(command):
    text = subprocess.run([program, *command.split(), "--help"], capture_output=True, text=True).stdout
    behind = text.split("\nExamples:\n", 1)
    if len(behind) == 1:
        raise SystemExit(f"{command}: no examples")
    return [line.strip() for line in behind[1].splitlines() if line.strip()]


def prepare():
    for command in (
        "leman gen er 12 0.3 --count 4 > a.g6", "leman gen cycle 6 > b.g6", "leman gen cfi --base C4 > cfi.g6",
        "leman gen er 9 0.5 --count 3 > big.g6", "cp a.g6 suspicious.g6",
        "leman gen er 50 0.1 --to edgelist | gzip > big.edgelist.gz", "cp big.edgelist.gz graph.edgelist.gz",
        "printf '0 1\\n0 0\\n' > arcs.txt", "printf 'n 3\\nv 1 2\\n0 1 4\\n' > colored.edgelist",
        "leman convert --to graphml --out colored.graphml colored.edgelist", "printf '7\\t12345678901\\n' > edges.tsv",
        r"""printf '{"graph6": "EhEG", "label": 0.5}\n{"graph6": "EwCW", "label": 1.25}\n' > molecules.jsonl""",
        r"""printf 'graph6,label\nEhEG,0\nEwCW,1\n' > parity.csv""",
        r"""printf '{"graph6": "EhEG", "node_labels": [1, 1, 1, 1, 1, 2]}\n' > roles.jsonl""",
        "mkdir MUTAG && printf '1, 2\\n2, 1\\n' > MUTAG/MUTAG_A.txt && printf '1\\n1\\n2\\n' > MUTAG/MUTAG_graph_indicator.txt"
        " && printf '1\\n-1\\n' > MUTAG/MUTAG_graph_labels.txt",
        "leman brec --builtin --model et --protocol exact --pairs 0 --store exact.sqlite",
        "leman brec --builtin --model et --protocol published --pairs 60 --store published.sqlite",
        "leman agree --graphs 28 --n 5-6 --store agree.sqlite",
        "leman brec export --builtin --pairs 0-1 --out graphs",
        "leman pairs --builtin --graph6 --pairs 0-2,60-61 > mine.g6",
        "paste -d, - - < mine.g6 | sed 's/^/,my family,,/' > mine.csv; echo ',controls,,DqK,DqK' >> mine.csv",
        "for i in 1 2; do leman brec --builtin --model et --protocol exact --pairs 0-1 --shard $i/2 --store part$i.sqlite; done",
    ):
        done = shell(command, 120)
        if done.returncode not in (0, 1):
            raise SystemExit(f"preparing: {command}: {done.stderr}")
    with open("strings.npy", "wb") as file:  # numpy.array([b"DQc", b"A_"])
        header = "{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }".ljust(117) + "\n"
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + b"DQcA_\0")
    # What a program of the user's would write: one array [128, 1] per pair.
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (128, 1), }".ljust(117) + "\n"
    for pair in range(60):
        with open(f"graphs/pair_{pair:03}.npy", "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
            file.write(struct.pack("<128d", *(k % 7 for k in range(128))))


def main():
    work = tempfile.mkdtemp(prefix="leman-examples-")
    folder = os.path.join(work, "work")  # ../shared is not there
    os.makedirs(folder)
    os.makedirs(os.path.join(work, "bin"))
    os.symlink(program, os.path.join(work, "bin", "leman"))
    os.environ["PATH"] = os.path.join(work, "bin") + os.pathsep + os.environ["PATH"]
    os.environ.pop("LEMAN_BREC", None)
    os.chdir(folder)
    prepare()
    run = failed = left = 0
    for command in commands():
        for example in examples(command):
            if any(key in example for key in LEFT_OUT):
                left += 1
                continue
            # Each in a copy of what was prepared; a store that it makes is its own.
            here = os.path.join(work, f"run{run}")
            shutil.copytree(folder, here)
            os.chdir(here)
            store = re.search(r"--store (\S+)", example)
            if store and os.path.exists(store.group(1)):
                os.remove(store.group(1))
            done = shell(example)
            run += 1
            # 1: distinguished, or a check that fails as it should; 124, 130: interrupted; 137 would be a hang.
            if done.returncode not in (0, 1, 124, 130):
                failed += 1
                print(f"{command}: {example}\n  exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    os.chdir("/")
    shutil.rmtree(work, ignore_errors=True)
    print(f"{run - failed} passed, {failed} failed, {left} skipped")
    return 1 if failed or run < 40 else 0


sys.exit(main())
