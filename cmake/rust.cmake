# Whether there is a Rust that can build drivers/cql: sets FOOTFALL_RUST to ON or OFF, and why not in FOOTFALL_RUST_MISSING.
# Nothing else of the build needs one.
set(FOOTFALL_RUST_AT_LEAST 1.88) # of the crate `scylla`, as in drivers/cql/Cargo.toml

find_program(FOOTFALL_CARGO cargo HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin")
set(FOOTFALL_RUST OFF)
set(FOOTFALL_RUST_MISSING "there is no cargo")
if(FOOTFALL_CARGO)
    execute_process(COMMAND ${FOOTFALL_CARGO} --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(version MATCHES "cargo ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL FOOTFALL_RUST_AT_LEAST)
        set(FOOTFALL_RUST ON)
    else()
        set(FOOTFALL_RUST_MISSING "${FOOTFALL_CARGO} is too old")
    endif()
endif()
