// Training and testing of a pair, with LibTorch.
#include "brec/protocol.hpp"

#include <gtest/gtest.h>
#include <torch/script.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/parallel.hpp"
#include "brec/model.hpp"
#include "brec/sample.hpp"
#include "et/model.hpp"
#include "tests/temporary.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/random.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/graph_ops.hpp"

namespace leman::brec {
namespace {

using torch::Tensor;

Pair make_pair(wl::Graph first, wl::Graph second) {
  Pair pair;
  pair.id = 0;
  pair.first = std::move(first), pair.second = std::move(second);
  return pair;
}

// Equal for 1-WL, not for 2-FWL.
Pair hexagons() { return make_pair(wl::cycle(6), wl::disjoint_union(wl::cycle(3), wl::cycle(3))); }
// Two strongly regular graphs with the same parameters: equal for 2-FWL.
Pair equal_for_2fwl() { return make_pair(wl::rook(4, 4), wl::shrikhande()); }

Settings quick(Protocol protocol, ModelKind model) {
  Settings s = settings_for(protocol, model);
#ifdef __SANITIZE_ADDRESS__
  s.training.epochs = 2;
#else
  s.training.epochs = 6;
#endif
  return s;
}

TEST(Protocol, EveryModelFindsWhatItsBoundAllows) {
  for (Protocol protocol : {Protocol::Published, Protocol::Sound}) {
    for (ModelKind model : {ModelKind::Et, ModelKind::Ppgn}) {
      const PairRun run = run_pair(quick(protocol, model), hexagons(), 1, {});
      EXPECT_TRUE(run.verdict.distinguished) << info(model).name << ' ' << info(protocol).name;
      EXPECT_TRUE(run.verdict.reliable);
    }
    const PairRun gin = run_pair(quick(protocol, ModelKind::Gin), hexagons(), 1, {});
    EXPECT_FALSE(gin.verdict.distinguished) << info(protocol).name << " T2 " << gin.verdict.pairs.t2;
    const PairRun easy = run_pair(quick(protocol, ModelKind::Gin), make_pair(wl::cycle(6), wl::path(6)), 1, {});
    EXPECT_TRUE(easy.verdict.distinguished);
  }
  const PairRun exact = run_pair(quick(Protocol::Exact, ModelKind::Et), hexagons(), 1, {});
  EXPECT_TRUE(exact.verdict.distinguished && exact.verdict.reliable && exact.verdict.pairs.by_equality);
  EXPECT_GT(exact.verdict.separation, 1e-3);
}

TEST(Protocol, NothingIsFoundThatTheBoundForbids) {
  for (ModelKind model : {ModelKind::Et, ModelKind::Ppgn})
    EXPECT_FALSE(run_pair(quick(Protocol::Sound, model), equal_for_2fwl(), 1, {}).verdict.distinguished)
        << info(model).name;
  const PairRun exact = run_pair(quick(Protocol::Exact, ModelKind::Et), equal_for_2fwl(), 1, {});
  EXPECT_FALSE(exact.verdict.distinguished);
  EXPECT_TRUE(exact.verdict.reliable);
  EXPECT_EQ(exact.verdict.separation, 0);
  EXPECT_EQ(exact.epochs, 1) << "equal embeddings have no gradient";
}

// On a quotient a row depends only on its weights, not on the relabellings. So equal pairs with
// different ids show whether weights were drawn per pair or per seed.
TEST(Protocol, InitialWeightsArePerPairOrPerSeed) {
  Settings settings = quick(Protocol::Exact, ModelKind::Et);
  settings.training.epochs = 1;
  auto first_distance = [&](int id, std::uint64_t seed) {
    Pair pair = hexagons();
    pair.id = id;
    return run_pair(settings, pair, seed, {}).distances.at(0);
  };
  EXPECT_NE(first_distance(0, 1), first_distance(1, 1));
  EXPECT_NE(first_distance(0, 1), first_distance(0, 2));
  EXPECT_EQ(first_distance(7, 3), first_distance(7, 3));
  settings.weights_per = WeightsPer::Seed;
  EXPECT_EQ(first_distance(0, 1), first_distance(1, 1));
  EXPECT_NE(first_distance(0, 1), first_distance(0, 2));
}

// LibTorch's generator uses only the lower 32 bits of a seed.
TEST(Protocol, WeightSeedsDiffer) {
  const Settings settings = settings_for(Protocol::Sound, ModelKind::Et);
  std::set<std::uint32_t> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (int pair = 0; pair < kBrecPairs; ++pair)
      seen.insert(static_cast<std::uint32_t>(weight_seed(settings, seed, pair)));
  EXPECT_EQ(seen.size(), 20u * kBrecPairs);
}

TEST(Protocol, TrainingTrains) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PairRun run = run_pair(settings_for(Protocol::Exact, ModelKind::Et), hexagons(), seed, {});
    ASSERT_GE(run.losses.size(), 2u) << seed << ": the initial weights tell them apart, choose other seeds";
    EXPECT_LT(run.losses.back(), 0.2) << seed;
    for (std::size_t k = 0; k + 1 < run.gradients.size(); ++k) EXPECT_GT(run.gradients[k], 0) << seed;
  }
}

