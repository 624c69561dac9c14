// libFuzzer targets for what comes from outside besides graphs (LEMAN_FUZZ_INPUT): whatever the
// bytes are, a result or an Error, never a crash.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/csv.hpp"
#include "base/npy.hpp"
#include "base/zip.hpp"
#include "et/config.hpp"
#include "study/json.hpp"
#include "study/model_summary.hpp"
#include "study/store.hpp"

namespace {

using namespace leman;

void npy(const std::string& bytes) {
  const Array array = from_npy(bytes, "fuzz");
  if (from_npy(to_npy(array), "again").bytes != array.bytes) std::abort();
}

// What weights files and .npz are.
void zip(const std::string& bytes) { from_zip(bytes, "fuzz", 1 << 24); }

// published.csv, and tables of pairs.
void csv(const std::string& bytes) {
  std::vector<CsvRow> rows;
  for (const CsvLine& line : parse_csv(bytes, "fuzz")) rows.push_back(line.cells);
  std::vector<CsvRow> again;
  for (const CsvLine& line : parse_csv(to_csv(rows), "again")) again.push_back(line.cells);
  if (again != rows) std::abort();
}

void config(const std::string& bytes) { et::config_from_json(bytes, "fuzz"); }

template <class Record>
void read_as(const study::Json& json) {
  Record record{};
  try {
    study::from_json(json, "fuzz", record);
  } catch (const Error&) {
  }
}

// Records of a run store: JSON of the right words and wrong values.
void records(const std::string& bytes) {
  const study::Json json = study::Json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  read_as<study::AgreementChunk>(json);
  read_as<study::AgreementRecord>(json);
  read_as<study::ClaimRecord>(json);
  read_as<study::KernelTime>(json);
  read_as<study::StepRecord>(json);
}

// A damaged file.
void store(const std::string& bytes) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("leman-fuzz-" + std::to_string(getpid()))).string();
  std::ofstream(path, std::ios::binary) << bytes;
  const study::Store opened(path);
  const study::ModelResult result = study::read_result(opened);
  opened.all<study::ClaimRecord>();
  const study::ModelSummary summary(result);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    LEMAN_FUZZ_INPUT(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const Error&) {
  }
  return 0;
}
