# A dashboard, built into a library that a program links:
#
#   dashboard(NAME tally_dashboard PAGES "${CMAKE_CURRENT_SOURCE_DIR}/page.tsx")
#
# It has the standard pages, and behind them those that the files PAGES export (web/README.md says how one is written). The
# program includes "tally_dashboard/assets.h" and serves what tally_dashboard::assets() answers; with FOOTFALL_WEB=OFF that
# is a page that says that there is no dashboard.
function(dashboard)
    cmake_parse_arguments(arg "" "NAME" "PAGES" ${ARGN})
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME)
        message(FATAL_ERROR "dashboard(NAME name PAGES file...): got ${ARGN}")
    endif()
    set(NAME ${arg_NAME})
    set(templates "${PROJECT_SOURCE_DIR}/src/dashboard")
    set(root "${PROJECT_BINARY_DIR}/include_roots/${NAME}")
    set(source "${PROJECT_BINARY_DIR}/dashboards/${NAME}.cpp")
    configure_file("${templates}/assets.h.in" "${root}/${NAME}/assets.h" @ONLY)
    if(FOOTFALL_WEB)
        configure_file("${templates}/embedded.cpp.in" "${source}" @ONLY)
    else()
        configure_file("${templates}/absent.cpp.in" "${source}" @ONLY)
    endif()

    add_library(${NAME} STATIC "${source}")
    target_sources(${NAME} PUBLIC FILE_SET HEADERS BASE_DIRS "${root}" FILES "${root}/${NAME}/assets.h")
    set_target_properties(${NAME} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
    target_link_libraries(${NAME} PUBLIC footfall_options api)
    use_precompiled_headers(${NAME})
    if(FOOTFALL_WEB)
        dashboard_bundle(bundle ${NAME}_bundle "${PROJECT_BINARY_DIR}/web/${NAME}" ${arg_PAGES})
        add_dependencies(${NAME} ${NAME}_bundle)
        # Ninja knows files that are embedded, and that CMake makes, by this only.
        set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${bundle}")
        # Relative to the build folder, as a compiler cache of several clones needs it.
        target_compile_options(${NAME} PRIVATE "--embed-dir=web/${NAME}")
    endif()
endfunction()

# dashboard_bundle(RESULT TARGET FOLDER page.tsx...): what Vite makes of web/ and these pages. Sets RESULT to its files.
function(dashboard_bundle result target folder)
    set(web "${PROJECT_SOURCE_DIR}/web")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${web}/src/*" "${web}/public/*")
    foreach(page IN LISTS ARGN)
        cmake_path(GET page PARENT_PATH beside)
        file(GLOB_RECURSE further CONFIGURE_DEPENDS "${beside}/*.ts" "${beside}/*.tsx" "${beside}/*.css")
        list(APPEND sources ${further})
    endforeach()
    list(FILTER sources EXCLUDE REGEX "\\.test\\.ts$")
    list(JOIN ARGN ":" pages)

    set(files index.html app.js app.css favicon.svg pages.txt)
    list(TRANSFORM files PREPEND "${folder}/")
    add_custom_command(
        OUTPUT ${files}
        COMMAND "${CMAKE_COMMAND}" -E env "FOOTFALL_PAGES=${pages}"
            "${NPM_EXECUTABLE}" run --silent build -- --outDir "${folder}" --emptyOutDir --logLevel warn
        # Vite keeps the time stamps of files it copies.
        COMMAND "${CMAKE_COMMAND}" -E touch ${files}
        WORKING_DIRECTORY "${web}"
        DEPENDS web_packages "${FOOTFALL_WEB_PACKAGES}" ${sources}
            "${web}/index.html" "${web}/vite.config.ts" "${web}/further_pages.ts" "${web}/tsconfig.json"
        COMMENT "Building the dashboard ${folder}"
        VERBATIM)
    add_custom_target(${target} DEPENDS ${files})
    set(${result} "${files}" PARENT_SCOPE)
endfunction()
