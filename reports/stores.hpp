// Inside reports/: run stores, read and checked.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/document.hpp"
#include "study/model_summary.hpp"

namespace leman::reports {

struct LoadedStore {
  std::string file;
  study::ModelResult result;  // its engine rows are those of all stores
  StoreFacts facts;
};

// engine -> pair -> verdict
using EngineTable = std::map<const wl::Engine*, std::map<int, study::EngineRow>>;

struct LoadedStores {
  std::vector<LoadedStore> stores;
  EngineTable engines;
};

// Fills in what the document takes from the stores as it is: records, source, facts.
LoadedStores load_stores(const std::vector<std::string>& files, Document& document);

}  // namespace leman::reports
