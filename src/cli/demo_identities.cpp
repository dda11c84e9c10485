#include "cli/demo_identities.h"

#include "foundation/log.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace footfall::cli {
namespace {

using http_server::Method;
using http_server::percent_encode;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t events_at_once = 500;
constexpr std::chrono::seconds between_matches{2};
constexpr std::chrono::seconds between_mix_ups{60};
constexpr std::chrono::seconds mix_up_lasts{20};
constexpr std::chrono::minutes first_erasure{1};
constexpr std::chrono::hours between_erasures{1};
/// Customers who may be erased, from this one on up to those who are mixed up: no visitor, whom
/// pages are about, and not the last, by whom it is known that all are there.
constexpr std::size_t first_erased = 1000;
constexpr std::string_view match_path = "/api/v1/identities/match";
constexpr std::string_view lines_of_json = "application/x-ndjson";

std::string path_of(const events::Identifier& id) {
    return fmt::format(
        "/api/v1/identities/{}/{}/{}",
        percent_encode(id.identifier),
        percent_encode(id.id_name),
        percent_encode(id.id_value)
    );
}

/// "": the answer has no such text.
std::string text_in(const std::string& answer, std::string_view field) {
    boost::system::error_code damage;
    const boost::json::value json = boost::json::parse(answer, damage);
    const auto* const object = damage ? nullptr : json.if_object();
    const auto* const found = object == nullptr ? nullptr : object->if_contains(field);
    const auto* const text = found == nullptr ? nullptr : found->if_string();
    return text == nullptr ? std::string{} : std::string{text->data(), text->size()};
}

}  // namespace

DemoIdentities::DemoIdentities(
    http_server::ServerUrl server, const Clock& clock, std::uint64_t seed
)
    : clock_{&clock},
      client_{std::move(server)},
      matches_{seed},
      random_{seed},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

/// What was said before ends with the last customer: who is in a profile was said all of it.
Result<bool> DemoIdentities::is_set_up() {
    constexpr int not_found = 404;
    const std::string path = path_of(demo_id(demo_customers - 1, demo_networks - 1));
    TRY(const http_server::ClientResponse answer, client_.client().send(Method::get, path));
    if (answer.status == not_found) {
        return false;
    }
    TRY_VOID(client_.ask(Method::get, path));
    return true;
}

/// An event that is there already counts once: who was cut short begins again.
Result<void> DemoIdentities::set_up(const std::stop_token& stop) {
    TRY(const bool is_there, is_set_up());
    if (is_there) {
        return {};
    }
    std::string lines;
    std::size_t count = 0;
    const std::vector<DemoSaid> said = demo_said_before(clock_->now());
    for (const DemoSaid& each : said) {
        lines += each.event();
        ++count;
        if (count % events_at_once == 0 || count == said.size()) {
            TRY_VOID(client_.ask(Method::post, "/api/v1/events", lines, lines_of_json));
            lines.clear();
        }
        if (stop.stop_requested()) {
            break;
        }
    }
    return {};
}

Result<std::string> DemoIdentities::sid_of(const events::Identifier& id) {
    TRY(const std::string answer, client_.ask(Method::get, path_of(id)));
    return text_in(answer, "sid");
}

/// The first time it is said; later what had undone it is revoked, which comes to the same.
Result<void> DemoIdentities::mix_up() {
    const std::string decision = std::exchange(decisions_[mix_up_], {});
    const Result<std::string> done =
        decision.empty()
            ? client_.ask(Method::post, match_path, demo_mix_up(mix_up_).match().body())
            : client_.ask(Method::del, "/api/v1/identities/decisions/" + decision);
    return done ? Result<void>{} : std::unexpected(done.error());
}

/// Somebody else may have undone it, or an earlier demo.
Result<void> DemoIdentities::undo() {
    const std::size_t number = std::exchange(mix_up_, (mix_up_ + 1) % demo_mix_ups);
    const DemoMixUp mixed_up = demo_mix_up(number);
    TRY(const std::string sid, sid_of(demo_id(mixed_up.one, 0)));
    TRY(const std::string other, sid_of(demo_id(mixed_up.other, 0)));
    if (sid != other) {
        return {};
    }
    const std::string path = fmt::format("/api/v1/profiles/{}/detach", sid);
    TRY(const std::string answer, client_.ask(Method::post, path, mixed_up.detach_body()));
    decisions_[number] = text_in(answer, "decision");
    return {};
}

/// What comes of it later is of somebody new: matches may name the same ids again.
Result<void> DemoIdentities::erase_one() {
    constexpr int not_found = 404;
    const std::size_t customer = first_erased + random_.below(demo_mix_up(0).one - first_erased);
    const std::string path = path_of(demo_id(customer, random_.below(demo_networks)));
    TRY(const http_server::ClientResponse answer, client_.client().send(Method::get, path));
    if (answer.status == not_found) {
        return {};
    }
    TRY(const std::string found, client_.ask(Method::get, path));
    const std::string sid = text_in(found, "sid");
    TRY(const std::string answer_of_erasure,
        client_.ask(Method::del, fmt::format("/api/v1/profiles/{}", sid)));
    const std::string receipt = text_in(answer_of_erasure, "receipt");
    log(LogLevel::info, "the demo erased a customer: receipt {}", receipt);
    return {};
}

void DemoIdentities::run(const std::stop_token& stop) {
    for (Result<void> done = set_up(stop); !told_if_not("identities", done, stop);
         done = set_up(stop)) {
        if (stop.stop_requested() || done.error().kind == ErrorKind::invalid_input) {
            return;
        }
    }
    auto mix_up_due = steady_clock::now();
    auto undo_due = steady_clock::time_point::max();
    auto erasure_due = steady_clock::now() + first_erasure;
    while (!stop.stop_requested()) {
        const auto now = steady_clock::now();
        if (now >= undo_due) {
            told_if_not("identities", undo(), stop);
            undo_due = steady_clock::time_point::max();
        } else if (now >= erasure_due) {
            told_if_not("erasures", erase_one(), stop);
            erasure_due = now + between_erasures;
        } else if (now >= mix_up_due) {
            told_if_not("identities", mix_up(), stop);
            undo_due = now + mix_up_lasts;
            mix_up_due = now + between_mix_ups;
        } else {
            const auto said = client_.ask(Method::post, match_path, matches_.next().body());
            told_if_not("identities", said ? Result<void>{} : std::unexpected(said.error()), stop);
        }
        wait_until(stop, now + between_matches);
    }
}

}  // namespace footfall::cli
