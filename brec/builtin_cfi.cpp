// CFI pairs over 100 connected base graphs with minimum degree 2 on 3 to 7
// nodes: treewidth 2 (ids 260-319), 3 (320-339), 4 or 5 (340-359).
#include <array>

#include "brec/builtin.hpp"
#include "brec/truth.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/formats.hpp"

namespace leman::brec {

namespace {

constexpr int kFirst = 260;
// The bases and their order are BREC's choice; no rule is known.
constexpr std::array<const char*, 100> kBases{
    "FCpfg", "FCRfo", "FCZco", "FCpfo", "FCRvW", "Bw",    "F?bvw", "FCpdo", "ECxw",  "ECzw",  "FCZTO",  "ECxo",
    "DUw",   "FCXe_", "F?B~w", "FCZVW", "EElw",  "DU{",   "DUW",   "FCdfG", "FCpfw", "EEj_",  "FQhV_",  "F?bro",
    "FCR`w", "F?brw", "FCY^W", "EQzO",  "FCZLw", "F?ov_", "FCZV?", "DFw",   "EQjo",  "F?qvw", "EEho",   "F?bvo",
    "FCQrW", "FCp`_", "FQhV?", "DF{",   "FCXkw", "EEjo",  "FCpd_", "E?~o",  "FCRdw", "FCOfw", "EEhw",   "FCQrO",
    "F?qrw", "F?`vo", "FCRdo", "ECZw",  "F?qvo", "FCQfw", "F?qro", "F?B~o", "FCZHw", "DQ{",   "FCpf_",  "FCdf_",
    "FEjdg", "FCzcw", "FQzUo", "FEjeg", "FCvfw", "FCY^o", "FCZNo", "EEnw",  "FCfvg", "FCZJw", "FEj\\w", "FEh~o",
    "FEjvw", "D]w",   "FCZ^g", "FCvdw", "EUZ_",  "FEjfw", "FCZng", "FCZNg", "FEzno", "FEu~w", "FEnfw",  "D~{",
    "FEu~o", "FTn~w", "FErvg", "FEzVw", "FEnf_", "FUZuw", "FQzvo", "FEzvg", "FQz~w", "FQyvw", "FFzvg",  "FQyvO",
    "E~~w",  "FErvo", "FUxuo", "E^~w",
};

}  // namespace

wl::Graph cfi_base(int id) { return wl::graph_from_graph6(kBases.at(static_cast<std::size_t>(id - kFirst))); }

std::string cfi_origin(int id) {
  std::string base = kBases.at(static_cast<std::size_t>(id - kFirst));
  return "CFI(" + base + ") | CFI(" + base + ") twisted";
}

std::vector<Pair> builtin_cfi() {
  std::vector<Pair> pairs;
  for (int id = kFirst; id < kFirst + static_cast<int>(kBases.size()); ++id) {
    wl::Graph base = cfi_base(id);
    auto [straight, twisted] = wl::cfi_pair(base);
    pairs.push_back({id, straight, twisted, cfi_origin(id), true, cfi_truth(base)});
  }
  return pairs;
}

}  // namespace leman::brec
