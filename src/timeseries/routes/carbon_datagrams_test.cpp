#include "timeseries_routes/carbon_datagrams.h"

#include "foundation/clock.h"
#include "net/test_datagrams.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"
#include "timeseries/schema.h"
#include "timeseries/time_series.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <string>

namespace footfall::timeseries::routes {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t now_seconds = 1'796'040'000;
constexpr std::array<const storage::Table*, 4> tables{
    &point_block_table, &point_cells_table, &series_table, &unsealed_hour_table
};

class Datagrams : public testing::Test {
protected:
    Datagrams() {
        const auto started =
            datagrams_.start({.address = "127.0.0.1", .port = port_}, "--carbon ADDRESS:PORT");
        EXPECT_TRUE(started) << started.error().message;
    }

    /// What is held would be waited for.
    void TearDown() override {
        store_.set_options({});
        store_.release_writes();
    }

    void send(const std::string& bytes) { EXPECT_TRUE(sender_.send(port_, bytes)); }

    std::uint64_t refused(LineTrouble why) const { return context_.refused(why); }

    /// Whether it comes true; the thread that receives is another one.
    static bool eventually(const std::function<bool()>& is_so) {
        const auto until = std::chrono::steady_clock::now() + 20s;
        std::promise<void> nobody;
        const auto never = nobody.get_future();
        while (!is_so() && std::chrono::steady_clock::now() < until) {
            never.wait_for(1ms);
        }
        return is_so();
    }

    const std::uint16_t port_ = net::free_datagram_port();
    const net::DatagramSender sender_;
    ManualClock clock_{Instant{std::chrono::seconds{now_seconds}}};
    storage::MemoryStore memory_{tables, clock_};
    storage::FaultyStore store_{memory_, 1, {}};
    TimeSeries series_{store_, clock_, {.secret = {.k0 = 1, .k1 = 2}, .writer = 1}};
    CarbonContext context_{series_, clock_, store_};
    CarbonDatagrams datagrams_{context_};
};

TEST_F(Datagrams, have_many_lines_each_and_the_last_needs_no_end) {
    send("a 1 N\nb;host=x 2 N\r\n\n\na 3 -1");
    send("c 4 1796040000\n");
    EXPECT_TRUE(eventually([&] { return series_.durable_points() == 4; }));
    const auto points = series_.read("a", 0, now_seconds * 1000 + 1);
    ASSERT_TRUE(points);
    ASSERT_EQ(points->size(), 1);
    EXPECT_EQ(points->front().value, 3);
    EXPECT_EQ(series_.series(), 3);
    datagrams_.stop();
    datagrams_.stop();
}

TEST_F(Datagrams, of_garbage_are_counted_line_by_line) {
    send(std::string("\0\xff\n\n \x01", 6));
    send("");
    send("a 1\na..b 1 N\na 1 N extra\n");
    send(std::string(5000, 'x') + "\na 1 N\n" + std::string(4097, 'y'));
    send(std::string(65'507, 'z'));
    EXPECT_FALSE(sender_.send(port_, std::string(1 << 20, 'z'))) << "no datagram is that long";
    send("a 1 100\nb 1 N\n");
    EXPECT_TRUE(eventually([&] { return series_.durable_points() == 2; }));
    EXPECT_EQ(refused(LineTrouble::malformed), 5);
    EXPECT_EQ(refused(LineTrouble::too_long), 3);
    EXPECT_EQ(series_.refused(Refusal::old), 1);
    EXPECT_EQ(refused(LineTrouble::dropped), 0);
}

TEST_F(Datagrams, that_the_store_does_not_take_or_keep_are_counted) {
    store_.set_options({.refuse_submit = 1});
    send("a 1 N\na 2 N\n");
    EXPECT_TRUE(eventually([&] { return refused(LineTrouble::store) == 2; }));
    store_.set_options({.fail_write = 1});
    send("a 3 N\n");
    EXPECT_TRUE(eventually([&] { return store_.waiters() == 1; }));
    store_.release_writes();
    EXPECT_TRUE(eventually([&] { return refused(LineTrouble::store) == 3; }));
    EXPECT_EQ(series_.durable_points(), 0);
}

/// A flood takes what the system keeps for one socket, and no more.
TEST_F(Datagrams, that_come_while_the_store_is_busy_wait_with_the_system_which_drops_some) {
    store_.set_options({.pressure = 1});
    std::string lines;
    for (int line = 0; line < 2000; ++line) {
        lines += fmt::format("flood.of.lines.{} 1 N\n", line);
    }
    constexpr std::uint64_t sent = 200;
    // One may be taken by the turn that was under way.
    for (std::uint64_t at = 0; at < sent; ++at) {
        send(lines);
    }
    store_.set_options({});
    EXPECT_TRUE(eventually([&] {
        send("last 1 N");
        return refused(LineTrouble::dropped) > 0;
    }));
    EXPECT_LT(series_.durable_points(), sent * 2000);
    EXPECT_EQ(refused(LineTrouble::malformed), 0);
}

TEST_F(Datagrams, wait_for_what_is_not_durable_yet_once_that_is_much) {
    store_.set_options({.hold_writes = true});
    std::string lines;
    for (int line = 0; line < 5000; ++line) {
        lines += "a 1 N\n";
    }
    std::uint64_t sent = 0;
    while (sent < 100 && store_.held_writes() < 41) {
        const std::size_t before = store_.held_writes();
        send(lines);
        ++sent;
        // Once it takes no more, nothing tells: the last ones wait for nothing.
        if (sent <= 40) {
            EXPECT_TRUE(eventually([&] { return store_.held_writes() > before; }));
        }
    }
    EXPECT_EQ(store_.held_writes(), 40);
    store_.set_options({});
    store_.release_writes();
    EXPECT_TRUE(eventually([&] { return series_.durable_points() > 200'000; }));
}

TEST(DatagramsPort, that_is_taken_is_named) {
    const net::DatagramSender taken;
    ManualClock clock{Instant{std::chrono::seconds{now_seconds}}};
    storage::MemoryStore store{tables, clock};
    TimeSeries series{store, clock, {.secret = {.k0 = 1, .k1 = 2}, .writer = 1}};
    CarbonContext context{series, clock, store};
    CarbonDatagrams datagrams{context};
    const auto started =
        datagrams.start({.address = "127.0.0.1", .port = taken.port()}, "--carbon ADDRESS:PORT");
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().kind, ErrorKind::conflict);
    EXPECT_THAT(started.error().message, testing::HasSubstr("--carbon ADDRESS:PORT"));
}

}  // namespace
}  // namespace footfall::timeseries::routes
