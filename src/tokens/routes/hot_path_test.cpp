// What a request for an object in memory costs the allocator: nothing, beyond what the counters
// themselves take.
#include "api/store_gate.h"
#include "api/test_world.h"
#include "http_server/client.h"
#include "http_server/server.h"
#include "runtime/io_threads.h"
#include "storage/memory_store.h"
#include "tokens/schema.h"
#include "tokens/token_counters.h"
#include "tokens_routes/counter_routes.h"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <latch>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

std::atomic<std::uint64_t> allocations = 0;
thread_local bool counts_here = false;

}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    if (counts_here) {
        allocations.fetch_add(1, std::memory_order_relaxed);
    }
    return std::malloc(size);
}

void* operator new(std::size_t size) {
    void* const memory = operator new(size, std::nothrow);
    if (memory == nullptr) {
        throw std::bad_alloc{};
    }
    return memory;
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace footfall::tokens::routes {
namespace {

using http_server::Method;

constexpr std::uint64_t requests = 1000;
/// The tick of a second may fall among them, and writes a new date.
constexpr std::uint64_t of_a_tick = 10;

const std::array<const storage::Table*, 4> tables{
    &tokens::token_table,
    &tokens::token_span_table,
    &tokens::token_object_table,
    &tokens::counter_table
};

class HotPath : public ::testing::Test {
public:
    HotPath(const HotPath&) = delete;
    HotPath& operator=(const HotPath&) = delete;

    HotPath() {
        api::FrontDoor door{router_, world_.keeper};
        add_counter_routes(door, counters_, batches_);
        threads_.start();
        port_ = server_.start().value_or(std::uint16_t{0});
    }

    ~HotPath() override {
        server_.drain(std::chrono::seconds{10});
        threads_.stop();
    }

protected:
    struct Asked {
        Method method;
        std::string object;  ///< Percent-encoded.
        std::string body;
        std::vector<std::pair<std::string, std::string>> headers;
    };

    void ask(http_server::Client& client, const Asked& asked) {
        const auto answer =
            client.send(asked.method, "/api/v1/counter/" + asked.object, asked.body, asked.headers);
        ASSERT_TRUE(answer.has_value()) << answer.error().message;
        ASSERT_EQ(answer->status, 200) << answer->body;
        ASSERT_TRUE(answer->body.contains('1')) << answer->body;
    }

    /// Allocations of the io thread for `requests` requests on one connection that is warm.
    std::uint64_t allocations_of(const Asked& asked) {
        http_server::Client client{{.host = "127.0.0.1", .port = port_}};
        for (int warm_up = 0; warm_up < 100; ++warm_up) {
            ask(client, asked);
        }
        count_on_io_thread(true);
        const std::uint64_t before = allocations;
        for (std::uint64_t at = 0; at < requests; ++at) {
            ask(client, asked);
        }
        const std::uint64_t after = allocations;
        count_on_io_thread(false);
        return after - before;
    }

    /// Allocations of so many calls of `call` on this thread.
    std::uint64_t allocations_of(const std::function<void()>& call) {
        call();
        const std::uint64_t before = allocations;
        counts_here = true;
        for (std::uint64_t at = 0; at < requests; ++at) {
            call();
        }
        counts_here = false;
        return allocations - before;
    }

    void count_on_io_thread(bool counts) {
        std::latch done{1};
        boost::asio::post(threads_.context(0), [&] {
            counts_here = counts;
            done.count_down();
        });
        done.wait();
    }

    const tokens::CounterConfig& config() { return **counters_.counter("default"); }

    SystemClock clock_;
    storage::MemoryStore store_{tables, clock_};
    metrics::Metrics metrics_;
    api::KeyWorld world_;
    tokens::TokenCounters counters_{store_, clock_, SipKey{.k0 = 1, .k1 = 2}, metrics_, {}};
    TokenBatches batches_{counters_, 1};
    api::StoreGate gate_{store_};
    http_server::Router router_;
    runtime::IoThreads threads_{1};
    http_server::Server server_{
        threads_, router_, gate_, metrics_, {.port = 0, .outcome_unknown = {}}
    };
    std::uint16_t port_ = 0;
};

/// Long names, so that no text fits into the object that holds it.
constexpr std::string_view object = "articles/2026/11/21/what-a-request-costs the-allocator";
const std::string encoded = "articles/2026/11/21/what-a-request-costs%20the-allocator";
const std::string token(100, 't');

TEST_F(HotPath, a_put_allocates_only_what_the_counters_do) {
    const std::uint64_t of_http = allocations_of(Asked{Method::put, encoded, token, {}});
    const std::uint64_t of_counters =
        allocations_of([&] { (void)counters_.put_now(config(), object, token, std::nullopt); });
    EXPECT_LE(of_http, of_counters + of_a_tick);
}

TEST_F(HotPath, a_get_allocates_only_what_the_counters_do) {
    ASSERT_NO_FATAL_FAILURE(allocations_of(Asked{Method::put, encoded, token, {}}));
    const std::uint64_t of_counters =
        allocations_of([&] { (void)counters_.get_now(config(), object); });
    EXPECT_LE(allocations_of(Asked{Method::get, encoded, "", {}}), of_counters + of_a_tick);
    EXPECT_LE(
        allocations_of(Asked{Method::get, encoded, "", {{"Accept", "application/json"}}}),
        of_counters + of_a_tick
    );
}

TEST_F(HotPath, a_request_with_a_key_allocates_no_more) {
    const std::string key = world_.add("writer", "write");
    const auto opened = world_.sessions.open(keys::hash_of(key));
    ASSERT_TRUE(opened);
    const std::uint64_t of_counters =
        allocations_of([&] { (void)counters_.put_now(config(), object, token, std::nullopt); });
    const std::string cookie = std::string{api::session_cookie} + "=" + opened->id;
    for (const auto& header :
         {std::pair<std::string, std::string>{"Authorization", "Bearer " + key},
          std::pair<std::string, std::string>{"Cookie", cookie}}) {
        const std::uint64_t of_http = allocations_of(Asked{Method::put, encoded, token, {header}});
        EXPECT_LE(of_http, of_counters + of_a_tick) << header.first;
    }
}

TEST_F(HotPath, the_count_of_allocations_counts) {
    std::string text;
    EXPECT_EQ(allocations_of([&text] { text = std::string(100, 'x'); }), requests);
}

}  // namespace
}  // namespace footfall::tokens::routes
