#include "foundation/parse_number.h"
#include "foundation/toml.h"
#include "server/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace footfall::server {
namespace {

std::string place_of(const toml::node& node, const std::string& path) {
    return fmt::format("{}:{}", path, node.source().begin.line);
}

/// One [[counter]] of the file.
Result<tokens::CounterConfig> read_counter(const toml::table& table, const std::string& path) {
    tokens::CounterConfig config{.name = {}};
    for (const auto& [key, node] : table) {
        const auto text = node.value<std::string>();
        const auto number = node.value<std::int64_t>();
        const auto fault = [&, name = std::string{key.str()}](std::string_view what) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("{}: {}: {}", place_of(node, path), name, what)
            );
        };
        if (key == "name" && text) {
            config.name = *text;
        } else if (key == "ttl") {
            const auto ttl = parse_duration(text ? *text : number ? std::to_string(*number) : "");
            if (!ttl) {
                return fault(
                    "a ttl is a number of seconds or a text such as \"30m\", \"12h\" or \"7d\""
                );
            }
            config.ttl = ttl;
        } else if (key == "limit" && number && *number > 0 && *number <= 50'000'000) {
            config.limit = static_cast<std::uint32_t>(*number);
        } else {
            return fault("a [[counter]] has name (text), ttl (duration) and limit (1 to 50000000)");
        }
    }
    const Result<void> sound = tokens::check_config(config);
    if (!sound) {
        return std::unexpected(with_context(sound.error(), place_of(table, path)));
    }
    return config;
}

Result<void> read_counters(
    const toml::node& node, const std::string& path, std::vector<tokens::CounterConfig>& counters
) {
    const toml::array* array = node.as_array();
    if (array == nullptr) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("{}: counters are written as [[counter]]", place_of(node, path))
        );
    }
    for (const toml::node& each : *array) {
        const toml::table* table = each.as_table();
        if (table == nullptr) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("{}: counters are written as [[counter]]", place_of(each, path))
            );
        }
        TRY(tokens::CounterConfig config, read_counter(*table, path));
        const bool twice = std::ranges::any_of(counters, [&](const auto& other) {
            return other.name == config.name;
        });
        if (twice) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "{}: there are two counters \"{}\"", place_of(*table, path), config.name
                )
            );
        }
        counters.push_back(std::move(config));
    }
    return {};
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
    const std::vector<std::string_view> names = setting_names();
    for (const auto& [key, node] : document) {
        if (key == "counter") {
            TRY_VOID(read_counters(node, path, file.counters));
            continue;
        }
        if (std::ranges::find(names, key.str()) == names.end()) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "{}: there is no setting \"{}\"; there are {} and [[counter]]",
                    place_of(node, path),
                    key.str(),
                    fmt::join(names, ", ")
                )
            );
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
