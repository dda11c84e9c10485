#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace footfall::jobs {

/// What stands at a name in a section of the configuration file, a list of texts among it; nothing
/// of these: something else.
using SectionValue =
    std::variant<std::monostate, std::string, std::int64_t, std::vector<std::string>>;

struct SectionField {
    std::string name;
    SectionValue value;
    std::string origin;  ///< Where it stands: "footfall.toml:4".
};

/// One section [[NAME]] of the configuration file, as it is written. There can be any number of
/// one name.
struct Section {
    std::vector<SectionField> fields;
    std::string origin;
};

/// What a job is opened with, as it read its settings: a type of its own, which nobody else looks
/// into. Constant.
class Options {
public:
    Options() = default;
    Options(const Options&) = delete;
    Options& operator=(const Options&) = delete;
    virtual ~Options() = default;
};

/// What holds without a setting.
struct Default {
    std::string_view text;
    /// Whether the setting could be given this text; if not it says in words what happens.
    bool is_value;
};

/// A setting that is one value, as everybody sees it: a key of the configuration file,
/// FOOTFALL_<NAME>, --<name>, a line of the help.
struct ValueSetting {
    std::string_view name;   ///< Of a-z and _. No other setting of the program may have it.
    std::string_view takes;  ///< What kind of value, a word for the help: SIZE.
    Default without;
    std::string_view help;  ///< One sentence, without the default.
};

/// A value that was given to such a setting.
struct GivenValue {
    std::string_view name;
    std::string_view text;
    std::string_view origin;  ///< Where it stands: "--name", "footfall.toml:4: name".
};

/// All that was written for one job. Valid while it is read.
struct Written {
    std::span<const Section> sections;
    std::span<const GivenValue> values;  ///< Those that nobody gave are not there.
};

/// What a job can be told by the configuration.
struct JobSettings {
    /// Of its sections [[NAME]] in the configuration file; "": it has none.
    std::string_view section = {};
    /// Its settings that are one value each.
    std::span<const ValueSetting> values = {};
    /// Reads what is written, also if that is nothing; the error names the origin.
    Result<std::shared_ptr<const Options>> (*read)(const Written& written);
};

/// By the name of the job. A job that is not there goes by its defaults.
using OptionsByJob = std::map<std::string, std::shared_ptr<const Options>, std::less<>>;

}  // namespace footfall::jobs
