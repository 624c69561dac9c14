// libFuzzer targets for what comes from outside besides graphs (LEMAN_FUZZ_INPUT): whatever the
// bytes are, a result or an Error, never a crash.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "base/npy.hpp"
#include "base/text.hpp"
#include "base/zip.hpp"
#include "brec/suites.hpp"
#include "et/config.hpp"
#include "et/weights.hpp"
#include "study/dataset_bounds.hpp"
#include "study/dataset_file.hpp"
#include "tests/fuzz/scratch.hpp"

namespace {

using namespace leman;

void array(const std::string& bytes) {
  const Array array = from_npy(bytes, "fuzz");
  if (from_npy(to_npy(array), "again").bytes != array.bytes) std::abort();
}

void zip(const std::string& bytes) { from_zip(bytes, "fuzz", 1 << 24); }

// The archive of a weights file; what else is read of one without LibTorch: fuzz_record.cpp.
void weights(const std::string& bytes) { et::tensor_records(bytes, "fuzz"); }

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
  set.kind = brec::PairSet::Kind::Brec, set.path = fuzz::scratch();
  for (const brec::PublishedRow& row : brec::published_rows(set))
    if (row.counts.size() != 5) std::abort();
}

void config(const std::string& bytes) { et::config_from_json(bytes, "fuzz"); }

// Labelled data sets. The first byte chooses the format; the files of a TU data set are cut at bytes 1.
void dataset(const std::string& bytes) {
  if (bytes.empty()) return;
  study::DatasetOptions options;
  options.simplify = bytes[0] & 8, options.directed = bytes[0] & 16, options.undirected = bytes[0] & 32;
  options.attributes = bytes[0] & 64, options.max_nodes = 5000;
  if (bytes[0] & 4) options.labels = study::DatasetOptions::Labels::Node;
  const std::string text = bytes.substr(1);
  study::Dataset set;
  if (bytes[0] % 3 == 0) {
    set = study::read_json_lines(wl::LineSource::from_text("fuzz", text), options);
  } else if (bytes[0] % 3 == 1) {
    set = study::read_csv_dataset(wl::LineSource::from_text("fuzz", text), options);
  } else {
    std::vector<std::string> files = split(text, '\1');
    files.resize(6);
    auto file = [&](std::size_t k) -> std::optional<wl::LineSource> {
      if (files[k].empty()) return std::nullopt;
      return wl::LineSource::from_text("fuzz", files[k]);
    };
    set = study::read_tu({wl::LineSource::from_text("fuzz", files[0]), wl::LineSource::from_text("fuzz", files[1]),
                          file(2), file(3), file(4), file(5)},
                         options);
  }
  set.check();
  for (const wl::Graph& graph : set.graphs) graph.check();
  std::vector<std::uint32_t> all(set.items());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  for (const study::LabelColumn& column : set.columns) {
    const study::Target target(column, std::nullopt, "fuzz");
    const study::Bound bound = target.bound(all);
    if (target.decimal(bound.absolute).starts_with('-') || bound.correct > all.size()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    LEMAN_FUZZ_INPUT(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const Error& e) {
    if (e.kind() == Error::Kind::Bug) throw;
  }
  return 0;
}
