// A forward pass of an Edge Transformer: forward GRAPH [SEED], e.g. forward C6 7
#include <cstring>
#include <iostream>
#include <leman/study/torch.hpp>
#include <leman/wl/graph_argument.hpp>
#include <string>

int main(int argc, char** argv) {
  using namespace leman;
  try {
    study::ForwardRequest request;
    request.config = et::preset("brec");
    request.seed = argc > 2 ? std::stoull(argv[2]) : 1;
    const wl::Graph graph = wl::graph_argument(argc > 1 ? argv[1] : "C6");
    const study::ForwardResult result = study::torch().forward(graph, request);  // loads LibTorch
    std::cout << result.parameters << " parameters, kernel " << result.kernel << '\n';
    for (const Array& array : result.arrays)
      if (array.name == "graph")
        for (std::size_t k = 0; k * sizeof(float) < array.bytes.size(); ++k) {
          float value = 0;
          std::memcpy(&value, array.bytes.data() + k * sizeof value, sizeof value);
          std::cout << value << ' ';
        }
    std::cout << '\n';
    return 0;
  } catch (const Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
