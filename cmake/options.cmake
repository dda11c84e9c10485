# Compiler options shared by every target of the project, kept in one interface target so that a module cannot forget one.
find_package(Threads REQUIRED)

add_library(footfall_options INTERFACE)
target_link_libraries(footfall_options INTERFACE Threads::Threads)
target_compile_options(footfall_options INTERFACE
    # In a unit the unnamed namespaces of several sources are one.
    $<$<EQUAL:${FOOTFALL_SOURCES_A_UNIT},1>:-Wshadow>
    -Wall -Wextra -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wimplicit-fallthrough -Wconversion
    # Leaving the rest of an options struct at its defaults is what designated initialisers are for.
    -Wno-missing-designated-field-initializers
    -fno-omit-frame-pointer
    # Some foreign targets ask for it, and all sources must agree: they share precompiled headers.
    -pthread
    $<$<BOOL:${FOOTFALL_WARNINGS_AS_ERRORS}>:-Werror>)
# Checked containers also in release: an index out of range is a bug that must stop the program, not corrupt a count.
target_compile_definitions(footfall_options INTERFACE _GLIBCXX_ASSERTIONS)
# Whatever names a source, a failed CHECK, a test or a debugger, does so from the top folder of the repository. So objects are
# the same in every clone, and no path of one machine gets into the binary.
file(RELATIVE_PATH units_to_top "${PROJECT_BINARY_DIR}/units" "${PROJECT_SOURCE_DIR}")
target_compile_options(footfall_options INTERFACE
    "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" "-ffile-prefix-map=${PROJECT_BINARY_DIR}/units/${units_to_top}="
    -fdebug-compilation-dir=.)

# FOOTFALL_SANITIZE: "address,undefined", "thread", or empty. One sanitizer family per build folder.
set(FOOTFALL_SANITIZE "" CACHE STRING "Sanitizers to build with")
if(FOOTFALL_SANITIZE)
    target_compile_options(footfall_options INTERFACE -fsanitize=${FOOTFALL_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(footfall_options INTERFACE -fsanitize=${FOOTFALL_SANITIZE})
endif()
if(FOOTFALL_FUZZ)
    target_compile_options(footfall_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
option(FOOTFALL_COVERAGE "Instrument for source coverage (clang)" OFF)
if(FOOTFALL_COVERAGE)
    target_compile_options(footfall_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
    target_link_options(footfall_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
endif()

find_program(FOOTFALL_LLD NAMES ld.lld-19 ld.lld)
if(FOOTFALL_LLD)
    add_link_options(--ld-path=${FOOTFALL_LLD})
endif()
