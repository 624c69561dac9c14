// libFuzzer target for the JSON of one record (LEMAN_FUZZ_RECORD): whatever is changed in a valid
// one, it is read, and then written and read again the same, or refused with an InputError.
#include <cstdint>
#include <cstdlib>

#include "study/records.hpp"
#include "tests/fuzz/edits.hpp"
#include "tests/study/rows.hpp"

namespace {

using namespace leman;
using namespace leman::study;

[[maybe_unused]] Json example(const AgreementChunk&) {
  return to_json(AgreementChunk{"key", test::agreement_record().all});
}
[[maybe_unused]] Json example(const AgreementRecord&) { return to_json(test::agreement_record()); }
[[maybe_unused]] Json example(const ClaimRecord&) {
  return to_json(ClaimRecord{"id", "where", "statement", "command", "holds", "evidence", false, "abc"});
}
[[maybe_unused]] Json example(const KernelTime&) { return to_json(KernelTime{40, "avx2", 0.5, 0.75, 1.5, 2.5}); }
[[maybe_unused]] Json example(const StepRecord&) { return to_json(StepRecord{"name", "command", 3}); }

void read(const std::string& text) {
  LEMAN_FUZZ_RECORD record{}, again{};
  from_json(parse_json(text, "fuzz"), "fuzz", record);
  const std::string written = to_json(record).dump();
  from_json(parse_json(written, "again"), "again", again);
  if (to_json(again).dump() != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  const bool raw = in.ConsumeIntegralInRange(0, 15) == 0;
  const std::string text = raw ? in.ConsumeRemainingBytesAsString() : fuzz::edited(example(LEMAN_FUZZ_RECORD{}), in);
  fuzz::attempt([&] { read(text); });
  return 0;
}
