// The Edge Transformer as a whole: configurations, tokens, the published form
// written out, quotient against dense, weights files.
#include "et/model.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "et/estimate.hpp"
#include "tests/support.hpp"
#include "tests/temporary.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/graph_ops.hpp"

namespace leman::et {
namespace {

using torch::Tensor;
using wl::Graph;

double error(const Tensor& a, const Tensor& b) {
  if (a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  const double norm = b.to(torch::kFloat64).norm().item<double>();
  return (a - b).to(torch::kFloat64).norm().item<double>() / (norm > 0 ? norm : 1);
}

std::vector<wl::Node> shuffled(wl::Node n, Rng& rng) {
  std::vector<wl::Node> order(n);
  for (wl::Node v = 0; v < n; ++v) order[v] = v;
  for (wl::Node v = n; v > 1; --v) std::swap(order[v - 1], order[rng.below(v)]);
  return order;
}

std::vector<Config> some_configs() {
  std::vector<Config> configs;
  for (const Dtype dtype : {Dtype::Float32, Dtype::Float64}) {
    Config paper = preset("paper");
    paper.layers = 3;
    Config brec = preset("brec");
    brec.layers = 3;
    Config rich = preset("zinc");
    rich.layers = 2, rich.width = 24, rich.heads = 3, rich.rrwp = 5, rich.qk_norm = rich.value_norm = true;
    rich.attention_dropout = 0;
    rich.graph_readout = GraphReadout::Mean, rich.pair_outputs = 3, rich.node_outputs = 2;
    Config untied = brec;
    untied.tied = false, untied.rrwp = 4, untied.init_std = 0.5, untied.graph_readout = GraphReadout::Max,
    untied.batch_norm = false;
    Config bare = paper;
    bare.ffn_depth = 1, bare.token = TokenKind::Brec, bare.node_readout = NodeReadout::Rho, bare.graph_outputs = 0,
    bare.activation = Activation::Tanh;
    Config moments = preset("sound");
    moments.layers = 3;
    Config nonlinear = moments;
    nonlinear.graph_readout = GraphReadout::Nonlinear, nonlinear.activation = Activation::Gelu;
    for (Config* c : {&paper, &brec, &rich, &untied, &bare, &moments, &nonlinear}) {
      c->dtype = dtype;
      configs.push_back(*c);
    }
  }
  return configs;
}

double tolerance(const Config& c) { return c.dtype == Dtype::Float32 ? 2e-4 : 1e-11; }

TEST(Config, RoundTripAndErrors) {
  for (const Config& c : some_configs()) EXPECT_EQ(config_from_json(to_json(c), "text"), c);
  EXPECT_EQ(config_from_json(R"({"preset": "brec", "layers": 7})", "text").layers, 7);
  for (const char* bad : {"",
                          "[]",
                          "{",
                          R"({"layers": 0})",
                          R"({"layers": 2.5})",
                          R"({"layers": 99999999999})",
                          R"({"width": 30})",
                          R"({"layer": "odd"})",
                          R"({"depth": 3})",
                          R"({"tied": 1})",
                          R"({"preset": "none"})",
                          R"({"init_std": 1e400})",
                          R"({"dtype": "a\nb"})",
                          R"({"x\ny": 1})",
                          R"({"preset": "brec", "graph_outputs": 0})",
                          R"({"preset": "brec", "node_colors": 2})",
                          R"({"value_norm": true, "attention_dropout": 0.1})",
                          R"({"preset": 1})",
                          R"({"dropout": 1.0})",
                          R"({"init_std": -1})"})
    try {
      config_from_json(bad, "file.json");
      ADD_FAILURE() << bad;
    } catch (const ConfigError& e) {
      EXPECT_EQ(std::string(e.what()).rfind("file.json", 0), 0u) << e.what();
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
    }
  EXPECT_THROW(load_config("/no/such/file.json"), ConfigError);
}

// The formulas of the published BREC model, written out with LibTorch.
TEST(EdgeTransformer, PublishedModelWrittenOut) {
  Config c = preset("brec");
  c.dtype = Dtype::Float64, c.init_std = 0.4, c.layers = 3;  // large weights: every term counts
  auto model = std::make_shared<EdgeTransformer>(c, 3);
  model->eval();
  Rng rng(8);
  const Graph graph = wl::erdos_renyi(9, 0.4, rng);
  auto named = model->named_parameters();
  const std::int64_t n = 9, h = 4, dh = 8;
  for (auto& each : named)  // norms start as the identity: change that
    if (each.key().ends_with("gain") || each.key().ends_with("shift")) {
      torch::NoGradGuard no_grad;
      each.value().add_(torch::linspace(-0.3, 0.4, each.value().numel(), torch::kFloat64).view_as(each.value()));
    }
  Tensor x = torch::zeros({n, n, 1}, torch::kFloat64);
  for (wl::Node i = 0; i < n; ++i)
    for (wl::Node j = 0; j < n; ++j) x[i][j][0] = i == j ? 2 : graph.has_edge(i, j) ? 1 : 0;
  Tensor out = torch::zeros({16}, torch::kFloat64);
  for (int t = 0; t < 3; ++t) {
    const std::string l = "layer" + std::to_string(t) + "_";
    const Tensor p = torch::linear(x, named[l + "projection_weight"], named[l + "projection_bias"]).view({n, n, h, dh});
    auto norm = [&](const Tensor& v) {
      return torch::layer_norm(v, {dh}, named[l + "qk_gain"], named[l + "qk_shift"], 1e-5);
    };
    const Tensor a = torch::softmax(torch::einsum("ilhc,ljhc->iljh", {norm(p), norm(p)}) / std::sqrt(8.0), 1);
    const Tensor v = norm(torch::einsum("ilhc,ljhc->iljhc", {p, p}));
    const Tensor update = torch::einsum("iljh,iljhc->ijhc", {a, v}).reshape({n, n, h * dh});
    x = torch::layer_norm(torch::linear(torch::cat({x, update}, -1), named[l + "mix_weight"], named[l + "mix_bias"]),
                          {32}, named[l + "mixed_gain"], named[l + "mixed_shift"], 1e-5);
    const Tensor diagonal = std::get<0>(x.diagonal().t().max(0));
    const Tensor other = std::get<0>((x - 1e9 * torch::eye(n, torch::kFloat64).unsqueeze(-1)).view({n * n, 32}).max(0));
    out = out + torch::linear(torch::cat({diagonal, other}), named[l + "pooled_weight"], named[l + "pooled_bias"]);
  }
  const ModelOutput found = model->forward(Domain::dense({&graph}), {});
  EXPECT_LT(error(found.pairs, x.view({n * n, 32})), 1e-12);
  EXPECT_LT(error(found.graphs[0], out / std::sqrt(1 + 1e-5)), 1e-12);  // batch norm with its initial statistics
}

// X <- FFN(X + TriAttention(LN(X))), once, with tokens and the rho readout.
TEST(EdgeTransformer, PaperModelWrittenOut) {
  Config c = preset("paper");
  c.dtype = Dtype::Float64, c.layers = 1, c.node_colors = 3, c.edge_colors = 2, c.node_readout = NodeReadout::Rho;
  auto model = std::make_shared<EdgeTransformer>(c, 4);
  model->eval();
  Rng rng(9);
  const Graph graph = test::random_graph(7, 0.5, {true, 3, 2}, rng);
  auto w = model->named_parameters();
  const std::int64_t n = 7;
  auto linear = [&](const Tensor& x, const std::string& name) {
    return torch::linear(x, w[name + "_weight"], w[name + "_bias"]);
  };
  auto mlp = [&](const Tensor& x, const std::string& name) {
    return linear(torch::gelu(linear(x, name + "_0")), name + "_1");
  };
  Tensor e = torch::zeros({n, n, 16 + 3 + 3}, torch::kFloat64);
  for (wl::Node i = 0; i < n; ++i)
    for (wl::Node j = 0; j < n; ++j) {
      if (i == j)
        e[i][j].slice(0, 0, 16) = w["diagonal_token"];
      else if (graph.has_edge(i, j))
        e[i][j].slice(0, 0, 16) = w["edge_tokens"][graph.edge_color(i, j)];
      e[i][j][16 + graph.node_color(i)] = 1;
      e[i][j][19 + graph.node_color(j)] = 1;
    }
  Tensor x = mlp(e, "token");
  const Tensor in = torch::layer_norm(x, {32}, w["layer0_input_gain"], w["layer0_input_shift"], 1e-5);
  AttentionOptions options;
  options.heads = 4;
  options.kernel = "reference";
  const Tensor update = triangle_attention(in.view({n * n, 32}), {7},
                                           {w["layer0_projection_weight"],
                                            w["layer0_projection_bias"],
                                            {},
                                            {},
                                            w["layer0_output_weight"],
                                            w["layer0_output_bias"]},
                                           options);
  x = mlp(x + update.view({n, n, 32}), "layer0_ffn");
  const Tensor nodes = mlp(x, "rho1").sum(1) + mlp(x, "rho2").sum(0);
  const ModelOutput found = model->forward(Domain::dense({&graph}), {});
  EXPECT_LT(error(found.pairs, x.view({n * n, 32})), 1e-12);
  EXPECT_LT(error(found.nodes, nodes), 1e-12);
  EXPECT_LT(error(found.graphs[0], linear(nodes.sum(0), "graph")), 1e-12);
}

// The output of the dense model on a batch of graphs, read off their joint quotient.
struct Expanded {
  Tensor pairs, nodes;
  std::vector<Tensor> layers;
};
Expanded expand(const ModelOutput& out, const wl::Quotient& q) {
  std::vector<std::int64_t> pair_rows, node_rows, rank(q.colors, 0);
  for (wl::Color c = 1; c < q.colors; ++c) rank[c] = rank[c - 1] + q.diagonal[c - 1];
  for (const auto& coloring : q.coloring) {
    const auto n = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(coloring.size()))));
    for (wl::Color c : coloring) pair_rows.push_back(c);
    for (std::size_t i = 0; i < n; ++i) node_rows.push_back(rank[coloring[i * n + i]]);
  }
  const Tensor pairs = torch::tensor(pair_rows, torch::kInt64), nodes = torch::tensor(node_rows, torch::kInt64);
  Expanded e{out.pairs.index_select(0, pairs), out.nodes.index_select(0, nodes), {}};
  for (const Tensor& layer : out.layers) e.layers.push_back(layer.index_select(0, pairs));
  return e;
}

