// libFuzzer target for the JSON of one record (LEMAN_FUZZ_RECORD): whatever is changed in a valid
// one, it is read, and then written and read again the same, or refused with an Error.
#include <cstdint>
#include <cstdlib>

#include "et/weights.hpp"
#include "study/records.hpp"
#include "tests/fuzz/edits.hpp"
#include "tests/study/rows.hpp"

namespace {

using namespace leman;
using namespace leman::study;
using et::ModelSource;

[[maybe_unused]] Json example(const AgreementChunk&) {
  return to_json(AgreementChunk{"key", test::agreement_record().all});
}
[[maybe_unused]] Json example(const AgreementRecord&) { return to_json(test::agreement_record()); }
[[maybe_unused]] Json example(const ClaimRecord&) {
  return to_json(ClaimRecord{"id", "where", "statement", "command", "holds", "evidence", false, "abc"});
}
[[maybe_unused]] Json example(const KernelTime&) { return to_json(KernelTime{40, "avx2", 0.5, 0.75, 1.5, 2.5}); }
[[maybe_unused]] Json example(const StepRecord&) { return to_json(StepRecord{"name", "command", 3}); }

[[maybe_unused]] Json example(const DatasetRecord&) { return to_json(test::dataset_record()); }

[[maybe_unused]] Json example(const et::ModelSource&) { return Json::parse(et::to_json(et::ModelSource{})); }

// Reads a record and writes it.
template <class Record>
struct Copy {
  static std::string of(const std::string& text) {
    Record record{};
    from_json(parse_json(text, "fuzz"), "fuzz", record);
    return to_json(record).dump();
  }
};
template <>
struct Copy<et::ModelSource> {  // of a weights file
  static std::string of(const std::string& text) { return et::to_json(et::model_source(text, "fuzz")); }
};

void read(const std::string& text) {
  const std::string written = Copy<LEMAN_FUZZ_RECORD>::of(text);
  if (Copy<LEMAN_FUZZ_RECORD>::of(written) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  const bool raw = in.ConsumeIntegralInRange(0, 15) == 0;
  const std::string text = raw ? in.ConsumeRemainingBytesAsString() : fuzz::edited(example(LEMAN_FUZZ_RECORD{}), in);
  fuzz::attempt([&] { read(text); });
  return 0;
}
