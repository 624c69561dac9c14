// Inside reports/: data for templates of mustache. It escapes every value but those in triple braces.
//
// A name that an object lacks is sought in those around it. So what may be missing is set to false.
#pragma once

#include <initializer_list>
#include <kainjow/mustache.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace leman::reports {

using View = kainjow::mustache::data;

inline View object(std::initializer_list<std::pair<const char*, View>> members) {
  View view;
  for (const auto& [name, value] : members) view.set(name, value);
  return view;
}

template <class List, class Function>
View list_of(const List& list, Function function) {
  View view(View::type::list);
  for (const auto& each : list) view.push_back(function(each));
  return view;
}

inline View texts(const std::vector<std::string>& list) {
  return list_of(list, [](const std::string& text) { return View(text); });
}

inline View if_any(const std::string& text) { return text.empty() ? View(false) : View(text); }

template <class Number>
std::string digits(Number number) {
  return std::to_string(number);
}

// `name` is the template's, for the message of a BugError.
inline std::string rendered(const char* page_template, const char* name, const View& page) {
  kainjow::mustache::mustache whole{std::string(page_template)};
  std::string html;
  if (whole.is_valid()) whole.render(page, [&](const std::string& part) { html += part; });
  if (!whole.is_valid()) throw BugError(std::string(name) + ": " + whole.error_message());
  return html;
}

}  // namespace leman::reports
