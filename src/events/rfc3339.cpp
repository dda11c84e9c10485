#include "events/rfc3339.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace footfall::events {
namespace {

using namespace std::chrono_literals;

/// Takes what it reads off the front of a text.
class Scanner {
public:
    explicit Scanner(std::string_view text) : left_{text} {}

    bool done() const { return left_.empty(); }

    /// So many digits, of a number from `least` to `most`.
    std::optional<unsigned> number(std::size_t digits, unsigned least, unsigned most) {
        const std::optional<std::uint64_t> read = parse_unsigned(left_.substr(0, digits));
        if (left_.size() < digits || !read || *read < least || *read > most) {
            return std::nullopt;
        }
        left_.remove_prefix(digits);
        return static_cast<unsigned>(*read);
    }

    /// Whether one of `letters` comes next.
    bool one_of(std::string_view letters) {
        if (left_.empty() || letters.find(left_.front()) == std::string_view::npos) {
            return false;
        }
        left_.remove_prefix(1);
        return true;
    }

    /// The digits of a fraction, as microseconds.
    std::optional<std::chrono::microseconds> fraction() {
        std::chrono::microseconds unit = 100'000us;
        std::chrono::microseconds sum = 0us;
        std::size_t digits = 0;
        for (; digits < left_.size() && left_[digits] >= '0' && left_[digits] <= '9'; ++digits) {
            sum += unit * (left_[digits] - '0');
            unit /= 10;
        }
        left_.remove_prefix(digits);
        return digits > 0 ? std::optional{sum} : std::nullopt;
    }

private:
    std::string_view left_;
};

std::optional<Instant> day_of(Scanner& scanner) {
    const auto year = scanner.number(4, 0, 9999);
    const bool first_dash = year && scanner.one_of("-");
    const auto month = first_dash ? scanner.number(2, 1, 12) : std::nullopt;
    const bool second_dash = month && scanner.one_of("-");
    const auto day = second_dash ? scanner.number(2, 1, 31) : std::nullopt;
    if (!day) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{
        std::chrono::year{static_cast<int>(*year)},
        std::chrono::month{*month},
        std::chrono::day{*day}
    };
    return date.ok() ? std::optional<Instant>{std::chrono::sys_days{date}} : std::nullopt;
}

std::optional<std::chrono::microseconds> time_of_day(Scanner& scanner) {
    const auto hours = scanner.number(2, 0, 23);
    const bool first_colon = hours && scanner.one_of(":");
    const auto minutes = first_colon ? scanner.number(2, 0, 59) : std::nullopt;
    const bool second_colon = minutes && scanner.one_of(":");
    const auto seconds = second_colon ? scanner.number(2, 0, 60) : std::nullopt;
    if (!seconds) {
        return std::nullopt;
    }
    const std::chrono::microseconds whole = *hours * 1h + *minutes * 1min + *seconds * 1s;
    if (!scanner.one_of(".,")) {
        return whole;
    }
    const auto fraction = scanner.fraction();
    if (!fraction) {
        return std::nullopt;
    }
    return *seconds == 60 ? whole : whole + *fraction;
}

/// How far local time is ahead of UTC.
std::optional<std::chrono::minutes> offset_of(Scanner& scanner) {
    if (scanner.one_of("zZ")) {
        return 0min;
    }
    const bool ahead = scanner.one_of("+");
    if (!ahead && !scanner.one_of("-")) {
        return std::nullopt;
    }
    const auto hours = scanner.number(2, 0, 23);
    const bool colon = hours && scanner.one_of(":");
    const auto minutes = colon ? scanner.number(2, 0, 59) : std::nullopt;
    if (!minutes) {
        return std::nullopt;
    }
    const std::chrono::minutes offset = *hours * 1h + *minutes * 1min;
    return ahead ? offset : -offset;
}

}  // namespace

std::optional<Instant> parse_any_rfc3339(std::string_view text) {
    Scanner scanner{text};
    const auto day = day_of(scanner);
    const bool separated = day && scanner.one_of("Tt ");
    const auto time = separated ? time_of_day(scanner) : std::nullopt;
    const auto offset = time ? offset_of(scanner) : std::nullopt;
    if (!offset || !scanner.done()) {
        return std::nullopt;
    }
    return *day + *time - *offset;
}

std::optional<Instant> parse_rfc3339(std::string_view text) {
    const auto instant = parse_any_rfc3339(text);
    return instant && *instant >= Instant{} ? instant : std::nullopt;
}

std::string format_rfc3339(Instant instant) {
    const auto day = std::chrono::floor<std::chrono::days>(instant);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{instant - day};
    std::string text = fmt::format(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()),
        time.hours().count(),
        time.minutes().count(),
        time.seconds().count()
    );
    const auto micros = time.subseconds().count();
    if (micros % 1000 != 0) {
        text += fmt::format(".{:06}", micros);
    } else if (micros != 0) {
        text += fmt::format(".{:03}", micros / 1000);
    }
    return text + "Z";
}

}  // namespace footfall::events
