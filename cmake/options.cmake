# What every target of Leman is compiled with. Nothing here is global: a project that has Leman as
# a part keeps its own flags.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(LEMAN_MAIN)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endif()

# The folders include each other as "wl/graph.hpp"; clients as <leman/wl/graph.hpp>, for which the
# build tree has a link with that name.
set(leman_include ${CMAKE_CURRENT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${leman_include})
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${leman_include}/leman SYMBOLIC)

add_library(leman_flags INTERFACE)
target_compile_features(leman_flags INTERFACE cxx_std_20)
target_include_directories(leman_flags INTERFACE ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
target_include_directories(leman_flags SYSTEM INTERFACE ${Boost_INCLUDE_DIRS} ${NAUTY_INCLUDE})
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(LEMAN_MAIN AND NOT LEMAN_FUZZ)  # clang warns of other things
  list(APPEND warnings -Werror)
endif()
target_compile_options(leman_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
  # GCC 12 sees overlapping and endless copies in std::string concatenation (its bugs 105329, 105651); with
  # precompiled headers also where it knows that the standard library is not to be warned of.
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>")
if(LEMAN_SANITIZE)
  target_compile_options(leman_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${LEMAN_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(leman_flags INTERFACE -fsanitize=${LEMAN_SANITIZE})
endif()

# Sources of a folder, compiled alike. Further arguments: compile options.
function(leman_folder name)
  cmake_parse_arguments(ARG "" "" "SOURCES;OPTIONS;HEADERS" ${ARGN})
  add_library(leman_${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(leman_${name} PRIVATE leman_flags)
  if(ARG_OPTIONS)
    target_compile_options(leman_${name} PRIVATE ${ARG_OPTIONS})
  endif()
  if(ARG_HEADERS)
    target_precompile_headers(leman_${name} PRIVATE ${ARG_HEADERS})
  endif()
endfunction()
