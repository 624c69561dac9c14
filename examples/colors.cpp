// The stable colours of a graph: colors GRAPH [ENGINE], e.g. colors P5 1wl
#include <iostream>
#include <leman/wl/engine.hpp>
#include <leman/wl/graph_argument.hpp>

int main(int argc, char** argv) {
  using namespace leman;
  try {
    const wl::Graph graph = wl::graph_argument(argc > 1 ? argv[1] : "P5");
    const wl::Engine& engine = wl::engine_named(argc > 2 ? argv[2] : "1wl");
    wl::RunOptions options;
    options.keep_coloring = true;
    const wl::Graph* graphs[] = {&graph};
    const wl::RunResult run = wl::run_engine(engine, graphs, options);
    std::cout << engine.title << ": " << run.colors << " colours after " << run.rounds << " rounds\n";
    for (const wl::Color color : run.coloring[0]) std::cout << color << ' ';
    std::cout << '\n';
    return 0;
  } catch (const Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
