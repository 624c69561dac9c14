# Sources that are made by the build.

# The commit goes into every output; git is asked at build time, so that an old configuration cannot
# name a wrong one.
set(version_header ${PROJECT_BINARY_DIR}/generated/version.hpp)
add_custom_target(leman_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${version_header}
          -P ${PROJECT_SOURCE_DIR}/cmake/version.cmake
  BYPRODUCTS ${version_header} COMMENT "")

# The page: template, style and script are files of their own, compiled in.
set(page_source ${PROJECT_BINARY_DIR}/generated/page.cpp)
set(page_files reports/page.html reports/page.css reports/page.js)
list(TRANSFORM page_files PREPEND ${PROJECT_SOURCE_DIR}/)
add_custom_command(OUTPUT ${page_source}
  COMMAND ${CMAKE_COMMAND}
          "-DFILES=kPageTemplate=${PROJECT_SOURCE_DIR}/reports/page.html;kPageStyle=${PROJECT_SOURCE_DIR}/reports/page.css;kPageScript=${PROJECT_SOURCE_DIR}/reports/page.js"
          -DOUTPUT=${page_source} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${page_files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
