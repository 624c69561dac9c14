#include "study/blas_core.hpp"

#include <gtest/gtest.h>

namespace leman::study {
namespace {

TEST(BlasCore, IsLeftAloneWhereItFits) {
  for (const char* core : {"Zen", "Haswell", "SkylakeX", "SKYLAKEX", "Cooperlake"})
    EXPECT_EQ(better_blas_core(core, true, true), "") << core;
  EXPECT_EQ(better_blas_core("Prescott", false, false), "") << "a processor that has nothing better";
  EXPECT_EQ(better_blas_core("", true, true), "") << "another BLAS";
}

// What OpenBLAS 0.3.21 says of an Intel of model 207.
TEST(BlasCore, FollowsTheFlagsWhereOpenBlasDoesNotKnowTheProcessor) {
  EXPECT_EQ(better_blas_core("Prescott", true, true), "SkylakeX");
  EXPECT_EQ(better_blas_core("Prescott", true, false), "Haswell");
  EXPECT_EQ(better_blas_core("Sandybridge", true, false), "Haswell");
}

}  // namespace
}  // namespace leman::study
