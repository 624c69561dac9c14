# libleman: everything that needs no LibTorch. One shared library, so that a process has each symbol
# of it once, whoever loads what.
include(cmake/sources.cmake)

leman_folder(base SOURCES
  base/cpu.cpp base/csv.cpp base/digest.cpp base/file.cpp base/json.cpp base/memory.cpp base/npy.cpp base/numbers.cpp
  base/parallel.cpp base/random.cpp base/table.cpp base/text.cpp base/version.cpp base/zip.cpp)
target_link_libraries(leman_base PRIVATE fmt::fmt ${ZIP_LIBRARY})
add_dependencies(leman_base leman_commit)

leman_folder(wl SOURCES
  wl/canon.cpp
  wl/certificate.cpp
  wl/classes.cpp
  wl/constructions/basic.cpp
  wl/constructions/catalog.cpp
  wl/constructions/cfi.cpp
  wl/constructions/designs.cpp
  wl/constructions/enumerate.cpp
  wl/constructions/field.cpp
  wl/constructions/lifts.cpp
  wl/constructions/random.cpp
  wl/constructions/strongly_regular.cpp
  wl/constructions/two_graph.cpp
  wl/derived_engines.cpp
  wl/distance_engines.cpp
  wl/document.cpp
  wl/engine.cpp
  wl/format_reader.cpp
  wl/formats.cpp
  wl/formats_dot.cpp
  wl/formats_edgelist.cpp
  wl/formats_gml.cpp
  wl/formats_graphml.cpp
  wl/formats_json.cpp
  wl/formats_matrix_market.cpp
  wl/formats_metis.cpp
  wl/formats_nauty.cpp
  wl/formats_nauty_reader.cpp
  wl/formats_networkx.cpp
  wl/formats_text.cpp
  wl/formats_unread.cpp
  wl/graph.cpp
  wl/graph_argument.cpp
  wl/graph_ops.cpp
  wl/hash_colors.cpp
  wl/hash_product.cpp
  wl/isomorphism.cpp
  wl/line_source.cpp
  wl/local_engines.cpp
  wl/marked_engine.cpp
  wl/node_refinement.cpp
  wl/packed_graphs.cpp
  wl/quotient.cpp
  wl/terms.cpp
  wl/text_fields.cpp
  wl/treewidth.cpp
  wl/tuple_orbits.cpp
  wl/tuple_refinement.cpp)

# The half of et/ that knows nothing of LibTorch.
leman_folder(et_core SOURCES et/config.cpp et/estimate.cpp et/weights.cpp)

# Eigen's templates without optimisation compile in a third of the time.
leman_folder(brec SOURCES
  brec/brec_files.cpp brec/builtin.cpp brec/builtin_cfi.cpp brec/builtin_regular.cpp brec/builtin_small.cpp
  brec/embeddings.cpp brec/hotelling.cpp brec/models.cpp brec/pair_files.cpp brec/pairs.cpp brec/relabellings.cpp
  brec/roster.cpp brec/sample.cpp brec/settings.cpp brec/suites.cpp brec/truth.cpp brec/verdict.cpp
  OPTIONS $<$<NOT:$<CONFIG:Release>>:-O0>)
target_link_libraries(leman_brec PRIVATE Eigen3::Eigen fmt::fmt)

leman_folder(proofs SOURCES
  proofs_check/agreement.cpp proofs_check/agreement_sample.cpp proofs_check/claims.cpp proofs_check/mary.cpp
  proofs_check/parametrization.cpp)
target_link_libraries(leman_proofs PRIVATE fmt::fmt)

# Records and text: -O3 would only double the compile time of the JSON templates.
set(plain $<IF:$<CONFIG:Release>,-O1,-O0>)
leman_folder(study SOURCES
  study/agreement_study.cpp study/blas_core.cpp study/claims_study.cpp study/class_pairs.cpp study/classes_study.cpp
  study/dataset_bounds.cpp study/dataset_builder.cpp study/dataset_classes.cpp study/dataset_csv.cpp
  study/dataset_file.cpp study/dataset_json.cpp study/dataset_study.cpp study/dataset_tu.cpp
  study/engine_sweep.cpp study/model_study.cpp
  study/model_summary.cpp study/proof_study.cpp study/records.cpp study/report_plan.cpp study/store.cpp
  study/torch.cpp
  OPTIONS ${plain} HEADERS <nlohmann/json.hpp>)
target_link_libraries(leman_study PRIVATE Eigen3::Eigen SQLite::SQLite3)

file(GLOB report_sources CONFIGURE_DEPENDS reports/*.cpp)
leman_folder(reports SOURCES ${report_sources} ${page_source} OPTIONS ${plain} HEADERS <nlohmann/json.hpp>)
target_link_libraries(leman_reports PRIVATE Eigen3::Eigen fmt::fmt)
# GCC 12 takes an empty boost::optional inside Boost.Graph for an uninitialised value.
set_source_files_properties(reports/layout.cpp PROPERTIES COMPILE_OPTIONS -Wno-maybe-uninitialized)

add_library(leman_core SHARED
  $<TARGET_OBJECTS:leman_base> $<TARGET_OBJECTS:leman_wl> $<TARGET_OBJECTS:leman_et_core>
  $<TARGET_OBJECTS:leman_brec> $<TARGET_OBJECTS:leman_proofs> $<TARGET_OBJECTS:leman_study>
  $<TARGET_OBJECTS:leman_reports>)
add_library(leman::leman ALIAS leman_core)
set_target_properties(leman_core PROPERTIES OUTPUT_NAME leman EXPORT_NAME leman LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(leman_core PUBLIC cxx_std_20)
target_include_directories(leman_core INTERFACE
  "$<BUILD_INTERFACE:${leman_include};${PROJECT_SOURCE_DIR}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(leman_core PUBLIC Eigen3::Eigen nlohmann_json::nlohmann_json Threads::Threads
  PRIVATE fmt::fmt ${ZIP_LIBRARY} ZLIB::ZLIB EXPAT::EXPAT SQLite::SQLite3 ${XXHASH_LIBRARY} ${NAUTY_LIBRARY} ${GMP_LIBRARY}
          ${CMAKE_DL_LIBS} $<BUILD_INTERFACE:leman_flags>)
