// Segments in an embedded store, each written block synced: what members cost, and what follows
// from them; and what a match costs without a segment in the deployment, and with one.
//
//   segments_bench FOLDER [MEMBERS] [MATCHES]
//
// MEMBERS 0: the same matches without a segment, to compare.
// Printed: a line of Markdown for each figure. CPU is of the whole process, background work of the
// store included.
#include "foundation/check.h"
#include "foundation/clock.h"
#include "foundation/parse_number.h"
#include "identities/fact_rows.h"
#include "identities/schema.h"
#include "identities/settling.h"
#include "metrics/metrics.h"
#include "runtime/moment.h"
#include "segments/schema.h"
#include "segments/segments.h"
#include "storage_rocksdb/rocks_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace footfall;
using identities::Fact;
using identities::Id;
using segments::Member;
using segments::Segments;

constexpr SipKey secret{3, 4};
const std::string writer = "bench";

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

void print(const std::string& what, std::size_t many, const Stopwatch& watch) {
    const auto count = static_cast<double>(many);
    fmt::print(
        "| {} | {} | {:.1f} us of CPU each | {:.0f} a second and core | {:.2f} s |\n",
        what,
        many,
        watch.cpu() / count * 1e6,
        count / watch.cpu(),
        watch.wall()
    );
}

std::vector<const storage::Table*> all_tables() {
    std::vector<const storage::Table*> tables{
        identities::all_tables.begin(), identities::all_tables.end()
    };
    tables.insert(tables.end(), segments::all_tables.begin(), segments::all_tables.end());
    return tables;
}

Id id_of(const char* network, std::size_t number) {
    return {.identifier = network, .id_name = "user", .id_value = fmt::format("u{:09}", number)};
}

class Deployment {
public:
    explicit Deployment(const std::string& folder)
        : store_{must(storage_rocksdb::RocksStore::open(
              {.directory = folder, .tables = all_tables()}, clock_, metrics_
          ))},
          settling_{*store_, {.secret = secret, .clock = &clock_, .shared = false}} {
        start();
    }

    void start() {
        segments_.emplace(*store_, settling_, clock_, Segments::Options{.shared = false});
        const Stopwatch watch;
        must(segments_->begin());
        if (const std::uint64_t people = segments_->figures().people; people > 0) {
            print("people read at a start", people, watch);
        }
    }

    /// Links of two new ids, as many at once as a server settles.
    void match(const char* what, std::size_t matches) {
        constexpr std::size_t at_once = 512;
        const Stopwatch watch;
        for (std::size_t done = 0; done < matches; done += at_once) {
            std::vector<Fact> told;
            for (std::size_t each = 0; each < at_once; ++each, ++linked_) {
                told.push_back(link(linked_));
            }
            say(told);
        }
        print(what, matches, watch);
    }

    void fill(std::size_t members) {
        constexpr std::size_t at_once = 10'000;
        const Stopwatch watch;
        for (std::size_t done = 0; done < members; done += at_once) {
            std::vector<Member> some;
            for (std::size_t each = 0; each < at_once; ++each) {
                some.push_back({.id = id_of("www", filled_++)});
            }
            while (!segments_->add("buyers", some, "bench")) {
                CHECK(watch.wall() < 600, "members are not taken within ten minutes");
            }
        }
        print("members written", members, watch);
    }

    void create() { must(segments_->create("buyers")); }

    void derive(const char* what, std::size_t many) {
        const Stopwatch watch;
        while (one_turn().count() == 0) {
        }
        print(what, many, watch);
        fmt::print(
            "| people | {} | {} bytes of bitmaps | | |\n",
            must(segments_->size("buyers")).people,
            segments_->memory().first
        );
    }

    /// How long it takes until a merge is in the size, while members are written.
    void merge_while_filled(std::size_t merges) {
        std::jthread deriving{[&](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                runtime::wait_a_moment(one_turn());
            }
        }};
        std::jthread filling{[&](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                std::vector<Member> some;
                for (std::size_t each = 0; each < 10'000; ++each) {
                    some.push_back({.id = id_of("shop", filled_++)});
                }
                const auto added = segments_->add("others", some, "bench");
                CHECK(added || added.error().kind == ErrorKind::overloaded, "it cannot be filled");
            }
        }};
        double longest = 0;
        for (std::size_t merge = 0; merge < merges; ++merge) {
            const std::uint64_t before = must(segments_->size("buyers")).people;
            Fact fact{.ids = {id_of("www", merge * 2), id_of("www", merge * 2 + 1)}};
            fact.first = fact.last = fact.recorded = clock_.now();
            identities::seal(fact);
            say({fact});
            const Stopwatch watch;
            while (must(segments_->size("buyers")).people == before) {
                runtime::wait_a_moment(std::chrono::milliseconds{1});
            }
            longest = std::max(longest, watch.wall());
        }
        fmt::print(
            "| merges while members are written | {} | longest {:.3f} s | | |\n", merges, longest
        );
    }

private:
    /// A store that is full is waited for, as by a server.
    std::chrono::milliseconds one_turn() {
        const auto pause = segments_->derive({});
        if (!pause && pause.error().kind == ErrorKind::overloaded) {
            runtime::wait_a_moment(std::chrono::milliseconds{20});
            return std::chrono::milliseconds{0};
        }
        return must(pause);
    }

    Fact link(std::size_t number) const {
        Fact fact{.ids = {id_of("www", number), id_of("app", number)}, .source = "bench"};
        fact.first = fact.last = fact.recorded = clock_.now();
        identities::seal(fact);
        return fact;
    }

    void say(const std::vector<Fact>& told) {
        storage::Batch rows;
        std::vector<Id> ids;
        for (const Fact& each : told) {
            identities::add_rows({.writer = writer, .fact = each}, rows);
            ids.insert(ids.end(), each.ids.begin(), each.ids.end());
        }
        identities::arrange(ids);
        for (;;) {
            const auto settled = settling_.settle_with(ids, told, rows, writer);
            if (settled || settled.error().kind != ErrorKind::overloaded) {
                CHECK(must(settled), "too much hangs together");
                return;
            }
            runtime::wait_a_moment(std::chrono::milliseconds{20});
        }
    }

    const SystemClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    const identities::Settling settling_;
    std::optional<Segments> segments_;
    std::size_t linked_ = 10'000'000;
    std::size_t filled_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words{argv + 1, argv + argc};
    if (words.empty()) {
        fmt::print(stderr, "usage: segments_bench FOLDER [MEMBERS] [MATCHES]\n");
        return 2;
    }
    const std::size_t members = words.size() > 1 ? parse_unsigned(words[1]).value_or(0) : 1'000'000;
    const std::size_t matches = words.size() > 2 ? parse_unsigned(words[2]).value_or(0) : 102'400;
    Deployment deployment{words.front()};
    constexpr int turns = 3;
    for (int turn = 0; turn < turns; ++turn) {
        deployment.match("matches without a segment", matches);
    }
    const bool has_segment = members > 0;
    if (has_segment) {
        deployment.create();
    }
    for (int turn = 0; turn < turns; ++turn) {
        deployment.match(
            has_segment ? "matches with a segment" : "matches without a segment", matches
        );
    }
    if (!has_segment) {
        return 0;
    }
    deployment.derive("profiles looked at", turns * matches);
    deployment.fill(members);
    deployment.derive("members derived", members);
    deployment.start();
    deployment.merge_while_filled(20);
    return 0;
}
