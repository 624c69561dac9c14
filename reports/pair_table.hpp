// Pairs of graphs as tables, text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/table.hpp"
#include "brec/pairs.hpp"

namespace leman::reports {

nlohmann::ordered_json pair_json(const brec::Pair& pair, const brec::Roster& roster);
std::string pair_text(const brec::Pair& pair, const brec::Roster& roster);  // all that is known about one pair
Table pair_list(const std::vector<const brec::Pair*>& pairs, const brec::Roster& roster);  // one row per pair
std::string family_table(const brec::PairSet& set);                                        // headed by the set's source

}  // namespace leman::reports
