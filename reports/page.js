"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const count = data.count;
  const byId = new Map(data.pairs.map((pair) => [pair.id, pair]));
  const status = document.getElementById("status");
  const dialog = document.getElementById("pair");
  const tables = [...document.querySelectorAll("table.map")];
  const SVG = "http://www.w3.org/2000/svg";

  // What a row says about a pair, in words.
  function verdict(row, id) {
    const cell = row.cells[id];
    if (cell === null) return "not run";
    if (row.kind === "engine")
      return cell.distinguished ? "distinguished in round " + cell.round : "not distinguished";
    let text = cell.distinguished === 0 ? "not distinguished" : "distinguished";
    if (cell.seeds > 1) text += " with " + (cell.distinguished === 0 ? "any" : cell.distinguished) + " of " + cell.seeds + " seeds";
    if (cell.false_positive) text += ", FALSE POSITIVE";
    if (cell.unreliable) text += ", reliability test failed";
    return text;
  }

  function pairOf(td) {
    return Number(td.closest("table").tHead.rows[0].cells[td.cellIndex].dataset.pair);
  }

  // "Pair 17", with the name that its file gives it.
  function titleOf(id) {
    const pair = byId.get(id);
    return "Pair " + id + (pair && pair.name ? ", " + pair.name : "");
  }

  function describe(id, row) {
    const pair = byId.get(id);
    return titleOf(id) + (pair ? " (" + pair.family + ", " + pair.nodes + " nodes)" : "") + ". " +
      (row ? row.title + ": " + verdict(row, id) + ". " : "") + "Select it for the whole pair.";
  }

  function element(name, text, attributes = {}) {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }

  // graph6: bits of the upper triangle, column by column, six per character. digraph6, marked by &:
  // bits of the whole matrix, row by row.
  function edgesOf(text) {
    const directed = text[0] === "&";
    const bytes = [...(directed ? text.slice(1) : text)].map((c) => c.charCodeAt(0) - 63);
    let n = bytes[0], at = 1;
    if (n === 63) { n = (bytes[1] << 12) | (bytes[2] << 6) | bytes[3]; at = 4; }
    const edges = [];
    let bit = 0;
    for (let v = directed ? 0 : 1; v < n; ++v)
      for (let u = 0; u < (directed ? n : v); ++u, ++bit)
        if ((bytes[at + Math.floor(bit / 6)] >> (5 - (bit % 6))) & 1) edges.push(directed ? [v, u] : [u, v]);
    return edges;
  }

  function drawing(graph, name) {
    const svg = document.createElementNS(SVG, "svg");
    const n = graph.colors.length, radius = n <= 16 ? 24 : n <= 40 ? 17 : n <= 80 ? 11 : 8;
    svg.setAttribute("viewBox", "-40 -40 1080 1080");
    svg.setAttribute("class", "drawing");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", name + ": " + n + " nodes, " + graph.edges + " edges");
    const add = (tag, attributes, text) => {
      const node = document.createElementNS(SVG, tag);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      if (text !== undefined) node.textContent = text;
      svg.append(node);
      return node;
    };
    const x = (v) => graph.xy[2 * v], y = (v) => graph.xy[2 * v + 1];
    for (const [u, v] of edgesOf(graph.graph6))
      add("line", { x1: x(u), y1: y(u), x2: x(v), y2: y(v), "stroke-width": graph.edges > 300 ? 1.2 : 2.5 });
    if (graph.graph6[0] === "&") // an arc has a small dot near its head
      for (const [u, v] of edgesOf(graph.graph6)) {
        const length = Math.hypot(x(v) - x(u), y(v) - y(u)) || 1, back = (radius + 14) / length;
        add("circle", { cx: x(v) + back * (x(u) - x(v)), cy: y(v) + back * (y(u) - y(v)), r: 6, class: "head" });
      }
    const colors = Math.max(...graph.colors) + 1;
    for (let v = 0; v < n; ++v) {
      const hue = (graph.colors[v] * 360 * 0.381966) % 360;
      const dot = add("circle", { cx: x(v), cy: y(v), r: radius, fill: "hsl(" + hue.toFixed(0) + " 62% 68%)" });
      const title = document.createElementNS(SVG, "title");
      title.textContent = "node " + v + ", colour " + graph.colors[v];
      dot.append(title);
      if (n <= 40 && colors > 1) add("text", { x: x(v), y: y(v) }, String(graph.colors[v]));
    }
    return svg;
  }

  function facts(pair) {
    const table = element("table", undefined, { class: "data" });
    const head = table.createTHead().insertRow();
    for (const name of ["", "first", "second"]) head.append(element("th", name, { scope: "col" }));
    const body = table.createTBody();
    for (const [name, key] of [["edges", "edges"], ["order of the automorphism group", "group_order"], ["orbits of nodes", "orbits"], ["graph6", "graph6"]]) {
      const row = body.insertRow();
      row.append(element("th", name, { scope: "row" }));
      for (const graph of pair.graphs) {
        const cell = row.insertCell();
        cell.append(key === "graph6" ? element("code", graph[key]) : String(graph[key]));
      }
    }
    return table;
  }

  function short(value) {
    return value === null || value === undefined ? "" : value === 0 ? "0" : Math.abs(value) >= 0.01 && Math.abs(value) < 1e5 ? value.toPrecision(4) : value.toExponential(2);
  }

  function verdicts(id) {
    const table = element("table", undefined, { class: "data" });
    const head = table.createTHead().insertRow();
    for (const name of ["engine or model", "verdict", "statistic, first seed", "threshold", "reliability"]) head.append(element("th", name, { scope: "col" }));
    const body = table.createTBody();
    for (const row of data.rows) {
      const line = body.insertRow();
      line.append(element("th", row.title, { scope: "row" }));
      line.insertCell().textContent = verdict(row, id);
      const study = data.studies.find((s) => s.row === row.id);
      const point = study && study.points.find((p) => p[0] === id);
      line.insertCell().textContent = point ? (study.statistic === "T2" ? "T² = " : "separation ") + (point[1] === null ? "infinite" : short(point[1])) : "";
      line.insertCell().textContent = point ? short(study.threshold) : "";
      line.insertCell().textContent = point && study.statistic === "T2" ? "T² = " + short(point[2]) : "";
    }
    return table;
  }

  function show(id) {
    const pair = byId.get(id);
    const body = document.getElementById("pair-body");
    document.getElementById("pair-title").textContent = titleOf(id) + (pair ? ": " + pair.family : "");
    body.replaceChildren();
    if (pair) {
      body.append(element("p", pair.nodes + " nodes. Origin: " + pair.origin + (pair.truth ? ". Proved: " + pair.truth : "")));
      const two = element("div", undefined, { class: "two" });
      pair.graphs.forEach((graph, k) => {
        const figure = element("figure");
        figure.append(drawing(graph, k ? "Second graph" : "First graph"));
        figure.append(element("figcaption", (k ? "Second" : "First") + " graph; a node's colour is its stable colour in a joint run of " + pair.engine));
        two.append(figure);
      });
      body.append(two);
    } else {
      body.append(element("p", "The graphs of this pair are not part of this report."));
    }
    const wide = element("div", undefined, { class: "scroll" });
    wide.append(verdicts(id));
    if (pair) wide.append(facts(pair));
    body.append(wide);
    dialog.dataset.pair = id;
    if (!dialog.open) dialog.showModal();
    if (location.hash !== "#pair-" + id) history.replaceState(null, "", "#pair-" + id);
  }

  function fromHash() {
    const match = /^#pair-(\d+)$/.exec(location.hash);
    if (match && Number(match[1]) < count) show(Number(match[1]));
  }

  for (const table of tables) {
    table.addEventListener("click", (event) => {
      const cell = event.target.closest("td");
      if (cell) show(pairOf(cell));
    });
    table.addEventListener("mouseover", (event) => {
      const cell = event.target.closest("td");
      if (cell) status.textContent = describe(pairOf(cell), data.rows[cell.parentElement.rowIndex - 1]);
    });
    table.addEventListener("focusin", (event) => {
      const head = event.target.closest("th[data-pair]");
      if (head) status.textContent = describe(Number(head.dataset.pair));
    });
  }
  window.addEventListener("hashchange", fromHash);
  dialog.addEventListener("close", () => history.replaceState(null, "", location.pathname + location.search + "#map"));
  document.getElementById("pair-close").addEventListener("click", () => dialog.close());
  const step = (by) => show((Number(dialog.dataset.pair) + by + count) % count);
  document.getElementById("pair-before").addEventListener("click", () => step(-1));
  document.getElementById("pair-after").addEventListener("click", () => step(1));
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });

  // Columns that the filters leave.
  const family = document.getElementById("by-family"), who = document.getElementById("by-row"), what = document.getElementById("by-verdict");
  function matches(id) {
    if (what.value === "any") return true;
    const row = data.rows[Number(who.value)];
    if (!row) return what.value === "none";
    const cell = row.cells[id];
    if (what.value === "none") return cell === null;
    return cell !== null && (what.value === "yes") === (cell.distinguished > 0);
  }
  function filter() {
    let shown = 0;
    for (const table of tables) {
      const block = table.closest(".block");
      let here = 0;
      [...table.tHead.rows[0].cells].forEach((head, column) => {
        if (head.dataset.pair === undefined) return;
        const visible = (family.value === "all" || block.dataset.family === family.value) && matches(Number(head.dataset.pair));
        here += visible;
        for (const row of table.rows) row.cells[column].hidden = !visible;
      });
      block.hidden = here === 0;
      shown += here;
    }
    document.getElementById("shown").textContent = shown + " pairs shown";
  }
  for (const select of [family, who, what]) select.addEventListener("change", filter);
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("reset").addEventListener("click", () => {
    family.value = "all"; what.value = "any";
    filter();
  });
  filter();
  fromHash();
})();
