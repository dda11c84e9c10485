// Which records are one person: each record of a file is a link of its name with every identifier
// it has. Answers in process by resolve(), or durably, fact by fact through a store.
//
//   identities_records RECORDS CLUSTERS [--guards SHARED_ABOVE] [--store FOLDER]
//
// RECORDS: cells with tabs between them; the first line names the identifiers behind `record`; an
// empty cell is none. A name that ends with * has at most one value in a profile (--guards).
// Written to CLUSTERS: the record and its cluster, a line each. Printed: JSON of what it took, from
// facts in memory to clusters in memory.
#include "foundation/check.h"
#include "foundation/clock.h"
#include "foundation/parse_number.h"
#include "identities/fact_rows.h"
#include "identities/profile_rows.h"
#include "identities/resolution.h"
#include "identities/schema.h"
#include "identities/settling.h"
#include "identities/sid.h"
#include "metrics/metrics.h"
#include "storage/blocking.h"
#include "storage_rocksdb/rocks_store.h"

#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace footfall;
using namespace footfall::identities;

constexpr SipKey secret{3, 4};
constexpr const char* record_network = "record";
const std::string writer = "records";
constexpr std::int64_t begin = 1'700'000'000;
/// As many as one flush of the program takes at once.
constexpr std::size_t facts_at_once = 512;

template <class T>
T must(Result<T> result) {
    CHECK(result.has_value(), "the benchmark cannot go on", result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

class Stopwatch {
public:
    double cpu() const { return cpu_seconds() - cpu_; }

    double wall() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
    }

private:
    static double cpu_seconds() {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    }

    double cpu_ = cpu_seconds();
    std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
};

struct Records {
    std::vector<std::string> identifiers;
    std::vector<std::vector<std::string>> rows;  ///< The record, and a cell for each identifier.
    Guards guards;
};

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream text{line};
    for (std::string cell; std::getline(text, cell, '\t');) {
        cells.push_back(cell);
    }
    return cells;
}

Records read_records(const std::string& path, std::optional<std::size_t> shared_above) {
    std::ifstream file{path};
    CHECK(file.is_open(), "no such file", path);
    Records records;
    std::string line;
    std::getline(file, line);
    records.identifiers = cells_of(line);
    // Without guards it answers what a join answers.
    constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
    records.guards.profile_ids = shared_above ? records.guards.profile_ids : any;
    records.guards.shared_above = shared_above.value_or(any);
    for (std::string& identifier : records.identifiers) {
        if (identifier.ends_with('*')) {
            identifier.pop_back();
            if (shared_above) {
                records.guards.identifiers[identifier].per_profile = 1;
            }
        }
    }
    while (std::getline(file, line)) {
        records.rows.push_back(cells_of(line));
    }
    return records;
}

Id id_of(const std::string& network, const std::string& value) {
    return {.identifier = network, .id_name = "value", .id_value = value};
}

/// One is said each second, in the order of the file.
std::vector<Fact> facts_of(const Records& records) {
    std::vector<Fact> facts;
    facts.reserve(records.rows.size());
    for (std::size_t row = 0; row < records.rows.size(); ++row) {
        const std::vector<std::string>& cells = records.rows[row];
        const Instant now{std::chrono::seconds{begin + static_cast<std::int64_t>(row)}};
        Fact fact{
            .ids = {id_of(record_network, cells[0])},
            .first = now,
            .last = now,
            .recorded = now,
            .source = "records"
        };
        for (std::size_t cell = 1; cell < cells.size(); ++cell) {
            if (!cells[cell].empty()) {
                fact.ids.push_back(id_of(records.identifiers[cell], cells[cell]));
            }
        }
        seal(fact);
        facts.push_back(std::move(fact));
    }
    return facts;
}

/// Records, and the cluster of each by whatever name.
using Clusters = std::vector<std::pair<std::string, std::string>>;

Clusters in_process(const std::vector<Fact>& facts, const Guards& guards) {
    Clusters clusters;
    clusters.reserve(facts.size());
    for (const Profile& profile : resolve(facts, guards).profiles) {
        const std::string sid = sid_of(secret, profile.named_after);
        for (const Member& each : profile.members) {
            if (each.id.identifier == record_network) {
                clusters.emplace_back(each.id.id_value, sid);
            }
        }
    }
    return clusters;
}

Clusters through_store(
    const std::vector<Fact>& facts, const Guards& guards, const std::string& folder
) {
    const SystemClock clock;
    metrics::Metrics metrics;
    const auto store = must(storage_rocksdb::RocksStore::open(
        {.directory = folder, .tables = {all_tables.begin(), all_tables.end()}, .sync_interval = {}
        },
        clock,
        metrics
    ));
    const Settling settling{*store, {.secret = secret, .guards = guards}};
    for (std::size_t at = 0; at < facts.size(); at += facts_at_once) {
        std::vector<ToldFact> told;
        std::vector<Id> touched;
        for (std::size_t each = at; each < std::min(at + facts_at_once, facts.size()); ++each) {
            told.push_back({.writer = writer, .fact = facts[each]});
            touched.insert(touched.end(), facts[each].ids.begin(), facts[each].ids.end());
        }
        must(merge_with_rows(*store, told));
        storage::Batch batch;
        for (const ToldFact& each : told) {
            add_rows(each, batch);
        }
        must(storage::write_durably(*store, batch));
        arrange(touched);
        CHECK(must(settling.settle_each(touched, writer)) == 0, "too much hangs together");
    }
    Clusters clusters;
    std::vector<Id> names;
    for (const Fact& fact : facts) {
        names.push_back(*std::ranges::find(fact.ids, record_network, &Id::identifier));
    }
    for (const auto& [id, entry] : must(read_index(*store, names))) {
        clusters.emplace_back(id.id_value, entry.sid);
    }
    store->close();
    return clusters;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words{argv + 1, argv + argc};
    if (words.size() < 2) {
        fmt::print(
            stderr,
            "usage: identities_records RECORDS CLUSTERS [--guards SHARED_ABOVE] [--store FOLDER]\n"
        );
        return 2;
    }
    const auto value_of = [&](const char* name) {
        const auto at = std::ranges::find(words, name);
        return at == words.end() || at + 1 == words.end() ? std::string{} : *(at + 1);
    };
    const std::string folder = value_of("--store");
    const Records records = read_records(words[0], parse_unsigned(value_of("--guards")));
    const std::vector<Fact> facts = facts_of(records);
    const Stopwatch watch;
    const Clusters clusters = folder.empty() ? in_process(facts, records.guards)
                                             : through_store(facts, records.guards, folder);
    fmt::print(
        R"({{"records":{},"cpu":{:.3f},"wall":{:.3f}}})"
        "\n",
        records.rows.size(),
        watch.cpu(),
        watch.wall()
    );
    fmt::ostream file = fmt::output_file(words[1]);
    for (const auto& [record, cluster] : clusters) {
        file.print("{}\t{}\n", record, cluster);
    }
    return 0;
}
