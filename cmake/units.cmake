# Several sources of a target are compiled as one file, a unit: most of a compiler's time goes into reading headers, which
# is then done once for all of them. CMake's own unity build names sources by absolute paths, so that a compiler cache
# could not use in one clone what it keeps of another (docs/decisions/0042-compiler-cache.md); ours are relative.
set(FOOTFALL_SOURCES_A_UNIT 1 CACHE STRING "How many sources of a target to compile as one; 1 compiles each alone")

# units(RESULT TARGET source.cpp...): sets RESULT to the files to compile in place of these sources of the current folder.
# A source with properties of its own (definitions, files that it embeds) stays alone.
function(units result target)
    set(files "")
    set(unit "")
    foreach(source IN LISTS ARGN)
        get_source_file_property(definitions "${source}" COMPILE_DEFINITIONS)
        get_source_file_property(depends "${source}" OBJECT_DEPENDS)
        if(definitions OR depends OR FOOTFALL_SOURCES_A_UNIT LESS_EQUAL 1)
            list(APPEND files "${source}")
            continue()
        endif()
        list(APPEND unit "${source}")
        list(LENGTH unit length)
        if(length EQUAL FOOTFALL_SOURCES_A_UNIT)
            write_unit(file "${target}" ${unit})
            list(APPEND files "${file}")
            set(unit "")
        endif()
    endforeach()
    if(unit)
        write_unit(file "${target}" ${unit})
        list(APPEND files "${file}")
    endif()
    set(${result} ${files} PARENT_SCOPE)
endfunction()

# Writes a unit that includes these sources, named after its first, and sets RESULT to its path. A single source is its own unit.
function(write_unit result target first)
    if(NOT ARGN)
        set(${result} "${first}" PARENT_SCOPE)
        return()
    endif()
    set(text "")
    foreach(source IN ITEMS "${first}" ${ARGN})
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
        file(RELATIVE_PATH source "${PROJECT_BINARY_DIR}/units" "${source}")
        string(APPEND text "#include \"${source}\"\n")
    endforeach()
    cmake_path(GET first STEM name)
    set(file "${PROJECT_BINARY_DIR}/units/${target}-${name}.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY) # leaves a file alone that has this text
    set(${result} "${file}" PARENT_SCOPE)
endfunction()
