// The C border of drivers/cql, without a cluster: what it refuses, and that each accepted request
// completes once. What it does on a real one: testing/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <footfall_cql.h>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace footfall::storage_cassandra {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr std::uint32_t long_ms = 600'000;  // Longer than any test.
constexpr int patience_ms = 60'000;
constexpr cql_terms terms{.deadline_ms = 1, .speculate_ms = 0, .speculate_from = 1};

cql_text text(std::string_view of) {
    return {.data = of.data(), .length = of.size()};
}

/// A port of this machine that accepts connections and never answers; or that nobody listens on
/// any more, after close().
class Silence {
public:
    Silence() : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const raw = reinterpret_cast<sockaddr*>(&address);
        if (::bind(socket_, raw, size) != 0 || ::listen(socket_, 64) != 0 ||
            ::getsockname(socket_, raw, &size) != 0) {
            ADD_FAILURE() << "no port to listen on";
        }
        contact_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    }

    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

    ~Silence() { close(); }

    void close() {
        if (socket_ >= 0) {
            ::close(socket_);
            socket_ = -1;
        }
    }

    const std::string& contact() const { return contact_; }

    /// The next caller's socket; below 0 after shut().
    int accept() const { return ::accept(socket_, nullptr, nullptr); }

    void shut() const { ::shutdown(socket_, SHUT_RDWR); }

private:
    int socket_;
    std::string contact_;
};

/// A port whose first caller, who speaks the protocol (version 4 of CQL's), is refused for good
/// once it says STARTUP: a node that does not know the user.
class Refusal {
public:
    explicit Refusal(std::string why) : why_{std::move(why)}, thread_{[this] { answer(); }} {}

    Refusal(const Refusal&) = delete;
    Refusal& operator=(const Refusal&) = delete;

    ~Refusal() {
        port_.shut();
        thread_.join();
    }

    const std::string& contact() const { return port_.contact(); }

private:
    static bool receive(int from, std::span<unsigned char> to) {
        return to.empty() ||
               ::recv(from, to.data(), to.size(), MSG_WAITALL) == static_cast<ssize_t>(to.size());
    }

    void answer() const {
        constexpr unsigned char error = 0;
        constexpr unsigned char startup = 1;
        constexpr unsigned char supported = 6;
        for (int caller = port_.accept(); caller >= 0; caller = port_.accept()) {
            std::array<unsigned char, 9> head{};
            while (receive(caller, head)) {
                std::vector<unsigned char> body(std::size_t{head[7]} * 256 + head[8]);
                if (!receive(caller, body)) {
                    break;
                }
                const bool refused = head[4] == startup;
                // Of an error: its code, 0x0100 for bad credentials, and a text behind its length.
                std::string told{refused ? std::string{"\0\0\1\0\0", 5} : std::string{"\0\0", 2}};
                if (refused) {
                    told += static_cast<char>(why_.size());
                    told += why_;
                }
                head[0] = 0x84;
                head[4] = refused ? error : supported;
                head[7] = 0;
                head[8] = static_cast<unsigned char>(told.size());
                told.insert(0, reinterpret_cast<const char*>(head.data()), head.size());
                ::send(caller, told.data(), told.size(), MSG_NOSIGNAL);
            }
            ::close(caller);
        }
    }

    const std::string why_;
    const Silence port_;
    std::thread thread_;
};

cql_config config(std::string_view contacts) {
    return {
        .contacts = text(contacts),
        .datacenter = text("dc1"),
        .keyspaces = text("footfall"),
        .user = {},
        .password = {},
        .connections_per_node = 1,
        .max_in_flight = 4,
        .attempt_ms = long_ms
    };
}

struct Completed {
    std::uint64_t context;
    int status;
    std::string why;

    bool operator==(const Completed&) const = default;
};

class Border : public testing::Test {
protected:
    struct Free {
        void operator()(cql_session* session) const { cql_session_free(session); }
    };

    using Session = std::unique_ptr<cql_session, Free>;

    static Session session(std::string_view contacts) {
        const cql_config wanted = config(contacts);
        cql_session* made = nullptr;
        EXPECT_EQ(cql_session_new(&wanted, &made), CQL_OK);
        return Session{made};
    }

    /// Waits for the descriptor, then takes what is there but for lines of the log.
    static std::vector<Completed> take(cql_session* from) {
        std::vector<Completed> taken;
        while (taken.empty()) {
            pollfd ready{.fd = cql_session_descriptor(from), .events = POLLIN, .revents = 0};
            if (::poll(&ready, 1, patience_ms) != 1) {
                ADD_FAILURE() << "nothing completes";
                break;
            }
            std::array<cql_completion, 16> some{};
            const std::size_t count = cql_take(from, some.data(), some.size());
            for (std::size_t at = 0; at < count; ++at) {
                const cql_text why = cql_result_text(some.at(at).result);
                if (some.at(at).status != CQL_LOG) {
                    taken.push_back(
                        {some.at(at).context,
                         some.at(at).status,
                         why.length == 0 ? "" : std::string{why.data, why.length}}
                    );
                }
                cql_result_free(some.at(at).result);
            }
        }
        return taken;
    }
};

