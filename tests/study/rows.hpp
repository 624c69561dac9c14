// Rows and records of run stores, made by hand.
#pragma once

#include "study/records.hpp"

namespace leman::test {

// The group of this name among those that pairs are counted in.
inline std::size_t group_named(const brec::Roster& roster, const std::string& name) {
  for (std::size_t group = 0; group < roster.groups().size(); ++group)
    if (roster.groups()[group].name == name) return group;
  throw UsageError("no group " + name);
}

// A row of one of BREC's pairs with a value in every member.
inline study::ModelRow model_row(int pair, std::uint64_t seed, double t2 = 7.25) {
  study::ModelRow r;
  r.run.pair = pair, r.run.seed = seed;
  r.run.verdict.distinguished = r.run.verdict.reliable = true;
  r.run.verdict.pairs = {t2, 1e-300, 16, false};
  r.run.verdict.reliability = {1.5, 0.25, 15, true};
  r.run.verdict.separation = 1.0 / 3;
  r.run.epochs = 2, r.run.losses = {1, 0.1}, r.run.distances = {1e-300, 0.9}, r.run.gradients = {0, 1.0 / 7};
  r.run.couples = 32, r.run.seconds = 0.5;
  r.family = brec::brec_roster().family_of(pair).name, r.order = 40;
  r.commit = "abc", r.kernel = "portable", r.memory = 12345;
  return r;
}

// An agreement study of two depths, with a disagreement.
inline study::AgreementRecord agreement_record() {
  study::AgreementRecord r;
  r.model = "float32", r.source = "graphs", r.config = et::preset("paper"), r.seed = 7, r.steps = 3;
  r.training_loss = {0.5, 0.25};
  r.tolerance.tokens = {1e-6, 2e-6};
  for (auto& list : r.tolerance.poolings) list = {1, 2};
  r.all.graphs = 10, r.all.agree = 9, r.all.tokens.resize(2), r.all.most_rounds = 4;
  r.all.tokens[1] = {10, 9, 1, 0, {1e-7, 0.5}};
  for (auto& list : r.all.poolings) list.resize(2);
  r.all.reasons["tokens/round/coarser/precision"] = 1;
  r.all.examples.push_back({"tokens", "coarser", 1, "D?{", "precision", 1e-8, 1e-6, "C~"});
  r.rows.push_back({"er", true, r.all});
  return r;
}

// A data set with a task of either kind: a path and an edge, which an engine does not tell apart.
inline study::DatasetRecord dataset_record() {
  const wl::Graph path({.order = 3, .directed = false, .edges = {{0, 1, 2}, {1, 2, 0}}, .node_colors = {0, 1, 0}});
  const wl::Graph edge({.order = 2, .directed = false, .edges = {{0, 1, 0}}, .node_colors = {}});
  const study::DatasetRecord::Score classes{1, 2, "0", 0}, numbers{1, 0, "2.5", 4.25};
  study::DatasetRecord r;
  r.name = "set", r.source = "a.jsonl", r.format = "JSON lines";
  r.graphs = r.items = 3, r.smallest = 2, r.largest = 3, r.node_colors = 2, r.edge_colors = 3, r.notes = {"a note"};
  r.tasks = {{"kind", false, 2, {{"a", 2}, {"b", 1}}, "", "", classes}, {"size", true, 3, {}, "-1", "2.5", numbers}};
  const study::DatasetRecord::Item first{1, {}, {"a", "-1"}, 3, path}, second{2, 1, {"b", "2.5"}, 2, edge};
  r.rows = {{"1wl", "", 0.5, {{0, 2, 1, 1, {classes, numbers}}, {2, 3, 0, 0, {classes, numbers}}}, {{first, second}}},
            {"2fwl", "needs 8 GB", 0, {}, {}}};
  return r;
}

}  // namespace leman::test
