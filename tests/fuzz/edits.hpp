// Bytes as a program of edits on something valid, so that fuzzing gets past the first check.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstdint>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/json.hpp"
#include "study/json.hpp"

namespace leman::fuzz {

using study::Json;

inline std::int64_t whole(FuzzedDataProvider& in) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min(), kMost = std::numeric_limits<std::int64_t>::max();
  if (in.ConsumeBool()) return in.ConsumeIntegral<std::int16_t>();
  return in.ConsumeBool() ? in.ConsumeIntegral<std::int64_t>()
                          : in.PickValueInArray<std::int64_t>(
                                {kLeast, kMost, INT32_MIN, INT32_MAX, UINT32_MAX, 1u << 31, -1, 0, 399});
}

inline double real(FuzzedDataProvider& in) {
  using Limits = std::numeric_limits<double>;
  if (in.ConsumeBool()) return in.ConsumeFloatingPoint<double>();
  return in.PickValueInArray({0.0, -0.0, 1.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                              Limits::max(), Limits::denorm_min(), 1e-12});
}

inline std::string text(FuzzedDataProvider& in) { return in.ConsumeRandomLengthString(16); }

inline Json value(FuzzedDataProvider& in) {
  switch (in.ConsumeIntegralInRange(0, 9)) {
    case 0: return nullptr;
    case 1: return in.ConsumeBool();
    case 2: return real(in);
    case 3: return text(in);
    case 4: return Json::array();
    case 5: return Json::object();
    case 6: return Json::array({real(in), real(in)});
    case 7: return {{text(in), whole(in)}};
    case 8: return std::numeric_limits<std::uint64_t>::max();
    default: return whole(in);
  }
}

// Walks down to some value and replaces, removes or repeats it.
inline void edit(Json& json, FuzzedDataProvider& in) {
  Json* at = &json;
  while (!at->empty() && at->is_structured() && in.ConsumeIntegralInRange(0, 7) != 0) {
    auto child = at->begin();
    std::advance(child, in.ConsumeIntegralInRange<std::size_t>(0, at->size() - 1));
    if (in.ConsumeIntegralInRange(0, 15) == 0) {
      at->erase(child);
      return;
    }
    if (at->is_array() && in.ConsumeIntegralInRange(0, 15) == 0) {
      const Json again = *child;
      at->push_back(again);
      return;
    }
    at = &*child;
  }
  *at = value(in);
}

// The text of a JSON value after some edits; JSON or no longer, and sometimes nested very deeply.
inline std::string edited(Json json, FuzzedDataProvider& in) {
  const int edits = in.ConsumeIntegralInRange(1, 4);
  for (int k = 0; k < edits; ++k) edit(json, in);
  std::string result = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  switch (in.ConsumeIntegralInRange(0, 31)) {
    case 0: result.insert(in.ConsumeIntegralInRange<std::size_t>(0, result.size()), text(in)); break;
    case 1: result = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}"; break;
    default: break;
  }
  return result;
}

// Runs what must either succeed or throw an Error that is no bug.
template <class Work>
void attempt(Work work) {
  try {
    work();
  } catch (const Error& e) {
    if (e.kind() == Error::Kind::Bug) throw;
  }
}

}  // namespace leman::fuzz
