// Canonical numbers for signatures: equal numbers if and only if equal
// signatures, numbers in an order that depends on the values alone.
//
// Items are bucketed by (class, fingerprint); a fingerprint is a 64-bit function of
// the signature's value. Different fingerprints prove different signatures. Equal
// ones prove nothing, so within a bucket every signature is compared in full with
// that of the first member. If a bucket turns out to hold several signatures (a
// collision), they are sorted and numbered by value. So the numbers are exact,
// whatever the hash does. The order is by class, then fingerprint, then content;
// positions of items play no part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"

namespace leman::wl {

// The pseudorandom number of colour c for a purpose. It is fixed, so that
// fingerprints are functions of values.
inline std::uint64_t random_number(std::uint64_t c, std::uint64_t purpose) {
  return mix(c * 0x9e3779b97f4a7c15 + mix(purpose + 0x632be59bd9b4e019));
}

// A multiset of keys that others of the same size are compared with in linear
// time: a small open hash table with the number of copies of every key.
template <class Key>
class MultisetProbe {
 public:
  void build(std::span<const Key> keys) {
    std::size_t capacity = 8;
    while (capacity < 2 * keys.size()) capacity *= 2;
    mask_ = capacity - 1;
    slots_.assign(capacity, Slot{});
    for (Key key : keys) {
      Slot& slot = find(key);
      slot.key = key;
      ++slot.expected;
    }
  }
  // The size must be that of the multiset built: then no key in excess means equality.
  bool matches(std::span<const Key> keys) {
    ++epoch_;
    for (Key key : keys) {
      Slot& slot = find(key);
      if (slot.epoch != epoch_) slot.epoch = epoch_, slot.seen = 0;
      if (++slot.seen > slot.expected) return false;
    }
    return true;
  }

 private:
  struct Slot {
    Key key{};
    std::uint32_t expected = 0, seen = 0;
    std::uint64_t epoch = 0;
  };
  Slot& find(Key key) {
    std::size_t at = mix(static_cast<std::uint64_t>(key)) & mask_;
    while (slots_[at].expected != 0 && slots_[at].key != key) at = (at + 1) & mask_;
    return slots_[at];
  }
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::uint64_t epoch_ = 0;
};

// Buckets of (class, fingerprint), numbered in ascending order.
class Buckets {
 public:
  // Returns a number for every item.
  std::vector<std::uint32_t> number(std::span<const std::uint32_t> classes,
                                    std::span<const std::uint64_t> fingerprints) {
    entries_.clear();
    table_.assign(1024, kNone);
    std::vector<std::uint32_t> ids(fingerprints.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = find(classes.empty() ? 0 : classes[i], fingerprints[i]);
    std::vector<std::uint32_t> order(entries_.size()), rank(entries_.size());
    for (std::uint32_t e = 0; e < order.size(); ++e) order[e] = e;
    std::sort(order.begin(), order.end(),
              [this](std::uint32_t a, std::uint32_t b) { return entries_[a] < entries_[b]; });
    for (std::uint32_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
    for (std::uint32_t& id : ids) id = rank[id];
    return ids;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(entries_.size()); }

 private:
  using Entry = std::pair<std::uint32_t, std::uint64_t>;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::uint32_t find(std::uint32_t cls, std::uint64_t fingerprint) {
    std::size_t mask = table_.size() - 1, at = mix(fingerprint + cls) & mask;
    for (; table_[at] != kNone; at = (at + 1) & mask)
      if (entries_[table_[at]] == Entry{cls, fingerprint}) return table_[at];
    table_[at] = count();
    entries_.emplace_back(cls, fingerprint);
    if (2 * entries_.size() > table_.size()) grow();
    return count() - 1;
  }
  void grow() {
    table_.assign(4 * table_.size(), kNone);
    std::size_t mask = table_.size() - 1;
    for (std::uint32_t e = 0; e < entries_.size(); ++e) {
      std::size_t at = mix(entries_[e].second + entries_[e].first) & mask;
      while (table_[at] != kNone) at = (at + 1) & mask;
      table_[at] = e;
    }
  }
  std::vector<std::uint32_t> table_;
  std::vector<Entry> entries_;
};

struct Interned {
  std::vector<std::uint32_t> ids;
  std::uint32_t count = 0;
};

// `fetch(item, out)` writes the item's signature, `width(item)` keys, into
// `out`. A signature is a multiset of keys; all in one class have the same width.
template <class Key, class Width, class Fetch>
Interned intern(std::span<const std::uint32_t> classes, std::span<const std::uint64_t> fingerprints, Width width,
                Fetch fetch) {
  Buckets buckets;
  Interned result{buckets.number(classes, fingerprints), buckets.count()};
  auto& ids = result.ids;
  std::vector<std::uint32_t> start(result.count + 1, 0), items(ids.size());
  for (std::uint32_t id : ids) ++start[id + 1];
  for (std::uint32_t b = 0; b < result.count; ++b) start[b + 1] += start[b];
  auto cursor = start;
  for (std::uint32_t i = 0; i < ids.size(); ++i) items[cursor[ids[i]]++] = i;

  MultisetProbe<Key> probe;
  std::vector<Key> keys;
  std::vector<std::uint32_t> collided;
  for (std::uint32_t b = 0; b < result.count; ++b) {
    if (start[b + 1] - start[b] == 1) continue;
    std::uint32_t first = items[start[b]];
    keys.resize(width(first));
    fetch(first, keys.data());
    probe.build(keys);
    for (std::uint32_t at = start[b] + 1; at < start[b + 1]; ++at) {
      bool same = width(items[at]) == keys.size();
      if (same) {
        fetch(items[at], keys.data());
        same = probe.matches(keys);
      }
      if (same) continue;
      collided.push_back(b);
      break;
    }
  }
  if (collided.empty()) return result;

  // Rare: number the signatures in such buckets by value and renumber everything.
  std::vector<std::uint32_t> extra(result.count + 1, 0);  // numbers that a bucket needs beyond one
  std::vector<std::uint32_t> within(ids.size(), 0);
  for (std::uint32_t b : collided) {
    std::vector<std::pair<std::vector<Key>, std::uint32_t>> contents;
    for (std::uint32_t at = start[b]; at < start[b + 1]; ++at) {
      std::vector<Key> content(width(items[at]));
      fetch(items[at], content.data());
      std::sort(content.begin(), content.end());
      contents.emplace_back(std::move(content), items[at]);
    }
    std::sort(contents.begin(), contents.end());
    for (std::size_t i = 1; i < contents.size(); ++i) {
      extra[b] += contents[i].first != contents[i - 1].first;
      within[contents[i].second] = extra[b];
    }
  }
  std::vector<std::uint32_t> shift(result.count, 0);
  for (std::uint32_t b = 1; b < result.count; ++b) shift[b] = shift[b - 1] + extra[b - 1];
  std::uint32_t total = result.count + (result.count ? shift.back() + extra[result.count - 1] : 0);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] += shift[ids[i]] + within[i];
  result.count = total;
  return result;
}

}  // namespace leman::wl
