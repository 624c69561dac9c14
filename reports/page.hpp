// The page's template, style and script, from the files page.html, page.css and page.js.
#pragma once

namespace leman::reports {

extern const char* const kPageTemplate;
extern const char* const kPageStyle;
extern const char* const kPageScript;

}  // namespace leman::reports
