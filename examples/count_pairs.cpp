// How many of the built-in pairs do engines tell apart? count_pairs [ENGINES], e.g. 1wl,2fwl
#include <atomic>
#include <iostream>
#include <leman/base/parallel.hpp>
#include <leman/brec/suites.hpp>
#include <leman/study/engine_sweep.hpp>
#include <map>

int main(int argc, char** argv) {
  using namespace leman;
  try {
    const brec::PairSet set = brec::load_suite({.builtin = true});
    const auto engines = argc > 1 ? wl::engine_list(argv[1]) : wl::standard_engines();
    std::vector<const brec::Pair*> pairs;
    for (const brec::Pair& pair : set.pairs) pairs.push_back(&pair);
    study::Silent silent;
    const std::atomic<bool> never{false};
    std::map<const wl::Engine*, int> found;
    for (const study::SweepRow& row :
         study::sweep(study::sweep_items(pairs, engines), default_threads(), 0, {silent, never}))
      found[row.item.engine] += row.verdict.distinguished;
    for (const wl::Engine* engine : engines)
      std::cout << engine->title << ": " << found[engine] << " of " << pairs.size() << '\n';
    return 0;
  } catch (const Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
