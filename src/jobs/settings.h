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

/// What stands at a name in a section of the configuration file; neither: something else.
using SectionValue = std::variant<std::monostate, std::string, std::int64_t>;

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

/// What a job can be told by the configuration.
struct JobSettings {
    /// Of its sections [[NAME]] in the configuration file; "": it has none.
    std::string_view section;
    /// Reads them, none too; the error names the origin.
    Result<std::shared_ptr<const Options>> (*read)(std::span<const Section> sections);
};

/// By the name of the job. A job that is not there goes by its defaults.
using OptionsByJob = std::map<std::string, std::shared_ptr<const Options>, std::less<>>;

}  // namespace footfall::jobs
