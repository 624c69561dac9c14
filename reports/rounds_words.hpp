// Inside reports/: sentences about classes.
#pragma once

#include "reports/rounds.hpp"

namespace leman::reports {

std::string counted(std::uint64_t count, const std::string& noun);  // "no node", "1 node", "2 nodes"

// What a sentence must mention: directions and colours, if a graph of the run has them; not the only
// class that there was.
struct Speech {
  bool directed = false, node_colors = false, edge_colors = false, one_class = false;
};
Speech speech_of(const Rounds& rounds, bool one_class);

// "2 neighbours in B"; of several terms that differ in their classes only, "no neighbour in B, C or D".
std::string term_text(std::uint64_t count, const std::vector<wl::Term>& terms, const Speech& s);

// "A (7 nodes) splits: 5 nodes with 2 neighbours stay A; 2 nodes with 1 neighbour become B."
std::string split_sentence(const Split& split, const Rounds& rounds, bool one_class_before);

// What the members of a class of round 0 have in common, read off one of them.
std::string initial_text(const Rounds& rounds, std::size_t graph, std::size_t tuple, bool by_node_colors);

// "G and H differ from this round on: C has 12 pairs in G and none in H."
std::string difference_sentence(const Rounds& rounds, const Round& round, std::size_t a, std::size_t b);

// What is said of one round: where graphs begin to differ, what splits a class, in round 0 what the
// classes are.
std::vector<std::string> sentences_of(const Rounds& rounds, const Round& round);
std::string classes_text(const Rounds& rounds, const Round& round);  // "7 classes, 3 of one node"
std::string names_text(const Rounds& rounds);                        // "C6 and EwCW"

// What is said of the run as a whole.
std::vector<std::string> summary_sentences(const Rounds& rounds, const wl::RunResult& run);

}  // namespace leman::reports
