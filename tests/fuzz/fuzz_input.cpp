// libFuzzer targets for what comes from outside besides graphs (LEMAN_FUZZ_INPUT): whatever the
// bytes are, a result or an Error, never a crash.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/csv.hpp"
#include "base/npy.hpp"
#include "base/zip.hpp"
#include "et/config.hpp"

namespace {

using namespace leman;

void array(const std::string& bytes) {
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    LEMAN_FUZZ_INPUT(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const Error&) {
  }
  return 0;
}