TEST(EdgeTransformer, QuotientEqualsDense) {
  Rng rng(11);
  for (const Config& c : some_configs()) {
    auto model = std::make_shared<EdgeTransformer>(c, 5);
    model->eval();
    std::vector<Graph> graphs{wl::shrikhande(), wl::path(9), wl::erdos_renyi(8, 0.5, rng), wl::complete(1)};
    if (c.node_colors > 1) graphs.push_back(test::random_graph(7, 0.4, {false, 3, 4}, rng));
    std::vector<const Graph*> list;
    for (const Graph& g : graphs) list.push_back(&g);
    RunSettings settings;
    settings.keep_layers = true;
    const Domain colors = Domain::colors(list);
    const ModelOutput dense = model->forward(Domain::dense(list), settings), small = model->forward(colors, settings);
    const Expanded e = expand(small, *colors.quotient);
    EXPECT_LT(error(e.pairs, dense.pairs), tolerance(c)) << to_json(c);
    EXPECT_LT(error(e.nodes, dense.nodes), tolerance(c)) << to_json(c);
    EXPECT_LT(error(small.graphs, dense.graphs), tolerance(c)) << to_json(c);
    for (std::size_t t = 0; t < e.layers.size(); ++t)
      EXPECT_LT(error(e.layers[t], dense.layers[t]), tolerance(c)) << "layer " << t;
  }
}

