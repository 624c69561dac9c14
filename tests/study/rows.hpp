// Rows of run stores, made by hand.
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

}  // namespace leman::test
