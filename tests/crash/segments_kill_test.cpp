// kill -9 again and again of a server while ids are put into a segment and taken out, people are
// found to be one and taken apart, and consent is given and taken back. Whoever follows the
// changes, by their list, by a stream or as a receiver of webhooks that fails half the time, has
// each number once and none is missing, all have the same, and they give the segment.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=200 build/release/tests/crash/crash_test
//   --gtest_filter='Segments*'

#include "foundation/siphash.h"
#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/chance.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/live_stream.h"
#include "test_support/must.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"
#include "webhooks/test_receiver.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace footfall::crash {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using http_server::Method;

constexpr std::array networks{"www", "shop", "crm"};
constexpr std::uint64_t ids_a_network = 40;

/// Changes by number, as one who follows has them: "joined www:7".
class Followed {
public:
    /// `again_allowed`: as webhooks may, at the same number and in the same words.
    void take(const boost::json::object& change, bool again_allowed) {
        const auto number = change.at("number").to_number<std::uint64_t>();
        const std::string says = fmt::format(
            "{} {}:{}",
            std::string_view{change.at("change").as_string()},
            std::string_view{change.at("identifier").as_string()},
            std::string_view{change.at("id_value").as_string()}
        );
        const auto [known, is_new] = changes_.emplace(number, says);
        if (!is_new) {
            ++repeats_;
            EXPECT_TRUE(again_allowed) << "number " << number << " came twice";
            EXPECT_EQ(known->second, says) << "number " << number << " is two changes";
        } else if (number != changes_.size()) {
            EXPECT_TRUE(false) << "number " << number << " came as the " << changes_.size() << "th";
        }
    }

    std::uint64_t last() const { return changes_.empty() ? 0 : changes_.rbegin()->first; }

    std::uint64_t repeats() const { return repeats_; }

    const std::map<std::uint64_t, std::string>& all() const { return changes_; }

    std::map<std::uint64_t, std::string> up_to(std::uint64_t number) const {
        return {changes_.begin(), changes_.upper_bound(number)};
    }

    /// Who is in it by them.
    std::set<std::string> replayed() const {
        std::set<std::string> ids;
        for (const auto& [number, says] : changes_) {
            const std::size_t space = says.find(' ');
            const std::string id = says.substr(space + 1);
            const bool is_change =
                says.starts_with("joined") ? ids.insert(id).second : ids.erase(id) == 1;
            EXPECT_TRUE(is_change) << "change " << number << " changes nothing";
        }
        return ids;
    }

private:
    std::map<std::uint64_t, std::string> changes_;
    std::uint64_t repeats_ = 0;
};

std::string id_json(const std::string& id) {
    const auto colon = id.find(':');
    return fmt::format(
        R"({{"identifier":"{}","id_name":"id","id_value":"{}"}})",
        id.substr(0, colon),
        id.substr(colon + 1)
    );
}

std::string path_of(const std::string& id) {
    const auto colon = id.find(':');
    return fmt::format("{}/id/{}", id.substr(0, colon), id.substr(colon + 1));
}

class SegmentsKill : public testing::Test {
protected:
    SegmentsKill() {
        receiver_.answer([this](const webhooks::Received& received) {
            const std::lock_guard lock{mutex_};
            if (siphash13({seed_, 7}, std::to_string(++requests_)) % 2 == 0) {
                return http_server::Response{.status = 500};
            }
            for (const auto& each : parse_object(received.body).at("changes").as_array()) {
                by_hook_.take(each.as_object(), /*again_allowed=*/true);
            }
            return http_server::Response{};
        });
    }

    static std::vector<std::string> flags() {
        std::vector<std::string> words = small_memory;
        words.insert(words.end(), {"--segments-webhooks", "anywhere"});
        return words;
    }

    static std::string some_id(Random& random) {
        return fmt::format("{}:p{}", networks.at(random.below(3)), random.below(ids_a_network));
    }

    /// False: nobody answers any more.
    static bool sent(
        http_server::Client& client, const std::string& target, const std::string& body
    ) {
        return client.send(Method::post, target, body, {}).has_value();
    }

    /// Ids in and out, some of which leave by themselves.
    static bool move_members(http_server::Client& client, Random& random) {
        std::string lines;
        for (std::uint64_t left = 1 + random.below(15); left > 0; --left) {
            std::string line = id_json(some_id(random));
            if (random.below(5) == 0) {
                line.insert(line.size() - 1, R"(,"ttl":1)");
            }
            lines += line + "\n";
        }
        const Method method = random.below(2) == 0 ? Method::post : Method::del;
        return client.send(method, "/api/v1/segments/spring/members", lines, {}).has_value();
    }

