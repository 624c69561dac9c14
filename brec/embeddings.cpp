#include "brec/embeddings.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/digest.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/npy.hpp"
#include "brec/sample.hpp"
#include "brec/suites.hpp"
#include "wl/formats.hpp"

namespace leman::brec {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& file, const std::string& why) { throw InputError(file, why); }

std::string stem(const std::string& directory, int id) { return directory + fmt::format("/pair_{:03}", id); }

template <class T>
Eigen::MatrixXd values(const std::string& bytes, Eigen::Index rows, Eigen::Index columns) {
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> m(rows, columns);
  std::memcpy(m.data(), bytes.data(), bytes.size());
  return m.template cast<double>();
}

Eigen::MatrixXd read_embeddings(const std::string& file) {
  const Array array = from_npy(read_file(file), file);
  if (array.type != "<f4" && array.type != "<f8") fail(file, "neither float32 nor float64, little-endian");
  if (array.shape.size() != 2) fail(file, "not an array with two axes");
  const std::int64_t rows = array.shape[0], columns = array.shape[1];
  if (rows != 4 * kCouples || columns < 1)
    fail(file, fmt::format("has shape ({}, {}), not (128, dimensions)", rows, columns));
  const Eigen::MatrixXd m =
      array.type == "<f4" ? values<float>(array.bytes, rows, columns) : values<double>(array.bytes, rows, columns);
  for (Eigen::Index k = 0; k < m.rows(); ++k)
    if (!m.row(k).allFinite()) fail(file, "row " + std::to_string(k) + " has a value that is not finite");
  return m;
}

// Arrays made from another export would be mistaken for those of this one.
void refuse_stale(const std::string& directory, const std::string& pairs, std::uint64_t seed) {
  if (!std::filesystem::is_directory(directory)) return;
  std::set<std::string> arrays;
  for (const auto& each : std::filesystem::directory_iterator(directory)) {
    const std::string name = each.path().filename().string();
    if (name.starts_with("pair_") && name.ends_with(".npy")) arrays.insert(each.path().string());
  }
  for (const std::string& file : arrays) {
    const std::string there = directory + "/manifest.json";
    const Json json = std::filesystem::exists(there) ? json_or_discarded(read_file(there)) : Json();
    if (json.is_object() && json.value("seed", Json()) == seed && json.value("pairs", Json()) == pairs) return;
    throw OutputError(file + ": belongs to another export; remove the arrays, or take another directory");
  }
}

}  // namespace

void export_samples(const std::string& directory, const PairSet& set, const std::vector<int>& ids, std::uint64_t seed,
                    const std::string& command) {
  const std::string pairs = digest(graphs_text(set));
  refuse_stale(directory, pairs, seed);
  make_directories(directory);
  for (int id : ids) {
    std::string text;
    for (const wl::Graph& graph : draw_sample(set.at(id), seed).graphs) text += wl::to_graph6(graph) + "\n";
    write_file(stem(directory, id) + ".g6", text);
  }
  const Json manifest{
      {"command", command}, {"seed", seed}, {"source", set.source}, {"pairs", pairs}, {"graphs_per_pair", 4 * kCouples},
      {"ids", ids}};
  write_file(directory + "/manifest.json", manifest.dump(1) + "\n");  // last: it marks the export as complete
}

Manifest read_manifest(const std::string& directory) {
  const std::string file = directory + "/manifest.json";
  const Json json = json_or_discarded(read_file(file));
  try {
    if (!json.at("seed").is_number_unsigned()) fail(file, "seed is not a number from 0 on");
    if (json.at("graphs_per_pair") != 4 * kCouples) fail(file, "graphs_per_pair is not 128");
    const Manifest manifest{json.at("seed"), json.at("pairs"), json.at("ids")};
    if (manifest.ids.empty()) fail(file, "has no ids");
    for (std::size_t k = 0; k < manifest.ids.size(); ++k)
      if (manifest.ids[k] < (k ? manifest.ids[k - 1] + 1 : 0)) fail(file, "ids are not ascending numbers of pairs");
    return manifest;
  } catch (const nlohmann::json::exception&) {
    fail(file, "not what `leman brec export` writes");
  }
}

std::string embeddings_digest(const std::string& directory, const Manifest& manifest) {
  std::string all;
  for (int id : manifest.ids) {
    const std::string file = stem(directory, id) + ".npy";
    if (std::filesystem::exists(file)) all += std::to_string(id) + digest(read_file(file));
  }
  return digest(all);
}

std::string file_digest(const std::string& file) { return digest(read_file(file)); }

PairRun run_embeddings(const Settings& settings, const Pair& pair, std::uint64_t seed) {
  const Eigen::MatrixXd rows = read_embeddings(stem(settings.file, pair.id) + ".npy");
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
