// The design that tokens on Cassandra replace, made as fast as it goes: one table, a PUT is an
// insert and then a count of the object's rows, both by Cassandra at LOCAL_ONE. Prepared, token
// aware, asynchronous, behind the same HTTP server and driver as ours, so that what differs is the
// design.
#include "foundation/check.h"
#include "foundation/log.h"
#include "http_server/server.h"
#include "net/gate.h"
#include "runtime/await_callback.h"
#include "runtime/io_threads.h"
#include "storage_cassandra/driver.h"

#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace footfall;
using namespace std::chrono_literals;
using http_server::Exchange;
using http_server::Method;
using runtime::Task;
using storage_cassandra::Answer;
using storage_cassandra::Call;
using storage_cassandra::Driver;

constexpr auto deadline = 10s;

template <class T>
T must(Result<T> result) {
    CHECK(result, "the cluster", result ? "" : result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

/// Nothing here waits for a write to be durable later.
class OpenGate final : public net::Gate {
public:
    bool open(std::uint64_t /*position*/) const override { return true; }

    void when_decided(std::uint64_t /*position*/, std::move_only_function<void()> decided)
        override {
        decided();
    }
};

std::array<std::uint8_t, 4> big_endian(std::uint32_t number) {
    return std::bit_cast<std::array<std::uint8_t, 4>>(std::byteswap(number));
}

cql_cell cell_of(std::string_view text) {
    return {
        .data = reinterpret_cast<const std::uint8_t*>(text.data()),
        .length = static_cast<std::int32_t>(text.size())
    };
}

cql_cell cell_of(const std::array<std::uint8_t, 4>& number) {
    return {.data = number.data(), .length = 4};
}

/// The table, in a keyspace of its own.
class TokenRows {
public:
    TokenRows(
        Driver& driver,
        const std::string& keyspace,
        std::uint32_t copies,
        std::uint32_t ttl,
        std::uint32_t limit
    )
        : driver_{&driver}, ttl_{big_endian(ttl)}, limit_{big_endian(limit)} {
        must(driver.run(
            fmt::format(
                "CREATE KEYSPACE IF NOT EXISTS {} WITH replication = {{'class': "
                "'NetworkTopologyStrategy', 'dc1': {}}}",
                keyspace,
                copies
            ),
            30s
        ));
        const std::string table = keyspace + ".viewed";
        must(driver.run(
            fmt::format(
                "CREATE TABLE IF NOT EXISTS {} (id text, \"token\" text, PRIMARY KEY (id, "
                "\"token\")) WITH "
                "compaction = {{'class': 'LeveledCompactionStrategy'}} AND default_time_to_live = "
                "{}",
                table,
                ttl
            ),
            30s
        ));
        const auto one = storage::Consistency::local_one;
        insert_ = must(driver.prepare(
            fmt::format("INSERT INTO {} (id, \"token\") VALUES (?, ?) USING TTL ?", table),
            one,
            storage_cassandra::Use::write
        ));
        count_ = must(driver.prepare(
            fmt::format("SELECT COUNT(*) FROM {} WHERE id = ? LIMIT ?", table),
            one,
            storage_cassandra::Use::read
        ));
    }

    void insert(
        std::string_view id,
        std::string_view token,
        std::move_only_function<void(Result<void>)> done
    ) {
        const std::array cells{cell_of(id), cell_of(token), cell_of(ttl_)};
        const Call call{.statement = insert_, .cells = cells};
        must(driver_->execute(
            {&call, 1},
            deadline,
            {},
            [done = std::move(done)](Answer answer) mutable { done(answer.outcome()); }
        ));
    }

    void count(std::string_view id, std::move_only_function<void(Result<std::uint64_t>)> done) {
        const std::array cells{cell_of(id), cell_of(limit_)};
        const Call call{.statement = count_, .cells = cells};
        must(driver_->execute(
            {&call, 1},
            deadline,
            {},
            [done = std::move(done)](Answer answer) mutable {
                if (Result<void> outcome = answer.outcome(); !outcome) {
                    done(std::unexpected(std::move(outcome).error()));
                    return;
                }
                std::uint64_t rows = 0;
                CHECK(answer.rows() == 1 && answer.text(0, 0).size() == sizeof(rows), "a bigint");
                std::memcpy(&rows, answer.text(0, 0).data(), sizeof(rows));
                done(std::byteswap(rows));
            }
        ));
    }

private:
    Driver* driver_;
    const std::array<std::uint8_t, 4> ttl_;
    const std::array<std::uint8_t, 4> limit_;
    std::uint32_t insert_ = 0;
    std::uint32_t count_ = 0;
};

void answer_failure(Exchange& exchange, const Error& error) {
    exchange.response().status = 503;
    exchange.response().body = error.message;
}

Task<> answer_count(TokenRows* rows, Exchange* exchange) {
    auto ask = [rows, exchange](std::move_only_function<void(Result<std::uint64_t>)> done) {
        rows->count(exchange->request().placeholders[0], std::move(done));
    };
    const auto count = co_await runtime::await_callback<Result<std::uint64_t>>(std::move(ask));
    if (count) {
        exchange->response().body = fmt::format("{}\n", *count);
    } else {
        answer_failure(*exchange, count.error());
    }
}

Task<> put_token(TokenRows* rows, Exchange* exchange) {
    auto write = [rows, exchange](std::move_only_function<void(Result<void>)> done) {
        const http_server::Request& request = exchange->request();
        rows->insert(request.placeholders[0], request.body, std::move(done));
    };
    const auto written = co_await runtime::await_callback<Result<void>>(std::move(write));
    if (!written) {
        answer_failure(*exchange, written.error());
        co_return;
    }
    co_await answer_count(rows, exchange);
}

void serve(TokenRows& rows, std::uint16_t port, std::size_t io_threads) {
    http_server::Router router;
    constexpr std::string_view path = "/api/v1/counter/{object}";
    router.add(Method::put, path, [&](Exchange& exchange) {
        return std::optional{put_token(&rows, &exchange)};
    });
    router.add(Method::get, path, [&](Exchange& exchange) {
        return std::optional{answer_count(&rows, &exchange)};
    });
    metrics::Metrics metrics;
    OpenGate gate;
    runtime::IoThreads threads{io_threads};
    http_server::Server server{threads, router, gate, metrics, {.port = port}};
    threads.start();
    must(server.start());
    boost::asio::io_context signals_context{1};
    boost::asio::signal_set signals{signals_context, SIGINT, SIGTERM};
    signals.async_wait([](const auto&, int) {});
    signals_context.run();
    server.drain(10s);
    threads.stop();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 8) {
        fmt::print(stderr, "usage: table_peer PORT THREADS CONTACTS KEYSPACE COPIES TTL LIMIT\n");
        return 2;
    }
    const auto number = [&](int at) { return static_cast<std::uint32_t>(std::stoul(argv[at])); };
    const auto driver =
        must(Driver::make({.contacts = argv[3], .datacenter = "dc1", .keyspaces = argv[4]}));
    must(driver->connect(30s));
    {
        TokenRows rows{*driver, argv[4], number(5), number(6), number(7)};
        serve(rows, static_cast<std::uint16_t>(number(1)), number(2));
    }
    driver->close();
    return 0;
}
