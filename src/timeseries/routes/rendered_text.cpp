#include "timeseries_routes/rendered_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>

namespace footfall::timeseries::routes {
namespace {

/// As Python's repr(): the shortest text that is read as this number, and of whole ones with ".0".
void append_number(double value, std::string& text) {
    if (std::isnan(value)) {
        text += "nan";
        return;
    }
    const std::size_t start = text.size();
    fmt::format_to(std::back_inserter(text), "{}", value);
    if (std::isfinite(value) && text.find_first_of(".e", start) == std::string::npos) {
        text += ".0";
    }
}

/// As Python's csv writes it: quoted where it has a comma, a quote or the end of a line.
std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string{text};
    }
    std::string quoted = "\"";
    for (const char each : text) {
        quoted.append(each == '"' ? 2 : 1, each);
    }
    return quoted + '"';
}

}  // namespace

void append_csv(const graphite::Drawn& line, std::string& text) {
    const std::string name = csv_field(line.name);
    std::chrono::sys_seconds time{std::chrono::seconds{line.start}};
    for (const std::optional<double>& value : line.values) {
        fmt::format_to(std::back_inserter(text), "{},{:%Y-%m-%d %H:%M:%S},", name, time);
        if (value) {
            append_number(*value, text);
        }
        text += "\r\n";
        time += std::chrono::seconds{line.step};
    }
}

void append_raw(const graphite::Drawn& line, std::string& text) {
    fmt::format_to(
        std::back_inserter(text), "{},{},{},{}|", line.name, line.start, line.end, line.step
    );
    bool is_first = true;
    for (const std::optional<double>& value : line.values) {
        text += is_first ? "" : ",";
        is_first = false;
        if (value) {
            append_number(*value, text);
        } else {
            text += "None";
        }
    }
    text += '\n';
}

}  // namespace footfall::timeseries::routes
