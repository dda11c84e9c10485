# Whether there is a Rust that can build drivers/cql: sets FOOTFALL_RUST to ON or OFF. Nothing else of the build needs one.
set(FOOTFALL_RUST_AT_LEAST 1.88) # of the crate `scylla`, as in drivers/cql/Cargo.toml; tools/common.sh reads it here

function(footfall_cargo_is_new_enough result cargo)
    execute_process(COMMAND "${cargo}" --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(NOT version MATCHES "cargo ([0-9.]+)" OR CMAKE_MATCH_1 VERSION_LESS FOOTFALL_RUST_AT_LEAST)
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()

# A toolchain of one's own before the system's.
set(places "$ENV{HOME}/.cargo/bin")
if(DEFINED ENV{CARGO_HOME})
    list(PREPEND places "$ENV{CARGO_HOME}/bin")
endif()
find_program(FOOTFALL_CARGO cargo HINTS ${places} VALIDATOR footfall_cargo_is_new_enough)
set(FOOTFALL_RUST OFF)
if(FOOTFALL_CARGO)
    set(FOOTFALL_RUST ON)
endif()
