# Sources that are made by the build, and those that need LibTorch.
set(torch_sources
  brec/baselines.cpp
  brec/model.cpp
  brec/protocol.cpp
  et/archive.cpp
  et/attention.cpp
  et/kernel_times.cpp
  et/model.cpp
  et/pooling.cpp
  et/quotient_attention.cpp
  et/readouts.cpp
  et/tokens.cpp
  proofs_check/agreement_model.cpp
  proofs_check/backward.cpp
  proofs_check/onehot.cpp
  study/torch_library.cpp)

# The commit goes into every output; git is asked at build time, so that an old configuration cannot
# name a wrong one.
set(version_header ${PROJECT_BINARY_DIR}/generated/version.hpp)
add_custom_target(leman_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${version_header}
          -P ${PROJECT_SOURCE_DIR}/cmake/version.cmake
  BYPRODUCTS ${version_header} COMMENT "")

# Pages: template, style and script are files of their own, compiled in.
set(page_source ${PROJECT_BINARY_DIR}/generated/page.cpp)
set(page_entries)
set(page_files)
foreach(entry kPageTemplate=page.html kPageStyle=page.css kPageScript=page.js
        kRoundsTemplate=rounds.html kRoundsStyle=rounds.css kRoundsScript=rounds.js)
  string(REPLACE "=" "=${PROJECT_SOURCE_DIR}/reports/" file ${entry})
  list(APPEND page_entries ${file})
  string(REGEX REPLACE "^[^=]*=" "" file ${file})
  list(APPEND page_files ${file})
endforeach()
add_custom_command(OUTPUT ${page_source}
  COMMAND ${CMAKE_COMMAND} "-DFILES=${page_entries}" -DOUTPUT=${page_source}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${page_files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
