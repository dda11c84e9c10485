// A hairball: people of eight ids each, of whom one link in twenty leads to a stranger, so that
// most hang together while guards keep them apart. What one more fact costs as they become a
// million ids. The rows of what was said before are those that resolve() says; what is settled is
// held to it again at the end.
//
//   ninja -C build/release identities_bench
//   build/release/benchmarks/identities_bench FOLDER [IDS] [FACTS]
#include "counting_store.h"
#include "foundation/check.h"
#include "foundation/clock.h"
#include "foundation/parse_number.h"
#include "foundation/random.h"
#include "identities/contested_rows.h"
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

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using namespace footfall;
using namespace footfall::identities;

constexpr SipKey secret{3, 4};
const std::string writer = "bench";
constexpr std::array networks{"app", "web", "mail", "shop", "desk", "tv", "news", "game"};
constexpr std::size_t links_a_person = 16;
constexpr std::uint64_t strangers_one_in = 20;
constexpr std::uint64_t late_one_in = 10;
constexpr std::int64_t begin = 1'700'000'000;
constexpr std::int64_t end = 1'790'000'000;

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

template <class T>
T must(Result<T> result) {
    CHECK(result.has_value(), "the benchmark cannot go on", result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

Id id_of(std::size_t person, std::size_t network) {
    return {
        .identifier = networks[network], .id_name = "user", .id_value = fmt::format("{}", person)
    };
}

/// Two ids of one person, or now and then of two.
Fact some_link(std::size_t person, std::size_t people, std::int64_t time, Random& random) {
    const std::size_t one = random.below(networks.size());
    const std::size_t two = (one + 1 + random.below(networks.size() - 1)) % networks.size();
    const bool is_stranger = random.below(strangers_one_in) == 0;
    const Instant now{std::chrono::seconds{time}};
    Fact link{
        .ids = {id_of(person, one), id_of(is_stranger ? random.below(people) : person, two)},
        .first = now,
        .last = now,
        .recorded = now,
        .source = "bench"
    };
    seal(link);
    return link;
}

Guards guards() {
    Guards all;
    for (const char* const network : networks) {
        all.identifiers[network].per_profile = 1;
    }
    return all;
}

/// Facts, each once, and where each is.
class Facts {
public:
    Fact add(Fact fact) {
        const auto [at, is_new] = places_.try_emplace(text_of(fact.id), facts_.size());
        if (is_new) {
            facts_.push_back(std::move(fact));
        } else {
            merge(facts_[at->second], fact);
        }
        return facts_[at->second];
    }

    const std::vector<Fact>& all() const { return facts_; }

private:
    std::vector<Fact> facts_;
    std::unordered_map<std::string, std::size_t> places_;
};

/// Most ids that hang together, by links alone.
std::size_t largest_group(std::span<const Fact> facts) {
    Guards none{.profile_ids = facts.size() * 2 + 2, .shared_above = facts.size() * 2 + 2};
    std::size_t largest = 0;
    for (const Profile& each : resolve(facts, none).profiles) {
        largest = std::max(largest, each.members.size());
    }
    return largest;
}

class Hairball {
public:
    Hairball(const std::filesystem::path& folder, std::size_t ids)
        : people_{ids / networks.size()},
          inner_{must(storage_rocksdb::RocksStore::open(
              {.directory = folder,
               .tables = {all_tables.begin(), all_tables.end()},
               .sync_interval = std::chrono::milliseconds{100}},
              clock_,
              metrics_
          ))},
          store_{*inner_},
          settling_{store_, {.secret = secret, .guards = guards()}} {
        for (std::size_t person = 0; person < people_; ++person) {
            for (std::size_t link = 0; link < links_a_person; ++link) {
                const auto time = begin + static_cast<std::int64_t>(random_.below(end - begin));
                facts_.add(some_link(person, people_, time, random_));
            }
        }
        write();
    }

    ~Hairball() { inner_->close(); }

    Hairball(const Hairball&) = delete;
    Hairball& operator=(const Hairball&) = delete;

    void measure(std::size_t count) {
        const std::size_t group = largest_group(facts_.all());
        std::vector<std::uint64_t> looked_at;
        std::vector<Id> touched;
        std::size_t not_settled = 0;
        double cpu = 0;
        double worst_cpu = 0;
        const std::uint64_t rows_before = store_.rows_read();
        for (std::size_t number = 0; number < count; ++number) {
            const bool is_late = random_.below(late_one_in) == 0;
            const auto time = is_late
                                  ? begin + static_cast<std::int64_t>(random_.below(end - begin))
                                  : end + static_cast<std::int64_t>(number);
            const Fact said = facts_.add(some_link(random_.below(people_), people_, time, random_));
            const std::uint64_t before = settling_.links_looked_at();
            const double start = cpu_seconds();
            write_fact(said);
            not_settled += must(settling_.settle_each(said.ids, writer));
            const double took = cpu_seconds() - start;
            cpu += took;
            worst_cpu = std::max(worst_cpu, took);
            looked_at.push_back(settling_.links_looked_at() - before);
            touched.insert(touched.end(), said.ids.begin(), said.ids.end());
        }
        std::uint64_t sum = 0;
        for (const std::uint64_t each : looked_at) {
            sum += each;
        }
        const auto a_fact = [&](double all) { return all / static_cast<double>(count); };
        fmt::print(
            "| {} | {} | {} | {:.1f} | {} | {:.1f} | {:.0f} | {:.0f} | {} | {} |\n",
            people_ * networks.size(),
            facts_.all().size(),
            group,
            a_fact(static_cast<double>(sum)),
            *std::ranges::max_element(looked_at),
            a_fact(static_cast<double>(store_.rows_read() - rows_before)),
            a_fact(cpu) * 1e6,
            worst_cpu * 1e6,
            not_settled,
            wrong(touched)
        );
        std::fflush(stdout);
    }

private:
    static constexpr std::size_t at_once = 1000;

    /// All facts, and the profiles that follow from them.
    void write() {
        storage::Batch batch;
        std::size_t waiting = 0;
        const auto write_some = [&](bool all) {
            if (all || ++waiting == at_once) {
                must(storage::write_durably(*inner_, batch));
                batch = {};
                waiting = 0;
            }
        };
        for (const Fact& fact : facts_.all()) {
            add_rows({.writer = writer, .fact = fact}, batch);
            write_some(false);
        }
        const Resolution resolution = resolve(facts_.all(), guards());
        for (const Profile& profile : resolution.profiles) {
            const std::string sid = sid_of(secret, profile.named_after);
            add_anchor(sid, profile.named_after, batch);
            replace_profile(sid, {}, profile.members, batch);
            for (const Member& each : profile.members) {
                const bool shared = resolution.shared.contains(each.id);
                add_index_entry(each.id, {.sid = sid, .shared = shared}, {}, batch);
            }
            write_some(false);
        }
        for (const Contested& each : resolution.contested) {
            add_contested(each, batch);
            write_some(false);
        }
        write_some(true);
    }

    void write_fact(const Fact& fact) {
        std::vector<ToldFact> told{{.writer = writer, .fact = fact}};
        must(merge_with_rows(store_, told));
        storage::Batch batch;
        add_rows(told.front(), batch);
        must(storage::write_durably(store_, batch));
    }

    /// Of these ids, those that are in another profile than resolve() says.
    std::size_t wrong(std::vector<Id> touched) {
        arrange(touched);
        const Index index = must(read_index(*inner_, touched));
        std::size_t found = 0;
        for (const Profile& profile : resolve(facts_.all(), guards()).profiles) {
            const std::string sid = sid_of(secret, profile.named_after);
            for (const Member& each : profile.members) {
                if (std::ranges::binary_search(touched, each.id)) {
                    const auto at = index.find(each.id);
                    found += at == index.end() || at->second.sid != sid ? 1 : 0;
                }
            }
        }
        return found;
    }

    const std::size_t people_;
    const SystemClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> inner_;
    benchmarks::CountingStore store_;
    const Settling settling_;
    Random random_{1};
    Facts facts_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words{argv + 1, argv + argc};
    if (words.empty()) {
        fmt::print(stderr, "usage: identities_bench FOLDER [IDS] [FACTS]\n");
        return 2;
    }
    const std::size_t most = words.size() > 1 ? parse_unsigned(words[1]).value_or(0) : 1'000'000;
    const std::size_t facts = words.size() > 2 ? parse_unsigned(words[2]).value_or(0) : 1'000;
    fmt::print(
        "| ids | facts | ids of the largest group | links looked at a fact | worst | rows read a "
        "fact | "
        "CPU "
        "us a fact | worst | not settled | wrong |\n|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for (std::size_t ids = 1'000; ids <= most; ids *= 10) {
        const std::filesystem::path folder =
            std::filesystem::path{words.front()} / fmt::format("{}", ids);
        std::filesystem::create_directories(folder);
        Hairball{folder, ids}.measure(facts);
        std::filesystem::remove_all(folder);
    }
    return 0;
}
