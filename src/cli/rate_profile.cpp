#include "cli/rate_profile.h"

#include "foundation/parse_number.h"
#include "records/line_reader.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace footfall::cli {
namespace {

constexpr std::size_t stretches_most = 10'000'000;

}  // namespace

Result<std::vector<double>> read_rate_profile(
    records::ByteSource& source, std::string_view period
) {
    records::LineReader lines{source};
    std::vector<double> counts;
    bool something = false;
    for (;;) {
        TRY(const std::optional<records::Line> line, lines.next());
        if (!line) {
            break;
        }
        const std::size_t comma = line->text.rfind(',');
        const auto count = comma == std::string_view::npos
                               ? std::nullopt
                               : parse_unsigned(line->text.substr(comma + 1));
        if (!count && line->number == 1) {
            continue;  // a heading
        }
        if (!count || counts.size() == stretches_most) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "{}, line {}: {}",
                    source.name(),
                    line->number,
                    count ? "more than 10 million lines"
                          : "not a time and a count with a comma between them"
                )
            );
        }
        if (line->text.starts_with(period)) {
            counts.push_back(static_cast<double>(*count));
            something = something || *count > 0;
        }
    }
    if (!something) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{}: nothing came{}",
                source.name(),
                period.empty() ? "" : fmt::format(" at a time that begins with \"{}\"", period)
            )
        );
    }
    return counts;
}

}  // namespace footfall::cli
