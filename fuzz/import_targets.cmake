# The readers of `footfall import`. Included by CMakeLists.txt; each target runs over fuzz/corpus/<target>.
foreach(target IN ITEMS fuzz_delimited fuzz_access_log fuzz_json_record)
    add_executable(${target} "${CMAKE_CURRENT_LIST_DIR}/${target}.cpp")
    target_link_libraries(${target} PRIVATE cli simdjson::simdjson)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
endforeach()
