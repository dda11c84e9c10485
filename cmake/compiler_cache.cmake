# Compiles through ccache where it is installed, as `./test` sees to: docs/decisions/0042-compiler-cache.md.
option(FOOTFALL_CCACHE "Compile through ccache where it is installed" ON)
find_program(FOOTFALL_CCACHE_PROGRAM ccache)
if(FOOTFALL_CCACHE AND FOOTFALL_CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
        # What a result depends on is what the compiler lists for ninja, `#embed`ded files among it. In its other modes ccache
        # looks for #include alone, and would hand out a program with an old page in it.
        CCACHE_DEPEND=1
        # Another clone has the same paths but for its own folder.
        "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
        # As ccache asks for where headers are precompiled. No source of ours says __TIME__.
        CCACHE_SLOPPINESS=pch_defines,time_macros
        "${FOOTFALL_CCACHE_PROGRAM}")
endif()