std::vector<std::pair<std::uint64_t, int>> statuses(const std::vector<Completed>& completed) {
    std::vector<std::pair<std::uint64_t, int>> found;
    found.reserve(completed.size());
    for (const Completed& one : completed) {
        found.emplace_back(one.context, one.status);
    }
    return found;
}

TEST_F(Border, both_sides_mean_the_same_structs) {
    std::array<std::size_t, 5> sizes{};
    cql_sizes(sizes.data());
    EXPECT_THAT(
        sizes,
        ElementsAre(
            sizeof(cql_config),
            sizeof(cql_cell),
            sizeof(cql_call),
            sizeof(cql_terms),
            sizeof(cql_completion)
        )
    );
}

TEST_F(Border, refuses_null_pointers) {
    const cql_config good = config("127.0.0.1:9");
    cql_session* made = nullptr;
    EXPECT_EQ(cql_session_new(nullptr, &made), CQL_INVALID);
    EXPECT_EQ(cql_session_new(&good, nullptr), CQL_INVALID);
    EXPECT_EQ(cql_session_descriptor(nullptr), -1);
    EXPECT_EQ(cql_connect(nullptr, 1, 1), CQL_INVALID);
    EXPECT_EQ(cql_run(nullptr, text("SELECT"), 1, 1), CQL_INVALID);
    EXPECT_EQ(cql_prepare(nullptr, text("SELECT"), CQL_LOCAL_ONE, CQL_READS, 1, 1), CQL_INVALID);
    EXPECT_EQ(cql_execute(nullptr, nullptr, 0, &terms, 1), CQL_INVALID);
    EXPECT_EQ(cql_owner(nullptr, nullptr, nullptr), CQL_INVALID);
    EXPECT_EQ(cql_take(nullptr, nullptr, 1), 0U);
    EXPECT_EQ(cql_result_cells(nullptr, nullptr, nullptr), nullptr);
    EXPECT_EQ(cql_result_text(nullptr).length, 0U);
    cql_session_close(nullptr);
    cql_session_free(nullptr);
    cql_result_free(nullptr);
    cql_sizes(nullptr);
}

TEST_F(Border, refuses_configurations_that_can_never_work) {
    const auto refused = [](auto spoil) {
        cql_config bad = config("127.0.0.1:9");
        spoil(bad);
        cql_session* made = nullptr;
        return cql_session_new(&bad, &made) == CQL_INVALID && made == nullptr;
    };
    EXPECT_TRUE(refused([](cql_config& bad) { bad.contacts = text(""); }));
    EXPECT_TRUE(refused([](cql_config& bad) { bad.datacenter = text(""); }));
    EXPECT_TRUE(refused([](cql_config& bad) { bad.connections_per_node = 0; }));
    EXPECT_TRUE(refused([](cql_config& bad) { bad.password = text("\xFF"); })) << "no UTF-8";
    EXPECT_TRUE(refused([](cql_config& bad) { bad.user = {.data = nullptr, .length = 3}; }));
    EXPECT_TRUE(refused([](cql_config& bad) { bad.user.length = SIZE_MAX; }));
}

TEST_F(Border, refuses_calls_of_what_was_never_prepared) {
    const Session one = session("127.0.0.1:9");
    const cql_call unknown{.statement = 7, .cell_count = 0, .cells = nullptr};
    std::uint64_t owner = 0;
    EXPECT_EQ(cql_execute(one.get(), &unknown, 1, &terms, 1), CQL_INVALID);
    EXPECT_EQ(cql_execute(one.get(), &unknown, 0, &terms, 1), CQL_INVALID) << "nothing to execute";
    EXPECT_EQ(cql_execute(one.get(), nullptr, 1, &terms, 1), CQL_INVALID);
    EXPECT_EQ(cql_execute(one.get(), &unknown, SIZE_MAX, &terms, 1), CQL_INVALID);
    EXPECT_EQ(cql_execute(one.get(), &unknown, 1, nullptr, 1), CQL_INVALID);
    EXPECT_EQ(cql_owner(one.get(), &unknown, &owner), CQL_INVALID);
    EXPECT_EQ(cql_owner(one.get(), &unknown, nullptr), CQL_INVALID);
    EXPECT_EQ(cql_prepare(one.get(), text("SELECT"), 3, CQL_READS, 1, 1), CQL_INVALID);
    EXPECT_EQ(cql_prepare(one.get(), text("SELECT"), CQL_LOCAL_ONE, 4, 1, 1), CQL_INVALID);
    EXPECT_EQ(cql_run(one.get(), text("\xFF"), 1, 1), CQL_INVALID);
}

