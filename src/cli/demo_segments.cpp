#include "cli/demo_segments.h"

#include "foundation/json_string.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

namespace footfall::cli {
namespace {

using http_server::Method;
using std::chrono::steady_clock;

constexpr std::chrono::seconds between_moves{2};
constexpr std::string_view lines_of_members = "application/x-ndjson";
/// Numbers of networks, as demo_id() has them.
constexpr std::size_t shop_network = 0;
constexpr std::size_t mail_network = 1;
constexpr std::size_t app_network = 2;
constexpr std::size_t news_network = 3;

/// Which network says who is in a segment.
constexpr std::array<std::size_t, demo_segments.size()> said_by{
    news_network, app_network, shop_network, mail_network
};
/// Of a hundred customers.
constexpr std::array<std::size_t, demo_segments.size()> share_of{45, 60, 30, 6};

/// The same customers each time, others in each segment.
bool is_in_before(std::size_t segment, std::size_t customer) {
    return Random{customer * demo_segments.size() + segment}.below(100) < share_of.at(segment);
}

std::string member_of(std::size_t segment, std::size_t customer, std::optional<int> ttl) {
    const events::Identifier id = demo_id(customer, said_by.at(segment));
    return fmt::format(
        R"({{"identifier":{},"id_name":{},"id_value":{}{}}})"
        "\n",
        json_string(id.identifier),
        json_string(id.id_name),
        json_string(id.id_value),
        ttl ? fmt::format(R"(,"ttl":{})", *ttl) : std::string{}
    );
}

std::string demo_members_path(std::size_t segment) {
    return fmt::format("/api/v1/segments/{}/members", demo_segments.at(segment));
}

}  // namespace

std::string demo_members_before(std::size_t segment) {
    std::string lines;
    for (std::size_t customer = 0; customer < demo_customers; ++customer) {
        if (is_in_before(segment, customer)) {
            lines += member_of(segment, customer, std::nullopt);
        }
    }
    return lines;
}

std::string demo_member_now(std::size_t segment, Random& random) {
    constexpr int shortest = 60;
    constexpr std::uint64_t longer = 240;
    const std::size_t customer = random.below(demo_customers);
    return member_of(segment, customer, shortest + static_cast<int>(random.below(longer)));
}

DemoSegments::DemoSegments(http_server::ServerUrl server, std::uint64_t seed)
    : client_{std::move(server)},
      random_{seed},
      leaving_(demo_segments.size()),
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

/// Whoever was cut short begins again: a member that is there already stays one.
Result<void> DemoSegments::set_up(const std::stop_token& stop) {
    constexpr int not_found = 404;
    for (std::size_t segment = demo_segments.size(); segment-- > 0 && !stop.stop_requested();) {
        // The first segment is filled last: it tells that all are there.
        TRY(const http_server::ClientResponse first,
            client_.client().send(
                Method::get, fmt::format("/api/v1/segments/{}/changes?limit=1", demo_segments[0])
            ));
        if (first.status != not_found) {
            TRY_VOID(client_.ask(Method::get, "/api/v1/segments?limit=1"));
            return {};
        }
        TRY_VOID(client_.ask(
            Method::post, demo_members_path(segment), demo_members_before(segment), lines_of_members
        ));
    }
    return {};
}

/// Somebody gets in for a while, by a network, and may leave before that by its own word.
Result<void> DemoSegments::move_one() {
    const std::size_t segment = random_.below(demo_segments.size());
    std::string& leaving = leaving_[segment];
    const bool leaves = !leaving.empty() && random_.below(2) == 0;
    const std::string line =
        leaves ? std::exchange(leaving, {}) : demo_member_now(segment, random_);
    const auto said = client_.ask(
        leaves ? Method::del : Method::post, demo_members_path(segment), line, lines_of_members
    );
    if (!said) {
        return std::unexpected(said.error());
    }
    leaving = leaves ? std::string{} : line;
    return {};
}

void DemoSegments::run(const std::stop_token& stop) {
    for (Result<void> done = set_up(stop); !told_if_not("segments", done, stop);
         done = set_up(stop)) {
        if (stop.stop_requested() || done.error().kind == ErrorKind::invalid_input) {
            return;
        }
    }
    while (!stop.stop_requested()) {
        told_if_not("segments", move_one(), stop);
        wait_until(stop, steady_clock::now() + between_moves);
    }
}

}  // namespace footfall::cli
