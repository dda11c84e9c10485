#pragma once

#include "storage/table.h"

#include <string>

namespace footfall::storage_cassandra {

/// Where the tables of a program stand.
struct Keyspaces {
    std::string all;             ///< In every region the same.
    std::string of_region = {};  ///< Of this region alone; empty: there is one, and `all` has all.

    const std::string& of(const storage::Table& table) const {
        return table.of_region && !of_region.empty() ? of_region : all;
    }

    /// Both, with a comma between.
    std::string joined() const { return of_region.empty() ? all : all + "," + of_region; }
};

}  // namespace footfall::storage_cassandra
