#include "segments_routes/live_changes.h"

#include "api/on_pool.h"
#include "foundation/json_string.h"
#include "foundation/parse_number.h"
#include "segments_routes/change_json.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace footfall::segments::routes {
namespace {

using api::Asked;
using http_server::Exchange;
using http_server::Request;
using http_server::Response;
using runtime::Task;

constexpr std::size_t streams_max = 200;
/// Of a part: some hundred kilobytes, unless ids are as long as they may be.
constexpr std::size_t changes_a_part = 500;
constexpr std::uint64_t after_max = (std::uint64_t{1} << 53) - 1;
constexpr std::string_view last_event_id = "Last-Event-ID";
constexpr std::string_view nothing_new = ": nothing new\n\n";

/// The place of a stream among those that one process takes.
class Seat {
public:
    using Taken = std::shared_ptr<std::atomic<std::size_t>>;

    /// Absent: all are taken.
    static std::optional<Seat> take(const Taken& taken) {
        if (taken->fetch_add(1) >= streams_max) {
            taken->fetch_sub(1);
            return std::nullopt;
        }
        return Seat{taken};
    }

    Seat(Seat&&) = default;
    Seat& operator=(Seat&&) = delete;
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    ~Seat() {
        if (taken_ != nullptr) {
            taken_->fetch_sub(1);
        }
    }

private:
    explicit Seat(Taken taken) : taken_{std::move(taken)} {}

