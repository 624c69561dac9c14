// The side of study/torch.hpp that is linked with LibTorch.
#include <malloc.h>

#include <chrono>
#include <mutex>

#include "base/memory.hpp"
#include "et/estimate.hpp"
#include "et/kernel_times.hpp"
#include "et/kernels/triangle.hpp"
#include "et/model.hpp"
#include "study/torch.hpp"

extern "C" void openblas_set_num_threads(int) __attribute__((weak));
extern "C" int openblas_get_parallel() __attribute__((weak));
extern "C" const char* openblas_get_config() __attribute__((weak));
extern "C" const char* openblas_get_corename() __attribute__((weak));

namespace leman::study {

namespace {

using namespace et;

using torch::Tensor;

Array to_array(const std::string& name, Tensor t) {
  t = t.detach().contiguous();
  const char* type = t.scalar_type() == torch::kFloat32 ? "<f4" : t.scalar_type() == torch::kFloat64 ? "<f8" : "<i8";
  return {name, type, t.sizes().vec(), {static_cast<const char*>(t.data_ptr()), t.nbytes()}};
}

// Rows of a quotient's output for every pair, and for every node.
std::pair<Tensor, Tensor> rows_of(const wl::Quotient& q, std::int64_t n) {
  std::vector<std::int64_t> pairs(q.coloring[0].begin(), q.coloring[0].end()), nodes, rank(q.colors + 1, 0);
  for (wl::Color c = 0; c < q.colors; ++c) rank[c + 1] = rank[c] + q.diagonal[c];
  for (std::int64_t i = 0; i < n; ++i) nodes.push_back(rank[pairs[i * n + i]]);
  return {torch::tensor(pairs, torch::kInt64), torch::tensor(nodes, torch::kInt64)};
}

Tensor edge_list(const wl::Graph& graph) {
  std::vector<std::int64_t> ends;
  for (const wl::Edge& e : graph.edges()) ends.push_back(e.u), ends.push_back(e.v);
  return torch::tensor(ends, torch::kInt64).view({-1, 2});
}

std::shared_ptr<EdgeTransformer> make_model(const ForwardRequest& request) {
  if (request.weights.empty()) {
    Config config = request.config;
    config.dtype = request.dtype.value_or(config.dtype);
    return std::make_shared<EdgeTransformer>(config, request.seed);
  }
  auto model = load_model(request.weights);
  return with_dtype(model, request.dtype.value_or(model->config().dtype));
}

class Library : public Torch {
 public:
  Library() {
    // Threads are ours: LibTorch's and BLAS's sums depend on how many there are.
    at::set_num_threads(1);
    // Tensors come and go by the megabyte: keep their memory. Page faults were a sixth of the
    // time of a study.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    // A serial OpenBLAS shares its buffers: products of two threads at a time are
    // wrong (seen with Debian's 0.3.21). Then pairs run one after the other.
    one_at_a_time_ = openblas_get_parallel && openblas_get_parallel() == 0;
  }
  std::string version() const override { return TORCH_VERSION; }
  std::string blas() const override {
    if (!openblas_get_config || !openblas_get_corename) return "";
    const std::string config = openblas_get_config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
    return config.substr(0, config.find(' ', config.find(' ') + 1)) + ", core type " + openblas_get_corename();
  }
  std::vector<std::string> kernels() const override { return kernel_names(); }
  std::string cuda() const override { return cuda_status(); }
  std::string kernel(const std::string& name) const override {
    if (name.empty()) return default_kernel();
    check_kernel(name);
    return name;
  }
  ForwardResult forward(const wl::Graph& graph, const ForwardRequest& request) const override {
    return plain_errors([&] { return run(graph, request); });
  }
  brec::PairRun run_pair(const brec::Settings& settings, const brec::Pair& pair, std::uint64_t seed,
                         const brec::RunControl& control) const override {
    std::unique_lock<std::mutex> lock;
    if (one_at_a_time_) lock = std::unique_lock(blas_);
    return plain_errors([&] { return brec::run_pair(settings, pair, seed, control); });
  }
  proofs::OneHotProof prove_onehot(std::span<const wl::Graph* const> graphs, Dtype dtype) const override {
    return plain_errors([&] { return proofs::prove_onehot(graphs, dtype); });
  }
  proofs::BackwardCheck check_backward(int graphs, std::uint64_t seed) const override {
    return plain_errors([&] { return proofs::check_backward(graphs, seed); });
  }
  proofs::TokenSources token_sources(const proofs::TokenModel& model) const override {
    return plain_errors([&] { return proofs::token_sources(model, one_at_a_time_ ? &blas_ : nullptr); });
  }
  std::vector<KernelTime> kernel_times(const std::vector<std::uint32_t>& orders) const override {
    return plain_errors([&] {
      std::vector<KernelTime> times;
      for (const std::uint32_t n : orders) {
        const AttentionTime t = time_attention(n);
        times.push_back({n, t.kernel, t.seconds, t.plain_seconds, t.bytes / 0x1p20, t.plain_bytes / 0x1p20});
      }
      return times;
    });
  }

