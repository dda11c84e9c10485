// What a statement costs this process on Cassandra: CPU and wall-clock time a row, written one by
// one, written a hundred to a partition, read by key, read by range. Needs a cluster: tools/cluster
// up && source build/cluster/env.
#include "foundation/check.h"
#include "storage/blocking.h"
#include "storage_cassandra/cassandra_store.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <sys/resource.h>

namespace {

using namespace footfall;
using storage::Batch;
using storage::ColumnType;

const storage::Table rows{
    .name = "bench_row",
    .purpose = "Rows to be measured.",
    .partition = {{"object", ColumnType::integer}},
    .clustering = {{"number", ColumnType::integer}},
    .values = {{"text", ColumnType::text}}
};

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
        "{:<34} {:7} rows: {:6.1f} us CPU, {:7.1f} us each, {:8.0f} a second\n",
        what,
        count,
        static_cast<double>(cpu_microseconds() - cpu) / each,
        wall.count() / each,
        each / wall.count() * 1e6
    );
}

void must(const Result<void>& result) {
    CHECK(result, "the cluster", result ? "" : result.error().message);
}

Batch batch_of(std::int64_t object, std::int64_t first, std::int64_t count) {
    Batch batch;
    for (std::int64_t number = first; number < first + count; ++number) {
        batch.upsert(rows, {object, number, std::string(40, 't')});
    }
    return batch;
}

void write(storage::Store& store, std::int64_t objects, std::int64_t rows_each) {
    storage::CommitPosition last = 0;
    for (std::int64_t object = 0; object < objects; ++object) {
        const auto position = store.submit(batch_of(object, 0, rows_each));
        CHECK(position, "the queue", position ? "" : position.error().message);
        last = *position;
    }
    must(wait_durable(store, last));
}

}  // namespace

int main(int argc, char** argv) {
    // NOLINTBEGIN(concurrency-mt-unsafe): one thread
    const char* contacts = std::getenv("FOOTFALL_CASSANDRA");
    const char* copies = std::getenv("FOOTFALL_CASSANDRA_REPLICATION");
    // NOLINTEND(concurrency-mt-unsafe)
    CHECK(
        contacts != nullptr && copies != nullptr,
        "tools/cluster up --nodes 1 && source build/cluster/env"
    );
    const int local_copies = std::string_view{copies}.starts_with("dc1:3") ? 3 : 1;
    const SystemClock clock;
    metrics::Metrics metrics;
    auto store = storage_cassandra::CassandraStore::open(
        {.contacts = contacts,
         .datacenter = "dc1",
         .keyspace = "footfall_bench",
         .tables = {&rows},
         .replication = {{"dc1", local_copies}}},
        clock,
        metrics
    );
    CHECK(store, "the store does not open", store ? "" : store.error().message);
    const std::int64_t count = argc > 1 ? std::stol(argv[1]) : 20'000;
    write(**store, 1000, 1);  // connections, caches and the nodes' compilers are warm
    const auto total = static_cast<std::size_t>(count);
    measure("written, a batch and partition each", total, [&] { write(**store, count, 1); });
    measure("written, 100 to a partition", total, [&] { write(**store, count / 100, 100); });
    measure("read by key", total, [&] {
        std::vector<std::vector<storage::Value>> keys;
        for (std::int64_t object = 0; object < count; ++object) {
            keys.push_back({object, std::int64_t{0}});
        }
        const auto found = read_many(**store, rows, std::move(keys));
        CHECK(found && found->rows.size() == total, "rows are missing");
    });
    measure("read by range, 100 a page", total, [&] {
        for (std::int64_t object = 0; object < count / 100; ++object) {
            const auto page = read_page(**store, {.table = &rows, .partition = {object}});
            CHECK(page && page->rows.size() == 100, "rows are missing");
        }
    });
}
