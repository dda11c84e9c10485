#pragma once

#include "foundation/result.h"
#include "server/configuration.h"

#include <CLI/App.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace footfall::server {

/// The settings of the program as flags of a verb, and --config. `cassandra_password` has none:
/// what stands on a command line everybody on the machine can read.
class SettingFlags {
public:
    /// Which settings a verb takes.
    enum class Which {
        all,
        directory,  ///< All but how a cluster is reached.
        cluster,    ///< How a cluster is reached.
        place,      ///< Where rows are kept.
        logs,       ///< Where rows are kept, and the logs of events.
    };

    /// Adds the flags; what is answered is filled when the verb is parsed.
    static std::shared_ptr<SettingFlags> add_to(CLI::App& verb, Which which);

    /// What the flags say.
    Settings given() const;

    /// The file that --config names; "": none.
    const std::string& config() const { return config_; }

private:
    std::string config_;
    std::map<std::string_view, std::string> texts_;  ///< By name of the setting; fixed keys.
};

}  // namespace footfall::server