// The published protocol's batch norm makes the rows opposite: training takes one epoch,
// with loss and gradient exactly zero.
TEST(Protocol, PublishedTrainingIsNone) {
  const PairRun run = run_pair(settings_for(Protocol::Published, ModelKind::Et), hexagons(), 1, {});
  EXPECT_EQ(run.losses, std::vector<double>{0});
  EXPECT_EQ(run.gradients, std::vector<double>{0});
  EXPECT_TRUE(run.verdict.distinguished);
}

// Graphs that each fill the cache, and a loss that is not zero: what a step sums, and in
// which order, must not depend on the threads.
TEST(Protocol, SameRowWithMoreThreads) {
  const Pair equal = equal_for_2fwl();
  auto thrice = [](const wl::Graph& g) { return wl::disjoint_union(g, wl::disjoint_union(g, g)); };
  const Pair large = make_pair(thrice(equal.first), thrice(equal.second));
  for (const auto& [protocol, pair] : {std::pair{Protocol::Published, large},
                                       {Protocol::Published, hexagons()},
                                       {Protocol::Sound, hexagons()},
                                       {Protocol::Exact, hexagons()}}) {
    Settings settings = quick(protocol, ModelKind::Et);
    settings.training.epochs = std::min(settings.training.epochs, pair.first.order() == 48 ? 1 : 6);
    const PairRun one = run_pair(settings, pair, 3, {1, nullptr});
    EXPECT_EQ(one.gradients[0] > 0, pair.first.order() == 48 || protocol != Protocol::Published);
    const PairRun more = run_pair(settings, pair, 3, {3, nullptr});
    EXPECT_EQ(one.losses, more.losses);
    EXPECT_EQ(one.gradients, more.gradients);
    EXPECT_EQ(one.verdict.pairs.t2, more.verdict.pairs.t2);
    EXPECT_EQ(one.verdict.reliability.t2, more.verdict.reliability.t2);
  }
}

// Several pairs at a time, as in a study: every row is the same as when run alone. A
// BLAS that is not thread-safe fails here.
TEST(Protocol, RowsDoNotDependOnTheirNeighbours) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "about BLAS, which is not instrumented";
#endif
  const Settings settings = settings_for(Protocol::Exact, ModelKind::Et);
  Rng rng(20);
  std::vector<Pair> pairs;
  for (int k = 0; k < 12; ++k)
    pairs.push_back(make_pair(wl::random_regular(10, 3, rng), wl::random_regular(10, 3, rng)));
  std::vector<PairRun> alone, together(8 * pairs.size());
  for (const Pair& pair : pairs) alone.push_back(run_pair(settings, pair, 1, {}));
  parallel_for(together.size(), 4,
               [&](std::size_t k) { together[k] = run_pair(settings, pairs[k % pairs.size()], 1, {}); });
  for (std::size_t k = 0; k < together.size(); ++k) {
    EXPECT_EQ(together[k].losses, alone[k % pairs.size()].losses);
    EXPECT_TRUE(together[k].verdict.reliable);
  }
}

