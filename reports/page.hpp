// Style and script of the page, from the files page.css and page.js.
#pragma once

namespace leman::reports {

extern const char* const kPageStyle;
extern const char* const kPageScript;

}  // namespace leman::reports
