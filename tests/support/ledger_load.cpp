#include "test_support/ledger_load.h"

#include "foundation/calendar_day.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace footfall::test_support {
namespace {

using http_server::Method;

constexpr std::size_t reseller_count = 6;
constexpr std::size_t publisher_count = 2;
constexpr std::size_t ad_count = 5;
constexpr std::uint64_t batch_events_max = 200;
constexpr std::uint64_t steps_a_rate = 12;
constexpr std::int64_t micros_a_cent = 10'000;
/// So that a cent times a share is a whole number of millionths, and nothing is rounded.
constexpr std::uint64_t share_steps = 10'000;

std::string decimal_text(std::int64_t micros) {
    const std::int64_t whole = micros < 0 ? -micros : micros;
    std::string text =
        fmt::format("{}{}.{:06}", micros < 0 ? "-" : "", whole / 1'000'000, whole % 1'000'000);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}

std::uint64_t number_in(const boost::json::object& object, const char* name) {
    const boost::json::value* const value = object.if_contains(name);
    return value != nullptr ? value->to_number<std::uint64_t>() : 0;
}

/// What was asked may have been done or not: it is asked again.
bool is_open(int status) {
    return status == 503 || status == 504;
}

std::string_view text_in(const boost::json::object& object, const char* name) {
    const boost::json::string& text = object.at(name).as_string();
    return {text.data(), text.size()};
}

}  // namespace

LedgerDays LedgerDays::until_today() {
    using std::chrono::floor;
    const auto today = floor<std::chrono::days>(std::chrono::system_clock::now());
    const std::chrono::year_month_day date{today};
    const auto first = std::chrono::sys_days{
        (std::chrono::year_month{date.year(), date.month()} - std::chrono::months{6}) / 1
    };
    return {
        .first = static_cast<std::int32_t>(first.time_since_epoch().count()),
        .last = static_cast<std::int32_t>(today.time_since_epoch().count()) - 1
    };
}

std::vector<std::string> LedgerDays::months() const {
    std::vector<std::string> months;
    const std::string open = format_day(last + 1).substr(0, 7);
    for (std::int32_t day = first; day <= last; ++day) {
        const std::string month = format_day(day).substr(0, 7);
        if (month != open && (months.empty() || months.back() != month)) {
            months.push_back(month);
        }
    }
    return months;
}

bool LedgerLoad::step(Clients clients) {
    if (is_settled()) {
        random_.below(steps_a_rate) == 0 ? make_rate() : make_batch();
    }
    return settle(clients);
}

bool LedgerLoad::settle(Clients clients) {
    if (!batch_.lines.empty()) {
        return send_batch(*clients.events);
    }
    return rate_.reason.empty() || send_rate(*clients.ledger);
}

std::int32_t LedgerLoad::any_day() {
    const std::int64_t days = std::int64_t{days_.last} - days_.first + 1;
    return days_.first + static_cast<std::int32_t>(random_.below(static_cast<std::uint64_t>(days)));
}

void LedgerLoad::make_batch() {
    batch_ = {.events = 0};
    const std::uint64_t events = 1 + random_.below(batch_events_max);
    while (batch_.events < events) {
        add_event();
    }
}

