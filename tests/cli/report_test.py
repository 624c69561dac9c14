#!/usr/bin/env python3
"""The report as a reader has it: JSON against the schema, the page in a browser, LaTeX.

Usage: report_test.py PROGRAM SOURCE_DIR. Parts whose program (chromium, pdflatex) is
not installed are named as left out. Chromium is driven through its debugging pipe: no library.
"""
import json, os, shutil, sqlite3, subprocess, sys, tempfile, time

program, source = sys.argv[1:3]
failures = []


def check(what, right, detail=""):
    if not right:
        failures.append(what)
        print(f"FAILED: {what} {detail}")


def problems(value, schema, where="report", top=None):
    """What of a JSON value does not fit a schema: the words of docs/report.schema.json."""
    top = top or schema
    if "$ref" in schema:
        schema = top["definitions"][schema["$ref"].rsplit("/", 1)[1]]
    types = {"object": dict, "array": list, "string": str, "null": type(None), "boolean": bool, "number": (int, float), "integer": int}
    if "anyOf" in schema:
        tries = [list(problems(value, option, where, top)) for option in schema["anyOf"]]
        if all(tries):
            yield tries[0][0]
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(isinstance(value, types[n]) and not (n in ("number", "integer") and isinstance(value, bool)) for n in names):
            yield f"{where}: {type(value).__name__}, not {names}"
            return
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{where}: {value} is too small"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{where}: {len(value)} entries"
        for k, item in enumerate(value):
            yield from problems(item, schema.get("items", {}), f"{where}[{k}]", top)
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{where}: no {key}"
        extra = schema.get("additionalProperties", True)
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, extra)
            if inner is False:
                yield f"{where}: {key} is not expected"
            elif inner is not True:
                yield from problems(item, inner, f"{where}.{key}", top)


class Browser:
    """Chromium behind its debugging pipe: messages end with a zero byte."""

    def __init__(self, executable):
        to_child, self.out = os.pipe()
        self.into, from_child = os.pipe()
        self.profile = tempfile.mkdtemp()

        def wire():  # above 4 first: a pipe may be 3 or 4 already
            high = [os.dup2(fd, 100 + k) for k, fd in enumerate((to_child, from_child))]
            os.dup2(high[0], 3), os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [executable, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={self.profile}"],
            preexec_fn=wire, close_fds=False, stderr=subprocess.DEVNULL)
        self.buffer, self.events, self.count, self.session = b"", [], 0, None

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                self.buffer += os.read(self.into, 1 << 20)
            text, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.count:
                return answer.get("result", answer)
            self.events.append(answer)

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return result.get("result", {}).get("value", result)

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Network", "Page", "Log"):
            self.call(domain + ".enable")
        self.call("Page.navigate", url=url)
        for _ in range(200):
            if self.evaluate("document.readyState") == "complete":
                return
            time.sleep(0.05)

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def browse(page):
    executable = shutil.which("chromium")
    if not executable:
        print("left out: the page in a browser (chromium is not installed)")
        return
    browser = Browser(executable)
    try:
        browser.open("file://" + page)
        check("the title", browser.evaluate("document.title").startswith("Expressivity report"))
        check("all pairs are shown", browser.evaluate("document.getElementById('shown').textContent") == "400 pairs shown")
        browser.evaluate("const f = document.getElementById('by-family'); f.value = 'cfi'; f.dispatchEvent(new Event('change'))")
        check("the family filter", browser.evaluate("document.getElementById('shown').textContent") == "100 pairs shown")
        browser.evaluate("const v = document.getElementById('by-verdict'); v.value = 'none'; v.dispatchEvent(new Event('change'))")
        check("the verdict filter", browser.evaluate("document.getElementById('shown').textContent") == "99 pairs shown")
        browser.evaluate("document.getElementById('reset').click()")
        browser.evaluate("document.querySelector('th[data-pair=\"60\"] a').click()")
        time.sleep(0.2)
        check("a pair opens", browser.evaluate("document.getElementById('pair').open") is True)
        check("its name", "Pair 60" in browser.evaluate("document.getElementById('pair-title').textContent"))
        drawn = browser.evaluate("[...document.querySelectorAll('.drawing')].map(d => [d.querySelectorAll('circle').length, d.querySelectorAll('line').length])")
        with open(os.path.join(os.path.dirname(page), "report.json")) as file:
            pair = json.load(file)["pairs"][60]
        check("both graphs are drawn", drawn == [[pair["nodes"], g["edges"]] for g in pair["graphs"]], drawn)
        browser.evaluate("document.getElementById('pair-after').click()")
        check("the next pair", "Pair 61" in browser.evaluate("document.getElementById('pair-title').textContent"))
        check("names are text", browser.evaluate("document.querySelectorAll('#injected').length") == 0)
        wide = browser.evaluate("(() => { document.getElementById('pair').close(); return document.documentElement.scrollWidth - innerWidth })()")
        check("nothing sticks out", wide <= 0, wide)
        browser.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
        narrow = browser.evaluate("document.documentElement.scrollWidth - 390")
        check("nothing sticks out on a phone", narrow <= 0, narrow)
        for event in browser.events:
            method = event.get("method")
            check("no script error", method not in ("Runtime.exceptionThrown",), event)
            if method == "Log.entryAdded":
                check("no message", event["params"]["entry"]["level"] != "error", event)
            if method == "Network.requestWillBeSent":
                check("no request leaves", event["params"]["request"]["url"].startswith(("file://", "data:")), event)
    finally:
        browser.close()