TEST(EdgeTransformer, QuotientGradientsEqualDenseOnes) {
  for (Config c : some_configs()) {
    if (c.dtype == Dtype::Float32) continue;
    c.attention_dropout = 0;
    Rng rng(12);
    const Graph a = wl::rook(4, 4), b = wl::erdos_renyi(7, 0.4, rng);
    std::vector<Tensor> grads[2];
    for (int side : {0, 1}) {
      auto model = std::make_shared<EdgeTransformer>(c, 6);
      model->train();
      const ModelOutput out = model->forward(side ? Domain::colors({&a, &b}) : Domain::dense({&a, &b}), {});
      const Tensor weights = torch::linspace(-1, 1, out.graphs.numel(), torch::kFloat64).view_as(out.graphs);
      (out.graphs * weights).sum().backward();
      for (const Tensor& p : model->parameters())
        grads[side].push_back(p.grad().defined() ? p.grad() : torch::zeros_like(p));
    }
    // Relative to the whole gradient: that of a bias before a layer norm is only rounding.
    double whole = 0, difference = 0;
    for (std::size_t k = 0; k < grads[0].size(); ++k) {
      whole += grads[0][k].square().sum().item<double>();
      difference += (grads[0][k] - grads[1][k]).square().sum().item<double>();
    }
    EXPECT_LT(std::sqrt(difference), 1e-9 * std::sqrt(whole)) << to_json(c);
  }
}

