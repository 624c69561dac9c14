// Templates, styles and scripts of pages, from files of their own: the report's from page.html,
// page.css and page.js; that of a run round by round from rounds.*, on top of page.css.
#pragma once

namespace leman::reports {

extern const char* const kPageTemplate;
extern const char* const kPageStyle;
extern const char* const kPageScript;
extern const char* const kRoundsTemplate;
extern const char* const kRoundsStyle;
extern const char* const kRoundsScript;

}  // namespace leman::reports
