// BREC's families, and its files: seven of graph6 text, the seven arrays that its repository has, or
// brec_v3.npy, which brings its own relabellings.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>

#include "brec/pairs.hpp"

namespace leman::brec {

enum class BrecFamily { Basic, SimpleRegular, StronglyRegular, Extension, Cfi, FourVertex, DistanceRegular };

struct BrecFamilyInfo {
  BrecFamily family;
  std::string_view name;
  std::string_view file, array;  // in BREC's directory: graph6 text, NumPy array
  std::string_view category;     // as published results count them
  int first_id;
  int pairs;
  wl::Node min_order, max_order;  // of BREC's graphs
};
inline constexpr int kBrecPairs = 400;
const std::array<BrecFamilyInfo, 7>& brec_families();  // in order of ids
const BrecFamilyInfo& info(BrecFamily family);
const Roster& brec_roster();

// A directory with seven files, or one with seven arrays, or brec_v3.npy itself. Checks them: the
// right number of graphs in each, orders within range and equal within a pair; of arrays also that
// the 250 pairs which Leman builds itself are in their places, by canonical form, and that every
// relabelling is one. Throws InputError.
PairSet read_brec(const std::filesystem::path& path);

}  // namespace leman::brec
