// A match of two ids on Cassandra beside what the service did that it replaces (an index read and
// three writes, by whoever was told), on one node with one driver; and the bytes of rows. Half of
// the matches name an id that is known. Both sides are asked at the end, and have to say the same.
//
//   identities_cassandra rates CONTACTS KEYSPACE MATCHES
//   identities_cassandra rows CONTACTS KEYSPACE PROFILES      rows of profiles of two ids, all
//   identities_cassandra embedded FOLDER TABLE PROFILES       and those of one table alone
#include "counting_store.h"
#include "foundation/check.h"
#include "foundation/clock.h"
#include "identities/fact_rows.h"
#include "identities/profile_rows.h"
#include "identities/schema.h"
#include "identities/settling.h"
#include "identities/sid.h"
#include "identities_original.h"
#include "metrics/metrics.h"
#include "storage/blocking.h"
#include "storage_cassandra/cassandra_store.h"
#include "storage_rocksdb/rocks_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <utility>
#include <vector>

namespace {

using namespace footfall;
using namespace footfall::identities;
using namespace footfall::benchmarks;
using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

constexpr std::string_view writer = "the-writer";  // 10 bytes, as writer_of() makes them
constexpr std::int64_t begin = 1'700'000'000;
constexpr std::size_t facts_at_once = 512;  ///< As one flush of the program takes.

double cpu_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return of(used.ru_utime) + of(used.ru_stime);
}

Fact fact_of(std::vector<Id> ids, std::size_t number) {
    const Instant now{std::chrono::seconds{begin + static_cast<std::int64_t>(number)}};
    Fact fact{.ids = std::move(ids), .first = now, .last = now, .recorded = now, .source = "crm"};
    arrange(fact.ids);
    seal(fact);
    return fact;
}

struct Taken {
    std::size_t matches = 0;
    double wall = 0;
    double cpu = 0;
    std::vector<double> milliseconds = {};  ///< Of each, where one is done at a time.
};

/// Does it, and takes the time.
template <class Action>
Taken timed(std::size_t matches, const Action& action) {
    const double cpu = cpu_seconds();
    const auto start = Steady::now();
    action();
    const std::chrono::duration<double> wall = Steady::now() - start;
    return {.matches = matches, .wall = wall.count(), .cpu = cpu_seconds() - cpu};
}

template <class Action>
Taken one_by_one(std::size_t first, std::size_t matches, const Action& action) {
    std::vector<double> each;
    Taken taken = timed(matches, [&] {
        for (std::size_t number = first; number < first + matches; ++number) {
            const auto start = Steady::now();
            action(number);
            each.push_back(std::chrono::duration<double, std::milli>(Steady::now() - start).count()
            );
        }
    });
    std::ranges::sort(each);
    taken.milliseconds = std::move(each);
    return taken;
}

void print(
    std::string_view side, std::string_view how, const Taken& taken, double statements, double waits
) {
    const auto matches = static_cast<double>(taken.matches);
    std::string latency = "|";
    if (!taken.milliseconds.empty()) {
        const auto at = [&](std::size_t percent) {
            return taken.milliseconds[(taken.milliseconds.size() - 1) * percent / 100];
        };
        latency = fmt::format("{:.1f} / {:.1f} |", at(50), at(99));
    }
    fmt::print(
        "| {} | {} | {} | {:.0f} | {} {:.0f} | {:.1f} | {:.2f} |\n",
        side,
        how,
        taken.matches,
        matches / taken.wall,
        latency,
        taken.cpu / matches * 1e6,
        statements,
        waits
    );
    std::fflush(stdout);
}

/// By the rows that the program has: facts, then what follows from them, as its projection does.
class Ours {
public:
    explicit Ours(storage::Store& store)
        : store_{store}, settling_{store_, {.secret = secret, .shared = true}} {}

    void match(std::size_t first, std::size_t count) {
        std::vector<ToldFact> told;
        std::vector<Id> ids;
        for (std::size_t number = first; number < first + count; ++number) {
            told.push_back(
                {.writer = std::string{writer}, .fact = fact_of(ids_of_match(number), number)}
            );
            ids.insert(ids.end(), told.back().fact.ids.begin(), told.back().fact.ids.end());
        }
        must(merge_with_rows(store_, told));
        storage::Batch batch;
        for (const ToldFact& each : told) {
            add_rows(each, batch);
        }
        must(storage::write_durably(store_, batch));
        arrange(ids);
        CHECK(must(settling_.settle_each(ids, std::string{writer})) == 0, "all is settled");
    }

    std::string sid(const Id& id) {
        const Index index = must(read_index(store_, {&id, 1}));
        return index.contains(id) ? index.at(id).sid : std::string{};
    }

    const benchmarks::CountingStore& store() const { return store_; }

private:
    benchmarks::CountingStore store_;
    const Settling settling_;
};

/// Of all ids, how many both sides do not put together alike.
std::size_t differences(std::size_t matches, Ours& ours, Original& original) {
    std::size_t found = 0;
    std::set<std::string> sids;
    std::set<std::string> original_sids;
    for (std::size_t number = 0; number < matches; ++number) {
        const std::vector<Id> ids = ids_of_match(number);
        const std::string sid = ours.sid(ids[0]);
        const std::string original_sid = original.sid(ids[0]);
        found += sid.empty() || ours.sid(ids[1]) != sid ? 1 : 0;
        found += original_sid.empty() || original.sid(ids[1]) != original_sid ? 1 : 0;
        sids.insert(sid);
        original_sids.insert(original_sid);
    }
    return found + (sids.size() == original_sids.size() ? 0 : 1);
}

