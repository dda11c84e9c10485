#pragma once

#include "foundation/result.h"
#include "jobs/settings.h"
#include "server/configuration.h"

#include <span>
#include <string>
#include <string_view>

namespace footfall::server {

/// Which deployments a setting changes something in.
enum class Concerns {
    all,
    directory,  ///< Those with their rows in a data directory.
    cassandra,  ///< Those with their rows on Cassandra.
    kafka,      ///< Those with their log of events on Kafka.
    choice,     ///< All of them: it says which of these a deployment is.
};

/// What a setting says where to find. Verbs that open a deployment beside the server, or while
/// there is none, take these alone.
enum class Locates { nothing, rows, log };

/// One setting. Keys of the file, variables, flags, the help, and what the documentation must name
/// are all made of this.
struct SettingRow {
    std::string_view name;   ///< Of a-z and _: the key of the file.
    std::string_view takes;  ///< What kind of value, a word for the help: SIZE.
    jobs::Default without;
    std::string_view help;  ///< One sentence, without the default.
    Concerns concerns = Concerns::all;
    Locates locates = Locates::nothing;
    /// `invalid_input` names the origin of the setting, and what it takes. Null: a job reads it,
    /// with all that is written for that job (job_settings.h).
    Result<void> (*read)(const Setting& setting, Configuration& configuration) = nullptr;
    /// Whether it may stand on a command line, which everybody on the machine can read.
    bool is_flag = true;
};

/// All settings of the program, then those of its jobs, in the order of the help. Constant.
std::span<const SettingRow> all_settings();

/// Null: there is none of this name.
const SettingRow* find_setting(std::string_view name);

/// "keep_events": "--keep-events".
std::string flag_of(const SettingRow& setting);

/// "keep_events": "FOOTFALL_KEEP_EVENTS".
std::string variable_of(const SettingRow& setting);

/// As a verb's help says it: the sentence, with the default behind it.
std::string help_of(const SettingRow& setting);

}  // namespace footfall::server
