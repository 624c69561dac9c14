// What a set of pairs is made of, without its graphs: families, categories, names, controls. A run
// store keeps it, so that results can be counted and shown where the pairs are not at hand.
//
// Pairs are counted in groups: by family, by category, all of them, and the controls. A control is
// a pair of isomorphic graphs. It is there to catch false positives and counts nowhere else.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace leman::brec {

inline constexpr int kMostPairs = 1'000'000;  // of a set: reports have a row for each

struct Family {
  std::string name;
  std::string category;  // several families may share one; published results count categories
  int first_id = 0;
  int pairs = 0;  // ids first_id ... first_id + pairs - 1, controls among them
};

class Roster {
 public:
  struct Group {
    std::string name;  // no two groups have the same
    int pairs = 0;
  };

  // Families in order of ids, without gaps from 0 on; ids of controls ascending; names of pairs by
  // id, where they have one. Throws BugError if that is not so.
  Roster(std::vector<Family> families, std::vector<int> controls, std::map<int, std::string> names);
  Roster() : Roster({}, {}, {}) {}

  int pairs() const { return pairs_; }
  bool contains(int pair) const { return pair >= 0 && pair < pairs_; }
  const std::vector<Family>& families() const { return families_; }
  const Family& family_of(int pair) const;  // throws UsageError if there is no such pair
  const std::vector<int>& controls() const { return controls_; }
  bool is_control(int pair) const;
  const std::map<int, std::string>& names() const { return names_; }
  std::string name(int pair) const;   // empty: it has none
  std::string title(int pair) const;  // "pair 17", or "pair 17 (my name)"

  // Families, categories, "all" and, if there are any, "controls". A category that is one family of
  // the same name is not listed twice.
  const std::vector<Group>& groups() const { return groups_; }
  std::size_t all() const { return all_; }
  bool has_controls() const { return !controls_.empty(); }
  std::vector<std::size_t> columns(bool wide) const;  // groups that a table shows; wide: families, too
  template <class Visit>
  void for_groups(int pair, Visit visit) const {
    if (is_control(pair)) return visit(groups_.size() - 1);
    const Place& place = places_[family_index(pair)];
    visit(place.family);
    if (place.category != place.family) visit(place.category);
    visit(all_);
  }

  friend bool operator==(const Roster& a, const Roster& b);

 private:
  struct Place {  // groups of a family's pairs
    std::size_t family = 0, category = 0;
  };
  std::size_t family_index(int pair) const;
  void check() const;
  void make_groups();

  std::vector<Family> families_;
  std::vector<int> controls_;
  std::map<int, std::string> names_;
  int pairs_ = 0;
  std::vector<Group> groups_;
  std::vector<Place> places_;            // by family
  std::vector<std::size_t> categories_;  // their groups, in order of appearance
  std::size_t all_ = 0;                  // its group
};

}  // namespace leman::brec
