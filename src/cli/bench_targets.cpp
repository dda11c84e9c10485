#include "cli/bench_targets.h"

#include "records/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace footfall::cli {
namespace {

constexpr std::size_t targets_most = 1'000'000;
constexpr std::size_t longest_target = 4 << 10;

bool is_target(std::string_view text) {
    return text.starts_with('/') && text.size() <= longest_target &&
           std::ranges::all_of(text, [](char each) { return each > ' ' && each < '\x7f'; });
}

}  // namespace

Result<std::vector<std::string>> read_bench_targets(records::ByteSource& source) {
    records::LineReader lines{source};
    std::vector<std::string> targets;
    for (;;) {
        TRY(const std::optional<records::Line> line, lines.next());
        if (!line) {
            break;
        }
        if (!is_target(line->text) || targets.size() == targets_most) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "{}, line {}: {}",
                    source.name(),
                    line->number,
                    is_target(line->text) ? "more than a million lines"
                                          : "not a path and its query, such as /api/v1/counter/a, "
                                            "of at most 4 KiB"
                )
            );
        }
        targets.emplace_back(line->text);
    }
    if (targets.empty()) {
        return fail(ErrorKind::invalid_input, fmt::format("{}: there is no line", source.name()));
    }
    return targets;
}

}  // namespace footfall::cli
