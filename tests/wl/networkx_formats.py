#!/usr/bin/env python3
"""Random graphs, written by networkx in every format that it can write, read by Leman; and the other way.

Usage: networkx_formats.py PROGRAM [COUNT [SEED]]. Every graph comes back as an edge list of Leman's, which
must have the same nodes, in order, the same edges and directions, and the colours that docs/formats.md
promises. What Leman writes, networkx must read as the same graph. Without networkx the script says so and
ends with exit code 77.
"""
import gzip, io, json, os, random, subprocess, sys, tempfile

try:
    import networkx as nx
except ImportError:
    print("skipped: python3 has no networkx")
    sys.exit(77)

PROGRAM = os.path.abspath(sys.argv[1])
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 25
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1


def optional(name):
    try:
        return __import__(name)
    except ImportError:
        return None


# What values look like: an attribute has values of one kind, and some nodes or edges may lack it.
KINDS = {
    "small": lambda r: r.randrange(4),
    "whole": lambda r: r.choice([0, 5, 7, 4294967295]),
    "large": lambda r: r.choice([-3, 2**40, 2**53 + 1, 2**53, 9]),
    "real": lambda r: r.choice([0.5, 2.0, -1.25, 1e-9, 3.0]),
    "reals that are whole": lambda r: float(r.randrange(5)),
    "text": lambda r: r.choice(["red", "Red", "7", "01", "10", "9", "r e d", "z\u00e9"]),
    "plain text": lambda r: r.choice(["red", "blue", "Red", "x1"]),
    "bool": lambda r: r.random() < 0.5,
}


def as_value(value, spelled):
    """Leman's order of values: numbers, then texts by their bytes."""
    if isinstance(value, bool):
        value = spelled[value]
    if isinstance(value, str) and value.lstrip("-").isdigit() and str(int(value)) == value:
        value = int(value)
    return (1, 0, value.encode()) if isinstance(value, str) else (0, value, b"")


def colors(values, spelled):
    """The colour of every value of the list; None is no value."""
    keys = [None if value is None else as_value(value, spelled) for value in values]
    known = sorted({key for key in keys if key is not None})
    small = all(kind == 0 and 0 <= number <= 0xFFFFFFFF and number == int(number) for kind, number, _ in known)
    number = {key: int(key[1]) if small else place for place, key in enumerate(known, 1)}
    return [0 if key is None else number[key] for key in keys]


def random_graph(rng, kinds, labels, directed=None):
    n = rng.randrange(13)
    names = labels(rng, n)
    directed = rng.random() < 0.5 if directed is None else directed
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(names)
    p = rng.random()
    for u in names:
        for v in names:
            if u != v and (directed or not graph.has_edge(v, u)) and rng.random() < p:
                graph.add_edge(u, v)
    node_kind, edge_kind = KINDS[rng.choice(kinds)], KINDS[rng.choice(kinds)]
    for v in names:
        graph.nodes[v]["other"] = rng.random()
        if rng.random() < 0.8:
            graph.nodes[v]["kind"] = node_kind(rng)
    for edge in graph.edges:
        if rng.random() < 0.8:
            graph.edges[edge]["weight"] = edge_kind(rng)
        graph.edges[edge]["note"] = "x"
    return graph


def numbers(rng, n):
    return rng.sample(range(100), n)


def words(rng, n):
    return rng.sample(["a", "b b", "\u00e9t\u00e9", "node", "graph", "1.5", "x-y", "0", "7", 'q"q', "<&>", "[z]", "ww"], n)


def plain_words(rng, n):
    return rng.sample(["a", "bb", "node1", "n1", "x", "y", "z", "X", "_u", "w0", "w1", "w2", "w3"], n)


class Disagreement(Exception):
    pass


