#pragma once

#include "foundation/result.h"
#include "server/configuration.h"
#include "server/setting_table.h"

#include <CLI/App.hpp>

#include <map>
#include <memory>
#include <string>

namespace footfall::server {

/// The settings of the program as flags of a verb, and --config.
class SettingFlags {
public:
    /// Which settings a verb takes.
    enum class Which {
        all,
        directory,     ///< All but how a cluster is reached.
        cluster,       ///< How a cluster is reached.
        place,         ///< Where rows are kept.
        logs,          ///< Where rows are kept, and the logs of events.
        cluster_logs,  ///< How a cluster is reached, and its logs of events.
    };

    /// Adds the flags; what is answered is filled when the verb is parsed.
    static std::shared_ptr<SettingFlags> add_to(CLI::App& verb, Which which);

    /// What the flags say.
    Settings given() const;

    /// The file that --config names; "": none.
    const std::string& config() const { return config_; }

private:
    std::string config_;
    /// By setting; the keys are fixed, since the parser writes to the texts.
    std::map<const SettingRow*, std::string> texts_;
};

}  // namespace footfall::server