// The gradient on the colours equals that on the graphs.
TEST(Protocol, TrainingOnColoursIsTrainingOnGraphs) {
  const Pair pair = hexagons();
  std::vector<Tensor> gradients[2];
  const et::Domain domains[] = {et::Domain::colors({&pair.first, &pair.second}),
                                et::Domain::dense({&pair.first, &pair.second})};
  for (int way : {0, 1}) {
    et::EdgeTransformer model(et::preset("sound"), 5);
    model.train();
    const Tensor rows = model.forward(domains[way], {}).graphs;
    torch::cosine_similarity(rows.slice(0, 0, 1), rows.slice(0, 1, 2)).sum().backward();
    for (const Tensor& p : model.parameters()) gradients[way].push_back(p.grad());
  }
  for (std::size_t k = 0; k < gradients[0].size(); ++k) {
    const double size = gradients[1][k].abs().max().item<double>();
    EXPECT_LE((gradients[0][k] - gradients[1][k]).abs().max().item<double>(), 1e-9 * size + 1e-12) << k;
  }
}

TEST(Protocol, Interruption) {
  const std::atomic<bool> stop{true};
  EXPECT_THROW(run_pair(quick(Protocol::Sound, ModelKind::Et), hexagons(), 1, {1, &stop}), Interrupted);
}

// PPGN and GIN written out for one graph with loops over nodes, using their weights.
Tensor by_hand(Model& model, const wl::Graph& graph, bool ppgn) {
  const std::vector<Tensor> p = model.parameters();
  const std::int64_t n = graph.order();
  std::size_t at = 0;
  auto next = [&] { return at += 2, std::pair{p[at - 2], p[at - 1]}; };
  Tensor sum = torch::zeros({16}, torch::kFloat64);
  std::vector<Tensor> x;  // of the pairs, or of the nodes
  for (wl::Node i = 0; i < n; ++i)
    for (wl::Node j = 0; j < (ppgn ? n : 1); ++j)
      x.push_back(torch::full({1}, !ppgn || i == j || graph.has_edge(i, j) ? 1.0 : 0.0, torch::kFloat64));
  for (int layer = 0; layer < 5; ++layer) {
    const auto [w1, b1] = next();
    const auto [w2, b2] = next();
    std::vector<Tensor> y;
    if (ppgn) {
      const auto [wm, bm] = next();
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          Tensor product = torch::zeros({32}, torch::kFloat64);
          for (std::int64_t l = 0; l < n; ++l)
            product = product + torch::relu(w1.mv(x[i * n + l]) + b1) * torch::relu(w2.mv(x[l * n + j]) + b2);
          y.push_back(wm.mv(torch::cat({x[i * n + j], product})) + bm);
        }
      const Tensor all = torch::stack(y), mean = all.mean(0);
      const Tensor deviation = ((all - mean).square().mean(0) + 1e-5).sqrt();
      Tensor diagonal = torch::full({32}, -1e300, torch::kFloat64), other = diagonal;
      for (std::int64_t k = 0; k < n * n; ++k) {
        y[k] = (y[k] - mean) / deviation;
        Tensor& most = k / n == k % n ? diagonal : other;
        most = torch::maximum(most, y[k]);
      }
      const auto [w, b] = next();
      sum = sum + w.mv(torch::cat({diagonal, other})) + b;
    } else {
      Tensor total = torch::zeros({32}, torch::kFloat64);
      for (wl::Node i = 0; i < n; ++i) {
        Tensor around = x[i];
        for (wl::Node j : graph.neighbors(i)) around = around + x[j];
        y.push_back(torch::relu(w2.mv(torch::relu(w1.mv(around) + b1)) + b2));
        total = total + y.back();
      }
      const auto [w, b] = next();
      sum = sum + w.mv(total) + b;
    }
    x = y;
  }
  return sum;
}

TEST(Protocol, BaselinesWrittenOut) {
  torch::NoGradGuard no_grad;
  Rng rng(4);
  const wl::Graph graph = wl::erdos_renyi(7, 0.4, rng);
  for (const bool ppgn : {true, false}) {
    const auto model = ppgn ? make_ppgn(3, false, torch::kFloat64) : make_gin(3, false, torch::kFloat64);
    for (Tensor p : model->parameters())
      if (p.dim() == 1) p.copy_(torch::linspace(-0.5, 0.5, p.numel(), torch::kFloat64));  // biases start at zero
    const Tensor want = by_hand(*model, graph, ppgn), got = model->embed(et::Domain::dense({&graph}))[0];
    EXPECT_LT((want - got).abs().max().item<double>(), 1e-10 * want.abs().max().item<double>()) << ppgn;
  }
}

