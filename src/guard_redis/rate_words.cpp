#include "guard_redis/rate_words.h"

#include "foundation/check.h"
#include "guard_redis/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

namespace footfall::guard_redis {
namespace {

/// Log, lane and offset; most significant bytes first, so that equal times are in the order of
/// places.
constexpr std::size_t member_bytes = 8 + 4 + 8;

/// So long after its part of time, and the window that follows, a key stays for events that come
/// late, by Redis' clock.
constexpr std::chrono::milliseconds grace = std::chrono::hours{1};

template <class Number>
void append_number(std::string& out, Number number) {
    for (int shift = static_cast<int>(sizeof number) * 8 - 8; shift >= 0; shift -= 8) {
        out.push_back(static_cast<char>(number >> shift));
    }
}

template <class Number>
Number take_number(std::string_view& bytes) {
    Number number = 0;
    for (const char byte : bytes.substr(0, sizeof number)) {
        number = static_cast<Number>(number << 8 | static_cast<std::uint8_t>(byte));
    }
    bytes.remove_prefix(sizeof number);
    return number;
}

/// Tells other logs apart in 32 bits: of two that are alike events would have to have the same lane
/// and offset, and the same key. Never 0.
std::uint32_t short_of(std::uint64_t log) {
    return std::max(static_cast<std::uint32_t>(log >> 32 ^ log), 1U);
}

std::string score_of(Instant time) {
    return fmt::to_string(time.time_since_epoch().count());
}

}  // namespace

RateWords::RateWords(std::string deployment, std::uint64_t log)
    : prefix_{fmt::format("footfall:rate:{}:", deployment)}, log_{log} {}

std::string RateWords::key(std::uint64_t key, std::int64_t part) const {
    return fmt::format("{}{:016x}:{}", prefix_, key, part);
}

std::string RateWords::member(guard::EventPlace place) const {
    CHECK(place.log == 0, "a place of another log", place.log);
    std::string member;
    append_number(member, log_);
    append_number(member, place.lane);
    append_number(member, place.offset);
    return member;
}

std::optional<guard::EventPlace> RateWords::place(std::string_view member) const {
    if (member.size() != member_bytes) {
        return std::nullopt;
    }
    const auto log = take_number<std::uint64_t>(member);
    const auto lane = take_number<std::uint32_t>(member);
    const auto offset = take_number<std::uint64_t>(member);
    return guard::EventPlace{
        .lane = lane, .log = log == log_ ? 0 : short_of(log), .offset = offset
    };
}

void RateWords::append_question(std::string& out, const guard::RateQuestion& question) const {
    const std::int64_t first = guard::rate_part(question.after, question.of.limit.window);
    for (const std::int64_t part : {first, first + 1}) {
        append_command(
            out,
            {"ZREVRANGEBYSCORE",
             key(question.of.key, part),
             "+inf",
             "(" + score_of(question.after),
             "WITHSCORES",
             "LIMIT",
             "0",
             fmt::to_string(question.of.limit.count + 1)}
        );
    }
}

std::size_t RateWords::append_notes(std::string& out, std::span<guard::RateNote> notes) const {
    const auto key_of = [](const guard::RateNote& note) {
        return std::pair{note.of.key, guard::rate_part(note.time, note.of.limit.window)};
    };
    std::ranges::sort(notes, {}, key_of);
    std::size_t commands = 2;
    append_command(out, {"MULTI"});
    while (!notes.empty()) {
        const guard::RateKey of = notes.front().of;
        const auto end = std::ranges::upper_bound(notes, key_of(notes.front()), {}, key_of);
        const auto count = static_cast<std::size_t>(end - notes.begin());
        const std::string name = key(of.key, key_of(notes.front()).second);
        begin_command(out, 2 + 2 * count);
        append_word(out, "ZADD");
        append_word(out, name);
        for (const guard::RateNote& each : notes.first(count)) {
            append_word(out, score_of(each.time));
            append_word(out, member(each.place));
        }
        // All but the newest, one more than the limit.
        append_command(out, {"ZREMRANGEBYRANK", name, "0", fmt::format("-{}", of.limit.count + 2)});
        const auto window = std::chrono::ceil<std::chrono::milliseconds>(of.limit.window);
        append_command(out, {"PEXPIRE", name, fmt::to_string((2 * window + grace).count())});
        commands += 3;
        notes = notes.subspan(count);
    }
    append_command(out, {"EXEC"});
    return commands;
}

std::optional<Instant> time_of_score(std::string_view score) {
    double microseconds = 0;
    const auto [end, fault] =
        std::from_chars(score.data(), score.data() + score.size(), microseconds);
    if (fault != std::errc{} || end != score.data() + score.size() ||
        !(std::abs(microseconds) < 0x1p62)) {
        return std::nullopt;
    }
    return Instant{std::chrono::microseconds{static_cast<std::int64_t>(microseconds)}};
}

}  // namespace footfall::guard_redis
