#include "foundation/toml.h"
#include "jobs/job.h"
#include "jobs/list.h"
#include "server/configuration.h"
#include "server/setting_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::server {
namespace {

std::string place_of(const toml::node& node, const std::string& path) {
    return fmt::format("{}:{}", path, node.source().begin.line);
}

/// Absent: it has something else in it.
std::optional<std::vector<std::string>> texts_of(const toml::array& array) {
    std::vector<std::string> texts;
    for (const toml::node& each : array) {
        auto text = each.value_exact<std::string>();
        if (!text) {
            return std::nullopt;
        }
        texts.push_back(*std::move(text));
    }
    return texts;
}

/// One [[NAME]] of the file.
jobs::Section read_section(const toml::table& table, const std::string& path) {
    jobs::Section section{.fields = {}, .origin = place_of(table, path)};
    for (const auto& [key, node] : table) {
        jobs::SectionValue value;
        if (auto text = node.value<std::string>()) {
            value = *std::move(text);
        } else if (const auto number = node.value<std::int64_t>()) {
            value = *number;
        } else if (const toml::array* const array = node.as_array()) {
            if (auto texts = texts_of(*array)) {
                value = *std::move(texts);
            }
        }
        section.fields.push_back(
            {.name = std::string{key.str()},
             .value = std::move(value),
             .origin = place_of(node, path)}
        );
    }
    return section;
}

Result<std::vector<jobs::Section>> read_sections(
    std::string_view name, const toml::node& node, const std::string& path
) {
    const auto fault = [&](const toml::node& at) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("{}: {}s are written as [[{}]]", place_of(at, path), name, name)
        );
    };
    const toml::array* array = node.as_array();
    if (array == nullptr) {
        return fault(node);
    }
    std::vector<jobs::Section> sections;
    for (const toml::node& each : *array) {
        const toml::table* table = each.as_table();
        if (table == nullptr) {
            return fault(each);
        }
        sections.push_back(read_section(*table, path));
    }
    return sections;
}

/// What sections there can be.
std::vector<std::string_view> section_names() {
    std::vector<std::string_view> names;
    for (const jobs::Registered* const job : jobs::all()) {
        if (job->settings != nullptr && !job->settings->section.empty()) {
            names.push_back(job->settings->section);
        }
    }
    return names;
}

std::unexpected<Error> no_such_setting(
    std::string_view key, const std::string& place, const std::vector<std::string_view>& sections
) {
    const auto names = all_settings() | std::views::transform(&SettingRow::name);
    std::string known = fmt::format("{}", fmt::join(names, ", "));
    for (const std::string_view section : sections) {
        known += fmt::format(" and [[{}]]", section);
    }
    return fail(
        ErrorKind::invalid_input,
        fmt::format("{}: there is no setting \"{}\"; there are {}", place, key, known)
    );
}

}  // namespace

Result<ConfigurationFile> read_configuration_file(const std::string& path) {
    toml::table document;
    try {
        document = toml::parse_file(path);
    } catch (const toml::parse_error& error) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("{}:{}: {}", path, error.source().begin.line, error.description())
        );
    } catch (const TomlGaveUp&) {
        return fail(ErrorKind::invalid_input, fmt::format("{}: {}", path, toml_gave_up_message));
    }
    ConfigurationFile file;
    const std::vector<std::string_view> sections = section_names();
    for (const auto& [key, node] : document) {
        if (std::ranges::find(sections, key.str()) != sections.end()) {
            TRY(file.sections[std::string{key.str()}], read_sections(key.str(), node, path));
            continue;
        }
        if (find_setting(key.str()) == nullptr) {
            return no_such_setting(key.str(), place_of(node, path), sections);
        }
        const auto text = node.value<std::string>();
        const auto number = node.value<std::int64_t>();
        file.settings.insert_or_assign(
            std::string{key.str()},
            Setting{
                .text = text     ? *text
                        : number ? std::to_string(*number)
                                 : "?",
                .origin = fmt::format("{}: {}", place_of(node, path), key.str())
            }
        );
    }
    return file;
}

}  // namespace footfall::server
