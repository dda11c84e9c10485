#pragma once

#include "deployment/deployment.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace footfall::cli {

/// The answer to one question.
struct ObjectCount {
    std::string object;
    std::uint64_t count = 0;
    bool at_least = false;
};

/// Where counts are asked: a server, or a data directory. For one thread.
class CountSource {
public:
    virtual ~CountSource() = default;

    virtual Result<ObjectCount> count(const std::string& object) = 0;

    /// Calls `take` for every stored object, by name; ends with the first error.
    virtual Result<void> for_all(const std::function<void(const ObjectCount&)>& take) = 0;
};

std::unique_ptr<CountSource> ask_server(http_server::ServerUrl server, const std::string& counter);

/// `directory` must outlive the source.
Result<std::unique_ptr<CountSource>> ask_directory(
    deployment::Deployment& directory, const std::string& counter
);

}  // namespace footfall::cli