    Taken taken_;
};

/// Who was told up to where: the id of a change.
struct ToldUntil {
    std::int64_t segment = 0;  ///< Segment::number.
    std::uint64_t change = 0;
};

struct FollowedChanges {
    std::string segment;
    std::string network;
    std::uint64_t after = 0;
    std::optional<ToldUntil> before = {};  ///< Of the connection before this one.
    std::int64_t number = 0;               ///< Segment::number, once the stream has begun.
};

/// What is sent in a turn.
struct Part {
    std::string text;
    bool more = false;
    bool is_last = false;
};

std::optional<ToldUntil> read_told_until(std::string_view id) {
    const std::size_t slash = id.find('/');
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto segment = parse_unsigned(id.substr(0, slash));
    const auto change = parse_unsigned(id.substr(slash + 1));
    if (!segment || !change || *change > after_max) {
        return std::nullopt;
    }
    return ToldUntil{.segment = static_cast<std::int64_t>(*segment), .change = *change};
}

Asked<FollowedChanges> read_followed(const Request& request) {
    Asked<std::string> segment = segment_in_path(request);
    if (!segment) {
        return std::unexpected(std::move(segment).error());
    }
    const Asked<std::uint64_t> after = api::number_parameter(request, "after", 0, 0, after_max);
    const auto network = api::name_parameter(request, "network");
    if (!after || !network) {
        return std::unexpected(after ? network.error() : after.error());
    }
    FollowedChanges followed{
        .segment = *std::move(segment), .network = network->value_or(""), .after = *after
    };
    if (const std::string_view id = request.header(last_event_id); !id.empty()) {
        followed.before = read_told_until(id);
        if (!followed.before) {
            return std::unexpected(api::invalid_input(
                "Last-Event-ID is the id of the last change that came, such as 2207/7",
                last_event_id
            ));
        }
    }
    return followed;
}

/// What comes back to another segment than it was told of begins with nothing: the one that it
/// knows was dropped.
Response begin(Segments& segments, FollowedChanges& followed, std::string& first) {
    const auto found = segments.find(followed.segment);
    if (!found) {
        return answer_failure(found.error());
    }
    const std::optional<Segment>& segment = *found;
    if (!segment) {
        return answer_unknown(followed.segment);
    }
    followed.number = segment->number;
    if (followed.before && followed.before->segment == followed.number) {
        followed.after = followed.before->change;
    } else if (followed.before) {
        followed.after = 0;
        first += api::stream_event(
            "anew", fmt::format(R"({{"segment":{}}})", json_string(followed.segment))
        );
    }
    return {};
}

/// An id without data: how far a client is that leaves other networks out, if it comes back.
std::string told_until_event(const FollowedChanges& followed) {
    return fmt::format("id: {}/{}\n\n", followed.number, followed.after);
}

Part gone(const FollowedChanges& followed) {
    return {
        .text = api::stream_event(
            "gone", fmt::format(R"({{"segment":{}}})", json_string(followed.segment))
        ),
        .is_last = true
    };
}

std::optional<std::int64_t> number_of(const std::optional<Segment>& segment) {
    return segment ? std::optional{segment->number} : std::nullopt;
}

/// That the store does not answer for a moment ends no stream.
Part next_part(Segments& segments, FollowedChanges& followed) {
    const auto page =
        segments.changes(followed.segment, followed.after, followed.network, changes_a_part);
    // Asked behind the changes: no number of a segment comes again, so these are of this one.
    const auto found = segments.find(followed.segment);
    const bool is_gone = found && number_of(*found) != followed.number;
    if (is_gone || (!page && page.error().kind == ErrorKind::not_found)) {
        return gone(followed);
    }
    if (!page || !found) {
        return {.text = std::string{nothing_new}};
    }
    Part part{.text = {}, .more = page->more};
    for (const Change& each : page->rows) {
        const std::string id = fmt::format("{}/{}", followed.number, each.number);
        std::string json;
        append_change(each, id, json);
        part.text += fmt::format("id: {}\n{}", id, api::stream_event("change", json));
    }
    const bool has_passed_over =
        page->after > (page->rows.empty() ? followed.after : page->rows.back().number);
    followed.after = page->after;
    if (has_passed_over) {
        part.text += told_until_event(followed);
    }
    return part;
}

Task<> stream_changes(
    Sources sources,
    const api::ProgramFacts* facts,
    FollowedChanges followed,
    [[maybe_unused]] Seat seat,
    Exchange* exchange
) {
    std::string first = api::hello_event(*facts);
    auto look = [&] { return begin(*sources.segments, followed, first); };
    if (Response begun = co_await api::on_pool(sources.lookups, look, exchange->client_left());
        begun.status != Response{}.status) {
        exchange->response() = std::move(begun);
        co_return;
    }
    exchange->response().content_type = "text/event-stream";
    exchange->response().headers.emplace_back("Cache-Control", "no-store");
    Part part{.text = std::move(first), .more = true};
    // Asked again each turn: a key that is revoked ends its streams, and so does one that expires.
    while (co_await exchange->send_part(std::move(part.text)) && !part.is_last &&
           (part.more || co_await exchange->next_second()) &&
           !sources.keeper.refuse(exchange->request(), keys::Scope::people)) {
        // Stays so where the pool has no room: the next second is as good.
        part = {};
        auto read = [&] {
            part = next_part(*sources.segments, followed);
            return Response{};
        };
        co_await api::on_pool(sources.lookups, read, exchange->client_left());
        if (part.text.empty() && !part.more) {
            part.text = nothing_new;
        }
    }
}

std::optional<Task<>> watch(
    const Sources& sources,
    const api::ProgramFacts& facts,
    const Seat::Taken& taken,
    Exchange& exchange
) {
    const Request& request = exchange.request();
    if (auto refusal = api::refuse_unknown_parameter(request, {"after", "network"})) {
        exchange.response() = *std::move(refusal);
        return std::nullopt;
    }
    Asked<FollowedChanges> followed = read_followed(request);
    if (!followed) {
        exchange.response() = std::move(followed).error();
        return std::nullopt;
    }
    std::optional<Seat> seat = Seat::take(taken);
    if (!seat) {
        exchange.response() = api::answer_error(
            {.kind = ErrorKind::overloaded,
             .message = fmt::format(
                 "{} streams of changes are open at this process, which is as many as it takes",
                 streams_max
             )}
        );
        return std::nullopt;
    }
    return stream_changes(sources, &facts, *std::move(followed), *std::move(seat), &exchange);
}

}  // namespace

void add_live_changes_route(
    api::FrontDoor& door, const Sources& sources, const api::ProgramFacts& facts
) {
    const auto taken = std::make_shared<std::atomic<std::size_t>>(0);
    door.add(
        keys::Scope::people,
        http_server::Method::get,
        "/api/v1/live/segments/{segment}",
        [sources, &facts, taken](Exchange& exchange) {
            return watch(sources, facts, taken, exchange);
        }
    );
}

}  // namespace footfall::segments::routes