class Script : public test::WithFiles {
 protected:
  void define(const std::string& body) {
    torch::jit::Module module("m");
    module.register_parameter("w", torch::ones({1}), false);
    module.define(body + "\n");
    module.save(file_);
  }
  PairRun run(Protocol protocol, const Pair& pair) {
    Settings s = quick(protocol, ModelKind::TorchScript);
    s.file = file_;
    return run_pair(s, pair, 1, {});
  }
  std::string error() {
    try {
      run(Protocol::Sound, hexagons());
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  const std::string file_ = path("model.pt");
};

TEST_F(Script, ClosedWalksTellHexagonsApart) {
  define(R"(
def forward(self, a):
    b = torch.matmul(a, torch.matmul(a, a))
    t = torch.diagonal(b, 0, 1, 2).sum(1)
    return self.w * torch.stack([t, t * t + 1.0], 1))");
  for (Protocol protocol : {Protocol::Published, Protocol::Sound}) {
    const PairRun apart = run(protocol, hexagons()), equal = run(protocol, equal_for_2fwl());
    EXPECT_FALSE(equal.verdict.distinguished) << info(protocol).name;
    EXPECT_EQ(apart.epochs, 0) << "w is not to be trained";
    // Integers are the same for every labelling, so there is no covariance. The published
    // pseudo-inverse of zero is zero, which misses the pair; equality finds it.
    EXPECT_EQ(apart.verdict.distinguished, protocol == Protocol::Sound);
  }
}

// A module that counts its calls, with a parameter that does not affect the output: one
// call per batch, and a gradient of zero.
TEST_F(Script, RunsOnceABatch) {
  torch::jit::Module module("m");
  module.register_parameter("w", torch::ones({1}), false);
  module.register_parameter("unused", torch::ones({1}).requires_grad_(), false);
  module.register_buffer("calls", torch::zeros({1}));
  module.define(R"(
def forward(self, a):
    self.calls += 1.0
    closed = torch.diagonal(torch.matmul(a, torch.matmul(a, a)), 0, 1, 2).sum(1)
    return torch.stack([self.w + 0.0 * closed, self.calls * closed], 1)
)");
  module.save(file_);
  Settings s = quick(Protocol::Published, ModelKind::TorchScript);
  s.file = file_;
  s.training.epochs = 1;
  const PairRun run = run_pair(s, hexagons(), 1, {});
  double loss = 0;  // rows (1, 0) and (1, 12 calls): 12 closed walks of three steps in two triangles
  for (double calls : {1, 2, 3, 4}) loss += 1 / std::sqrt(1 + 144 * calls * calls) / 4;
  ASSERT_EQ(run.losses.size(), 1u);
  EXPECT_NEAR(run.losses[0], loss, 1e-6);
  EXPECT_EQ(run.gradients, std::vector<double>{0});
}

TEST_F(Script, WrongModulesAreExplained) {
  define("def forward(self, a):\n    return a.sum()");
  EXPECT_NE(error().find("gives [] for adjacency matrices [16,6,6], not an embedding a graph"), std::string::npos)
      << error();
  define("def forward(self, a):\n    return torch.matmul(a, self.w[:, None]).sum(1)");
  EXPECT_NE(error().find(file_ + ": fails on adjacency matrices [16,6,6]"), std::string::npos) << error();
  define("def forward(self, a, b):\n    return a");
  EXPECT_NE(error().find("b"), std::string::npos);
  EXPECT_EQ(error().find("frame #"), std::string::npos) << error();
  define("def forward(self, a):\n    return a[:, :0, 0]");
  EXPECT_NE(error().find("gives [16,0] for"), std::string::npos) << error();
  define("def forward(self, a):\n    return a.sum(1).long()");
  EXPECT_NE(error().find("gives numbers that are not floating-point"), std::string::npos) << error();
  define("def forward(self, a):\n    return a.sum(1).to_sparse()");
  EXPECT_NE(error().find("gives a sparse tensor"), std::string::npos) << error();
  std::filesystem::resize_file(file_, 100);
  EXPECT_NE(error().find("not a module that LibTorch "), std::string::npos) << error();
}

}  // namespace
}  // namespace leman::brec