TEST_F(Border, what_is_asked_before_a_connection_completes_as_invalid) {
    const Session one = session("127.0.0.1:9");
    ASSERT_EQ(cql_run(one.get(), text("SELECT now() FROM system.local"), long_ms, 11), CQL_OK);
    EXPECT_THAT(take(one.get()), ElementsAre(Completed{11, CQL_INVALID, "not connected"}));
}

TEST_F(Border, a_cluster_that_is_not_there_is_unavailable_once_the_deadline_is_over) {
    Silence closed;
    closed.close();
    const Session one = session(closed.contact());
    ASSERT_EQ(cql_connect(one.get(), 1000, 12), CQL_OK);
    const std::vector<Completed> completed = take(one.get());
    ASSERT_THAT(statuses(completed), ElementsAre(std::pair{std::uint64_t{12}, CQL_UNAVAILABLE}));
    EXPECT_THAT(completed.front().why, HasSubstr("Connection refused"));
}

TEST_F(Border, a_cluster_that_does_not_answer_is_timed_out) {
    const Silence mute;
    const Session one = session(mute.contact());
    ASSERT_EQ(cql_connect(one.get(), 50, 13), CQL_OK);
    EXPECT_THAT(take(one.get()), ElementsAre(Completed{13, CQL_TIMED_OUT, "no answer in time"}));
}

TEST_F(Border, a_user_who_is_refused_is_told_so_at_once) {
    const Refusal node{"Provided username a and/or password are incorrect"};
    const Session one = session(node.contact());
    ASSERT_EQ(cql_connect(one.get(), long_ms, 14), CQL_OK);
    const std::vector<Completed> completed = take(one.get());
    ASSERT_THAT(statuses(completed), ElementsAre(std::pair{std::uint64_t{14}, CQL_INVALID}));
    EXPECT_THAT(completed.front().why, HasSubstr("username a and/or password are incorrect"));
}

TEST_F(Border, a_node_that_cannot_look_for_users_yet_is_asked_again) {
    const Refusal node{"Unable to perform authentication: Cannot achieve consistency level"};
    const Session one = session(node.contact());
    ASSERT_EQ(cql_connect(one.get(), 1000, 15), CQL_OK);
    const std::vector<Completed> completed = take(one.get());
    ASSERT_THAT(statuses(completed), ElementsAre(std::pair{std::uint64_t{15}, CQL_UNAVAILABLE}));
    EXPECT_THAT(completed.front().why, HasSubstr("Unable to perform authentication"));
}

TEST_F(Border, an_answer_that_was_not_taken_is_still_in_flight) {
    const Session one = session("127.0.0.1:9");
    for (std::uint64_t context = 1; context <= 4; ++context) {
        ASSERT_EQ(cql_run(one.get(), text("SELECT"), long_ms, context), CQL_OK);
    }
    EXPECT_EQ(cql_run(one.get(), text("SELECT"), long_ms, 5), CQL_OVERLOADED);
    const std::size_t taken = take(one.get()).size();
    ASSERT_GE(taken, 1U);
    EXPECT_EQ(cql_run(one.get(), text("SELECT"), long_ms, 6), CQL_OK);
}

TEST_F(Border, each_request_completes_once_when_the_session_closes) {
    const Silence mute;
    const Session one = session(mute.contact());
    for (std::uint64_t context = 1; context <= 4; ++context) {
        ASSERT_EQ(cql_connect(one.get(), long_ms, context), CQL_OK);
    }
    cql_session_close(one.get());
    EXPECT_EQ(cql_run(one.get(), text("SELECT"), long_ms, 5), CQL_CLOSED);
    std::vector<std::pair<std::uint64_t, int>> all;
    while (all.size() < 4) {
        const auto some = statuses(take(one.get()));
        ASSERT_FALSE(some.empty());
        all.insert(all.end(), some.begin(), some.end());
    }
    EXPECT_THAT(
        all,
        UnorderedElementsAre(
            std::pair{std::uint64_t{1}, CQL_CLOSED},
            std::pair{std::uint64_t{2}, CQL_CLOSED},
            std::pair{std::uint64_t{3}, CQL_CLOSED},
            std::pair{std::uint64_t{4}, CQL_CLOSED}
        )
    );
    cql_session_close(one.get());
    std::array<cql_completion, 4> none{};
    EXPECT_EQ(cql_take(one.get(), none.data(), none.size()), 0U);
}

TEST_F(Border, a_session_may_be_freed_with_requests_in_flight_and_answers_untaken) {
    const Silence mute;
    Session one = session(mute.contact());
    ASSERT_EQ(cql_run(one.get(), text("SELECT"), long_ms, 1), CQL_OK);
    ASSERT_EQ(cql_connect(one.get(), long_ms, 2), CQL_OK);
    one.reset();
}

}  // namespace
}  // namespace footfall::storage_cassandra
