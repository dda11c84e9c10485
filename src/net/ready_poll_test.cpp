#include "net/ready_poll.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace footfall::net {
namespace {

std::pair<Socket, Socket> connected() {
    std::array<int, 2> descriptors{};
    EXPECT_EQ(
        ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, descriptors.data()), 0
    );
    return {Socket{descriptors[0]}, Socket{descriptors[1]}};
}

/// Remembers what it was told.
class Listener final : public ReadyPoll::Watcher {
public:
    void ready(Readiness readiness) override { told.push_back(readiness); }

    std::vector<Readiness> told;
};

class ReadyPollTest : public testing::Test {
protected:
    ReadyPollTest() {
        auto opened = ReadyPoll::open(context_.get_executor());
        EXPECT_TRUE(opened);
        poll_ = std::move(*opened);
        poll_->start(owner_);
        EXPECT_TRUE(poll_->watch(sockets_.first, listener_));
    }

    /// What the listener is told of all that has happened so far.
    std::vector<Readiness> told() {
        context_.restart();
        context_.poll();
        return std::exchange(listener_.told, {});
    }

    Socket::Transfer receive() { return sockets_.first.receive(memory_); }

    std::string received() {
        const std::size_t bytes = receive().bytes;
        return {memory_.data(), bytes};
    }

    boost::asio::io_context context_{1};
    std::shared_ptr<int> owner_ = std::make_shared<int>(0);
    Listener listener_;
    std::pair<Socket, Socket> sockets_ = connected();
    std::array<char, 100> memory_{};
    std::unique_ptr<ReadyPoll> poll_;
};

TEST_F(ReadyPollTest, tells_what_holds_already_and_then_each_change_once) {
    const auto at_first = told();
    ASSERT_EQ(at_first.size(), 1U);
    EXPECT_TRUE(at_first[0].writable);
    EXPECT_FALSE(at_first[0].readable);
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(told().size(), 0U);
        EXPECT_EQ(sockets_.second.send("abc").bytes, 3U);
        const auto after = told();
        ASSERT_EQ(after.size(), 1U);
        EXPECT_TRUE(after[0].readable);
        EXPECT_FALSE(after[0].hung_up);
        EXPECT_EQ(received(), "abc");
    }
}

TEST_F(ReadyPollTest, tells_of_a_hang_up_together_with_what_was_said_before) {
    told();
    sockets_.second.send("last words");
    sockets_.second.end_sending();
    const auto after = told();
    ASSERT_EQ(after.size(), 1U);
    EXPECT_TRUE(after[0].readable);
    EXPECT_TRUE(after[0].hung_up);
    EXPECT_EQ(received(), "last words");
    EXPECT_TRUE(receive().failed) << "it is over";
}

TEST_F(ReadyPollTest, tells_when_a_slow_reader_takes_more) {
    told();
    const std::string much(1 << 20, 'x');
    Socket::Transfer sent;
    std::size_t all = 0;
    while (!(sent = sockets_.first.send(much)).would_wait) {
        ASSERT_FALSE(sent.failed);
        all += sent.bytes;
    }
    told();
    std::vector<char> into(all);
    for (std::size_t taken = 0; taken < all;) {
        taken += sockets_.second.receive(into).bytes;
    }
    const auto after = told();
    ASSERT_FALSE(after.empty());
    EXPECT_TRUE(after.back().writable);
}

TEST_F(ReadyPollTest, tells_of_many_in_several_turns) {
    std::vector<std::pair<Socket, Socket>> more;
    for (int each = 0; each < 300; ++each) {
        more.push_back(connected());
        ASSERT_TRUE(poll_->watch(more.back().first, listener_));
    }
    EXPECT_EQ(told().size(), 301U);
}

TEST_F(ReadyPollTest, tells_nothing_once_its_owner_is_gone) {
    told();
    sockets_.second.send("x");
    owner_.reset();
    EXPECT_EQ(told().size(), 0U);
}

/// As when another thread forks while a connection ends: the child holds the socket for a while.
TEST_F(ReadyPollTest, tells_nothing_of_what_is_closed_here_and_held_elsewhere) {
    told();
    const Socket held{::dup(sockets_.first.descriptor())};
    poll_->unwatch(sockets_.first);
    sockets_.first.close();
    sockets_.second.send("x");
    EXPECT_EQ(told().size(), 0U);
}

TEST_F(ReadyPollTest, says_when_a_socket_cannot_be_watched) {
    sockets_.first.close();
    EXPECT_FALSE(poll_->watch(sockets_.first, listener_));
    EXPECT_TRUE(receive().failed);
    EXPECT_TRUE(sockets_.first.send("x").failed);
}

}  // namespace
}  // namespace footfall::net
