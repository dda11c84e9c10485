# Foreign headers that nearly every source reads, compiled once: reading them was a third of a build from nothing. Only
# foreign ones, so that a change of ours still rebuilds what includes it and nothing else. A source names what it uses
# all the same: tools/lint and VERIFY_INTERFACE_HEADER_SETS look at files alone.
set(footfall_common_headers
    <algorithm> <array> <atomic> <chrono> <condition_variable> <cstddef> <cstdint> <deque> <expected> <filesystem>
    <functional> <map> <memory> <mutex> <optional> <ranges> <set> <shared_mutex> <span> <sstream> <string> <string_view>
    <thread> <tuple> <utility> <variant> <vector> <fmt/format.h>)

# precompiled_headers(NAME LIBRARIES foreign... HEADERS <header>...): for targets that link these libraries.
function(precompiled_headers name)
    cmake_parse_arguments(arg "" "" "LIBRARIES;HEADERS" ${ARGN})
    file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/${name}.cpp" CONTENT "")
    add_library(${name} OBJECT "${PROJECT_BINARY_DIR}/${name}.cpp")
    target_link_libraries(${name} PRIVATE footfall_options ${arg_LIBRARIES})
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

precompiled_headers(common_headers LIBRARIES fmt::fmt HEADERS ${footfall_common_headers})
if(FOOTFALL_TESTS)
    precompiled_headers(test_headers LIBRARIES fmt::fmt GTest::gmock
        HEADERS ${footfall_common_headers} <gmock/gmock.h> <gtest/gtest.h>)
endif()

# Gives a target, whose libraries are known, the precompiled headers that suit them.
function(use_precompiled_headers target)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(libraries MATCHES "GTest::")
        target_precompile_headers(${target} REUSE_FROM test_headers)
    else()
        target_precompile_headers(${target} REUSE_FROM common_headers)
    endif()
endfunction()