def typeset(directory):
    if not shutil.which("pdflatex"):
        print("left out: LaTeX (pdflatex is not installed)")
        return
    tables = [name for name in os.listdir(directory) if name.endswith(".tex")]
    check("there are LaTeX tables", len(tables) == 2, tables)
    with open(os.path.join(directory, "all.tex"), "w") as file:
        file.write("\\documentclass{article}\\usepackage[utf8]{inputenc}\\usepackage{booktabs}\\begin{document}\n")
        file.writelines(f"\\input{{{name}}}\n\n" for name in tables)
        file.write("\\end{document}\n")
    result = subprocess.run(["pdflatex", "-halt-on-error", "all.tex"], cwd=directory, capture_output=True, text=True)
    check("LaTeX compiles", result.returncode == 0, result.stdout[-600:])


def main():
    work = tempfile.mkdtemp()
    try:
        def leman(*words):
            return subprocess.run([program, *words], cwd=work, capture_output=True, text=True, env={k: v for k, v in os.environ.items() if k != "LEMAN_BREC"})
        run = leman("brec", "--builtin", "--model", "et", "--protocol", "exact", "--pairs", "60-69,270", "--epochs", "1", "--store", "a.sqlite")
        check("a study runs", run.returncode == 0, run.stderr)
        # A command line from a file of somebody else is text, whatever it holds.
        with sqlite3.connect(os.path.join(work, "a.sqlite")) as store:
            store.execute("UPDATE study SET value = ? WHERE key = 'command'", ["</script><b id=injected>&\"' <!-- leman"])
        run = leman("agree", "--graphs", "28", "--n", "5-6", "--layers", "2", "--width", "8", "--store", "b.sqlite")
        check("agreement runs", run.returncode == 0, run.stderr)
        run = leman("report", "a.sqlite", "b.sqlite", "--builtin", "--out", "report")
        check("the report is written", run.returncode == 0, run.stderr)
        page = os.path.join(work, "report", "index.html")
        with open(os.path.join(work, "report", "report.json")) as file, open(os.path.join(source, "docs", "report.schema.json")) as schema:
            report, schema = json.load(file), json.load(schema)
        found = list(problems(report, schema))
        check("the JSON fits its schema", not found, found[:5])
        pairs = sum(family["pairs"] for family in report["families"])
        check("one cell per pair", all(len(row["cells"]) == pairs == 400 for row in report["rows"]))
        broken = {**report, "published": [{"model": "x", "counts": []}]}
        check("the schema can say no", any("entries" in p for p in problems(broken, schema)))
        with open(page) as file:
            text = file.read()
        check("the page names no address", "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", ""))
        check("the page is small", len(text) < 3_000_000, len(text))
        browse(page)
        typeset(os.path.join(work, "report"))
    finally:
        shutil.rmtree(work)
    print("report_test:", f"{len(failures)} failed" if failures else "passed")
    sys.exit(1 if failures else 0)


main()
