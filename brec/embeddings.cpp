#include "brec/embeddings.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

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
  if (!out) throw StoreWriteError(file + ": cannot be written");
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
  static const std::regex type("'descr': *'<(f[48])'"), order("'fortran_order': *False"),
      shape("'shape': *\\((\\d{1,9}), *(\\d{1,9}),?\\)");
  std::smatch kind, sides;
  if (!std::regex_search(header, kind, type)) fail(file, "neither float32 nor float64, little-endian");
  if (!std::regex_search(header, order)) fail(file, "in Fortran order; numpy.ascontiguousarray helps");
  if (!std::regex_search(header, sides, shape)) fail(file, "not an array with two axes");
  const Eigen::Index rows = std::stoll(sides[1]), columns = std::stoll(sides[2]);
  if (rows != 4 * static_cast<Eigen::Index>(kCouples) || columns < 1)
    fail(file, "has shape (" + sides.str(1) + ", " + sides.str(2) + "), not (128, dimensions)");
  const std::string bytes = text.substr(8 + wide + length);
  const std::size_t width = kind[1] == "f4" ? 4 : 8;
  if (bytes.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * width)
    fail(file, "has " + std::to_string(bytes.size()) + " bytes of data, which does not fit its shape");
  Eigen::MatrixXd m = width == 4 ? values<float>(bytes, rows, columns) : values<double>(bytes, rows, columns);
  for (Eigen::Index k = 0; k < rows; ++k)
    if (!m.row(k).allFinite()) fail(file, "row " + std::to_string(k) + " has a value that is not finite");
  return m;
}

}  // namespace

void export_samples(const std::string& directory, const PairSet& set, const std::vector<int>& ids, std::uint64_t seed,
                    const std::string& command) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
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
    return {json.at("seed"), json.at("pairs"), json.at("ids")};
  } catch (const nlohmann::json::exception&) {
    fail(file, "not what `leman brec export` writes");
  }
}

PairRun run_embeddings(const Settings& settings, const Pair& pair, std::uint64_t seed) {
  const Eigen::MatrixXd rows = read_npy(stem(settings.file, pair.id) + ".npy");
  PairRun run;
  run.pair = pair.id;
  run.seed = seed;
  const Sample sample = draw_sample(pair, seed);
  run.couples = sample.couples;
  run.verdict = settings.protocol == Protocol::Published
                    ? judge_published(rows.cast<float>())
                    : judge_sound(rows, settings.level, sample.couples, sample.reliability_couples);
  return run;
}

}  // namespace leman::brec
