// How long work tells how far it is, and is told to stop. A library neither prints nor catches
// signals; who calls it brings these.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace leman::study {

// All members may be called from any thread between start() and finish().
class Observer {
 public:
  virtual ~Observer() = default;
  // `already` of `total` items were done before; `weight`: of the remaining ones, 0: all weigh the same.
  virtual void start(const std::string& what, std::uint64_t total, std::uint64_t already = 0,
                     std::uint64_t weight = 0) = 0;
  virtual void begin(const std::string& item) = 0;
  virtual void done(std::uint64_t items, const std::string& item, std::uint64_t weight = 0) = 0;
  virtual void finish() = 0;
  virtual void note(const std::string& message) = 0;  // for the user, e.g. that rows are there already
};

// Says nothing.
class Silent : public Observer {
 public:
  void start(const std::string&, std::uint64_t, std::uint64_t, std::uint64_t) override {}
  void begin(const std::string&) override {}
  void done(std::uint64_t, const std::string&, std::uint64_t) override {}
  void finish() override {}
  void note(const std::string&) override {}
};

// Finishes what it started, also when an exception ends it.
class Stage {
 public:
  Stage(Observer& observer, const std::string& what, std::uint64_t total, std::uint64_t already = 0,
        std::uint64_t weight = 0)
      : observer_(observer) {
    observer_.start(what, total, already, weight);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() { observer_.finish(); }

 private:
  Observer& observer_;
};

struct Control {
  Observer& observer;
  const std::atomic<bool>& stop;  // set: finish what cannot be interrupted, and return
};

}  // namespace leman::study
