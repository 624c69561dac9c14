// Rows of run stores, made by hand.
#pragma once

#include "study/records.hpp"

namespace leman::test {

// A row of a CFI pair with a value in every member.
inline study::ModelRow model_row(int pair, std::uint64_t seed, double t2 = 7.25) {
  study::ModelRow r;
  r.run.pair = pair, r.run.seed = seed;
  r.run.verdict.distinguished = r.run.verdict.reliable = true;
  r.run.verdict.pairs = {t2, 1e-300, 16, false};
  r.run.verdict.reliability = {1.5, 0.25, 15, true};
  r.run.verdict.separation = 1.0 / 3;
  r.run.epochs = 2, r.run.losses = {1, 0.1}, r.run.distances = {1e-300, 0.9}, r.run.gradients = {0, 1.0 / 7};
  r.run.couples = 32, r.run.seconds = 0.5;
  r.family = brec::Family::Cfi, r.order = 40;
  r.commit = "abc", r.kernel = "portable", r.memory = 12345;
  return r;
}

}  // namespace leman::test