/// Each is by somebody else, so that it counts; some clicks come again at once, and do not.
void LedgerLoad::add_event() {
    const std::size_t ad = random_.below(ad_count);
    const std::size_t reseller = random_.below(reseller_count);
    const std::size_t publisher = random_.below(publisher_count);
    const std::int32_t day = any_day();
    const std::uint64_t second = random_.below(86'000);
    const std::uint64_t kind = random_.below(10);
    const std::int64_t cents = static_cast<std::int64_t>(random_.below(500)) * micros_a_cent;
    const std::int64_t amount = kind == 9 ? -cents - micros_a_cent : cents;
    touched_ = {
        &ads_[fmt::format("/api/v1/ads/a{}-{}", number_, ad)],
        &parties_[fmt::format("/api/v1/resellers/r{}-{}", number_, reseller)].sums,
        &parties_[fmt::format("/api/v1/publishers/p{}-{}", number_, publisher)].sums
    };
    const std::uint64_t actor = events_ + batch_.events;
    const auto append = [&](std::uint64_t at) {
        fmt::format_to(
            std::back_inserter(batch_.lines),
            R"({{"id":"{}-{}","time":"{}T{:02}:{:02}:{:02}Z","action":"{}","object":"/a{}-{}",)"
            R"("actor":"{}-{}","ad":"a{}-{}","reseller":"r{}-{}","publisher":"p{}-{}",)"
            R"("amount":"{}"}})"
            "\n",
            number_,
            events_ + batch_.events++,
            format_day(day),
            at / 3600,
            at / 60 % 60,
            at % 60,
            kind < 7 ? "click" : "sale",
            number_,
            ad,
            number_,
            actor,
            number_,
            ad,
            number_,
            reseller,
            number_,
            publisher,
            decimal_text(amount)
        );
    };
    append(second);
    note(kind < 7 ? "click" : kind < 9 ? "sale" : "refund", day, amount);
    if (kind == 0) {
        append(second + 5);
        note("refused", day, 0);
    }
}

void LedgerLoad::note(std::string_view kind, std::int32_t day, std::int64_t amount) {
    amount_ += amount;
    for (Sums* const sums : touched_) {
        ++(kind == "click"    ? sums->clicks
           : kind == "sale"   ? sums->sales
           : kind == "refund" ? sums->refunds
                              : sums->refused);
        sums->amounts[day] += amount;
    }
}

void LedgerLoad::make_rate() {
    rate_is_repeated_ = !last_rate_.reason.empty() && random_.below(4) == 0;
    rate_was_tried_ = false;
    if (rate_is_repeated_) {
        rate_ = last_rate_;
        return;
    }
    const bool of_publisher = random_.below(4) == 0;
    const auto share = static_cast<std::int64_t>(random_.below(share_steps / 2));
    rate_ = {
        .party =
            of_publisher
                ? fmt::format("/api/v1/publishers/p{}-{}", number_, random_.below(publisher_count))
                : fmt::format("/api/v1/resellers/r{}-{}", number_, random_.below(reseller_count)),
        .day = any_day(),
        .share = decimal_text(share * 100),
        .reason = fmt::format("change {}", rates_),
        .ten_thousandths = share
    };
}

bool LedgerLoad::send_batch(http_server::Client& client) {
    const bool again = std::exchange(batch_.tried, true);
    const auto answer = client.send(
        Method::post, "/api/v1/events", batch_.lines, {{"Content-Type", "application/x-ndjson"}}
    );
    if (!answer) {
        return false;
    }
    if (answer->status == 200 && answer->body.ends_with("\"rejected\":[]}\n")) {
        const std::uint64_t there = number_in(parse_object(answer->body), "duplicates");
        found_again_ += there > 0 ? 1 : 0;
        if (there > 0 && !again) {
            complaints_.push_back(fmt::format("new events were there: {}", answer->body));
        }
        events_ += batch_.events;
        batch_ = {};
    } else if (!is_open(answer->status)) {
        complaints_.push_back(fmt::format("events: {} {}", answer->status, answer->body));
    }
    return true;
}

/// 200 says that nothing was recorded: because it had been, by a request that got no answer.
bool LedgerLoad::send_rate(http_server::Client& client) {
    const bool again = std::exchange(rate_was_tried_, true);
    const auto answer = client.send(
        Method::put,
        fmt::format("{}/rates/{}", rate_.party, format_day(rate_.day)),
        fmt::format(R"({{"reward_percent":"{}","reason":"{}"}})", rate_.share, rate_.reason),
        {{"Content-Type", "application/json"}}
    );
    if (!answer) {
        return false;
    }
    if (is_open(answer->status)) {
        return true;
    }
    if (answer->status != 201 && (answer->status != 200 || !(again || rate_is_repeated_))) {
        complaints_.push_back(
            fmt::format("rate {}: {} {}", rate_.reason, answer->status, answer->body)
        );
    }
    if (answer->status == 201 && rate_is_repeated_) {
        complaints_.push_back(fmt::format("{} was recorded again", answer->body));
    }
    if (!rate_is_repeated_) {
        Party& party = parties_[rate_.party];
        party.shares[rate_.day] = rate_.ten_thousandths;
        party.changes.emplace(rate_.reason, rate_);
        ++rates_;
    }
    last_rate_ = std::exchange(rate_, {});
    return true;
}

std::string LedgerLoad::range() const {
    return fmt::format("?from={}&to={}", format_day(days_.first), format_day(days_.last + 1));
}

std::string LedgerLoad::income_of(const Party& party) {
    std::int64_t income = 0;
    for (const auto& [day, amount] : party.sums.amounts) {
        const auto next = party.shares.upper_bound(day);
        if (next != party.shares.begin()) {
            income += amount / 10'000 * std::prev(next)->second;
        }
    }
    return decimal_text(income);
}

bool LedgerLoad::is_counted(Api& api) const {
    std::uint64_t told = 0;
    for (const auto& [path, sums] : ads_) {
        told += number_in(api.get_json(path + "/clicks" + range()), "events");
    }
    return told >= events_;
}

void LedgerLoad::check(Api& api, bool all) {
    ASSERT_TRUE(is_settled());
    const auto chosen = [&] { return all || random_.below(4) == 0; };
    for (const auto& [path, party] : parties_) {
        if (chosen()) {
            check_party(api, path, party);
        }
    }
    for (const auto& [path, sums] : ads_) {
        if (chosen()) {
            check_clicks(api, path, sums);
        }
    }
}

void LedgerLoad::check_party(Api& api, const std::string& path, const Party& party) const {
    check_rates(api, path, party);
    if (party.sums.amounts.empty()) {
        return;
    }
    if (path.contains("/resellers/")) {
        check_clicks(api, path, party.sums);
    }
    const boost::json::object told = api.get_json(path + "/income" + range() + "&group_by=none");
    SCOPED_TRACE(path + ": " + boost::json::serialize(told).substr(0, 400));
    std::int64_t amount = 0;
    for (const auto& [day, of_day] : party.sums.amounts) {
        amount += of_day;
    }
    EXPECT_EQ(number_in(told, "clicks"), party.sums.clicks);
    EXPECT_EQ(number_in(told, "sales"), party.sums.sales);
    EXPECT_EQ(number_in(told, "refunds"), party.sums.refunds);
    EXPECT_EQ(text_in(told, "amount"), decimal_text(amount));
    EXPECT_EQ(text_in(told, "income"), income_of(party));
}

void LedgerLoad::check_rates(Api& api, const std::string& path, const Party& party) const {
    if (party.changes.empty()) {
        return;
    }
    const boost::json::object told = api.get_json(path + "/rates");
    SCOPED_TRACE(path);
    const boost::json::array& rates = told.at("rates").as_array();
    EXPECT_EQ(rates.size(), party.changes.size());
    for (const auto& [reason, change] : party.changes) {
        const auto is_it = [&](const boost::json::value& each) {
            const boost::json::object& rate = each.as_object();
            return text_in(rate, "reason") == reason &&
                   text_in(rate, "effective_since") == format_day(change.day) &&
                   text_in(rate, "reward_percent") == change.share;
        };
        EXPECT_EQ(std::ranges::count_if(rates, is_it), 1) << reason;
    }
}

void LedgerLoad::check_clicks(Api& api, const std::string& path, const Sums& sums) const {
    const boost::json::object told = api.get_json(path + "/clicks" + range());
    SCOPED_TRACE(path + ": " + boost::json::serialize(told).substr(0, 400));
    EXPECT_EQ(number_in(told, "clicks"), sums.clicks);
    EXPECT_EQ(number_in(told, "sales"), sums.sales);
    EXPECT_EQ(number_in(told, "refunds"), sums.refunds);
    EXPECT_EQ(number_in(told.at("refused").as_object(), "repeat_fast"), sums.refused);
    EXPECT_EQ(number_in(told, "events"), sums.clicks + sums.sales + sums.refunds + sums.refused);
    EXPECT_EQ(told.at("days").as_array().size(), sums.amounts.size());
}

std::vector<std::string> LedgerLoad::party_paths() const {
    std::vector<std::string> paths;
    paths.reserve(reseller_count + publisher_count);
    for (std::size_t reseller = 0; reseller < reseller_count; ++reseller) {
        paths.push_back(fmt::format("/api/v1/resellers/r{}-{}", number_, reseller));
    }
    for (std::size_t publisher = 0; publisher < publisher_count; ++publisher) {
        paths.push_back(fmt::format("/api/v1/publishers/p{}-{}", number_, publisher));
    }
    return paths;
}

}  // namespace footfall::test_support
