# Foreign headers that nearly every source reads, compiled once: reading them was a third of a build from nothing. Only
# foreign ones, so that a change of ours still rebuilds what includes it and nothing else. A source names what it uses
# all the same: tools/lint and VERIFY_INTERFACE_HEADER_SETS look at files alone.
set(footfall_common_headers
    <algorithm> <array> <atomic> <chrono> <condition_variable> <cstddef> <cstdint> <deque> <expected> <filesystem>
    <functional> <map> <memory> <mutex> <optional> <ranges> <set> <shared_mutex> <span> <sstream> <string> <string_view>
    <thread> <tuple> <utility> <variant> <vector> <fmt/format.h>)

# What a compiler cache keeps of one clone has to be of use in another (docs/decisions/0042-compiler-cache.md). Clang writes
# into what it precompiles where that came from, and wants to find it again: here from the top folder, not from the root, and
# without times. And CMake names the list of headers by an absolute path, which ccache takes for a difference.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(footfall_options INTERFACE "SHELL:-isysroot ${PROJECT_SOURCE_DIR}")
    set(CMAKE_CXX_COMPILE_OPTIONS_CREATE_PCH -Xclang -emit-pch -x c++-header)
    set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
    set(footfall_create_pch "SHELL:-Xclang -relocatable-pch" "SHELL:-Xclang -fno-pch-timestamp"
        "SHELL:-Xclang -include -Xclang CMakeFiles/@NAME@.dir/cmake_pch.hxx")
endif()

# precompiled_headers(NAME LIBRARIES foreign... HEADERS <header>...): for targets that link these libraries.
function(precompiled_headers name)
    cmake_parse_arguments(arg "" "" "LIBRARIES;HEADERS" ${ARGN})
    file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/${name}.cpp" CONTENT "")
    add_library(${name} OBJECT "${PROJECT_BINARY_DIR}/${name}.cpp")
    target_link_libraries(${name} PRIVATE footfall_options ${arg_LIBRARIES})
    string(REPLACE @NAME@ ${name} options "${footfall_create_pch}")
    target_compile_options(${name} PRIVATE ${options})
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