    /// Ids of the same number are found to be one, and at times those of the next one: people stay
    /// so small that few of them refuse consent.
    static bool move_people(http_server::Client& client, Random& random) {
        const std::uint64_t number = random.below(ids_a_network);
        const std::string one = fmt::format("{}:p{}", networks.at(random.below(3)), number);
        const std::string other = fmt::format(
            "{}:p{}", networks.at(random.below(3)), number + (random.below(6) == 0 ? 1 : 0)
        );
        if (random.below(3) != 0) {
            const std::uint64_t chance = random.below(24);
            const std::string said = chance == 0  ? R"(,"data":{"consent":"denied"})"
                                     : chance < 6 ? R"(,"data":{"consent":"granted"})"
                                                  : "";
            return sent(
                client,
                "/api/v1/identities/match",
                fmt::format(R"({{"ids":[{},{}]{}}})", id_json(one), id_json(other), said)
            );
        }
        const auto found = client.send(Method::get, "/api/v1/identities/" + path_of(one), {}, {});
        if (!found || found->status != 200) {
            return found.has_value();
        }
        const std::string sid{parse_object(found->body).at("sid").as_string()};
        return sent(
            client,
            fmt::format("/api/v1/profiles/{}/detach", sid),
            fmt::format(R"({{"ids":[{}],"reason":"a test"}})", id_json(one))
        );
    }

    /// Until the server ends.
    void follow_stream(const FootfallProcess& server) {
        const std::string back =
            segment_ == 0 ? std::string{}
                          : fmt::format("Last-Event-ID: {}/{}\r\n", segment_, by_stream_.last());
        LiveStream stream{server, "/api/v1/live/segments/spring", back};
        std::size_t heard = 0;
        while (!stream.connection().closed_by_peer() && !enough_) {
            std::size_t seen = 0;
            const std::string text = stream.read_until([&](const std::string& all) {
                seen = all.size();
                return seen > heard || enough_;
            });
            heard = std::max(heard, text.size());
            const auto changes = LiveStream::events(text, "change");
            const std::lock_guard lock{mutex_};
            for (std::size_t at = taken_of_stream_; at < changes.size(); ++at) {
                by_stream_.take(changes[at], /*again_allowed=*/false);
                const std::string id{changes[at].at("id").as_string()};
                segment_ = std::stoll(id.substr(0, id.find('/')));
            }
            taken_of_stream_ = changes.size();
        }
        taken_of_stream_ = 0;
    }

    void follow_list(Api& api) {
        for (bool more = true; more;) {
            const auto page = api.get_json(
                fmt::format("/api/v1/segments/spring/changes?limit=500&after={}", by_list_.last())
            );
            for (const auto& each : page.at("changes").as_array()) {
                by_list_.take(each.as_object(), /*again_allowed=*/false);
            }
            more = page.at("more").as_bool();
        }
    }

    /// Soon after the start, or when much has been told.
    void kill_under_load(std::chrono::microseconds bound) {
        FootfallProcess server{data_, flags()};
        Api api{server};
        ASSERT_NO_FATAL_FAILURE(follow_list(api));
        std::vector<std::jthread> threads;
        threads.emplace_back([&] { follow_stream(server); });
        for (bool (*const step)(http_server::Client&, Random&) : {move_members, move_people}) {
            threads.emplace_back([&server, step, seed = random_()] {
                Random random{seed};
                http_server::Client client = server.client(20s);
                while (step(client, random)) {
                }
            });
        }
        wait_for_chance(server.process(), random_, bound);
        EXPECT_TRUE(server.process().running()) << "it gave up: " << server.process().errors();
        server.kill();
        threads.clear();
        let_receiver_see_it();
    }

    /// The receiver has closed the connections of the server that was killed when it answers on
    /// its one thread behind that: a process that is started meanwhile would have a copy of them
    /// for a moment, and what is told of a closed one then nobody expects (net::ReadyPoll).
    void let_receiver_see_it() {
        for (int turn = 0; turn < 2; ++turn) {
            EXPECT_EQ(must(to_receiver_.send(Method::get, "/", {}, {})).status, 404);
        }
    }

