#include "study/class_pairs.hpp"

#include <algorithm>
#include <numeric>

namespace leman::study {

using wl::ClassId;
using wl::kNoClass;

namespace {

constexpr std::size_t kExamples = 10;

}  // namespace

// A graph makes a pair with every earlier one of its class under the first engine, except those
// that are in its class under the second, too.
void PairTally::add(std::uint64_t number, ClassId c, ClassId separated, const wl::Graph& graph,
                    const wl::ClassCounter& confused) {
  if (c >= confused_.size()) confused_.resize(c + std::size_t{1});
  Class& now = confused_[c];
  std::uint64_t alike = 0;
  if (separated != kNoClass) alike = both_[std::uint64_t{c} << 32 | separated]++;
  count_ += now.members - alike;
  if (now.members == 0)
    now.first = number;
  else if (alike == 0 && examples_.size() < kExamples)
    examples_.push_back({now.first, number, confused.first(c), graph});
  ++now.members;
}

std::uint64_t PairTally::bytes() const {
  constexpr std::uint64_t kPerEntry = 40;  // a node of the table and its place in it
  return confused_.capacity() * sizeof(Class) + both_.size() * kPerEntry;
}

ConfusedPairs::ConfusedPairs(const ClassRows& rows, int confused, int separated)
    : rows_(rows), confused_(confused), separated_(separated) {
  const auto count = static_cast<std::uint32_t>(rows.size());
  for (std::uint32_t i = 0; i < count; ++i)
    if (const ClassId c = this->confused(i); c != kNoClass) {
      if (c + std::size_t{2} > start_.size()) start_.resize(c + std::size_t{2});
      ++start_[c + std::size_t{1}];
    }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  places_.resize(start_.empty() ? 0 : start_.back());
  std::vector<std::uint32_t> next = start_;
  for (std::uint32_t i = 0; i < count; ++i)
    if (const ClassId c = this->confused(i); c != kNoClass) places_[next[c]++] = i;
  for (std::size_t c = 0; c + 1 < start_.size(); ++c)
    std::stable_sort(places_.begin() + start_[c], places_.begin() + start_[c + 1],
                     [&](auto a, auto b) { return this->separated(a) < this->separated(b); });
}

ConfusedPairs::Places ConfusedPairs::class_of(std::uint32_t i) const {
  const ClassId c = confused(i);
  return Places(places_).subspan(start_[c], start_[c + 1] - start_[c]);
}

// Group by group of its class, so that the work is in proportion to what is found.
void ConfusedPairs::partners(std::uint32_t i, std::vector<std::uint32_t>& found) const {
  found.clear();
  Places rest = class_of(i);
  if (separated_ < 0) {
    found.assign(std::upper_bound(rest.begin(), rest.end(), i), rest.end());
    return;
  }
  const ClassId own = separated(i);
  while (!rest.empty()) {
    const ClassId group = separated(rest[0]);
    const auto end = std::partition_point(rest.begin(), rest.end(), [&](auto k) { return separated(k) == group; });
    if (group != own) found.insert(found.end(), std::upper_bound(rest.begin(), end, i), end);
    rest = {end, rest.end()};
  }
  std::sort(found.begin(), found.end());
}

void ConfusedPairs::for_each(const std::function<bool(std::uint32_t first, std::uint32_t second)>& visit) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    if (confused(i) == kNoClass) continue;
    partners(i, found);
    for (const std::uint32_t j : found)
      if (!visit(i, j)) return;
  }
}

std::vector<bool> sharing(const ClassRows& rows) {
  std::vector<bool> shared(rows.size());
  for (std::size_t e = 0; e < rows.engines; ++e) {
    std::vector<std::uint32_t> first;  // by class: its first member
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const ClassId c = rows.row(i)[e];
      if (c == kNoClass) continue;
      if (c >= first.size())
        first.push_back(i);
      else
        shared[first[c]] = shared[i] = true;
    }
  }
  return shared;
}

}  // namespace leman::study
