#!/usr/bin/env python3
"""Drawings of `leman wl` as a lecturer has them: SVG through an XML parser, the page in chromium.

Usage: rounds_test.py PROGRAM. Without chromium the page is only read.
"""
import os, re, shutil, subprocess, sys, tempfile
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

program = os.path.abspath(sys.argv[1])
failures = []
HOSTILE = ["plain.g6", "<script>alert(1)<%2fscript>.g6", "a&amp;b\"'].g6", "tab\tline\nend.g6", "{{{shapes}}} -->]]>.g6",
           b"not utf-8 \xff\xc0\x80.g6", b"bell\x07\x1b[31m.g6", "G\u202e\U0001f600\ufffe.g6"]


def check(what, right, detail=""):
    if not right:
        failures.append(what)
        print(f"FAILED: {what} {detail}")


def leman(*words):
    return subprocess.run([program, "wl", *words], capture_output=True)


def svg_files(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".svg"))


class Page(HTMLParser):
    """Tags that are opened and closed in order; everything that could load or run something."""
    EMPTY = {"meta", "input", "br", "link", "img"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.problems, self.scripts, self.text = [], [], 0, ""
        self.feed(text)
        if self.open:
            self.problems.append(f"open at the end: {self.open}")

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name.startswith("on") or name in ("href", "src", "xlink:href") or "url(" in (value or ""):
                self.problems.append(f"{tag} {name}={value}")
        self.scripts += tag == "script"
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"closing {tag}")

    def handle_data(self, data):
        self.text += data


def hostile_names():
    for k, name in enumerate(HOSTILE):
        with open(name, "w") as file:
            file.write("EwCW\n")
        done = leman("--engine", "2fwl", "C6", name, "--svg", f"out{k}", "--html", f"out{k}.html")
        check(f"{name!r} is drawn", done.returncode == 1, done.stderr)
        check("one file per round, and all", svg_files(f"out{k}") == ["all.svg", "round-0.svg", "round-1.svg", "round-2.svg"])
        for file in svg_files(f"out{k}"):
            try:
                root = xml.parse(os.path.join(f"out{k}", file)).getroot()
                check("no script", not [e for e in root.iter() if e.tag.endswith(("script", "foreignObject", "image", "a"))])
            except xml.ParseError as error:
                check(f"{name!r} {file} is XML", False, error)
        with open(f"out{k}.html", "rb") as file:
            text = file.read().decode()  # is UTF-8
        page = Page(text)
        check(f"{name!r}: the page is in order", not page.problems and page.scripts == 1, page.problems[:3])
        check("policy", "default-src 'none'" in text and "http://" not in text and "https://" not in text)


def in_chromium():
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        print("no chromium: the page was not run")
        return
    def dom(address):
        done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
                               "--user-data-dir=profile", "--dump-dom", "file://" + os.path.abspath("out0.html") + address],
                              capture_output=True, text=True, timeout=120)
        return done.stdout
    for address, shown in (("", 0), ("#2", 2), ("#round-1", 1), ("#99", 2)):
        text = dom(address)
        check(f"round {shown} for {address!r}", re.findall(r'<section class="round shown" id="round-(\d+)"', text) == [str(shown)])
        check("the slider is there", '<form id="steps" class="steps">' in text and f"round {shown} of 2" in text)


def main():
    work = tempfile.mkdtemp(prefix="leman-rounds-")
    os.chdir(work)
    hostile_names()
    in_chromium()
    os.chdir("/")
    shutil.rmtree(work, ignore_errors=True)
    print("FAILED" if failures else "passed")
    return 1 if failures else 0


sys.exit(main())