def read_back(data, options, zipped):
    path = os.path.join(FOLDER, "file")
    with (gzip.open if zipped else open)(path, "wb") as file:
        file.write(data)
    done = subprocess.run([PROGRAM, "convert", "--to", "edgelist", path, *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise Disagreement(done.stderr)
    graphs = []
    for line in done.stdout.splitlines():
        fields = line.split()
        if fields[0] == "n":
            graphs.append([int(fields[1]), fields[2:] == ["directed"], {}, {}])
        elif fields[0] == "v":
            graphs[-1][2][int(fields[1])] = int(fields[2])
        else:
            graphs[-1][3][int(fields[0]), int(fields[1])] = int(fields[2]) if len(fields) > 2 else 0
    return graphs


def expected(graphs, nodes_of, spelled, node_colors=True, edge_colors=True):
    """What Leman should make of the graphs of one file; colours are numbered over all of them."""
    all_nodes = [graph.nodes[v].get("kind") if node_colors and v in graph else None for graph in graphs for v in nodes_of(graph)]
    all_edges = [graph.edges[e].get("weight") if edge_colors else None for graph in graphs for e in graph.edges]
    node_values, edge_values = iter(colors(all_nodes, spelled)), iter(colors(all_edges, spelled))
    result = []
    for graph in graphs:
        nodes = nodes_of(graph)
        place = {v: i for i, v in enumerate(nodes)}
        node_color = {i: c for i in range(len(nodes)) if (c := next(node_values)) != 0}
        edges = {}
        for u, v in graph.edges:
            ends = (place[u], place[v])
            edges[ends if graph.is_directed() else tuple(sorted(ends))] = next(edge_values)
        result.append([len(nodes), graph.is_directed(), node_color, edges])
    return result


def in_order(graph):
    return list(graph)


def by_appearance(graph):
    return list(dict.fromkeys(v for edge in graph.edges for v in edge))


def by_number(graph):
    return list(range(max((v for edge in graph.edges for v in edge), default=-1) + 1))


def written(write, *args, **options):
    buffer = io.BytesIO()
    write(*args, buffer, **options)
    return buffer.getvalue()


PYTHON, JSON_SPELLING, GML_SPELLING = ("False", "True"), ("false", "true"), (0, 1)
COLORS = ["--node-color", "kind", "--edge-color", "weight"]
ALL = list(KINDS)


def graphml(rng):
    # GraphML has one type per attribute and file.
    graph = random_graph(rng, ALL, rng.choice([numbers, words]))
    return written(nx.write_graphml, graph), [graph], in_order, PYTHON, COLORS


def gml(rng):
    kinds = [kind for kind in ALL if kind != "large"]  # networkx writes large numbers as strings
    graph = random_graph(rng, kinds, rng.choice([numbers, words]))
    if len(graph) == 0:
        graph.add_node("a")
    return written(nx.write_gml, graph), [graph], in_order, GML_SPELLING, COLORS


def with_edges_as(data, key):
    """Versions of networkx call them links or edges."""
    data[key] = data.pop("links" if "links" in data else "edges")
    return data


EDGES = "links" if "links" in nx.node_link_data(nx.Graph()) else "edges"


def node_link(rng):
    graphs = [random_graph(rng, ALL, rng.choice([numbers, words])) for _ in range(rng.choice([1, 1, 3]))]
    datas = [with_edges_as(nx.node_link_data(graph), rng.choice(["links", "edges"])) for graph in graphs]
    indent = rng.choice([None, 1])
    text = json.dumps(datas if rng.random() < 0.5 else datas[0], indent=indent)
    if text[0] != "[":
        text = "\n".join(json.dumps(data, indent=indent, ensure_ascii=False) for data in datas)
    return text.encode(), graphs, in_order, JSON_SPELLING, COLORS


def edge_list(rng):
    graph = random_graph(rng, [kind for kind in ALL if kind != "text"], rng.choice([numbers, plain_words]))
    data = written(nx.write_edgelist, graph)
    number = all(isinstance(v, int) for edge in graph.edges for v in edge)
    options = ["--edge-color", "weight", *(["--directed"] if graph.is_directed() else [])]
    return data, [graph] if graph.edges else [], by_number if number else by_appearance, PYTHON, options


def weighted_edge_list(rng):
    graph = random_graph(rng, ["real"], plain_words)
    data = written(nx.write_weighted_edgelist, graph)
    data = b"\n".join(line for line in data.split(b"\n") if len(line.split()) == 3)
    graph.remove_edges_from([edge for edge in graph.edges if "weight" not in graph.edges[edge]])
    options = ["--edge-color", "weight", *(["--directed"] if graph.is_directed() else [])]
    return data, [graph] if graph.edges else [], by_appearance, PYTHON, options


def snap(rng):
    graph = random_graph(rng, ["small"], numbers)
    data = b"# Nodes\n# FromNodeId\tToNodeId\n" + b"".join(b"%d\t%d\n" % edge for edge in graph.edges)
    for _, _, attributes in graph.edges(data=True):
        attributes.pop("weight", None)
    options = ["--relabel", *(["--directed"] if graph.is_directed() else [])]
    order = lambda g: sorted({v for edge in g.edges for v in edge})
    # A small block of lines may be a matrix; the format is then given.
    return data, [graph] if graph.edges else [], order, PYTHON, options + ["--format", "edgelist"]


def dot(rng):
    graphs = [random_graph(rng, ["small", "plain text", "real", "bool"], rng.choice([numbers, plain_words]))
              for _ in range(rng.choice([1, 1, 3]))]
    data = "\n".join(nx.nx_pydot.to_pydot(graph).to_string() for graph in graphs).encode()
    return data, graphs, in_order, PYTHON, COLORS


def matrix_market(rng):
    import scipy.io
    graph = random_graph(rng, ["small", "whole", "real"], numbers)
    if len(graph) == 0:
        graph.add_node(0)
    for edge in graph.edges:
        graph.edges[edge].setdefault("weight", 1)
    matrix = nx.to_scipy_sparse_array(graph, dtype=float, weight="weight")
    # Entries that are 0 are not written.
    graph.remove_edges_from([edge for edge in graph.edges if graph.edges[edge]["weight"] == 0])
    matrix.eliminate_zeros()
    if rng.random() < 0.3:
        matrix = matrix.toarray()
    options = ["--edge-color", "weight", *(["--directed"] if graph.is_directed() else [])]
    return written(lambda buffer: scipy.io.mmwrite(buffer, matrix)), [graph], in_order, PYTHON, options


def metis(rng):  # networkx has no writer
    graph = random_graph(rng, ["small", "whole"], numbers, directed=False)
    if not graph.edges:
        graph.add_edge(200, 201)
    weights = rng.choice([True, False])
    place = {v: i for i, v in enumerate(graph, 1)}
    lines = [f"{len(graph)} {graph.size()}" + (" 1" if weights else "")]
    for edge in graph.edges:
        graph.edges[edge].setdefault("weight", 3)
    for v in graph:
        fields = []
        for w in graph[v]:
            fields += [place[w], graph.edges[v, w]["weight"]] if weights else [place[w]]
        lines.append(" ".join(map(str, fields)))
    if not weights:
        for edge in graph.edges:
            del graph.edges[edge]["weight"]
    return "\n".join(lines + [""]).encode(), [graph], in_order, PYTHON, ["--edge-color", "weight"] if weights else []


def npy(rng):
    import numpy
    graphs = [random_graph(rng, ["small"], lambda _, n: list(range(n)), directed=False) for _ in range(2 * rng.randrange(1, 4))]
    write = rng.choice([nx.to_graph6_bytes, nx.to_sparse6_bytes])
    strings = [write(graph, header=rng.random() < 0.5) for graph in graphs]
    array = numpy.array(strings if rng.random() < 0.5 else [text.decode() for text in strings])
    if rng.random() < 0.5:
        array = array.reshape(-1, 2)
    buffer = io.BytesIO()
    numpy.save(buffer, array)
    for graph in graphs:
        for edge in graph.edges:
            graph.edges[edge].clear()
    return buffer.getvalue(), graphs, in_order, PYTHON, []


def graph6(rng):
    graph = random_graph(rng, ["small"], lambda _, n: list(range(n)), directed=False)
    for edge in graph.edges:
        graph.edges[edge].clear()
    return written(rng.choice([nx.write_graph6, nx.write_sparse6]), graph), [graph], in_order, PYTHON, []


FORMATS = {"graph6, sparse6": graph6, "GraphML": graphml, "GML": gml, "node-link JSON": node_link,
           "networkx edge list": edge_list, "weighted edge list": weighted_edge_list, "SNAP edge list": snap,
           "METIS": metis}
if optional("pydot"):
    FORMATS["DOT"] = dot
if optional("scipy"):
    FORMATS["Matrix Market"] = matrix_market
if optional("numpy"):
    FORMATS["NumPy array of graph6"] = npy


# What Leman writes, read by networkx; nodes come back as texts where the format has no numbers.
READERS = {
    "graphml": lambda text: nx.parse_graphml(text, node_type=int),
    "json": lambda text: nx.node_link_graph(with_edges_as(json.loads(text), EDGES)),
}
if optional("pydot"):
    READERS["dot"] = lambda text: nx.nx_pydot.from_pydot(sys.modules["pydot"].graph_from_dot_data(text)[0])


def colored_graph(rng):
    """A graph on 0..n-1 with colours of nodes, edges, both or none."""
    graph = random_graph(rng, ["small"], lambda _, n: list(range(n)))
    on_nodes, on_edges = rng.random() < 0.7, rng.random() < 0.7
    for v in graph:
        graph.nodes[v].clear()
        if on_nodes:
            graph.nodes[v]["color"] = rng.randrange(3)
    for edge in graph.edges:
        graph.edges[edge].clear()
        if on_edges:
            graph.edges[edge]["color"] = rng.randrange(3)
    return graph


def as_edge_list(graph):
    lines = [f"n {len(graph)} {'directed' if graph.is_directed() else 'undirected'}"]
    lines += [f"v {v} {color}" for v, color in graph.nodes(data="color", default=0)]
    lines += [f"{u} {v} {color}" for u, v, color in graph.edges(data="color", default=0)]
    return "\n".join(lines) + "\n"


def plain(graph):
    """Nodes, directions and colours other than 0, whatever class and types networkx has made of them."""
    ends = (lambda u, v: (u, v)) if graph.is_directed() else (lambda u, v: (min(u, v), max(u, v)))
    return (graph.is_directed(), {int(v): int(color) for v, color in graph.nodes(data="color", default=0)},
            {ends(int(u), int(v)): int(color) for u, v, color in graph.edges(data="color", default=0)})


def written_by_leman(name, rng):
    graph = colored_graph(rng)
    done = subprocess.run([PROGRAM, "convert", "--to", name], input=as_edge_list(graph), capture_output=True, text=True)
    if done.returncode != 0:
        raise Disagreement(done.stderr)
    if (found := plain(READERS[name](done.stdout))) != plain(graph):
        raise Disagreement(f"{done.stdout}\nexpected {plain(graph)}\nfound    {found}")


def refused(data, name):
    """What networkx can write and Leman does not read is named."""
    path = os.path.join(FOLDER, "refused")
    with open(path, "wb") as file:
        file.write(data)
    done = subprocess.run([PROGRAM, "convert", path], capture_output=True, text=True)
    return done.returncode == 3 and name in done.stderr and "graphml" in done.stderr and len(done.stderr.splitlines()) == 1


def main():
    failed = 0
    for name, make in FORMATS.items():
        rng = random.Random(f"{SEED} {name}")
        good = 0
        for number in range(COUNT):
            data, graphs, nodes_of, spelled, options = make(rng)
            wanted = expected(graphs, nodes_of, spelled, "--node-color" in options, "--edge-color" in options)
            try:
                found = read_back(data, options, number % 4 == 3)
                if found != wanted:
                    raise Disagreement(f"expected {wanted}\nfound    {found}")
                good += 1
            except Disagreement as error:
                failed += 1
                if failed <= 5:
                    print(f"{name}, graph {number}, {' '.join(options)}:\n{data.decode(errors='replace')}\n{error}\n")
        print(f"{name:24} {good} of {COUNT}")
    for name in READERS:
        rng = random.Random(f"{SEED} {name}")
        good = 0
        for _ in range(COUNT):
            try:
                written_by_leman(name, rng)
                good += 1
            except Disagreement as error:
                failed += 1
                if failed <= 5:
                    print(f"{name} by Leman:\n{error}\n")
        print(f"{name + ' by Leman':24} {good} of {COUNT}")
    path = nx.path_graph(3)
    for write, format_name in ((nx.write_gexf, "GEXF"), (nx.write_pajek, "Pajek"), (nx.write_adjlist, "adjacency list")):
        if not refused(written(write, path), format_name):
            failed += 1
            print(f"{format_name} is not refused by its name")
    return 1 if failed else 0


with tempfile.TemporaryDirectory(prefix="leman-networkx-") as FOLDER:
    CODE = main()
sys.exit(CODE)
