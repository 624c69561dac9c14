#include "et/quotient_attention.hpp"

#include <cmath>

#include "et/kernels/quotient.hpp"

namespace leman::et {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;

// Keeps a quotient alive between the passes.
struct QuotientHolder : torch::CustomClassHolder {
  std::shared_ptr<const wl::Quotient> quotient;
  explicit QuotientHolder(std::shared_ptr<const wl::Quotient> q) : quotient(std::move(q)) {}
};

struct Shape {
  std::shared_ptr<const wl::Quotient> quotient;
  std::int64_t heads, threads;
  bool value_norm;
  double epsilon;

  template <class T>
  QuotientAttention<T> job(const std::vector<Tensor>& t) const {  // t: q, k, v1, v2, out, sums
    QuotientAttention<T> job;
    job.quotient = quotient.get();
    job.heads = heads;
    job.head_width = t[0].size(1) / heads;
    job.scale = static_cast<T>(1 / std::sqrt(static_cast<double>(job.head_width)));
    job.value_norm = value_norm;
    job.epsilon = static_cast<T>(epsilon);
    job.threads = static_cast<unsigned>(threads);
    job.q = t[0].data_ptr<T>(), job.k = t[1].data_ptr<T>();
    job.v1 = t[2].data_ptr<T>(), job.v2 = t[3].data_ptr<T>();
    job.out = t[4].data_ptr<T>(), job.sums = t[5].data_ptr<T>();
    return job;
  }
};

class QuotientFunction : public torch::autograd::Function<QuotientFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, Tensor q, Tensor k, Tensor v1, Tensor v2, const Shape& shape) {
    std::vector<Tensor> t{q.contiguous(), k.contiguous(), v1.contiguous(), v2.contiguous()};
    t.push_back(torch::empty_like(t[0]));
    t.push_back(torch::empty({q.size(0), shape.heads}, q.options()));
    AT_DISPATCH_FLOATING_TYPES(q.scalar_type(), "quotient_attention",
                               [&] { quotient_forward(shape.job<scalar_t>(t)); });
    ctx->save_for_backward(t);
    ctx->saved_data["quotient"] = c10::IValue::make_capsule(c10::make_intrusive<QuotientHolder>(shape.quotient));
    ctx->saved_data["heads"] = shape.heads;
    ctx->saved_data["threads"] = shape.threads;
    ctx->saved_data["value_norm"] = shape.value_norm;
    ctx->saved_data["epsilon"] = shape.epsilon;
    return t[4];
  }

  static torch::autograd::tensor_list backward(AutogradContext* ctx, torch::autograd::tensor_list grads) {
    const std::vector<Tensor> t = ctx->get_saved_variables();
    auto& slot = ctx->saved_data;
    const Shape shape{static_cast<const QuotientHolder&>(*slot["quotient"].toCapsule()).quotient, slot["heads"].toInt(),
                      slot["threads"].toInt(), slot["value_norm"].toBool(), slot["epsilon"].toDouble()};
    const Tensor given = grads[0].contiguous();
    std::vector<Tensor> g(5);
    for (int k = 0; k < 4; ++k) g[k] = torch::empty_like(t[0]);
    AT_DISPATCH_FLOATING_TYPES(given.scalar_type(), "quotient_attention", [&] {
      QuotientAttention<scalar_t> job = shape.job<scalar_t>(t);
      job.grad_out = given.data_ptr<scalar_t>();
      job.grad_q = g[0].data_ptr<scalar_t>(), job.grad_k = g[1].data_ptr<scalar_t>();
      job.grad_v1 = g[2].data_ptr<scalar_t>(), job.grad_v2 = g[3].data_ptr<scalar_t>();
      quotient_backward(job);
    });
    return g;
  }
};

}  // namespace

Tensor quotient_attention(const Tensor& x, const std::shared_ptr<const wl::Quotient>& quotient,
                          const AttentionWeights& w, const AttentionOptions& o) {
  TORCH_CHECK(o.dropout == 0, "quotient_attention: attention dropout would tell equal colours apart");
  const std::int64_t colors = x.size(0), inner = w.out_weight.size(1), dh = inner / o.heads;
  std::vector<Tensor> p = torch::linear(x, w.in_weight, w.in_bias).view({colors, 4, o.heads, dh}).unbind(1);
  if (w.qk_gain.defined())
    for (int s : {0, 1}) p[s] = torch::layer_norm(p[s], {dh}, w.qk_gain[s], w.qk_shift[s], o.epsilon);
  for (Tensor& each : p) each = each.reshape({colors, inner});
  const Shape shape{quotient, o.heads, o.threads, o.value_norm, o.epsilon};
  return torch::linear(QuotientFunction::apply(p[0], p[1], p[2], p[3], shape), w.out_weight, w.out_bias);
}

}  // namespace leman::et
