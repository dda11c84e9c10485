#include "day.h"

#include "storage_rocksdb/rocks_store.h"
#include "test_support/must.h"
#include "tokens_routes/tokens_job.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace footfall::expiry {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant midnight = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21};
constexpr std::uint64_t steps = 1440;
constexpr std::uint64_t tokens_an_object = 200;
constexpr std::uint64_t residents_an_object = 50;
constexpr std::uint64_t lines_a_batch = 50'000;
constexpr std::uint64_t puts_a_step = 4;

std::string object_name(std::size_t object) {
    return fmt::format("object-{}", object);
}

std::string resident_name(std::uint64_t object) {
    return fmt::format("resident-{}", object);
}

/// As incompressible as the tokens of real visitors.
std::string token_name(std::uint64_t token) {
    return fmt::format("{:016x}", (token + 1) * 0x9e3779b97f4a7c15);
}

void append_line(
    std::string& lines, const std::string& object, std::uint64_t token, std::optional<seconds> ttl
) {
    fmt::format_to(
        std::back_inserter(lines), R"({{"object":"{}","token":"{}")", object, token_name(token)
    );
    if (ttl) {
        fmt::format_to(std::back_inserter(lines), R"(,"ttl":{})", ttl->count());
    }
    lines += "}\n";
}

void post(test_support::Api& api, const std::string& lines, const std::string& query) {
    const auto answer = api.post_lines(lines, query);
    const auto wanted = std::ranges::count(lines, '\n');
    if (answer.at("accepted").to_number<std::int64_t>() != wanted) {
        test_support::give_up("a batch was not taken whole");
    }
}

}  // namespace

Day::Day(const Extent& extent, std::uint64_t seed)
    : extent_{extent},
      objects_a_counter_{std::max<std::size_t>(1, extent.tokens / 3 / tokens_an_object)},
      counters_{
          {.name = "day", .ttl = 24h, .first_object = 0},
          {.name = "hour", .ttl = 1h, .first_object = objects_a_counter_},
          {.name = "default", .ttl = {}, .first_object = 2 * objects_a_counter_}
      },
      random_{seed},
      clock_{midnight},
      oracle_{3 * objects_a_counter_} {
    start();
}

void Day::start() {
    server::Configuration configuration;
    configuration.port = 0;
    configuration.data = directory_ / "data";
    configuration.memory_bytes = 64 << 20;
    configuration.threads = 2;
    configuration.sync_interval = 200ms;  // what a disk takes to sync is no matter here
    std::vector<tokens::CounterConfig> counters;
    for (const Counter& counter : counters_) {
        counters.push_back({.name = counter.name, .ttl = counter.ttl});
    }
    configuration.jobs[std::string{tokens::routes::job.name}] =
        tokens::routes::make_options(std::move(counters));
    program_ = test_support::must(server::Program::start({.configuration = configuration}, clock_));
    api_ = std::make_unique<test_support::Api>(
        http_server::Client{{.host = "127.0.0.1", .port = program_->port()}}
    );
}

void Day::restart() {
    peak_bytes_ = std::max(peak_bytes_, bytes_on_disk());
    api_.reset();
    program_.reset();
    start();
}

void Day::settle() {
    restart();
    test_support::must(
        dynamic_cast<storage_rocksdb::RocksStore&>(program_->deployment().store()).compact()
    );
    restart();
}

void Day::put_residents() {
    std::string lines;
    for (std::uint64_t token = 0; token < extent_.residents; ++token) {
        append_line(lines, resident_name(token / residents_an_object), token, std::nullopt);
        if (token % lines_a_batch == lines_a_batch - 1 || token + 1 == extent_.residents) {
            post(*api_, std::exchange(lines, {}), "");
        }
    }
}

void Day::live_through() {
    const std::uint64_t steps_a_life = steps / (extent_.restarts + 1);
    for (std::uint64_t number = 1; number <= steps && !testing::Test::HasFailure(); ++number) {
        // Not at whole minutes: moments of traffic have milliseconds and microseconds.
        const auto jitter = std::chrono::microseconds{random_.below(30'000'000)};
        step(midnight + 60s * static_cast<std::int64_t>(number) + jitter);
        if (number % steps_a_life == 0 && number < steps) {
            restart();
        }
        if (number % 60 == 0) {
            peak_bytes_ = std::max(peak_bytes_, bytes_on_disk());
        }
    }
}