std::unique_ptr<storage_cassandra::CassandraStore> open_cassandra(
    const std::string& contacts,
    const std::string& keyspace,
    const Clock& clock,
    metrics::Metrics& metrics
) {
    return must(storage_cassandra::CassandraStore::open(
        {.contacts = contacts,
         .datacenter = "dc1",
         .keyspace = keyspace,
         .tables = {all_tables.begin(), all_tables.end()},
         .replication = {{"dc1", 1}}},
        clock,
        metrics
    ));
}

void measure_rates(const std::string& contacts, const std::string& keyspace, std::size_t matches) {
    const SystemClock clock;
    metrics::Metrics metrics;
    const auto store = open_cassandra(contacts, keyspace, clock, metrics);
    const auto driver =
        must(Driver::make({.contacts = contacts, .datacenter = "dc1", .keyspaces = keyspace}));
    must(driver->connect(30s));
    Ours ours{*store};
    Original original{*driver, keyspace};
    const std::size_t singles = std::min<std::size_t>(1000, matches / 4) / 2 * 2;
    fmt::print(
        "| side | how | matches | matches/s | p50 / p99, ms | CPU us a match, this process | "
        "statements | waits |\n|---|---|---|---|---|---|---|---|\n"
    );
    const std::size_t blocks = matches / facts_at_once * facts_at_once;
    const auto print_ours = [&](std::string_view how, const auto& run) {
        const auto statements = ours.store().statements();
        const auto waits = ours.store().waits();
        const Taken taken = run();
        const auto all = static_cast<double>(taken.matches);
        print(
            "ours",
            how,
            taken,
            static_cast<double>(ours.store().statements() - statements) / all,
            static_cast<double>(ours.store().waits() - waits) / all
        );
    };
    // Connections, caches and the node's compilers are warm.
    ours.match(0, facts_at_once);
    original.match(0, facts_at_once, 64);
    print_ours("512 at once, one thread", [&] {
        return timed(blocks, [&] {
            for (std::size_t at = 0; at < blocks; at += facts_at_once) {
                ours.match(facts_at_once + at, facts_at_once);
            }
        });
    });
    print(
        "the original",
        "64 threads",
        timed(blocks, [&] { original.match(facts_at_once, blocks, 64); }),
        5,
        2
    );
    const std::size_t first = facts_at_once + blocks;
    print_ours("one by one", [&] {
        return one_by_one(first, singles, [&](std::size_t number) { ours.match(number, 1); });
    });
    print(
        "the original",
        "one by one",
        one_by_one(first, singles, [&](std::size_t number) { original.match(number); }),
        5,
        2
    );
    const std::size_t differ = differences(first + singles, ours, original);
    fmt::print("ids that are not together alike: {}\n", differ);
    driver->close();
    store->close();
    CHECK(differ == 0, "both sides say the same");
}

/// Rows of one kind alone, where `only` names a table: a data directory is then the table's.
void write_rows(storage::Store& store, std::size_t profiles, std::string_view only) {
    storage::Batch batch;
    const auto is_wanted = [&](std::string_view table) { return only.empty() || only == table; };
    for (std::size_t number = 0; number < profiles; ++number) {
        const Fact fact = fact_of({id_of("shop", number), id_of("www", number)}, number);
        if (is_wanted("identity_fact")) {
            add_rows({.writer = std::string{writer}, .fact = fact}, batch);
        }
        const std::string sid = sid_of(secret, fact.ids.front());
        if (is_wanted("profile")) {
            std::vector<Member> members;
            for (const Id& each : fact.ids) {
                members.push_back({.id = each, .since = fact.first, .source = fact.source});
            }
            replace_profile(sid, {}, members, batch);
        }
        if (is_wanted("sid_anchor")) {
            add_anchor(sid, fact.ids.front(), batch);
        }
        if (is_wanted("profile_index")) {
            for (const Id& each : fact.ids) {
                add_index_entry(each, {.sid = sid}, {}, batch);
            }
        }
        if (batch.size() > 2000 || number + 1 == profiles) {
            must(storage::write_durably(store, batch));
            batch = {};
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words{argv + 1, argv + argc};
    if (words.size() == 4 && words[0] == "rates") {
        measure_rates(words[1], words[2], std::stoul(words[3]));
        return 0;
    }
    const SystemClock clock;
    metrics::Metrics metrics;
    if (words.size() == 4 && words[0] == "rows") {
        const auto store = open_cassandra(words[1], words[2], clock, metrics);
        write_rows(*store, std::stoul(words[3]), {});
        store->close();
        return 0;
    }
    if (words.size() == 4 && words[0] == "embedded") {
        std::filesystem::create_directories(words[1]);
        const auto store = must(storage_rocksdb::RocksStore::open(
            {.directory = words[1],
             .tables = {all_tables.begin(), all_tables.end()},
             .sync_interval = 100ms},
            clock,
            metrics
        ));
        write_rows(*store, std::stoul(words[3]), words[2]);
        store->close();
        return 0;
    }
    fmt::print(
        stderr,
        "usage: identities_cassandra rates CONTACTS KEYSPACE MATCHES\n"
        "       identities_cassandra rows CONTACTS KEYSPACE PROFILES\n"
        "       identities_cassandra embedded FOLDER TABLE PROFILES\n"
    );
    return 2;
}
