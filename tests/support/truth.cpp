#include "test_support/truth.h"

#include "foundation/lines.h"
#include "foundation/parse_number.h"
#include "test_support/must.h"

#include <fmt/format.h>
#include <zlib.h>

#include <memory>
#include <set>
#include <string_view>

namespace footfall::test_support {
namespace {

/// Calls `take` with the object (all before the first tab) and the number behind the last tab.
template <class Take>
void for_each_line(std::string_view text, Take take) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t first = line.find('\t');
        const auto number =
            first == line.npos ? std::nullopt : parse_unsigned(line.substr(line.rfind('\t') + 1));
        if (!number) {
            give_up(fmt::format("not a line of object and number: \"{}\"", line));
        }
        take(std::string{line.substr(0, first)}, *number);
    }
}

/// The lines of a truth_objects.tsv below its header.
std::string truth_lines(const std::string& path) {
    std::string text = read_gzip(path);
    constexpr std::string_view header = "object\trows\tdistinct_users\n";
    if (!text.starts_with(header)) {
        give_up(path + " has other columns than object, rows, distinct_users");
    }
    return text.substr(header.size());
}

}  // namespace

std::string read_gzip(const std::string& path) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file{::gzopen(path.c_str(), "rb"), ::gzclose};
    if (!file) {
        give_up("cannot open " + path);
    }
    std::string text;
    char buffer[65536];
    int count = 0;
    while ((count = ::gzread(file.get(), buffer, sizeof buffer)) > 0) {
        text.append(buffer, static_cast<std::size_t>(count));
    }
    if (count < 0) {
        give_up("cannot read " + path);
    }
    return text;
}

Counts read_truth_rows(const std::string& path) {
    std::string rows;
    const std::string text = truth_lines(path);
    for (std::string_view left = text; !left.empty();) {
        const std::string_view line = take_line(left);
        rows.append(line.substr(0, line.rfind('\t'))).append("\n");
    }
    Counts counts;
    for_each_line(rows, [&](std::string object, std::uint64_t count) {
        counts.emplace(std::move(object), count);
    });
    return counts;
}

Counts read_truth(const std::string& path) {
    const std::string text = truth_lines(path);
    Counts counts;
    for_each_line(text, [&](std::string object, std::uint64_t count) {
        counts.emplace(std::move(object), count);
    });
    return counts;
}

Counts parse_counts(const std::string& text) {
    Counts counts;
    for_each_line(text, [&](std::string object, std::uint64_t count) {
        if (!counts.emplace(object, count).second) {
            give_up("the object \"" + object + "\" is listed twice");
        }
    });
    return counts;
}

std::string differences(const Counts& expected, const Counts& actual) {
    std::set<std::string> names;
    for (const Counts* counts : {&expected, &actual}) {
        for (const auto& [name, count] : *counts) {
            names.insert(name);
        }
    }
    const auto count_in = [](const Counts& counts, const std::string& name) {
        const auto found = counts.find(name);
        return found == counts.end() ? std::string{"none"} : std::to_string(found->second);
    };
    std::string text;
    int shown = 0;
    for (const std::string& name : names) {
        const std::string wanted = count_in(expected, name);
        const std::string got = count_in(actual, name);
        if (wanted != got && ++shown <= 10) {
            text += fmt::format("{}: {} instead of {}\n", name, got, wanted);
        }
    }
    return shown > 10 ? text + fmt::format("and {} more\n", shown - 10) : text;
}

}  // namespace footfall::test_support
