// The best that any model can reach which gives equal answers to all items of a class.
//
// Classification: in every class the most frequent label is right as often as any answer can be.
// Regression: in every class the median has the smallest sum of absolute errors, the mean the
// smallest sum of squares. So the sum over the classes is a lower bound of the error of every such
// model, and the model that answers so reaches it: the bound is exact.
//
// Counts are integers. A number that labels an item is the shortest decimal of the double nearest to
// what was written; sums of absolute errors are computed in whole units of its last digit, and so are
// exact. Sums of squares are exact within a class and rounded once per class.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/dataset.hpp"

namespace leman::study {

enum class TaskKind { Classification, Regression };

std::string bad_label(const std::string& text);  // why a label is refused; empty: it is not
std::optional<double> number_of(const std::string& label);

// Additive over classes.
struct Bound {
  std::uint64_t differ = 0;                    // pairs within a class with different labels
  std::uint64_t correct = 0;                   // classification
  boost::multiprecision::cpp_int absolute{0};  // regression: in units of 10^-decimals
  long double squared = 0;                     // regression
  Bound& operator+=(const Bound& other);
};

// The labels of one task, ready to be counted.
class Target {
 public:
  // Without a kind: numbers that are not all whole are for regression, all else for classification.
  // Throws InputError if there is a label that is not a number, and the task regression.
  Target(const LabelColumn& column, std::optional<TaskKind> kind, const std::string& source);

  const std::string& name() const { return name_; }
  TaskKind kind() const { return kind_; }
  // Distinct labels in ascending order: numbers by value, texts by bytes. Equal numbers are one label.
  const std::vector<std::string>& names() const { return names_; }
  std::uint32_t label(std::size_t item) const { return label_[item]; }
  const std::vector<std::uint32_t>& labels() const { return label_; }

  Bound bound(std::span<const std::uint32_t> items) const;                 // of one class
  std::string decimal(const boost::multiprecision::cpp_int& units) const;  // "12.5"

 private:
  void rank_numbers(const LabelColumn& column, std::vector<double> numbers);
  void rank_texts(const LabelColumn& column);
  void scale();

  std::string name_;
  TaskKind kind_ = TaskKind::Classification;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> label_;                   // by item: index into names_
  std::vector<boost::multiprecision::cpp_int> units_;  // regression, by label: in units of 10^-decimals_
  int decimals_ = 0;
};

}  // namespace leman::study