    /// Of all ids those whose person is in the segment, and does not refuse consent: from rows,
    /// which no change is read from.
    static std::set<std::string> truth(Api& api) {
        std::set<std::string> ids;
        for (const char* const network : networks) {
            for (std::uint64_t each = 0; each <= ids_a_network; ++each) {
                const std::string id = fmt::format("{}:p{}", network, each);
                const auto membership =
                    api.get_json("/api/v1/segments/spring/members/" + path_of(id));
                if (membership.at("person").as_bool() && consents(api, id)) {
                    ids.insert(id);
                }
            }
        }
        return ids;
    }

    static bool consents(Api& api, const std::string& id) {
        const auto found = api.send(Method::get, "/api/v1/identities/" + path_of(id));
        if (found.status == 404) {
            return true;
        }
        const std::string sid{parse_object(found.body).at("sid").as_string()};
        const auto profile = api.get_json("/api/v1/profiles/" + sid);
        const auto* const consent = profile.at("data").as_object().if_contains("consent");
        return consent == nullptr || *consent == "granted";
    }

    std::uint64_t heard_by_all() {
        const std::lock_guard lock{mutex_};
        return std::min(by_hook_.last(), by_stream_.last());
    }

    void expect_all_have_all(FootfallProcess& server) {
        Api api{server};
        ASSERT_TRUE(eventually(
            [&] {
                follow_list(api);
                return by_list_.replayed() == truth(api);
            },
            60s,
            100ms
        )) << by_list_.last();
        std::jthread stream{[&] { follow_stream(server); }};
        // However much is to be told, by a receiver that refuses half of it: it goes on.
        for (std::uint64_t before = 0; heard_by_all() < by_list_.last();) {
            const bool goes_on = eventually(
                [&] {
                    api.send(Method::post, "/api/v1/webhooks/crm/resume");
                    return heard_by_all() > before || heard_by_all() >= by_list_.last();
                },
                60s,
                20ms
            );
            if (!goes_on) {
                ADD_FAILURE() << before << " of " << by_list_.last() << " changes, and no more";
                break;
            }
            before = heard_by_all();
        }
        enough_ = true;
        stream.join();
        // Members end all the time, so others may have heard more than the list was asked for.
        const std::lock_guard lock{mutex_};
        EXPECT_EQ(by_hook_.up_to(by_list_.last()), by_list_.all());
        EXPECT_EQ(by_stream_.up_to(by_list_.last()), by_list_.all());
        EXPECT_GT(by_list_.last(), 0U);
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const std::uint64_t seed_ = random_seed();
    Random random_{seed_};
    std::mutex mutex_;
    std::uint64_t requests_ = 0;  ///< Guarded by mutex_, as are the next four.
    Followed by_hook_;
    Followed by_stream_;
    std::int64_t segment_ = 0;
    std::size_t taken_of_stream_ = 0;
    Followed by_list_;
    std::atomic<bool> enough_ = false;
    webhooks::TestReceiver receiver_;
    http_server::Client to_receiver_{
        must(http_server::parse_server_url(receiver_.url().substr(0, receiver_.url().rfind('/'))))
    };
};

TEST_F(SegmentsKill, at_any_moment_leaves_each_change_told_with_its_number_and_no_other) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 4);
    {
        FootfallProcess server{data_, flags()};
        Api api{server};
        const auto added =
            api.send(Method::post, "/api/v1/segments/spring/members", id_json("www:p0") + "\n");
        ASSERT_EQ(added.status, 200) << added.body;
        const auto made = api.send(
            Method::put,
            "/api/v1/webhooks/crm",
            fmt::format(R"({{"segment":"spring","url":"{}"}})", receiver_.url())
        );
        ASSERT_EQ(made.status, 201) << made.body;
        server.kill();
    }
    for (std::uint64_t number = 0; number < kills && !HasFailure(); ++number) {
        SCOPED_TRACE(fmt::format("kill number {}", number));
        ASSERT_NO_FATAL_FAILURE(kill_under_load(number % 2 == 0 ? 2s : 400ms));
    }
    FootfallProcess server{data_, flags()};
    ASSERT_NO_FATAL_FAILURE(expect_all_have_all(server));
    fmt::print(
        "{} kills, {} changes, {} of them sent to the webhook again, {} requests to it\n",
        kills,
        by_list_.last(),
        by_hook_.repeats(),
        requests_
    );
    EXPECT_GT(by_list_.last(), 10U) << "hardly anything happened";
    ASSERT_EQ(server.stop(), 0);
    const CommandResult verified = run_footfall({"verify", "segments", "--data", data_});
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
}

}  // namespace
}  // namespace footfall::crash
