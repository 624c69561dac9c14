#include "et/pooling.hpp"

#include "et/kernels/pooling.hpp"
#include "et/kernels/rows.hpp"

namespace leman::et {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;

using Orders = std::vector<std::int64_t>;

std::int64_t rows_of(std::int64_t n, bool upper) {
  return static_cast<std::int64_t>(pair_rows(static_cast<std::size_t>(n), upper));
}

// Calls body(graph, order, number of rows before it) for every graph.
template <class Body>
void for_graphs(const Orders& orders, bool upper, Body body) {
  std::int64_t before = 0;
  for (std::size_t g = 0; g < orders.size(); ++g) {
    body(static_cast<std::int64_t>(g), static_cast<std::size_t>(orders[g]), before);
    before += rows_of(orders[g], upper);
  }
}

class MaximaFunction : public torch::autograd::Function<MaximaFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, Tensor x, const Orders& orders, bool upper, bool gradient) {
    x = x.contiguous();
    const std::int64_t width = x.size(1), graphs = static_cast<std::int64_t>(orders.size());
    const Tensor top = torch::empty({graphs, 2 * width}, x.options());
    const Tensor rows = torch::empty({gradient ? graphs : 0, 2 * width}, torch::kInt64);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "pair_maxima", [&] {
      for_graphs(orders, upper, [&](std::int64_t g, std::size_t n, std::int64_t before) {
        std::int64_t* own = gradient ? rows.data_ptr<std::int64_t>() + g * 2 * width : nullptr;
        pair_maxima(x.data_ptr<scalar_t>() + before * width, n, static_cast<std::size_t>(width), upper,
                    top.data_ptr<scalar_t>() + g * 2 * width, own);
        for (std::int64_t k = 0; own && k < 2 * width; ++k)
          if (own[k] >= 0) own[k] += before;
      });
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
      for (std::int64_t k = 0; k < rows.numel(); ++k)  // no two of them are equal
        if (row[k] >= 0) to[row[k] * width + k % width] = from[k];
    });
    return {grad, Tensor(), Tensor(), Tensor()};
  }
};

class MomentsFunction : public torch::autograd::Function<MomentsFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, Tensor x, const Orders& orders, std::int64_t degree) {
    x = x.contiguous();
    const std::int64_t width = x.size(1), size = 2 * degree * width;
    const Tensor means = torch::empty({static_cast<std::int64_t>(orders.size()), size}, x.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "pair_moments", [&] {
      for_graphs(orders, false, [&](std::int64_t g, std::size_t n, std::int64_t before) {
        pair_moments(x.data_ptr<scalar_t>() + before * width, n, static_cast<std::size_t>(width),
                     static_cast<std::size_t>(degree), means.data_ptr<scalar_t>() + g * size);
      });
    });
    ctx->save_for_backward({degree > 1 ? x : x.slice(0, 0, 0).clone()});  // degree 1 has slope 1 everywhere
    ctx->saved_data["orders"] = orders;
    ctx->saved_data["degree"] = degree;
    ctx->saved_data["rows"] = x.size(0);
    return means;
  }

  static torch::autograd::tensor_list backward(AutogradContext* ctx, torch::autograd::tensor_list grads) {
    const Tensor x = ctx->get_saved_variables()[0], given = grads[0].contiguous();
    const std::int64_t width = x.size(1), size = given.size(1);
    const std::size_t degree = static_cast<std::size_t>(ctx->saved_data["degree"].toInt());
    const Tensor grad = torch::empty({ctx->saved_data["rows"].toInt(), width}, x.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "pair_moments", [&] {
      for_graphs(ctx->saved_data["orders"].toIntVector(), false,
                 [&](std::int64_t g, std::size_t n, std::int64_t before) {
                   pair_moments_backward(degree > 1 ? x.data_ptr<scalar_t>() + before * width : nullptr, n,
                                         static_cast<std::size_t>(width), degree, given.data_ptr<scalar_t>() + g * size,
                                         grad.data_ptr<scalar_t>() + before * width);
                 });
    });
    return {grad, Tensor(), Tensor()};
  }
};

Orders checked(const Tensor& x, const std::vector<std::uint32_t>& orders, bool upper) {
  std::int64_t rows = 0;
  for (std::int64_t n : orders) rows += rows_of(n, upper);
  TORCH_CHECK(x.dim() == 2 && x.size(0) == rows && x.is_cpu(), "pooling: x is not [", rows, ", width] on the CPU");
  return {orders.begin(), orders.end()};
}

}  // namespace

Tensor pair_maxima(const Tensor& x, const std::vector<std::uint32_t>& orders, bool upper) {
  return MaximaFunction::apply(x, checked(x, orders, upper), upper, torch::GradMode::is_enabled() && x.requires_grad());
}

Tensor pair_moments(const Tensor& x, const std::vector<std::uint32_t>& orders, std::int64_t degree) {
  TORCH_CHECK(degree >= 1 && degree <= 3, "pooling: no moments of degree ", degree);
  return MomentsFunction::apply(x, checked(x, orders, false), degree);
}

}  // namespace leman::et
