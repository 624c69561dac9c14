// Pairs of graphs to tell apart: BREC's 400 from its files, or 400 that the
// program builds itself.
//
// A pair records its origin and what is proved about it: an interval for the smallest
// k such that k-FWL tells its graphs apart (1-FWL is 1-WL, 2-FWL has the power of
// 3-WL).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wl/graph.hpp"

namespace leman::brec {

enum class Family { Basic, SimpleRegular, StronglyRegular, Extension, Cfi, FourVertex, DistanceRegular };
enum class Category { Basic, Regular, Extension, Cfi };  // as published results count them

struct FamilyInfo {
  Family family;
  std::string_view name;
  std::string_view file;  // in BREC's directory
  Category category;
  int first_id;
  int pairs;
  wl::Node min_order, max_order;  // of BREC's graphs
};
inline constexpr int kPairs = 400;
const std::array<FamilyInfo, 7>& families();  // in order of ids
const FamilyInfo& info(Family family);
std::string_view category_name(Category category);

struct Truth {
  int fwl_at_least = 1;            // proved: no k-FWL with a smaller k tells the graphs apart
  std::optional<int> fwl_at_most;  // proved: k-FWL with this k does; no value: nothing is proved
  std::string reason;
};

struct Pair {
  int id = 0;
  Family family = Family::Basic;
  wl::Graph first, second;
  std::string origin;    // how the graphs were made, or the file and lines
  bool is_brec = false;  // isomorphic to BREC's pair of this id
  Truth truth;
};

struct PairSet {
  std::string source;  // "BREC files in DIR" or "built-in pairs"
  bool from_files = false;
  std::string directory;    // of the files
  std::vector<Pair> pairs;  // pairs[i].id == i
};

// Reads seven files and checks them: the right number of graphs in each, orders
// within range and equal within a pair. Throws InputError.
PairSet read_brec(const std::filesystem::path& directory);

// The built-in pairs, see brec/builtin.hpp.
PairSet builtin_pairs();

// Ids of pairs whose two graphs are isomorphic; must be empty.
std::vector<int> isomorphic_pairs(const PairSet& set);

}  // namespace leman::brec
