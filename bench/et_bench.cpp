#include "bench/et_bench.hpp"

#include <malloc.h>

#include <fstream>

#include "base/cpu.hpp"
#include "bench/line.hpp"
#include "brec/brec_files.hpp"
#include "brec/suites.hpp"
#include "et/estimate.hpp"
#include "et/model.hpp"
#include "wl/constructions/random.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/constructions/two_graph.hpp"

namespace leman::bench {

namespace {

using torch::Tensor;

// The whole operation including projections: x [n^2, width] to y.
struct Operation {
  std::uint32_t n;
  std::int64_t width, heads;
  std::vector<Tensor> leaves;  // x, in_weight, in_bias, out_weight, out_bias
  Tensor grad;
  bool symmetric = false;

  Operation(std::uint32_t order, std::int64_t d, std::int64_t h, torch::Device device = torch::kCPU)
      : n(order), width(d), heads(h) {
    auto generator = at::detail::createCPUGenerator(1);
    auto draw = [&](torch::IntArrayRef shape, double deviation) {
      return torch::empty(shape).normal_(0, deviation, generator).to(device).requires_grad_();
    };
    const double w = 1 / std::sqrt(static_cast<double>(d));
    const std::int64_t rows = std::int64_t{n} * n;
    leaves = {draw({rows, d}, 1), draw({4 * d, d}, w), draw({4 * d}, 0.1), draw({d, d}, w), draw({d}, 0.1)};
    grad = torch::empty({rows, d}).normal_(0, 1, generator).to(device);
  }

  // Makes tokens and gradients symmetric, with one projection for all.
  void tie() {
    torch::NoGradGuard no_grad;
    for (const Tensor& t : {leaves[0], grad}) {
      const Tensor x = t.view({n, n, width});
      t.copy_(((x + x.transpose(0, 1)) / 2).reshape_as(t));
    }
    for (const Tensor& t : {leaves[1], leaves[2]})
      for (const std::int64_t part : {1, 2, 3})
        t.slice(0, part * width, (part + 1) * width).copy_(t.slice(0, 0, width));
  }
  // The same on the pairs i <= j, where a gradient is that of two pairs.
  void halve() {
    torch::NoGradGuard no_grad;
    const Tensor twice = (2 - torch::eye(n)).view({-1, 1});
    leaves[0] = upper(leaves[0]).requires_grad_();
    grad = upper(grad * twice);
    symmetric = true;
  }
  Tensor upper(const Tensor& t) const {
    return t.detach().index_select(0, torch::ones({n, n}).triu().view(-1).nonzero().squeeze(1));
  }
  // y and the gradients, those of tied weights added up; all on the pairs i <= j.
  std::vector<Tensor> tied_results(const std::string& kernel) const {
    std::vector<Tensor> all = results(kernel, true);
    if (!symmetric) {
      const Tensor x = all[1].view({n, n, width});
      all[0] = upper(all[0]);
      all[1] = upper((x + x.transpose(0, 1) - x * torch::eye(n).unsqueeze(2)).reshape_as(all[1]));
    }
    for (const int k : {2, 3}) all[k] = torch::stack(all[k].chunk(4)).sum(0);
    return all;
  }

