# The whole build vocabulary of the project: a module and its tests.
#
#   module(tokens
#       SOURCES token_set.cpp            compiled into the library
#       HEADERS token_set.h              what other modules may include, as "tokens/token_set.h"
#       TESTS   token_set_test.cpp       one unit-test program a module: tokens_test
#       THREADED_TESTS sets_test.cpp     those of its sources that can start threads: all that ThreadSanitizer builds and runs
#       DEPENDS storage                  modules; they and what they depend on may be included, nothing else
#       LIBRARIES simdjson::simdjson     foreign libraries, private to the module
#       TEST_DEPENDS storage_testing     further modules that only the tests may include
#       TEST_SHARDS 4)                   into how many processes its tests are dealt, where they take long
#
# How the graph of design is kept: each module has an include root of its own (a link in the build folder), so a header
# of a module that is not named in DEPENDS is "file not found"; and DEPENDS must name targets that exist already, so the
# order in src/CMakeLists.txt is the layering and a cycle cannot be written. tests/build proves both.
include("${CMAKE_CURRENT_LIST_DIR}/units.cmake")

function(module name)
    cmake_parse_arguments(arg "" "TEST_SHARDS" "SOURCES;HEADERS;TESTS;THREADED_TESTS;DEPENDS;LIBRARIES;PUBLIC_LIBRARIES;TEST_DEPENDS" ${ARGN})
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "module(${name}): unknown words: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT FOOTFALL_TESTS)
        set(arg_TEST_DEPENDS "")
    endif()
    foreach(dependency IN LISTS arg_DEPENDS arg_TEST_DEPENDS)
        if(NOT TARGET ${dependency})
            message(FATAL_ERROR "module(${name}): ${dependency} is not a module below it. "
                "src/CMakeLists.txt lists modules bottom to top; a module may only depend on those above its own line there.")
        endif()
    endforeach()

    set(root "${PROJECT_BINARY_DIR}/include_roots/${name}")
    file(MAKE_DIRECTORY "${root}")
    file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${root}/${name}" SYMBOLIC)

    if(arg_SOURCES)
        units(files ${name} ${arg_SOURCES})
        add_library(${name} STATIC ${files})
        set(scope PUBLIC)
        target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
    else()
        add_library(${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    list(TRANSFORM arg_HEADERS PREPEND "${root}/${name}/")
    target_sources(${name} ${scope} FILE_SET HEADERS BASE_DIRS "${root}" FILES ${arg_HEADERS})
    set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
    target_include_directories(${name} ${scope} "${root}")
    target_link_libraries(${name} ${scope} footfall_options ${arg_DEPENDS} ${arg_PUBLIC_LIBRARIES})
    if(arg_SOURCES)
        use_precompiled_headers(${name})
    endif()

    set(tests ${arg_TESTS} ${arg_THREADED_TESTS})
    if(FOOTFALL_SANITIZE STREQUAL "thread")
        set(tests ${arg_THREADED_TESTS}) # where one thread runs there is no race
    endif()
    if(FOOTFALL_TESTS AND tests)
        test_program(${name}_test unit TIMEOUT 300 SHARDS ${arg_TEST_SHARDS} SOURCES ${tests} DEPENDS ${name} ${arg_TEST_DEPENDS} ${arg_LIBRARIES})
    endif()
endfunction()

# A program of tests: test_program(NAME LABEL TIMEOUT seconds SHARDS processes SOURCES file.cpp... DEPENDS modules and libraries
#     ENVIRONMENT NAME=value LOCK word COST seconds).
#
# LABEL says which stage of ./test runs it. Those of `unit` and `integration` are what the sanitizers build, too; most of their
# cases take less time than a process to start, so all of a program, or of a shard, run in one. tools/cases reads its report. Those of
# `cluster` share a node and a broker; several run at once, each with a keyspace and topics of its own (tests/support/cluster_place.h),
# but for those with the same LOCK. Those of `survival` and `failures` kill nodes and brokers, of four and three, only by ./prove; one runs at a
# time. ENVIRONMENT is what they run with; COST, where it is more than a minute, has them begin first.
function(test_program name label)
    cmake_parse_arguments(arg "" "TIMEOUT;SHARDS;ENVIRONMENT;LOCK;COST" "SOURCES;DEPENDS" ${ARGN})
    units(files ${name} ${arg_SOURCES})
    add_executable(${name} ${files})
    target_link_libraries(${name} PRIVATE ${arg_DEPENDS} GTest::gmock GTest::gtest_main)
    use_precompiled_headers(${name})
    set(properties LABELS ${label} TIMEOUT ${arg_TIMEOUT})
    if(arg_ENVIRONMENT)
        list(APPEND properties ENVIRONMENT ${arg_ENVIRONMENT})
    endif()
    if(label MATCHES "^(cluster|cluster-alone|more-on-cluster|survival|failures)$")
        add_dependencies(cluster_tests ${name})
    endif()
    if(label MATCHES "^(survival|failures)$")
        set(arg_LOCK cluster)
    endif()
    if(arg_LOCK)
        list(APPEND properties RESOURCE_LOCK ${arg_LOCK})
    endif()
    if(arg_COST)
        list(APPEND properties COST ${arg_COST})
    endif()
    if(label MATCHES "^(unit|integration)$")
        add_dependencies(unit_tests ${name})
        whole_program_tests(${name} "${arg_SHARDS}" ${properties})
    else()
        gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
    endif()
endfunction()

# One test of ctest for all cases of a program, or for each shard of them, with a report of every case.
function(whole_program_tests name shards)
    if(NOT shards)
        set(shards 1)
    endif()
    foreach(shard RANGE 1 ${shards})
        set(test ${name})
        set(environment "")
        if(shards GREATER 1)
            set(test ${name}.${shard})
            math(EXPR index "${shard} - 1")
            set(environment GTEST_TOTAL_SHARDS=${shards} GTEST_SHARD_INDEX=${index})
        endif()
        add_test(NAME ${test} COMMAND ${name})
        set_tests_properties(${test} PROPERTIES ${ARGN})
        set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/cases/${test}.xml" ${environment})
    endforeach()
endfunction()
