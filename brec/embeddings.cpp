#include "brec/embeddings.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "brec/sample.hpp"
#include "brec/store.hpp"
#include "wl/formats.hpp"

namespace leman::brec {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& file, const std::string& why) { throw std::runtime_error(file + ": " + why); }

std::string stem(const std::string& directory, int id) {
  char name[32];
  std::snprintf(name, sizeof name, "/pair_%03d", id);
  return directory + name;
}

void write(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw StoreWriteError(file + ": cannot be written: " + std::strerror(errno));
}

std::string read(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) fail(file, "no such file");
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) fail(file, "cannot be read");
  return text;
}

template <class T>
Eigen::MatrixXd values(const std::string& bytes, Eigen::Index rows, Eigen::Index columns) {
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> m(rows, columns);
  std::memcpy(m.data(), bytes.data(), bytes.size());
  return m.template cast<double>();
}

// What follows a key in the header, up to the end of its value.
std::string header_field(const std::string& header, const std::string& key, char last) {
  const auto at = header.find("'" + key + "':");
  if (at == header.npos) return "";
  auto from = at + key.size() + 3;
  while (from < header.size() && header[from] == ' ') ++from;
  const auto to = header.find(last, from);
  return to == header.npos ? "" : header.substr(from, to - from);
}

// NumPy's format, versions 1 to 3: magic, length of a header that is a Python
// dictionary, data.
Eigen::MatrixXd read_npy(const std::string& file) {
  const std::string text = read(file);
  if (text.size() < 12 || text.compare(0, 6, "\x93NUMPY") != 0) fail(file, "not a .npy file");
  const std::size_t wide = text[6] >= 2 ? 4 : 2;
  std::size_t length = 0;
  for (std::size_t k = 0; k < wide; ++k) length |= std::size_t{static_cast<unsigned char>(text[8 + k])} << (8 * k);
  if (length > text.size() - 8 - wide) fail(file, "ends within its header");
  const std::string header = text.substr(8 + wide, length);
  const std::string type = header_field(header, "descr", ','), order = header_field(header, "fortran_order", ',');
  const std::string shape = header_field(header, "shape", ')');
  if (type != "'<f4'" && type != "'<f8'") fail(file, "neither float32 nor float64, little-endian");
  if (order != "False") fail(file, "in Fortran order; numpy.ascontiguousarray helps");
  unsigned rows = 0, columns = 0;
  char more = 0;
  if (std::sscanf(shape.c_str(), "(%9u, %9u%c", &rows, &columns, &more) != 2) fail(file, "not an array with two axes");
  if (rows != 4 * kCouples || columns < 1) fail(file, "has shape " + shape + "), not (128, dimensions)");
  const std::string bytes = text.substr(8 + wide + length);
  const std::size_t width = type == "'<f4'" ? 4 : 8;
  if (bytes.size() != std::size_t{rows} * columns * width)
    fail(file, "has " + std::to_string(bytes.size()) + " bytes of data, which does not fit its shape");
  Eigen::MatrixXd m = width == 4 ? values<float>(bytes, rows, columns) : values<double>(bytes, rows, columns);
  for (Eigen::Index k = 0; k < m.rows(); ++k)
    if (!m.row(k).allFinite()) fail(file, "row " + std::to_string(k) + " has a value that is not finite");
  return m;
}

// Arrays that were made of another export would be taken for those of this one.
void refuse_stale(const std::string& directory, const std::string& pairs, std::uint64_t seed) {
  for (int id = 0; id < kPairs; ++id) {
    const std::string file = stem(directory, id) + ".npy";
    if (!std::filesystem::exists(file)) continue;
    const std::string there = directory + "/manifest.json";
    const Json json = std::filesystem::exists(there) ? Json::parse(read(there), nullptr, false) : Json();
    if (json.is_object() && json.value("seed", Json()) == seed && json.value("pairs", Json()) == pairs) return;
    throw StoreWriteError(file + ": belongs to another export; remove the arrays, or take another directory");
  }
}

}  // namespace

void export_samples(const std::string& directory, const PairSet& set, const std::vector<int>& ids, std::uint64_t seed,
                    const std::string& command) {
  refuse_stale(directory, pair_digest(set), seed);
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw StoreWriteError(directory + ": cannot be made: " + error.message());
  for (int id : ids) {
    std::string text;
    for (const wl::Graph& graph : draw_sample(set.pairs[static_cast<std::size_t>(id)], seed).graphs)
      text += wl::to_graph6(graph) + "\n";
    write(stem(directory, id) + ".g6", text);
  }
  const Json manifest{{"command", command},
                      {"seed", seed},
                      {"source", set.source},
                      {"pairs", pair_digest(set)},
                      {"graphs_per_pair", 4 * kCouples},
                      {"ids", ids}};
  write(directory + "/manifest.json", manifest.dump(1) + "\n");  // last: it says that all is there
}

Manifest read_manifest(const std::string& directory) {
  const std::string file = directory + "/manifest.json";
  const Json json = Json::parse(read(file), nullptr, false);
  try {
    if (!json.at("seed").is_number_unsigned()) fail(file, "seed is not a number from 0 on");
    if (json.at("graphs_per_pair") != 4 * kCouples) fail(file, "graphs_per_pair is not 128");
    const Manifest manifest{json.at("seed"), json.at("pairs"), json.at("ids")};
    if (manifest.ids.empty()) fail(file, "has no ids");
    for (std::size_t k = 0; k < manifest.ids.size(); ++k)
      if (manifest.ids[k] < (k ? manifest.ids[k - 1] + 1 : 0) || manifest.ids[k] >= kPairs)
        fail(file, "ids are not ascending numbers of pairs");
    return manifest;
  } catch (const nlohmann::json::exception&) {
    fail(file, "not what `leman brec export` writes");
  }
}

std::string embeddings_digest(const std::string& directory, const Manifest& manifest) {
  std::string all;
  for (int id : manifest.ids) {
    const std::string file = stem(directory, id) + ".npy";
    if (std::filesystem::exists(file)) all += std::to_string(id) + digest(read(file));
  }
  return digest(all);
}

std::string file_digest(const std::string& file) { return digest(read(file)); }

PairRun run_embeddings(const Settings& settings, const Pair& pair, std::uint64_t seed) {
  const Eigen::MatrixXd rows = read_npy(stem(settings.file, pair.id) + ".npy");
  PairRun run;
  run.pair = pair.id;
  run.seed = seed;
  const Sample sample = draw_sample(pair, seed);
  run.couples = sample.couples;
  if (settings.protocol == Protocol::Published && !rows.cast<float>().allFinite())
    fail(stem(settings.file, pair.id) + ".npy", "has a value beyond float32, in which this protocol computes");
  run.verdict = settings.protocol == Protocol::Published
                    ? judge_published(rows.cast<float>())
                    : judge_sound(rows, settings.level, sample.couples, sample.reliability_couples);
  return run;
}

}  // namespace leman::brec
