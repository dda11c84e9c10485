#include "rankings/trends_wire.h"

#include "events/wire.h"
#include "foundation/names.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace footfall::rankings {
namespace {

using events::append_bytes_field;
using events::append_number_field;
using events::WireField;

/// Tags are above those of any other question of a job.
namespace question {
constexpr std::uint64_t action = 1001;
constexpr std::uint64_t trends_at = 1002;
constexpr std::uint64_t hot_at = 1003;
}  // namespace question

namespace answer {
constexpr std::uint64_t candidate = 1;
constexpr std::uint64_t fast_total = 2;
constexpr std::uint64_t slow_total = 3;
constexpr std::uint64_t hot = 4;

constexpr std::uint64_t object = 1;
constexpr std::uint64_t fast = 2;
constexpr std::uint64_t slow = 3;
constexpr std::uint64_t error = 4;
constexpr std::uint64_t events = 5;
}  // namespace answer

void append_double(std::uint64_t tag, double number, std::string& out) {
    append_number_field(tag, std::bit_cast<std::uint64_t>(number), out);
}

/// False: it is no sum.
bool take_sum(const WireField& field, double& sum) {
    sum = std::bit_cast<double>(field.number);
    return std::isfinite(sum) && sum >= 0;
}

std::uint64_t micros_of(Instant time) {
    return zigzag(time.time_since_epoch().count());
}

Instant instant_of(std::uint64_t number) {
    return Instant{std::chrono::microseconds{from_zigzag(number)}};
}

std::unexpected<Error> no_answer() {
    return fail(ErrorKind::corrupt, "this is no answer about what trends");
}

bool read_candidate(std::string_view bytes, TrendCandidate& candidate) {
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return false;
        }
        switch (field.tag) {
            case answer::object:
                candidate.object = field.bytes;
                break;
            case answer::fast:
                if (!take_sum(field, candidate.fast)) {
                    return false;
                }
                break;
            case answer::slow:
                if (!take_sum(field, candidate.slow)) {
                    return false;
                }
                break;
            case answer::error:
                if (!take_sum(field, candidate.error)) {
                    return false;
                }
                break;
            default:
                break;
        }
    }
    return check_name("an object", candidate.object).has_value();
}

bool read_hot_object(std::string_view bytes, HotObject& hot) {
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return false;
        }
        if (field.tag == answer::object) {
            hot.object = field.bytes;
        } else if (field.tag == answer::events) {
            if (field.number > std::numeric_limits<std::uint32_t>::max()) {
                return false;
            }
            hot.events = static_cast<std::uint32_t>(field.number);
        }
    }
    return check_name("an object", hot.object).has_value();
}

}  // namespace

std::string written_question(const TrendQuestion& asked) {
    std::string bytes;
    if (const auto* const hot = std::get_if<HotAsked>(&asked)) {
        append_number_field(question::hot_at, micros_of(hot->now), bytes);
    } else if (const auto* const trends = std::get_if<TrendsAsked>(&asked)) {
        append_number_field(question::trends_at, micros_of(trends->now), bytes);
        append_bytes_field(question::action, trends->action, bytes);
    }
    return bytes;
}

bool is_trend_question(std::string_view bytes) {
    WireField field;
    return events::take_field(bytes, field) &&
           (field.tag == question::hot_at || field.tag == question::trends_at);
}

Result<TrendQuestion> read_question(std::string_view bytes) {
    const auto no_question = [] {
        return fail(ErrorKind::invalid_input, "this is no question about what trends");
    };
    WireField first;
    if (!events::take_field(bytes, first)) {
        return no_question();
    }
    if (first.tag == question::hot_at && bytes.empty()) {
        return TrendQuestion{HotAsked{.now = instant_of(first.number)}};
    }
    WireField action;
    if (first.tag != question::trends_at || !events::take_field(bytes, action) ||
        action.tag != question::action || action.bytes.size() > longest_name_bytes ||
        !bytes.empty()) {
        return no_question();
    }
    return TrendQuestion{TrendsAsked{.action = action.bytes, .now = instant_of(first.number)}};
}

std::string written_trends(const TrendsTold& told) {
    std::string bytes;
    append_double(answer::fast_total, told.totals.fast, bytes);
    append_double(answer::slow_total, told.totals.slow, bytes);
    for (const TrendCandidate& each : told.candidates) {
        std::string candidate;
        append_bytes_field(answer::object, each.object, candidate);
        append_double(answer::fast, each.fast, candidate);
        append_double(answer::slow, each.slow, candidate);
        append_double(answer::error, each.error, candidate);
        append_bytes_field(answer::candidate, candidate, bytes);
    }
    return bytes;
}

Result<TrendsTold> read_trends(std::string_view bytes) {
    TrendsTold told;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field)) {
            return no_answer();
        }
        bool good = true;
        switch (field.tag) {
            case answer::fast_total:
                good = take_sum(field, told.totals.fast);
                break;
            case answer::slow_total:
                good = take_sum(field, told.totals.slow);
                break;
            case answer::candidate:
                good = read_candidate(field.bytes, told.candidates.emplace_back());
                break;
            default:
                break;
        }
        if (!good) {
            return no_answer();
        }
    }
    return told;
}

std::string written_hot(const std::vector<HotObject>& objects) {
    std::string bytes;
    for (const HotObject& each : objects) {
        std::string object;
        append_bytes_field(answer::object, each.object, object);
        append_number_field(answer::events, each.events, object);
        append_bytes_field(answer::hot, object, bytes);
    }
    return bytes;
}

Result<std::vector<HotObject>> read_hot(std::string_view bytes) {
    std::vector<HotObject> objects;
    WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field) ||
            (field.tag == answer::hot && !read_hot_object(field.bytes, objects.emplace_back()))) {
            return no_answer();
        }
    }
    return objects;
}

}  // namespace footfall::rankings