// Relabelled graphs: the quotient gives the same bits, the dense model the same values
// up to rounding. Equal colours give equal embeddings in every layer.
TEST(EdgeTransformer, RelabellingsAndColors) {
  Rng rng(13);
  for (const Config& c : some_configs()) {
    auto model = std::make_shared<EdgeTransformer>(c, 7);
    model->eval();
    std::vector<Graph> graphs{wl::cfi(wl::complete(3)), wl::erdos_renyi(12, 0.3, rng), wl::random_tree(13, rng),
                              test::random_graph(9, 0.4, {true, 1, 1}, rng)};
    if (c.node_colors > 1) graphs.push_back(test::random_graph(9, 0.4, {true, 3, 4}, rng));
    for (const Graph& graph : graphs) {
      const auto order = shuffled(graph.order(), rng);
      const Graph other = wl::relabel(graph, order);
      RunSettings settings;
      settings.keep_layers = true;
      const Domain colors = Domain::colors({&graph}), others = Domain::colors({&other});
      const ModelOutput q1 = model->forward(colors, settings), q2 = model->forward(others, settings);
      EXPECT_TRUE(torch::equal(q1.pairs, q2.pairs) && torch::equal(q1.nodes, q2.nodes) &&
                  torch::equal(q1.graphs, q2.graphs));
      const ModelOutput d1 = model->forward(Domain::dense({&graph}), settings),
                        d2 = model->forward(Domain::dense({&other}), settings);
      EXPECT_LT(error(d2.graphs, d1.graphs), tolerance(c));
      std::vector<std::int64_t> map;  // row of d1 for every row of d2
      std::vector<wl::Node> back(order.size());
      for (wl::Node v = 0; v < graph.order(); ++v) back[order[v]] = v;
      for (wl::Node i = 0; i < graph.order(); ++i)
        for (wl::Node j = 0; j < graph.order(); ++j) map.push_back(back[i] * graph.order() + back[j]);
      EXPECT_LT(error(d2.pairs, d1.pairs.index_select(0, torch::tensor(map, torch::kInt64))), tolerance(c));
      const Expanded e = expand(q1, *colors.quotient);
      for (std::size_t t = 0; t < e.layers.size(); ++t) EXPECT_LT(error(e.layers[t], d1.layers[t]), tolerance(c));
    }
  }
}

TEST(EdgeTransformer, SeedsDecideTheWeights) {
  Config c = preset("paper");
  const auto weights = [](const EdgeTransformer& m) {
    std::vector<Tensor> all;
    for (const Tensor& p : m.parameters()) all.push_back(p.detach().reshape(-1));
    return torch::cat(all);
  };
  const EdgeTransformer one(c, 1), again(c, 1), two(c, 2);
  EXPECT_TRUE(torch::equal(weights(one), weights(again)));
  EXPECT_FALSE(torch::equal(weights(one), weights(two)));
  c.dtype = Dtype::Float64;
  EXPECT_TRUE(torch::equal(weights(EdgeTransformer(c, 1)).to(torch::kFloat32), weights(one)));
  c = preset("brec");
  const Tensor drawn = EdgeTransformer(c, 3).named_parameters()["layer2_mix_weight"];
  EXPECT_NEAR(drawn.std().item<double>(), 0.02, 0.002);
}

