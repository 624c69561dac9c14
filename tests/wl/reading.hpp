// Reading from a text in tests of formats: graphs, the error, what a user is told.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wl/formats.hpp"

namespace leman::wl {

inline std::vector<Graph> read(const std::string& text, ReadOptions options = {}) {
  return read_all(LineSource::from_text("t", text), std::move(options));
}

inline std::string error(const std::string& text, ReadOptions options = {}) {
  try {
    read(text, std::move(options));
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

inline std::string note(const std::string& text, ReadOptions options = {}) {
  std::string notes;
  options.on_note = [&](const std::string& what) { notes += what + "\n"; };
  read(text, std::move(options));
  return notes;
}

inline ReadOptions colors(const std::string& nodes, const std::string& edges) {
  ReadOptions options;
  options.node_color = nodes;
  options.edge_color = edges;
  return options;
}

inline ReadOptions directed() {
  ReadOptions options;
  options.directed = true;
  return options;
}

inline ReadOptions relabelled() {
  ReadOptions options;
  options.relabel = true;
  return options;
}

inline ReadOptions lenient() {
  ReadOptions options;
  options.simplify = true;
  return options;
}

}  // namespace leman::wl