void Day::step(Instant until) {
    for (const Counter& counter : counters_) {
        for (int tries = 0; tries < 3; ++tries) {
            check_around_an_expiry(counter, until);
        }
    }
    clock_.set(until);
    for (const Counter& counter : counters_) {
        put_batch(counter, extent_.tokens / steps / counters_.size());
        for (std::uint64_t put = 0; put < puts_a_step; ++put) {
            put_one(counter);
            check(counter, draw_object());
        }
    }
}

/// A third of all tokens come again while the first PUT of them may still count.
std::uint32_t Day::draw_token() {
    return static_cast<std::uint32_t>(random_.below(tokens_an_object * 2));
}

std::optional<seconds> Day::draw_ttl(const Counter& counter) {
    if (counter.ttl && random_.below(2) == 0) {
        return std::nullopt;
    }
    const std::uint64_t longest =
        counter.ttl ? static_cast<std::uint64_t>(counter.ttl->count()) : 86'400;
    // As many of seconds as of minutes and of hours.
    const std::uint64_t bound = std::min(longest, std::uint64_t{1} << random_.below(17));
    return seconds{static_cast<std::int64_t>(1 + random_.below(bound))};
}

void Day::put_batch(const Counter& counter, std::uint64_t lines) {
    std::string text;
    for (std::uint64_t line = 0; line < lines; ++line) {
        const std::size_t object = draw_object();
        const std::uint32_t token = draw_token();
        const std::optional<seconds> ttl = draw_ttl(counter);
        append_line(text, object_name(object), token, ttl);
        oracle_.put(counter.first_object + object, token, clock_.now(), ttl ? ttl : counter.ttl);
    }
    if (!text.empty()) {
        post(*api_, text, "?counter=" + counter.name);
    }
}

void Day::put_one(const Counter& counter) {
    const std::size_t object = draw_object();
    const std::uint32_t token = draw_token();
    const std::optional<seconds> ttl = draw_ttl(counter);
    oracle_.put(counter.first_object + object, token, clock_.now(), ttl ? ttl : counter.ttl);
    const std::string query =
        "?counter=" + counter.name + (ttl ? fmt::format("&ttl={}", ttl->count()) : std::string{});
    const std::uint64_t answered = api_->put(object_name(object), token_name(token), query);
    ++checks_;
    EXPECT_EQ(answered, oracle_.count(counter.first_object + object, clock_.now()))
        << "PUT to " << counter.name << ' ' << object_name(object);
}

void Day::check(const Counter& counter, std::size_t object) {
    const std::uint64_t answered = api_->count(object_name(object), "?counter=" + counter.name);
    ++checks_;
    EXPECT_EQ(answered, oracle_.count(counter.first_object + object, clock_.now()))
        << counter.name << ' ' << object_name(object) << ' ' << (clock_.now() - midnight).count()
        << " us after midnight";
}

void Day::check_around_an_expiry(const Counter& counter, Instant until) {
    const std::size_t object = draw_object();
    const auto expiry = oracle_.next_expiry(counter.first_object + object, clock_.now());
    if (!expiry || *expiry >= until || *expiry - 1ms < clock_.now()) {
        return;
    }
    clock_.set(*expiry - 1ms);
    check(counter, object);
    clock_.set(*expiry - 1us);
    check(counter, object);
    clock_.set(*expiry);
    check(counter, object);
    checks_at_expiries_ += 3;
}

void Day::check_everything() {
    for (const Counter& counter : counters_) {
        for (std::size_t object = 0; object < objects_a_counter_; ++object) {
            check(counter, object);
        }
    }
    for (std::uint64_t first = 0; first < extent_.residents; first += residents_an_object) {
        const std::string name = resident_name(first / residents_an_object);
        const std::uint64_t wanted = std::min(residents_an_object, extent_.residents - first);
        EXPECT_EQ(api_->count(name), wanted) << name;
        ++checks_;
    }
}

std::uint64_t Day::bytes_on_disk() const {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{directory_.path()}) {
        const std::uint64_t size = entry.is_regular_file(error) ? entry.file_size(error) : 0;
        bytes += error ? 0 : size;  // a file may go while it is looked at
    }
    return bytes;
}

}  // namespace footfall::expiry