TEST(EdgeTransformer, ParametersAreCountedWithoutBuildingThem) {
  for (const Config& c : some_configs()) {
    std::int64_t sum = 0;
    for (const Tensor& p : EdgeTransformer(c, 1).parameters()) sum += p.numel();
    EXPECT_EQ(parameter_count(c), static_cast<std::uint64_t>(sum)) << to_json(c);
  }
}

// Moves away from zero biases, which make inequivalent tokens zero and maxima tied.
void move_weights(EdgeTransformer& model) {
  torch::NoGradGuard no_grad;
  auto generator = at::detail::createCPUGenerator(8);
  for (Tensor& p : model.parameters()) p += torch::empty_like(p).normal_(0, 0.2, generator);
}

// Graphs run one after the other, with one batch norm over all, give the same as the
// whole batch at once.
TEST(EdgeTransformer, GraphAfterGraphIsTheBatch) {
  Config c = preset("brec");
  c.dtype = Dtype::Float64;
  const Graph a = wl::cycle(50), b = wl::path(60), d = wl::petersen();  // two too large for one group, and a small one
  RunSettings one_by_one;
  one_by_one.graphs_only = true;
  std::vector<Tensor> rows;
  std::vector<std::vector<Tensor>> grads(2);
  for (const bool alone : {false, true}) {
    EdgeTransformer model(c, 4);
    model.train();
    move_weights(model);
    rows.push_back(model.forward(Domain::dense({&a, &b, &d}), alone ? one_by_one : RunSettings{}).graphs);
    rows.back().pow(3).sum().backward();
    for (const Tensor& p : model.parameters()) grads[alone].push_back(p.grad());
  }
  EXPECT_LT((rows[0] - rows[1]).abs().max().item<double>(), 1e-10);
  for (std::size_t k = 0; k < grads[0].size(); ++k)
    EXPECT_LT((grads[0][k] - grads[1][k]).norm().item<double>(), 1e-8 * (1 + grads[0][k].norm().item<double>())) << k;
}

// Gradients of a model whose tokens stay symmetric, which the kernels use and plain
// LibTorch does not.
TEST(EdgeTransformer, GradientsOfTiedWeightsAreThoseOfPlainLibTorch) {
  for (const LayerKind layer : {LayerKind::Brec, LayerKind::Paper}) {
    Config c = preset("brec");
    c.dtype = Dtype::Float64;
    c.layer = layer;
    c.batch_norm = false;  // with two rows it leaves hardly any gradient
    c.layers = 3;
    const Graph a = wl::petersen(), b = wl::path(19);
    std::vector<std::vector<Tensor>> found;
    for (const char* kernel : {"", "reference"}) {
      EdgeTransformer model(c, 4);
      model.train();
      move_weights(model);
      RunSettings settings;
      settings.kernel = kernel;
      settings.graphs_only = *kernel == 0;  // then only the pairs i <= j
      const Tensor rows = model.forward(Domain::dense({&a, &b}), settings).graphs;
      rows.sum().backward();
      found.push_back({rows.detach()});
      for (const Tensor& p : model.parameters()) found.back().push_back(p.grad());
    }
    for (std::size_t k = 0; k < found[0].size(); ++k)
      EXPECT_LT((found[0][k] - found[1][k]).norm().item<double>(), 1e-9 * (1 + found[1][k].norm().item<double>()))
          << name_of(layer) << ", tensor " << k;
  }
}

// Tied weights make tokens symmetric on undirected graphs only; the quotient does
// not use that.
TEST(EdgeTransformer, TiedWeightsOnDirectedGraphs) {
  Config c = preset("brec");
  c.dtype = Dtype::Float64;
  c.batch_norm = false;
  EdgeTransformer model(c, 4);
  model.eval();
  const Graph graph(wl::GraphData{
      .order = 5, .directed = true, .edges = {{0, 1}, {1, 2}, {2, 0}, {3, 1}, {2, 4}, {4, 3}}, .node_colors = {}});
  const Tensor dense = model.forward(Domain::dense({&graph}), {}).graphs;
  const Tensor colors = model.forward(Domain::colors({&graph}), {}).graphs;
  EXPECT_LT((dense - colors).abs().max().item<double>(), 1e-12 * dense.abs().max().item<double>());
}

