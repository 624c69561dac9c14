#include "et/attention.hpp"

#include <c10/core/DeviceGuard.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#ifdef LEMAN_TORCH_CUDA
#include <c10/cuda/CUDAStream.h>
#endif

#include "base/error.hpp"
#include "et/kernels/dropout_mask.hpp"
#include "et/kernels/triangle.hpp"

namespace leman::et {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;

constexpr const char* kReference = "reference";
constexpr const char* kCuda = "cuda";

// The mask [n, n, n, heads] (i, l, j, head) of attention dropout, scaled.
Tensor dropout_factors(std::int64_t graph, std::int64_t n, const AttentionOptions& options, const Tensor& like) {
  const DropoutMask mask{static_cast<std::uint32_t>(options.dropout * 4294967296.0), options.seed};
  Tensor factors = torch::empty({n, n, n, options.heads}, torch::kFloat64);
  double* at = factors.data_ptr<double>();
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t l = 0; l < n; ++l)
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t h = 0; h < options.heads; ++h)
          *at++ = mask.dropped(mask.row(graph, h, i, l), static_cast<std::uint32_t>(j)) ? 0 : 1 / (1 - options.dropout);
  return factors.to(like.options());
}

// One graph, as the formula says. x: [n, n, width].
Tensor reference_graph(const Tensor& x, std::int64_t graph, const AttentionWeights& w, const AttentionOptions& o) {
  const std::int64_t n = x.size(0), inner = w.out_weight.size(1), heads = o.heads, dh = inner / heads;
  std::vector<Tensor> p = torch::linear(x, w.in_weight, w.in_bias).view({n, n, 4, heads, dh}).unbind(2);
  if (w.qk_gain.defined())
    for (int s : {0, 1}) p[s] = torch::layer_norm(p[s], {dh}, w.qk_gain[s], w.qk_shift[s], o.epsilon);
  const double scale = 1 / std::sqrt(static_cast<double>(dh));
  Tensor a = torch::softmax(torch::einsum("ilhc,ljhc->iljh", {p[0], p[1]}) * scale, 1);  // [n, n, n, heads]
  if (o.dropout > 0) a = a * dropout_factors(graph, n, o, a);
  Tensor f = torch::einsum("ilhc,ljhc->iljhc", {p[2], p[3]});  // [n, n, n, heads, dh]
  if (o.value_norm) f = torch::layer_norm(f, {dh}, {}, {}, o.epsilon);
  Tensor out = torch::einsum("iljh,iljhc->ijhc", {a, f}).reshape({n, n, inner});
  return torch::linear(out, w.out_weight, w.out_bias);
}

Tensor reference(const Tensor& x, const std::vector<std::uint32_t>& orders, const AttentionWeights& w,
                 const AttentionOptions& o) {
  std::vector<Tensor> parts;
  std::int64_t at = 0;
  for (std::size_t g = 0; g < orders.size(); ++g) {
    const std::int64_t n = orders[g];
    parts.push_back(
        reference_graph(x.slice(0, at, at + n * n).reshape({n, n, x.size(1)}), static_cast<std::int64_t>(g), w, o)
            .reshape({n * n, w.out_weight.size(0)}));
    at += n * n;
  }
  return torch::cat(parts);
}

// Indices between all pairs and the rows i <= j of each graph. all: for every pair,
// its row among those. upper: the pairs with i <= j.
struct SymmetricRows {
  std::vector<std::int64_t> all, upper;
  explicit SymmetricRows(const std::vector<std::uint32_t>& orders) {
    std::int64_t packed = 0, full = 0;
    for (std::int64_t n : orders) {
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          const std::int64_t low = std::min(i, j);
          all.push_back(packed + low * n - low * (low - 1) / 2 + std::max(i, j) - low);
          if (i <= j) upper.push_back(full + i * n + j);
        }
      packed += n * (n + 1) / 2, full += n * n;
    }
  }
};

const TriangleKernel& find_kernel(const std::string& name) {
  for (const TriangleKernel& kernel : triangle_kernels())
    if (kernel.name == name && kernel.supported()) return kernel;
  throw UsageError("no kernel " + name);
}

// A tensor's numbers; the tensor must outlive their use.
template <class T>
T* data(const Tensor& t) {
  return t.numel() ? t.data_ptr<T>() : nullptr;
}

// The stream on which LibTorch queues work on the tensor's device.
void* current_stream(const Tensor& t) {
#ifdef LEMAN_TORCH_CUDA
  if (t.is_cuda()) return c10::cuda::getCurrentCUDAStream(t.device().index()).stream();
#endif
  TORCH_CHECK(t.is_cpu(), "triangle_attention: tensors on ", t.device(), ", this build works on the processor's");
  return nullptr;
}

// What the kernel needs besides tensors. LibTorch's slots keep it between the passes.
struct Call {
  std::vector<std::int64_t> orders;
  std::int64_t heads, value_norm, symmetric, threads, seed;
  double epsilon, dropout;
  std::string kernel;
  bool gradient, x_gradient;  // a backward pass may follow; it must give the gradient of x

