// What the audit log costs: acts recorded, with the CPU time of the whole process; proofs of a log
// that was recorded, over its tables; and of a tree of --leaves entries (100 million), whose hashes
// from the first level of tiles on stand in the tables, and of the leaves those that the proofs ask
// for. Usage: audit_bench FOLDER [ENTRIES [LEAVES]]
#include "audit/log.h"
#include "audit/schema.h"
#include "foundation/check.h"
#include "foundation/clock.h"
#include "foundation/parse_number.h"
#include "foundation/random.h"
#include "metrics/metrics.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage_rocksdb/rocks_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace footfall::audit {
namespace {

constexpr std::size_t acts_a_batch = 1000;
constexpr std::size_t proofs = 1000;
/// Proofs, by which it is known what one takes.
constexpr std::size_t calibrated_after = 100;

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double now_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

template <class T>
T must(Result<T> result) {
    CHECK(result.has_value(), "the benchmark cannot go on", result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

std::vector<Act> some_acts(std::size_t first) {
    std::vector<Act> acts;
    for (std::size_t at = first; at < first + acts_a_batch; ++at) {
        acts.push_back(
            {.kind = "rate_set",
             .author = "operator",
             .detail = fmt::format(
                 R"({{"method":"PUT","route":"/api/v1/resellers/{{id}}/rates/{{day}}","named":["r-{}","2026-12-01"],"body":{{"reward_percent":"0.05"}}}})",
                 at
             )}
        );
    }
    return acts;
}

void tell_times(const char* what, std::vector<double> seconds, double cpu) {
    std::ranges::sort(seconds);
    fmt::print(
        "{}: p50 {:.3f} ms, p99 {:.3f} ms, worst {:.3f} ms, {:.3f} ms of CPU each\n",
        what,
        seconds[seconds.size() / 2] * 1e3,
        seconds[seconds.size() * 99 / 100] * 1e3,
        seconds.back() * 1e3,
        cpu / static_cast<double>(seconds.size()) * 1e3
    );
}

void measure_recording(Log& log, std::size_t entries) {
    std::vector<std::vector<Act>> batches;
    for (std::size_t at = 0; at < entries; at += acts_a_batch) {
        batches.push_back(some_acts(at));
    }
    const double begun = now_seconds();
    const double cpu = cpu_seconds();
    for (auto& each : batches) {
        must(log.record_all(std::move(each)));
    }
    const double wall = now_seconds() - begun;
    const double used = cpu_seconds() - cpu;
    fmt::print(
        "recorded {} entries, {} a batch, each batch durable and signed: {:.0f} a second, {:.0f} a "
        "second of CPU (all threads of the process)\n",
        entries,
        acts_a_batch,
        static_cast<double>(entries) / wall,
        static_cast<double>(entries) / used
    );
}

void measure_recorded_proofs(Log& log) {
    const TreeHead head = must(log.head()).head;
    Random random{1};
    std::vector<double> inclusion;
    std::vector<double> consistency;
    double cpu = cpu_seconds();
    for (std::size_t at = 0; at < proofs; ++at) {
        const double begun = now_seconds();
        must(log.inclusion(random.below(head.size), head.size));
        inclusion.push_back(now_seconds() - begun);
    }
    tell_times("inclusion, recorded log", inclusion, cpu_seconds() - cpu);
    cpu = cpu_seconds();
    for (std::size_t at = 0; at < proofs; ++at) {
        const double begun = now_seconds();
        must(log.consistency(random.below(head.size) + 1, head.size));
        consistency.push_back(now_seconds() - begun);
    }
    tell_times("consistency, recorded log", consistency, cpu_seconds() - cpu);
}

Hash leaf_numbered(std::uint64_t number) {
    return leaf_hash({reinterpret_cast<const char*>(&number), sizeof number});
}

/// The tiles of leaves that proofs of these entries ask for.
std::set<std::uint64_t> tiles_of(const std::vector<std::uint64_t>& leaves, std::uint64_t size) {
    std::set<std::uint64_t> tiles;
    for (const std::uint64_t leaf : leaves) {
        for (const auto& part : inclusion_parts(leaf, size)) {
            for (const Subtree& each : part) {
                if (each.level < 8) {
                    tiles.insert((each.index << each.level) / tile_width);
                }
            }
        }
    }
    return tiles;
}

/// What the machine's load adds to waits: the same CPU as a proof takes, of this thread alone, with
/// no store, beside each proof.
class EmptyLoop {
public:
    explicit EmptyLoop(double cpu) {
        const double begun = cpu_seconds();
        std::uint64_t done = 0;
        while (cpu_seconds() - begun < cpu * calibrated_over) {
            hash_some();
            ++done;
        }
        turns_ = std::max<std::uint64_t>(1, done / calibrated_over);
    }

    void take_turn() {
        const double begun = now_seconds();
        const double begun_cpu = cpu_seconds();
        for (std::uint64_t turn = 0; turn < turns_; ++turn) {
            hash_some();
        }
        walls.push_back(now_seconds() - begun);
        cpu += cpu_seconds() - begun_cpu;
    }

    std::vector<double> walls;
    double cpu = 0;

private:
    static constexpr std::uint64_t calibrated_over = 200;

    void hash_some() {
        for (int at = 0; at < 20; ++at) {
            last_ = node_hash(last_, last_);
        }
    }

    Hash last_{};
    std::uint64_t turns_ = 1;
};

void measure_large_tree(storage::Store& store, std::uint64_t size) {
    Random random{2};
    std::vector<std::uint64_t> leaves;
    for (std::size_t at = 0; at < proofs; ++at) {
        leaves.push_back(random.below(size));
    }
    const std::set<std::uint64_t> tiles = tiles_of(leaves, size);
    const double begun = now_seconds();
    Edge edge;
    storage::Batch batch;
    for (std::uint64_t at = 0; at < size; ++at) {
        const bool is_asked = tiles.contains(at / tile_width);
        edge.add(leaf_numbered(at), [&](const Subtree& subtree, const Hash& hash) {
            if (subtree.level > 0 || is_asked) {
                put_subtree(batch, "large", subtree, hash);
            }
        });
        if (batch.size() >= 10'000) {
            must(storage::write_durably(store, batch));
            batch.clear();
        }
    }
    must(storage::write_durably(store, batch));
    fmt::print("a tree of {} entries was made in {:.0f} s\n", size, now_seconds() - begun);
    const Hash root = edge.root();
    std::vector<double> seconds;
    std::size_t hashes = 0;
    std::size_t reads = 0;
    std::vector<double> cpus;
    double cpu = 0;
    std::optional<EmptyLoop> beside;
    for (const std::uint64_t leaf : leaves) {
        const double asked = now_seconds();
        const double asked_cpu = cpu_seconds();
        const auto proof =
            must(proof_of(inclusion_parts(leaf, size), [&](std::span<const Subtree> subtrees) {
                reads += subtrees.size();
                return read_subtrees(store, "large", subtrees);
            }));
        seconds.push_back(now_seconds() - asked);
        cpus.push_back(cpu_seconds() - asked_cpu);
        cpu += cpus.back();
        if (!beside && cpus.size() == calibrated_after) {
            beside.emplace(cpu / calibrated_after);
        }
        if (beside) {
            beside->take_turn();
        }
        hashes += proof.size();
        if (!includes(root, size, leaf, leaf_numbered(leaf), proof)) {
            fmt::print("a proof does not hold: {}\n", leaf);
            std::exit(1);
        }
    }
    tell_times("inclusion, large tree", seconds, cpu);
    tell_times("the same, CPU of the process", cpus, cpu);
    if (beside) {
        tell_times("a loop of as much CPU beside it", beside->walls, beside->cpu);
    }
    fmt::print(
        "{:.1f} hashes a proof, {:.1f} ranges read for it\n",
        static_cast<double>(hashes) / proofs,
        static_cast<double>(reads) / proofs
    );
}

int measure(const std::string& folder, std::size_t entries, std::uint64_t leaves) {
    const SystemClock clock;
    metrics::Metrics metrics;
    std::vector<const storage::Table*> tables{all_tables.begin(), all_tables.end()};
    tables.push_back(&storage::deployment_table);
    const auto store = must(storage_rocksdb::RocksStore::open(
        {.directory = folder, .tables = tables, .memory_budget_bytes = 256 << 20}, clock, metrics
    ));
    const auto log = must(Log::open(*store, clock, {.secret = {1, 2}, .origin = "bench"}));
    measure_recording(*log, entries);
    measure_recorded_proofs(*log);
    measure_large_tree(*store, leaves);
    return 0;
}

std::optional<std::uint64_t> number_at(int argc, char** argv, int at) {
    return argc > at ? parse_unsigned(argv[at]) : std::nullopt;
}

}  // namespace
}  // namespace footfall::audit

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: audit_bench FOLDER [ENTRIES [LEAVES]]\n");
        return 2;
    }
    return footfall::audit::measure(
        argv[1],
        footfall::audit::number_at(argc, argv, 2).value_or(1'000'000),
        footfall::audit::number_at(argc, argv, 3).value_or(100'000'000)
    );
}
