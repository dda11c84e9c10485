// The tables of events follow from the judged log alone: what a program wrote that counted, was
// short of memory, ended and was killed, two programs write again that read its log in other
// portions, with other memory and other ends. Every row is the same, byte by byte.

#include "deployment/event_parts.h"
#include "events/event_keys.h"
#include "events/verdict.h"
#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "intake/schema.h"
#include "jobs/list.h"
#include "journal_rocksdb/store_log.h"
#include "metrics/metrics.h"
#include "runtime/memory_shares.h"
#include "sketches/sketch.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage_rocksdb/rocks_store.h"
#include "test_support/must.h"
#include "test_support/random_seed.h"
#include "views/ranking.h"
#include "views/schema.h"
#include "views_of.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using test_support::must;

constexpr SipKey secret{0x0123456789abcdef, 0xfedcba9876543210};
constexpr Instant beginning{1'790'000'000s};
const std::array<const jobs::Registered*, 1> only_views{&views::routes::job};
constexpr std::uint16_t sketch_key = 1;  ///< As EventParts says it.

using Row = std::vector<storage::Value>;
using AllRows = std::map<std::string, std::vector<Row>>;  ///< By table.

/// Records of each lane.
using Log = std::vector<std::vector<std::string>>;

/// A data directory, and the program that has it open.
class Program {
public:
    Program(const ManualClock& clock, std::size_t views_bytes)
        : clock_{&clock}, views_memory_{views_bytes} {
        open_store();
    }

    ~Program() { crash(); }

    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    storage::Store& store() { return *store_; }

    deployment::EventParts& parts() { return *parts_; }

    void open(bool judges) {
        parts_ = must(deployment::EventParts::open(
            *store_,
            *clock_,
            {.secret = secret,
             .judges = judges,
             .jobs = only_views,
             .jobs_memory = {&views_memory_},
             .rates_bytes = 128 << 10,
             .repeats_memory = &repeats_memory_}
        ));
    }

    /// Ends as it should: all is written.
    void close() {
        parts_->close();
        crash();
        open_store();
    }

    /// Ends without writing what memory has.
    void crash() {
        read_ += parts_ ? views_of(*parts_).figures().rows_read : 0;
        store_->close();
        parts_.reset();
    }

    void restart_after_crash() {
        crash();
        open_store();
    }

    std::uint64_t rows_read() const { return read_; }

private:
    void open_store() {
        auto tables = deployment::EventParts::tables(jobs::all());
        tables.push_back(&storage::deployment_table);
        store_.reset();
        store_ = must(storage_rocksdb::RocksStore::open(
            {.directory = directory_ / "data", .tables = std::move(tables)}, *clock_, metrics_
        ));
    }

    const ManualClock* clock_;
    runtime::MemoryShare views_memory_;
    runtime::MemoryShare repeats_memory_{128 << 10};
    const TemporaryDirectory directory_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::unique_ptr<deployment::EventParts> parts_;
    std::uint64_t read_ = 0;
};

/// Few objects that many people see and many that few do, over days, in no order; some events come
/// twice, some ids are used for two.
class Traffic {
public:
    explicit Traffic(Random& random) : random_{&random} {}

    std::vector<events::Event> batch(Instant now) {
        std::vector<events::Event> events(1 + random_->below(400));
        for (events::Event& event : events) {
            if (!sent_.empty() && random_->below(20) == 0) {
                event = sent_[random_->below(sent_.size())];
                if (random_->below(4) == 0) {
                    event.actor += "-other";
                }
                continue;
            }
            event = one(now);
            sent_.push_back(event);
        }
        return events;
    }

private:
    events::Event one(Instant now) {
        const bool crowded = random_->below(3) == 0;
        const std::uint64_t object = crowded ? random_->below(2) : 2 + random_->below(300);
        return {
            .id = random_->below(2) == 0 ? fmt::format("e{}", sent_.size()) : "",
            .time = now - std::chrono::seconds{random_->below(3 * 86'400)},
            .action = random_->below(6) == 0 ? "click" : "view",
            .object = fmt::format("/articles/{}", object),
            .actor = random_->below(20) == 0
                         ? ""
                         : fmt::format("u{}", random_->below(crowded ? 5000 : 40))
        };
    }

    Random* random_;
    std::vector<events::Event> sent_;
};

/// Sends events again, as their senders would, while there is no room for what they touch: then
/// some stand in the log twice, and count as often.
storage::CommitPosition take(
    Program& program, const std::vector<events::Event>& events, Instant now
) {
    for (;;) {
        const auto taken = program.parts().intake().collect({.events = events, .arrival = now});
        if (taken || taken.error().kind != ErrorKind::overloaded) {
            return must(taken).position;
        }
        must(views_of(program.parts()).flush_all());
    }
}

/// Takes events, writes behind, ends, is killed, and at last has written everything.
void count_live(Program& program, ManualClock& clock, Random& random) {
    Traffic traffic{random};
    for (int run = 0; run < 6; ++run) {
        program.open(true);
        for (int batch = 0; batch < 10; ++batch) {
            const auto position = take(program, traffic.batch(clock.now()), clock.now());
            must(storage::wait_durable(program.store(), position));
            clock.advance(std::chrono::milliseconds{random.below(4000)});
            if (random.below(3) == 0) {
                must(views_of(program.parts()).flush());
            }
        }
        if (random.below(2) == 0) {
            program.close();
        } else {
            program.restart_after_crash();
        }
    }
    program.open(false);
    program.close();
}

Log log_of(Program& program) {
    const auto log = must(journal_rocksdb::StoreLog::open(program.store()));
    Log lanes(log->lanes());
    for (std::uint32_t lane = 0; lane < log->lanes(); ++lane) {
        for (std::uint64_t next = 0;;) {
            const journal::Records records = must(log->read(lane, next, {}));
            for (std::size_t at = 0; at < records.size(); ++at) {
                lanes[lane].emplace_back(records[at]);
            }
            if (records.empty()) {
                break;
            }
            next = records.next();
        }
    }
    return lanes;
}

/// The program's log becomes the one that `original` has; nothing is in it yet.
void take_name(Program& program, Program& original) {
    const storage::Rows id = must(storage::read_all(
        original.store(),
        {.table = &storage::deployment_table, .partition = {std::string{"log_id"}}}
    ));
    ASSERT_EQ(id.size(), 1U);
    storage::Batch batch;
    batch.upsert(storage::deployment_table, {id.at(0, 0), id.at(0, 1)});
    must(storage::write_durably(program.store(), batch));
}

/// Gives the log to the program in `portions`; after each it reads what is new, counts it, and ends
/// in some way.
void replay(Program& program, const Log& log, int portions, Random& random) {
    std::vector<std::size_t> given(log.size());
    for (int portion = 1; portion <= portions; ++portion) {
        const auto into = must(journal_rocksdb::StoreLog::open(program.store()));
        for (std::uint32_t lane = 0; lane < log.size(); ++lane) {
            const std::size_t left = log[lane].size() - given[lane];
            const std::size_t some = portion == portions ? left : random.below(left + 1);
            for (std::size_t at = 0; at < some; ++at) {
                const std::string_view record = log[lane][given[lane] + at];
                must(into->append(lane, {&record, 1}));
            }
            given[lane] += some;
        }
        program.restart_after_crash();
        program.open(false);
        if (portion == portions || random.below(2) == 0) {
            program.close();
        } else {
            must(views_of(program.parts()).flush_all());  // and no checkpoint
            program.restart_after_crash();
        }
    }
}

/// Whatever follows from the log: all partitions that its events have rows in.
class Partitions {
public:
    explicit Partitions(const Log& log) {
        for (const std::vector<std::string>& lane : log) {
            for (const std::string& record : lane) {
                const events::LogRecord read = must(events::read_record(record));
                if (const auto* const judged = std::get_if<events::JudgedEvent>(&read)) {
                    add(judged->event);
                }
            }
        }
    }

    AllRows rows_of(Program& program) const {
        AllRows rows;
        for (const auto& [table, partition] : partitions_) {
            const storage::Rows read =
                must(storage::read_all(program.store(), {.table = table, .partition = partition}));
            for (std::size_t row = 0; row < read.size(); ++row) {
                Row& values = rows[std::string{table->name}].emplace_back();
                for (std::size_t column = 0; column < table->width(); ++column) {
                    values.push_back(read.at(row, column).owned());
                }
            }
        }
        return rows;
    }

private:
    void add(const events::Event& event) {
        const events::EventKeys keys = events::keys_of(event, secret);
        const auto person = static_cast<std::int64_t>(keys.person.value_or(0));
        for (const std::string& object : {event.object, std::string{views::all_objects}}) {
            partitions_.emplace(&views::view_day_table, Row{event.action, object});
            partitions_.emplace(&views::view_total_table, Row{event.action, object});
        }
        for (std::int64_t size_class = 0; size_class <= views::top_size_class; ++size_class) {
            for (const views::RankBy by : {views::RankBy::people, views::RankBy::views}) {
                partitions_.emplace(
                    &views::view_rank_table,
                    Row{event.action,
                        std::string{views::name_of(by)},
                        size_class,
                        std::int64_t{keys.lane}}
                );
            }
        }
        partitions_.emplace(&intake::event_by_id_table, Row{static_cast<std::int64_t>(keys.id)});
        partitions_.emplace(&intake::guard_seen_table, Row{event.action, event.object, person});
    }

    std::set<std::pair<const storage::Table*, Row>> partitions_;
};

std::string text_of(const Row& row) {
    std::string text;
    for (const storage::Value& value : row) {
        const auto* const number = std::get_if<std::int64_t>(&value);
        text += number != nullptr ? fmt::format("{} ", *number)
                                  : fmt::format("{:?} ", std::get<std::string>(value));
    }
    return text;
}

void expect_same(const AllRows& rows, const AllRows& of_live) {
    for (const auto& [table, expected] : of_live) {
        const auto found = rows.find(table);
        ASSERT_TRUE(found != rows.end()) << table;
        EXPECT_EQ(found->second.size(), expected.size()) << table;
        std::size_t different = 0;
        for (std::size_t at = 0; at < std::min(found->second.size(), expected.size()); ++at) {
            if (found->second[at] != expected[at] && ++different == 1) {
                ADD_FAILURE() << table << ": " << text_of(found->second[at]) << "\nwas written as "
                              << text_of(expected[at]);
            }
        }
        EXPECT_EQ(different, 0U) << "of " << expected.size() << " rows of " << table;
    }
}

std::size_t with_registers(const AllRows& rows) {
    std::size_t count = 0;
    for (const Row& row : rows.at("view_day")) {
        const auto people = must(sketches::Sketch::read(std::get<std::string>(row[8]), sketch_key));
        count += people.tokens() ? 0 : 1;
    }
    return count;
}

TEST(Replay, of_one_log_gives_the_same_rows_byte_by_byte_as_often_as_it_is_done) {
    Random random{test_support::random_seed()};
    ManualClock clock{beginning};
    Program live{clock, 256 << 10};
    count_live(live, clock, random);
    const Log log = log_of(live);
    const Partitions partitions{log};
    const AllRows rows = partitions.rows_of(live);
    EXPECT_GT(live.rows_read(), 1000U) << "rows left memory and were read again";
    EXPECT_GE(with_registers(rows), 4U) << "more people than are kept one by one";

    for (const auto& [views_bytes, portions] : {std::pair{16U << 20, 1}, std::pair{64U << 10, 3}}) {
        SCOPED_TRACE(fmt::format("{} bytes, {} portions", views_bytes, portions));
        Program again{clock, views_bytes};
        take_name(again, live);
        replay(again, log, portions, random);
        expect_same(partitions.rows_of(again), rows);
    }
}

}  // namespace
}  // namespace footfall
