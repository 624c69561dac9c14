# `cmake --install`: libraries, headers under leman/, a CMake package with leman::leman and
# leman::torch, a pkg-config file, and of the program also its manual page and completions.
include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/Leman)

set(installed leman_core)
if(TARGET leman_torch)
  list(APPEND installed leman_torch)
  set_target_properties(leman_torch PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
install(TARGETS ${installed} EXPORT LemanTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT LemanTargets NAMESPACE leman:: DESTINATION ${package_directory})

# Headers include each other as "wl/graph.hpp" in the source tree, and as "leman/wl/graph.hpp" where
# they are installed, so that one directory in the client's path is enough.
install(CODE "set(leman_source \"${PROJECT_SOURCE_DIR}\")
set(leman_headers \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/leman\")
include(\"${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake\")")

configure_package_config_file(cmake/LemanConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/LemanConfig.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/LemanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/LemanConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/LemanConfigVersion.cmake
  DESTINATION ${package_directory})
# Relative to the file itself, so that it is right wherever it is installed.
file(RELATIVE_PATH leman_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/leman.pc.in ${CMAKE_CURRENT_BINARY_DIR}/leman.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/leman.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET leman_program)
  install(TARGETS leman_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set(made ${CMAKE_CURRENT_BINARY_DIR}/generated)
  add_custom_command(TARGET leman_program POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
    COMMAND leman_program manual > ${made}/leman.1
    COMMAND leman_program completion bash > ${made}/leman.bash
    COMMAND leman_program completion zsh > ${made}/_leman
    COMMAND leman_program completion fish > ${made}/leman.fish VERBATIM)
  install(FILES ${made}/leman.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${made}/leman.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME leman)
  install(FILES ${made}/_leman DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${made}/leman.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