  Tensor forward(const std::string& kernel) const {
    et::AttentionOptions options;
    options.heads = heads;
    options.symmetric = symmetric;
    options.value_norm = true;
    options.kernel = kernel;
    return et::triangle_attention(leaves[0], {n}, {leaves[1], leaves[2], {}, {}, leaves[3], leaves[4]}, options);
  }
  void evaluate(const std::string& kernel) const {
    torch::NoGradGuard no_grad;
    forward(kernel);
  }
  void train(const std::string& kernel) const {
    for (const Tensor& leaf : leaves) leaf.mutable_grad() = Tensor();
    forward(kernel).backward(grad);
  }
  std::vector<Tensor> results(const std::string& kernel, bool backward) const {
    std::vector<Tensor> all{forward(kernel).detach()};
    if (!backward) return all;
    train(kernel);
    for (const Tensor& leaf : leaves) all.push_back(leaf.grad().clone());
    return all;
  }
};

// Largest relative difference over all results.
double difference(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double each = ((a[k].to(b[k].device()) - b[k]).norm() / b[k].norm()).item<double>();
    most = std::isfinite(each) ? std::max(most, each) : std::numeric_limits<double>::infinity();
  }
  return most;
}

struct Printer {
  const std::function<void(const std::string&)>& print;
  bool right = true;
  bool check(const std::string& name, double error, double limit) {
    if (error <= limit) return true;
    print(fmt::format("{:<34} WRONG: differs from the baseline by {:.1e}", name, error));
    return right = false;
  }
};

constexpr double kFloatError = 2e-5;

// Floating-point operations of the attention itself, per triple and channel.
constexpr double kForwardFlops = 10, kBackwardFlops = 22;

constexpr std::uint64_t kPlainOnDevice = std::uint64_t{8} << 30;  // above this, plain LibTorch may not fit on a device

// Tensors are on the device if both the kernel and LibTorch can use it; otherwise the kernel copies.
torch::Device home_of(const std::string& kernel) {
  return kernel == "cuda" && torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
}

void compare_operation(Printer& out, const std::string& kernel, std::uint32_t n, bool backward, bool quick,
                       double peak) {
  const torch::Device home = home_of(kernel);
  const std::string name = kernel + (backward ? " forward+backward" : " forward") + " n=" + std::to_string(n);
  const double cubes = std::pow(static_cast<double>(n), 3) * 32;
  const std::uint64_t needed = static_cast<std::uint64_t>(cubes * 4 * (backward ? 8 : 4));
  const bool fits = needed <= (home.is_cuda() ? kPlainOnDevice : usable_memory());
  if (!fits && kernel != "cuda") {
    out.print("# " + name + ": left out, plain LibTorch would need " + std::to_string(needed >> 30) + " GB");
    return;
  }
  // Plain LibTorch or, where that does not fit on the device, the processor's best kernel.
  const std::string baseline = fits ? "reference" : et::kernel_names()[1];
  const Operation op(n, 32, 4, home), other(n, 32, 4, fits ? home : torch::kCPU);
  torch::AutoGradMode with_grad(backward);
  if (!out.check(name, difference(op.results(kernel, backward), other.results(baseline, backward)), kFloatError))
    return;
  auto run = [&](const Operation& operation, const std::string& which) {
    backward ? operation.train(which) : operation.evaluate(which);
    if (home.is_cuda()) torch::cuda::synchronize();
  };
  auto ours = [&] { run(op, kernel); };
  auto plain = [&] { run(other, baseline); };
  const int runs = quick ? 3 : n < 64 ? 15 : n < 150 ? 7 : 3;
  ours(), plain();
  const clockid_t clock = kernel == "cuda" ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
  const Times theirs = measure(runs, plain, clock), mine = measure(5 * runs, ours, clock);
  const double flops = cubes * (kForwardFlops + (backward ? kBackwardFlops : 0));
  const std::string share = kernel == "cuda" ? "" : fmt::format(", {:.0f}% of peak", 100 * flops / mine.median / peak);
  std::string row = line(name, mine, fits ? "plain LibTorch" : baseline, theirs);
  out.print(row.insert(row.rfind("  "), fmt::format("  [{:.0f} GFLOP/s{}]  ", flops / mine.median * 1e-9, share)));
}

// The gain from knowing that tokens are symmetric and weights tied.
void compare_symmetric(Printer& out, const std::string& kernel, std::uint32_t n, bool quick) {
  Operation op(n, 32, 4);
  op.tie();
  Operation whole = op;
  op.halve();
  const std::string name = kernel + " symmetric forward";
  if (!out.check(name, difference(op.tied_results(kernel), whole.tied_results(kernel)), kFloatError)) return;
  const int runs = quick ? 5 : 25;
  for (const bool backward : {false, true}) {
    auto run = [&](const Operation& o) { backward ? o.train(kernel) : o.evaluate(kernel); };
    const Times mine = measure(runs, [&] { run(op); }), theirs = measure(runs, [&] { run(whole); });
    out.print(line(name + (backward ? "+backward" : "") + " n=" + std::to_string(n), mine, "all pairs", theirs));
  }
}

// Multiply-adds on vectors in registers, at the processor's peak rate.
[[gnu::target("avx512f")]] void peak_avx512(long rounds) {
  asm volatile(
      "vpxord %%zmm15,%%zmm15,%%zmm15\n 1:\n vfmadd231ps %%zmm15,%%zmm15,%%zmm0\n vfmadd231ps %%zmm15,%%zmm15,%%zmm1\n"
      "vfmadd231ps %%zmm15,%%zmm15,%%zmm2\n vfmadd231ps %%zmm15,%%zmm15,%%zmm3\n"
      "vfmadd231ps %%zmm15,%%zmm15,%%zmm4\n vfmadd231ps %%zmm15,%%zmm15,%%zmm5\n"
      "vfmadd231ps %%zmm15,%%zmm15,%%zmm6\n vfmadd231ps %%zmm15,%%zmm15,%%zmm7\n"
      "vfmadd231ps %%zmm15,%%zmm15,%%zmm8\n vfmadd231ps %%zmm15,%%zmm15,%%zmm9\n dec %0\n jnz 1b\n"
      : "+r"(rounds)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm15", "cc");
}
[[gnu::target("avx2,fma")]] void peak_avx2(long rounds) {
  asm volatile(
      "vpxor %%ymm15,%%ymm15,%%ymm15\n 1:\n vfmadd231ps %%ymm15,%%ymm15,%%ymm0\n vfmadd231ps %%ymm15,%%ymm15,%%ymm1\n"
      "vfmadd231ps %%ymm15,%%ymm15,%%ymm2\n vfmadd231ps %%ymm15,%%ymm15,%%ymm3\n"
      "vfmadd231ps %%ymm15,%%ymm15,%%ymm4\n vfmadd231ps %%ymm15,%%ymm15,%%ymm5\n"
      "vfmadd231ps %%ymm15,%%ymm15,%%ymm6\n vfmadd231ps %%ymm15,%%ymm15,%%ymm7\n"
      "vfmadd231ps %%ymm15,%%ymm15,%%ymm8\n vfmadd231ps %%ymm15,%%ymm15,%%ymm9\n dec %0\n jnz 1b\n"
      : "+r"(rounds)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm15", "cc");
}

// Measured single-precision FLOP/s of one core; 0 if the processor has no
// multiply-add.
double measured_peak() {
  constexpr long rounds = 10'000'000;
  if (has(Isa::Avx512)) return 10 * 32 * rounds / measure(5, [] { peak_avx512(rounds); }).least;
  if (has(Isa::Avx2)) return 10 * 16 * rounds / measure(5, [] { peak_avx2(rounds); }).least;
  return 0;
}

double status_megabytes(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string text; std::getline(file, text);)
    if (text.starts_with(key)) return std::stod(text.substr(key.size() + 1)) / 1024;
  return 0;
}

// Peak resident memory of `work` above `before`. Writing to clear_refs resets the system's peak.
double peak_megabytes(double before, const std::function<void()>& work) {
  std::ofstream("/proc/self/clear_refs") << "5";
  work();
  return status_megabytes("VmHWM") - before;
}

// The paper's scaling figure: one layer, width 64, two heads, random graphs.
void memory(Printer& out, bool quick) {
  et::Config config = et::preset("paper");
  config.layers = 1, config.width = 64, config.heads = 2, config.ffn_width = 128;
  auto model = std::make_shared<et::EdgeTransformer>(config, 1);
  model->eval();
  torch::NoGradGuard no_grad;
  ::malloc_trim(0);
  const double before = status_megabytes("VmRSS");
  for (std::uint32_t n : quick ? std::vector<std::uint32_t>{50, 100, 200}
                               : std::vector<std::uint32_t>{50, 100, 200, 300, 400, 500, 600, 700}) {
    Rng rng(n);
    const wl::Graph graph = wl::erdos_renyi(n, 0.05, rng);
    const et::Estimate e = et::estimate(config, {&n, 1});
    double seconds = 0;
    const double peak = peak_megabytes(
        before, [&] { seconds = measure(1, [&] { model->forward(et::Domain::dense({&graph}), {}); }).median; });
    out.print(fmt::format(
        "memory forward n={:<4} width 64, 2 heads {:8.3f} s  peak {:7.1f} MB ({:.0f} bytes per pair; estimate {:.1f} "
        "MB)  "
        "plain LibTorch's largest tensors {:9.1f} MB  {:.1f}x",
        n, seconds, peak, peak * 1048576 / (static_cast<double>(n) * n), static_cast<double>(e.forward_bytes) / 1048576,
        static_cast<double>(e.plain_forward_bytes) / 1048576,
        static_cast<double>(e.plain_forward_bytes) / 1048576 / peak));
  }
}

const wl::Graph& largest_cfi(const brec::PairSet& set) {
  const wl::Graph* largest = nullptr;
  const brec::BrecFamilyInfo& cfi = brec::info(brec::BrecFamily::Cfi);
  for (int id = cfi.first_id; id < cfi.first_id + cfi.pairs; ++id)
    if (const wl::Graph& graph = set.at(id).first; !largest || graph.order() > largest->order()) largest = &graph;
  return *largest;
}

void quotients(Printer& out, bool quick, const std::string& directory) {
  const brec::PairSet set = brec::load_suite({.brec = directory});
  const wl::Graph cfi = largest_cfi(set);
  std::vector<std::pair<std::string, wl::Graph>> graphs{
      {"strongly regular, 35 nodes", wl::two_graph_36().descendant(0)},
      {"4-vertex condition, 63 nodes", wl::symplectic(3)}};
  if (!quick) graphs.push_back({"CFI, " + std::to_string(cfi.order()) + " nodes", cfi});
  auto model = std::make_shared<et::EdgeTransformer>(et::preset("brec"), 1);
  model->eval();
  torch::NoGradGuard no_grad;
  for (const auto& [name, graph] : graphs) {
    const et::Domain dense = et::Domain::dense({&graph});
    et::Domain colors = dense;
    const Times build = measure(3, [&] { colors = et::Domain::colors({&graph}); });
    const Tensor a = model->forward(dense, {}).graphs, b = model->forward(colors, {}).graphs;
    if (!out.check("quotient " + name, difference({b}, {a}), 1e-3)) continue;
    const int runs = quick ? 3 : 5;
    const Times small = measure(runs, [&] { model->forward(colors, {}); }),
                large = measure(runs, [&] { model->forward(dense, {}); });
    out.print(fmt::format("# {}: {} colours, {} triples; finding them takes {:.4f} s", name, colors.quotient->colors,
                          colors.quotient->triples.size(), build.median));
    out.print(line("quotient " + name, small, "dense", large));
  }
}

bool bench_et(const EtRequest& request, const std::function<void(const std::string&)>& print) {
  Printer out{print};
  const bool quick = request.quick, all = request.orders.empty() && request.kernel.empty();
  const double peak = measured_peak();
  print(fmt::format(
      "# width 32, 4 heads, layer norm of values, float32, projections included; peak {:.0f} GFLOP/s (measured)",
      peak * 1e-9));
  std::vector<int> orders = request.orders;
  if (orders.empty()) orders = quick ? std::vector<int>{40} : std::vector<int>{40, 100, 198};
  const std::string best = request.kernel.empty() ? et::default_kernel() : request.kernel;
  for (int n : orders) compare_operation(out, best, static_cast<std::uint32_t>(n), false, quick, peak);
  for (int n : orders)
    if (!request.orders.empty() || n < 150)
      compare_operation(out, best, static_cast<std::uint32_t>(n), true, quick, peak);
  if (best != "cuda")  // cuda computes all pairs
    for (int n : orders)
      if (!request.orders.empty() || n < 150) compare_symmetric(out, best, static_cast<std::uint32_t>(n), quick);
  if (request.kernel.empty())
    for (const std::string& kernel : et::kernel_names())
      if (kernel != best && kernel != "reference")
        for (bool backward : {false, true})
          compare_operation(out, kernel, static_cast<std::uint32_t>(all && !quick ? 100 : orders[0]), backward, quick,
                            peak);
  if (!all) return out.right;
  memory(out, quick);
  quotients(out, quick, request.brec);
  return out.right;
}

}  // namespace

}  // namespace leman::bench

// bench/load.cpp finds it by this name.
extern "C" bool leman_bench_et(const leman::bench::EtRequest& request,
                               const std::function<void(const std::string&)>& print) {
  return leman::bench::bench_et(request, print);
}
