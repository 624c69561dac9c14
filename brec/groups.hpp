// One value per group of pairs. Pairs are counted by family, by published category and in total.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "brec/pairs.hpp"

namespace leman::brec {

inline constexpr std::size_t kFamilies = 7, kCategories = 4, kGroups = kFamilies + kCategories + 1;

template <class T>
class Groups {
 public:
  T& operator[](Family f) { return values_[static_cast<std::size_t>(f)]; }
  const T& operator[](Family f) const { return values_[static_cast<std::size_t>(f)]; }
  T& operator[](Category c) { return values_[kFamilies + static_cast<std::size_t>(c)]; }
  const T& operator[](Category c) const { return values_[kFamilies + static_cast<std::size_t>(c)]; }
  T& all() { return values_.back(); }
  const T& all() const { return values_.back(); }

  // Calls visit on the value of each group that a pair of this family is in.
  template <class Visit>
  void for_pair(Family f, Visit visit) {
    visit((*this)[f]), visit((*this)[info(f).category]), visit(all());
  }
  // In the order of group_names().
  auto begin() { return values_.begin(); }
  auto begin() const { return values_.begin(); }
  auto end() { return values_.end(); }
  auto end() const { return values_.end(); }
  const T& at(std::size_t group) const { return values_.at(group); }
  T& at(std::size_t group) { return values_.at(group); }
  friend bool operator==(const Groups&, const Groups&) = default;

 private:
  std::array<T, kGroups> values_{};
};

const std::vector<std::string>& group_names();      // families, categories, "all"
const std::vector<std::string>& category_groups();  // categories, "all": the columns of a short table
// The number of pairs in each group.
Groups<int> group_sizes();
// The value of the group with this name.
template <class T>
const T& by_name(const Groups<T>& groups, const std::string& name) {
  const auto& names = group_names();
  for (std::size_t k = 0; k < kGroups; ++k)
    if (names[k] == name) return groups.at(k);
  throw BugError("there is no group " + name);
}

// The family of the pair with this id; throws UsageError if there is no such pair.
Family family_of(int pair);

}  // namespace leman::brec