TEST(EdgeTransformer, DropoutIsSeededAndOnlyInTraining) {
  Config c = preset("paper");
  c.layers = 2, c.dropout = 0.3, c.attention_dropout = 0.3;
  const Graph graph = wl::petersen();
  EdgeTransformer one(c, 1), again(c, 1);
  const Domain domain = Domain::dense({&graph});
  one.eval();
  const Tensor plain = one.forward(domain, {}).graphs;
  EXPECT_TRUE(torch::equal(plain, one.forward(domain, {}).graphs));
  one.train(), again.train();
  const Tensor first = one.forward(domain, {}).graphs;
  EXPECT_TRUE(torch::equal(first, again.forward(domain, {}).graphs));
  EXPECT_FALSE(torch::equal(first, one.forward(domain, {}).graphs));
  EXPECT_FALSE(torch::equal(first, plain));
  EXPECT_ANY_THROW(one.forward(Domain::colors({&graph}), {}));  // would give equal colours different values
  c.attention_dropout = 0;
  EXPECT_ANY_THROW(EdgeTransformer(c, 1).forward(Domain::colors({&graph}), {}));
}

TEST(EdgeTransformer, UnknownColorsAreErrors) {
  const Graph colored(wl::GraphData{.order = 2, .edges = {{0, 1, 1}}, .node_colors = {0, 3}});
  EdgeTransformer model(preset("paper"), 1);
  EXPECT_THROW(model.forward(Domain::dense({&colored}), {}), GraphError);
}

class Weights : public test::WithFiles {};

TEST_F(Weights, SavedAndLoaded) {
  const Graph graph = wl::petersen(), other = wl::cycle(7);
  for (const Config& c : some_configs()) {
    EdgeTransformer model(c, 21);
    model.train();
    if (c.attention_dropout == 0) model.forward(Domain::dense({&graph, &other}), {});  // changes the batch norm
    model.eval();
    write("weights.pt", to_archive(model));
    auto loaded = load_model(path("weights.pt"));
    loaded->eval();
    EXPECT_EQ(loaded->config(), c);
    EXPECT_EQ(loaded->seed(), 21u);
    EXPECT_TRUE(torch::equal(loaded->forward(Domain::dense({&graph}), {}).graphs,
                             model.forward(Domain::dense({&graph}), {}).graphs));
  }
}

TEST_F(Weights, BadFilesAreErrorsThatNameThem) {
  EdgeTransformer model(preset("paper"), 1);
  const std::string bytes = to_archive(model);
  write("good.pt", bytes);
  EXPECT_NO_THROW(load_model(path("good.pt")));
  write("cut.pt", bytes.substr(0, bytes.size() / 2));
  write("text.pt", "no weights\n");
  const std::size_t record = bytes.find("/data/2");  // 2304 bytes
  ASSERT_NE(record, bytes.npos);
  std::string flipped = bytes;
  flipped[record + 1000] ^= 4;
  write("flipped.pt", flipped);
  {
    torch::NoGradGuard no_grad;
    model.named_parameters()["layer1_output_weight"][0][0] = std::numeric_limits<float>::quiet_NaN();
    write("nan.pt", to_archive(model));
    torch::serialize::OutputArchive archive;
    archive.write("weight", torch::ones({2}));
    archive.save_to(path("other.pt"));
    torch::serialize::OutputArchive short_one;  // right names, too few numbers
    short_one.write("leman", c10::IValue("{\"config\": {}, \"seed\": 1}"));
    for (const auto& each : model.named_parameters()) short_one.write(each.key(), torch::ones({2}));
    short_one.save_to(path("short.pt"));
    torch::serialize::OutputArchive seedless;
    seedless.write("leman", c10::IValue("{\"config\": {}, \"seed\": \"one\"}"));
    seedless.write("weight", torch::ones({2}));
    seedless.save_to(path("seedless.pt"));
  }
  for (const char* name :
       {"missing.pt", "cut.pt", "text.pt", "flipped.pt", "nan.pt", "other.pt", "short.pt", "seedless.pt"})
    try {
      load_model(path(name));
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::Input);
      EXPECT_EQ(std::string(e.what()).rfind(path(name), 0), 0u) << e.what();
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace leman::et