 private:
  bool one_at_a_time_;
  mutable std::mutex blas_;

  // LibTorch's errors have a stack trace; one line of them is enough.
  template <class Work>
  static auto plain_errors(Work work) -> decltype(work()) {
    try {
      return work();
    } catch (const c10::Error& e) {
      const std::string text = e.what_without_backtrace();
      if (text.find("allocate memory") != text.npos) throw std::bad_alloc();
      throw ValueError(text.substr(0, text.find('\n')));
    }
  }

  ForwardResult run(const wl::Graph& graph, const ForwardRequest& request) const {
    torch::NoGradGuard no_grad;
    const std::string chosen = kernel(request.kernel);
    if (request.weights.empty()) demand_memory(16 * parameter_count(request.config), 0, "the model");
    auto model = make_model(request);
    model->eval();
    const std::int64_t n = graph.order();
    if (!request.quotient) {
      const std::uint32_t order = graph.order();
      const Estimate e = estimate(model->config(), {&order, 1});
      std::uint64_t bytes = chosen == "reference" ? e.forward_bytes + e.plain_forward_bytes : e.forward_bytes;
      if (request.layers) bytes += (model->config().layers + 1) * n * n * model->config().width * 8;
      demand_memory(bytes, 0, "the Edge Transformer on " + std::to_string(n) + " nodes");
    }
    RunSettings settings{chosen, request.threads, request.layers};
    const auto start = std::chrono::steady_clock::now();
    const Domain domain = request.quotient ? Domain::colors({&graph}) : Domain::dense({&graph});
    ModelOutput out = model->forward(domain, settings);
    ForwardResult result;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.config = model->config();
    result.seed = model->seed();
    result.kernel = request.quotient ? "quotient" : chosen;
    result.parameters = parameter_count(model->config());
    result.rows = domain.rows();
    if (request.quotient) {
      const auto [pairs, nodes] = rows_of(*domain.quotient, n);
      out.pairs = out.pairs.index_select(0, pairs);
      out.nodes = out.nodes.index_select(0, nodes);
      for (Tensor& layer : out.layers) layer = layer.index_select(0, pairs);
    }
    const Tensor edges = edge_list(graph);
    const Tensor edge_rows =
        edges.numel() ? edges.select(1, 0) * n + edges.select(1, 1) : torch::empty({0}, torch::kInt64);
    auto& arrays = result.arrays;
    arrays.push_back(to_array("pairs", out.pairs.view({n, n, -1})));
    arrays.push_back(to_array("nodes", out.nodes));
    arrays.push_back(to_array("graph", out.graphs[0]));
    arrays.push_back(to_array("edges", edges));
    arrays.push_back(to_array("edge_embeddings", out.pairs.index_select(0, edge_rows)));
    for (std::size_t t = 0; t < out.layers.size(); ++t)
      arrays.push_back(to_array("layer" + std::to_string(t), out.layers[t].view({n, n, -1})));
    if (request.keep_weights) result.weights = to_archive(*model);
    return result;
  }
};

// Loading the library is enough.
const Library library;
const bool known = (register_torch(library), true);

}  // namespace

}  // namespace leman::study
