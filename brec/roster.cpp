#include "brec/roster.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace leman::brec {

namespace {

constexpr std::size_t kMostColumns = 6;  // categories that a table shows; of more it shows only the sum

// The name, with a word behind it if another group has it already.
std::string unused(const std::string& name, const std::string& word, std::set<std::string>& taken) {
  std::string result = name;
  while (!taken.insert(result).second) result += " (" + word + ")";
  return result;
}

}  // namespace

Roster::Roster(std::vector<Family> families, std::vector<int> controls, std::map<int, std::string> names)
    : families_(std::move(families)), controls_(std::move(controls)), names_(std::move(names)) {
  for (const Family& family : families_) pairs_ += family.pairs;
  check();
  make_groups();
}

void Roster::check() const {
  int next = 0;
  for (const Family& family : families_) {
    if (family.first_id != next || family.pairs < 1) throw BugError("roster: ids of families have gaps");
    next += family.pairs;
  }
  const auto inside = [this](int pair) { return contains(pair); };
  if (std::adjacent_find(controls_.begin(), controls_.end(), std::greater_equal<>()) != controls_.end() ||
      !std::all_of(controls_.begin(), controls_.end(), inside) ||
      !std::all_of(names_.begin(), names_.end(), [&](const auto& name) { return inside(name.first); }))
    throw BugError("roster: ids of controls or names");
}

void Roster::make_groups() {
  std::set<std::string> taken{"all", "controls"};
  std::map<std::string, std::size_t> families_in;  // a category
  for (const Family& family : families_) ++families_in[family.category];
  for (const Family& family : families_) {
    places_.push_back({groups_.size(), 0});
    groups_.push_back({unused(family.name, "family", taken), 0});
  }
  std::map<std::string, std::size_t> group_of;  // a category
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const std::string& category = families_[f].category;
    const bool alone = families_in[category] == 1 && category == families_[f].name;
    auto [at, fresh] = group_of.try_emplace(category, alone ? places_[f].family : groups_.size());
    if (fresh && !alone) groups_.push_back({unused(category, "category", taken), 0});
    if (fresh) categories_.push_back(at->second);
    places_[f].category = at->second;
  }
  all_ = groups_.size();
  groups_.push_back({"all", 0});
  if (has_controls()) groups_.push_back({"controls", 0});
  for (int pair = 0; pair < pairs_; ++pair) for_groups(pair, [&](std::size_t group) { ++groups_[group].pairs; });
}

std::size_t Roster::family_index(int pair) const {
  if (!contains(pair)) throw UsageError("there is no pair " + std::to_string(pair));
  const auto behind = std::upper_bound(families_.begin(), families_.end(), pair,
                                       [](int id, const Family& family) { return id < family.first_id; });
  return static_cast<std::size_t>(behind - families_.begin()) - 1;
}

const Family& Roster::family_of(int pair) const { return families_[family_index(pair)]; }

bool Roster::is_control(int pair) const { return std::binary_search(controls_.begin(), controls_.end(), pair); }

std::string Roster::name(int pair) const {
  const auto at = names_.find(pair);
  return at == names_.end() ? "" : at->second;
}

std::string Roster::title(int pair) const {
  const std::string own = name(pair);
  return "pair " + std::to_string(pair) + (own.empty() ? "" : " (" + own + ")");
}

std::vector<std::size_t> Roster::columns(bool wide) const {
  std::vector<std::size_t> list;
  if (wide)
    for (const Place& place : places_) list.push_back(place.family);
  if (wide || (categories_.size() > 1 && categories_.size() <= kMostColumns))
    for (const std::size_t group : categories_)
      if (std::find(list.begin(), list.end(), group) == list.end()) list.push_back(group);
  for (std::size_t group = all_; group < groups_.size(); ++group) list.push_back(group);
  return list;
}

bool operator==(const Roster& a, const Roster& b) {
  const auto same = [](const Family& f, const Family& g) {
    return f.name == g.name && f.category == g.category && f.pairs == g.pairs;
  };
  return std::equal(a.families_.begin(), a.families_.end(), b.families_.begin(), b.families_.end(), same) &&
         a.controls_ == b.controls_ && a.names_ == b.names_;
}

}  // namespace leman::brec
