#pragma once

#include "backup/depot.h"
#include "foundation/result.h"

#include <memory>
#include <stop_token>
#include <string>

namespace footfall::backup {

/// Where backups are, as a person says it.
struct Address {
    std::string place;     ///< A directory, or s3://BUCKET/PREFIX (read_s3_address()).
    std::string key_file;  ///< Of the key that they are sealed with; "": they are not.
};

/// `invalid_input`: the key cannot be used, or nobody knows who asks. Nothing is written before
/// Depot::prepare(). Once a stop is requested a bucket is asked no more (s3::Client).
Result<std::unique_ptr<Depot>> open_depot(const Address& address, std::stop_token stop = {});

}  // namespace footfall::backup
