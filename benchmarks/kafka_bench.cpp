// What a record costs this process on Kafka, and how long one takes: appended, read in bulk, read
// by a group. Needs brokers: tools/cluster up --nodes 0 --brokers 3 && source build/cluster/env.
#include "foundation/check.h"
#include "journal_kafka/kafka_log.h"
#include "journal_kafka/lane_consumer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace footfall;
using namespace footfall::journal_kafka;
using namespace std::chrono_literals;

constexpr std::uint32_t lanes = 8;
constexpr std::size_t batch_records = 1000;
constexpr std::size_t batches = 2000;

std::int64_t cpu_microseconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto of = [](const timeval& time) { return time.tv_sec * 1'000'000 + time.tv_usec; };
    return of(used.ru_utime) + of(used.ru_stime);
}

void measure(const char* what, std::size_t count, const std::function<void()>& action) {
    const std::int64_t cpu = cpu_microseconds();
    const auto start = std::chrono::steady_clock::now();
    action();
    const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
    const auto each = static_cast<double>(count);
    fmt::print(
        "{:<34} {:7} records: {:6.2f} us CPU, {:8.2f} us each, {:8.0f} a second\n",
        what,
        count,
        static_cast<double>(cpu_microseconds() - cpu) / each,
        wall.count() / each,
        each / wall.count() * 1e6
    );
}

template <class T>
T must(Result<T> result) {
    CHECK(result, "the brokers", result ? "" : result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

void wait_durable(KafkaLog& log, storage::CommitPosition position) {
    std::promise<Result<void>> told;
    log.when_durable(position, [&](Result<void> outcome) { told.set_value(std::move(outcome)); });
    must(told.get_future().get());
}

void append(KafkaLog& log, const std::vector<std::string_view>& batch) {
    storage::CommitPosition last = 0;
    for (std::size_t at = 0; at < batches; ++at) {
        auto position = log.append(at % lanes, batch);
        while (!position && position.error().kind == ErrorKind::overloaded) {
            wait_durable(log, last);
            position = log.append(at % lanes, batch);
        }
        last = must(std::move(position));
    }
    wait_durable(log, last);
}

void read(KafkaLog& log, std::uint32_t lane) {
    for (std::uint64_t from = 0;;) {
        const journal::Records records = must(log.read(lane, from, {}));
        if (records.empty()) {
            return;
        }
        from = records.next();
    }
}

void read_as_group(const KafkaLogOptions& options) {
    const auto consumer = must(LaneConsumer::join(
        options.cluster,
        options.topic.name,
        {.group = options.topic.name},
        {.assigned = [](auto given) -> Result<std::vector<std::uint64_t>> {
             return std::vector<std::uint64_t>(given.size());
         },
         .revoked = [](auto, auto) {}}
    ));
    while (!must(consumer->poll(100ms))) {
    }
    measure("read as a group", batches * batch_records - 1, [&] {
        for (std::size_t read = 1; read < batches * batch_records;) {
            read += must(consumer->poll(100ms)) ? 1 : 0;
        }
    });
}

}  // namespace

int main() {
    const char* const brokers =
        std::getenv("FOOTFALL_TEST_KAFKA");  // NOLINT(concurrency-mt-unsafe)
    CHECK(brokers != nullptr, "FOOTFALL_TEST_KAFKA is not set: see the top of this source");
    const std::string list{brokers};
    const auto replicas = static_cast<std::uint16_t>(1 + std::ranges::count(list, ','));
    const KafkaLogOptions options{
        .cluster = {.brokers = list},
        .topic =
            {.name = fmt::format("bench-{}-{}", ::getpid(), cpu_microseconds()),
             .lanes = lanes,
             .replicas = replicas,
             .in_sync = static_cast<std::uint16_t>(replicas / 2 + 1)}
    };
    const auto log = must(KafkaLog::open(options));
    // As records of judged events are: some words that come again, some that do not.
    std::vector<std::string> records;
    for (std::size_t at = 0; at < batch_records; ++at) {
        records.push_back(fmt::format(
            "{:016x} view post-{} actor-{:08x} Mozilla/5.0 (X11; Linux x86_64) counted by rules "
            "v7, "
            "192.0.2.{}",
            at * 0x9E37'79B9'7F4A'7C15,
            at % 100,
            at * 0x85EB'CA6B,
            at % 256
        ));
    }
    const std::vector<std::string_view> batch{records.begin(), records.end()};
    const std::vector<std::string_view> one{batch.front()};
    fmt::print("{} brokers, {} lanes, records of {} bytes\n", replicas, lanes, one[0].size());
    measure("append, a thousand a call", batches * batch_records, [&] { append(*log, batch); });
    measure("read lane after lane", batches * batch_records, [&] {
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            read(*log, lane);
        }
    });
    measure("read all lanes side by side", batches * batch_records, [&] {
        std::vector<std::future<void>> readers;
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            readers.push_back(std::async(std::launch::async, [&, lane] { read(*log, lane); }));
        }
    });
    read_as_group(options);
    measure("append one and wait", 100, [&] {
        for (int at = 0; at < 100; ++at) {
            wait_durable(*log, must(log->append(0, one)));
        }
    });
    measure("append one, wait, read it", 100, [&] {
        for (int at = 0; at < 100; ++at) {
            const std::uint64_t offset = log->end(0);
            wait_durable(*log, must(log->append(0, one)));
            CHECK(must(log->read(0, offset, {})).size() == 1, "it is there");
        }
    });
}
