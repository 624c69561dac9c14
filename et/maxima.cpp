#include "et/maxima.hpp"

#include "et/kernels/maxima.hpp"

namespace leman::et {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;

class MaximaFunction : public torch::autograd::Function<MaximaFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, Tensor x, const std::vector<std::uint32_t>& orders, bool gradient) {
    x = x.contiguous();
    const std::int64_t width = x.size(1), graphs = static_cast<std::int64_t>(orders.size());
    const Tensor top = torch::empty({graphs, 2 * width}, x.options());
    const Tensor rows = torch::empty({gradient ? graphs : 0, 2 * width}, torch::kInt64);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "pair_maxima", [&] {
      const scalar_t* from = x.data_ptr<scalar_t>();
      for (std::int64_t g = 0, before = 0; g < graphs; ++g) {
        const std::int64_t n = orders[static_cast<std::size_t>(g)];
        std::int64_t* own = gradient ? rows.data_ptr<std::int64_t>() + g * 2 * width : nullptr;
        pair_maxima(from + before * width, static_cast<std::size_t>(n), static_cast<std::size_t>(width),
                    top.data_ptr<scalar_t>() + g * 2 * width, own);
        for (std::int64_t k = 0; own && k < 2 * width; ++k)
          if (own[k] >= 0) own[k] += before;
        before += n * n;
      }
    });
    ctx->save_for_backward({rows});
    ctx->saved_data["rows"] = x.size(0);
    return top;
  }

  static torch::autograd::tensor_list backward(AutogradContext* ctx, torch::autograd::tensor_list grads) {
    const Tensor rows = ctx->get_saved_variables()[0], given = grads[0].contiguous();
    const std::int64_t width = rows.size(1) / 2;
    const Tensor grad = torch::zeros({ctx->saved_data["rows"].toInt(), width}, given.options());
    AT_DISPATCH_FLOATING_TYPES(given.scalar_type(), "pair_maxima", [&] {
      const std::int64_t* row = rows.data_ptr<std::int64_t>();
      const scalar_t* from = given.data_ptr<scalar_t>();
      scalar_t* to = grad.data_ptr<scalar_t>();
      for (std::int64_t k = 0; k < rows.numel(); ++k)  // no two of them are the same
        if (row[k] >= 0) to[row[k] * width + k % width] = from[k];
    });
    return {grad, Tensor(), Tensor()};
  }
};

}  // namespace

Tensor pair_maxima(const Tensor& x, const std::vector<std::uint32_t>& orders) {
  std::int64_t rows = 0;
  for (std::int64_t n : orders) rows += n * n;
  TORCH_CHECK(x.dim() == 2 && x.size(0) == rows && x.is_cpu(), "pair_maxima: x is not [", rows, ", width] on the CPU");
  return MaximaFunction::apply(x, orders, torch::GradMode::is_enabled() && x.requires_grad());
}

}  // namespace leman::et