  void save(AutogradContext& ctx) const {
    auto& slot = ctx.saved_data;
    slot["orders"] = orders, slot["heads"] = heads, slot["value_norm"] = value_norm;
    slot["symmetric"] = symmetric, slot["threads"] = threads, slot["seed"] = seed, slot["epsilon"] = epsilon,
    slot["dropout"] = dropout;
    slot["kernel"] = kernel, slot["x_gradient"] = x_gradient;
  }
  static Call restore(AutogradContext& ctx) {
    auto& slot = ctx.saved_data;
    return {slot["orders"].toIntVector(), slot["heads"].toInt(),
            slot["value_norm"].toInt(),   slot["symmetric"].toInt(),
            slot["threads"].toInt(),      slot["seed"].toInt(),
            slot["epsilon"].toDouble(),   slot["dropout"].toDouble(),
            slot["kernel"].toStringRef(), true,
            slot["x_gradient"].toBool()};
  }

  // The one place that fills the parameter struct. t: x, in_weight, in_bias,
  // qk_gain, qk_shift, out_weight, out_bias.
  template <class T>
  Triangle<T> job(const std::vector<Tensor>& t) const {
    for (const Tensor& each : t)
      TORCH_CHECK(each.device() == t[0].device(), "triangle_attention: tensors on ", t[0].device(), " and ",
                  each.device());
    Triangle<T> job;
    job.orders.assign(orders.begin(), orders.end());
    job.width = t[0].size(1);
    job.heads = heads;
    job.head_width = t[5].size(1) / heads;
    job.scale = static_cast<T>(1 / std::sqrt(static_cast<double>(job.head_width)));
    job.qk_norm = t[3].numel() > 0;
    job.value_norm = value_norm != 0;
    job.symmetric = symmetric != 0;
    job.epsilon = static_cast<T>(epsilon);
    job.dropout = dropout;
    job.seed = static_cast<std::uint64_t>(seed);
    job.threads = static_cast<unsigned>(threads);
    job.on_device = !t[0].is_cpu();
    job.stream = current_stream(t[0]);
    job.x = data<T>(t[0]), job.in_weight = data<T>(t[1]), job.in_bias = data<T>(t[2]);
    job.qk_gain = data<T>(t[3]), job.qk_shift = data<T>(t[4]);
    job.out_weight = data<T>(t[5]), job.out_bias = data<T>(t[6]);
    return job;
  }
};

class TriangleFunction : public torch::autograd::Function<TriangleFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, Tensor x, Tensor in_weight, Tensor in_bias, Tensor qk_gain,
                        Tensor qk_shift, Tensor out_weight, Tensor out_bias, const Call& call) {
    std::vector<Tensor> t{x, in_weight, in_bias, qk_gain, qk_shift, out_weight, out_bias};
    for (Tensor& tensor : t) tensor = tensor.contiguous();
    const c10::DeviceGuard device(x.device());
    Tensor y = torch::empty_like(t[0]), context, sums;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "triangle_attention", [&] {
      Triangle<scalar_t> job = call.job<scalar_t>(t);
      const TriangleKernel& kernel = find_kernel(call.kernel);
      context = torch::empty({static_cast<std::int64_t>(saved_context(kernel, job))}, x.options());
      const bool keep = call.gradient || kernel.device32;  // a device always keeps them
      sums = torch::empty({keep ? static_cast<std::int64_t>(saved_sums(kernel, job)) : 0}, x.options());
      job.y = data<scalar_t>(y), job.context = data<scalar_t>(context), job.sums = data<scalar_t>(sums);
      triangle_forward(kernel, job);
    });
    t.push_back(context), t.push_back(sums);
    ctx->save_for_backward(t);
    call.save(*ctx);
    return y;
  }

  static torch::autograd::tensor_list backward(AutogradContext* ctx, torch::autograd::tensor_list grads) {
    const std::vector<Tensor> t = ctx->get_saved_variables();
    const Call call = Call::restore(*ctx);
    const Tensor grad_y = grads[0].contiguous();
    const c10::DeviceGuard device(grad_y.device());
    std::vector<Tensor> g(8);  // the last one is for `call`
    const TriangleKernel& kernel = find_kernel(call.kernel);
    for (int k = 0; k < 7; ++k)
      if (k > 0 || call.x_gradient || kernel.device32) g[k] = torch::empty_like(t[k]);
    AT_DISPATCH_FLOATING_TYPES(t[0].scalar_type(), "triangle_attention", [&] {
      Triangle<scalar_t> job = call.job<scalar_t>(t);
      job.context = data<scalar_t>(t[7]), job.sums = data<scalar_t>(t[8]);
      job.grad_y = data<scalar_t>(grad_y), job.grad_x = g[0].defined() ? data<scalar_t>(g[0]) : nullptr;
      job.grad_in_weight = data<scalar_t>(g[1]), job.grad_in_bias = data<scalar_t>(g[2]);
      job.grad_qk_gain = data<scalar_t>(g[3]), job.grad_qk_shift = data<scalar_t>(g[4]);
      job.grad_out_weight = data<scalar_t>(g[5]), job.grad_out_bias = data<scalar_t>(g[6]);
      triangle_backward(kernel, job);
    });
    return g;
  }
};

