#include "brec/groups.hpp"

namespace leman::brec {

const std::vector<std::string>& category_groups() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (std::size_t c = 0; c < kCategories; ++c) list.emplace_back(category_name(static_cast<Category>(c)));
    list.emplace_back("all");
    return list;
  }();
  return names;
}

const std::vector<std::string>& group_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const FamilyInfo& f : families()) list.emplace_back(f.name);
    list.insert(list.end(), category_groups().begin(), category_groups().end());
    return list;
  }();
  return names;
}

Groups<int> group_sizes() {
  Groups<int> sizes;
  for (const FamilyInfo& f : families()) sizes.for_pair(f.family, [&](int& size) { size += f.pairs; });
  return sizes;
}

Family family_of(int pair) {
  for (const FamilyInfo& f : families())
    if (pair >= f.first_id && pair < f.first_id + f.pairs) return f.family;
  throw UsageError("there is no pair " + std::to_string(pair));
}

}  // namespace leman::brec
