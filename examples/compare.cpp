// Two graphs under every engine: compare A B, e.g. compare C6 EwCW
#include <iostream>
#include <leman/wl/engine.hpp>
#include <leman/wl/graph_argument.hpp>

int main(int argc, char** argv) {
  using namespace leman;
  if (argc != 3) {
    std::cerr << "usage: compare A B\n";
    return 2;
  }
  try {
    const wl::Graph a = wl::graph_argument(argv[1]), b = wl::graph_argument(argv[2]);
    for (const wl::Engine& engine : wl::engines()) {
      const wl::PairVerdict verdict = wl::compare(engine, a, b);
      std::cout << engine.title << ": ";
      if (verdict.distinguished)
        std::cout << "distinguished at round " << verdict.round << '\n';
      else
        std::cout << "not distinguished\n";
    }
    return 0;
  } catch (const Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