// The default kernel, unless that is cuda, was not asked for, and the head is too wide for it.
std::string default_kernel_for(const Tensor& x, std::int64_t head_width) {
  const std::string best = default_kernel();
  if (best != kCuda || head_width <= static_cast<std::int64_t>(kMaxDeviceHead) || std::getenv("LEMAN_KERNEL"))
    return best;
  return x.is_cpu() ? kernel_names()[1] : kReference;
}

void check_shapes(const Tensor& x, const std::vector<std::uint32_t>& orders, const AttentionWeights& w,
                  const AttentionOptions& o) {
  std::int64_t rows = 0;
  for (std::size_t n : orders) rows += static_cast<std::int64_t>(pair_rows(n, o.symmetric));
  TORCH_CHECK(x.dim() == 2 && x.size(0) == rows, "triangle_attention: x is not [", rows, ", width]");
  const std::int64_t inner = w.out_weight.size(1), width = x.size(1), out = w.out_weight.size(0);
  TORCH_CHECK(o.heads > 0 && inner % o.heads == 0, "triangle_attention: ", o.heads, " heads do not divide ", inner);
  TORCH_CHECK(w.in_weight.sizes() == torch::IntArrayRef({4 * inner, width}) && w.in_bias.size(0) == 4 * inner &&
                  w.out_bias.size(0) == out,
              "triangle_attention: weights do not fit a width of ", width);
  TORCH_CHECK(w.qk_gain.defined() == w.qk_shift.defined(), "triangle_attention: qk_gain without qk_shift");
}

}  // namespace

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const TriangleKernel& kernel : triangle_kernels())
    if (kernel.supported()) names.push_back(kernel.name);
  names.push_back(kReference);
  return names;
}

void check_kernel(const std::string& name) {
  std::string all;
  for (const std::string& each : kernel_names()) {
    if (each == name) return;
    all += (all.empty() ? "" : ", ") + each;
  }
  if (name == kCuda) throw UsageError("kernel \"cuda\" cannot run: " + cuda_status() + "; there are " + all);
  for (const TriangleKernel& kernel : triangle_kernels())
    if (kernel.name == name) throw UsageError("this processor cannot run kernel \"" + name + "\"; it can run " + all);
  throw UsageError("there is no kernel \"" + name + "\"; there are " + all);
}

std::string default_kernel() {
  if (const char* forced = std::getenv("LEMAN_KERNEL"); forced && *forced) {
    try {
      check_kernel(forced);
    } catch (const UsageError& e) {
      throw UsageError(std::string("LEMAN_KERNEL: ") + e.what());
    }
    return forced;
  }
  return kernel_names().front();
}

Tensor triangle_attention(const Tensor& x, const std::vector<std::uint32_t>& orders, const AttentionWeights& w,
                          const AttentionOptions& o) {
  check_shapes(x, orders, w, o);
  const std::string kernel = o.kernel.empty() ? default_kernel_for(x, w.out_weight.size(1) / o.heads) : o.kernel;
  check_kernel(kernel);
  if (o.symmetric && (kernel == kReference || find_kernel(kernel).device32)) {  // these take all pairs only
    const SymmetricRows rows(orders);
    auto index = [&](const std::vector<std::int64_t>& v) { return torch::tensor(v, torch::kInt64).to(x.device()); };
    AttentionOptions all = o;
    all.symmetric = false;
    return triangle_attention(x.index_select(0, index(rows.all)), orders, w, all).index_select(0, index(rows.upper));
  }
  if (kernel == kReference) return reference(x, orders, w, o);
  TORCH_CHECK(x.is_cpu() || kernel == kCuda, "triangle_attention: kernel ", kernel, " cannot work on ", x.device());
  const Call call{{orders.begin(), orders.end()},
                  o.heads,
                  o.value_norm,
                  o.symmetric,
                  o.threads,
                  static_cast<std::int64_t>(o.seed),
                  o.epsilon,
                  o.dropout,
                  kernel,
                  torch::GradMode::is_enabled(),
                  x.requires_grad()};
  // The kernels need one width for x and y, a multiple of kMaxLanes; zero columns
  // change nothing.
  const std::int64_t in = x.size(1), out = w.out_weight.size(0), lanes = kMaxLanes;
  const std::int64_t width = (std::max(in, out) + lanes - 1) / lanes * lanes;
  auto wide = [&](const Tensor& t, std::int64_t has) {
    return has == width ? t : torch::constant_pad_nd(t, {0, width - has});
  };
  const Tensor out_weight = out == width ? w.out_weight : torch::constant_pad_nd(w.out_weight, {0, 0, 0, width - out});
  const Tensor none = torch::empty({0}, x.options());  // LibTorch does not accept undefined tensors here
  const bool qk_norm = w.qk_gain.defined();
  Tensor y = TriangleFunction::apply(wide(x, in), wide(w.in_weight, in), w.in_bias, qk_norm ? w.qk_gain : none,
                                     qk_norm ? w.qk_shift : none, out_weight, wide(w.out_bias, out), call);
  return out == width ? y : y.slice(1, 0, out);
}

}  // namespace leman::et
