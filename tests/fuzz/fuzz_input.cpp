// libFuzzer targets for what comes from outside besides graphs (LEMAN_FUZZ_INPUT): whatever the
// bytes are, a result or an Error, never a crash.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/csv.hpp"
#include "base/npy.hpp"
#include "base/zip.hpp"
#include "brec/suites.hpp"
#include "et/config.hpp"
#include "et/weights.hpp"
#include "tests/fuzz/edits.hpp"
#include "tests/fuzz/scratch.hpp"

namespace {

using namespace leman;

void npy(const std::string& bytes) {
  const Array array = from_npy(bytes, "fuzz");
  if (from_npy(to_npy(array), "again").bytes != array.bytes) std::abort();
}

// What weights files and .npz are.
void zip(const std::string& bytes) { from_zip(bytes, "fuzz", 1 << 24); }

// Tables of pairs.
void csv(const std::string& bytes) {
  std::vector<CsvRow> rows;
  for (const CsvLine& line : parse_csv(bytes, "fuzz")) rows.push_back(line.cells);
  std::vector<CsvRow> again;
  for (const CsvLine& line : parse_csv(to_csv(rows), "again")) again.push_back(line.cells);
  if (again != rows) std::abort();
}

// As it stands beside BREC's pairs.
void published(const std::string& bytes) {
  fuzz::put("published.csv", bytes);
  brec::PairSet set;
  set.from_files = true, set.directory = fuzz::scratch();
  for (const brec::PublishedRow& row : brec::published_rows(set))
    if (row.counts.size() != 5) std::abort();
}

void config(const std::string& bytes) { et::config_from_json(bytes, "fuzz"); }

// What is read of weights without LibTorch.
void weights(const std::string& bytes) {
  fuzz::attempt([&] { et::tensor_records(bytes, "fuzz"); });
  FuzzedDataProvider in(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const auto valid = parse_json(et::to_json(et::ModelSource{}), "valid");
  const std::string text = et::to_json(et::model_source(fuzz::edited(valid, in), "fuzz"));
  if (et::to_json(et::model_source(text, "again")) != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::attempt([&] { LEMAN_FUZZ_INPUT(std::string(reinterpret_cast<const char*>(data), size)); });
  return 0;
}
