#include "storage_testing/contract_parts.h"
#include "storage_testing/store_contract.h"

#include <gmock/gmock.h>

#include <chrono>
#include <limits>

namespace footfall::storage {

using testing::ElementsAre;
using testing::IsEmpty;

void link_contract_expiry() {}

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t second = 1'000'000;

Row mark(const char* name, std::int64_t expires) {
    return {"page", std::int64_t{0}, name, expires};
}

Row visa(std::int64_t number, std::int64_t until) {
    return {std::int64_t{1}, number, until, "note"};
}

}  // namespace

TEST_P(StoreContract, a_row_is_not_reclaimed_within_the_hour_after_its_time) {
    const std::int64_t expires = now() + 10 * second;
    Batch batch;
    batch.upsert(marks, views_of(mark("a", expires)));
    batch.upsert(visas, views_of(visa(1, expires)));
    write(batch);
    for (const auto step : std::vector<std::chrono::microseconds>{0us, 10s, 1us, 1h - 2us}) {
        clock().advance(step);
        subject().reclaim();
        EXPECT_EQ(row_at(marks, {"page", std::int64_t{0}, "a"}), mark("a", expires));
        EXPECT_EQ(row_at(visas, {std::int64_t{1}, std::int64_t{1}}), visa(1, expires));
        EXPECT_THAT(
            all_rows(store(), partition_query(marks, {"page", std::int64_t{0}})),
            ElementsAre(mark("a", expires))
        );
    }
}

TEST_P(StoreContract, rows_that_never_expire_or_not_yet_are_never_reclaimed) {
    const std::vector<std::int64_t> moments{
        0, now() + 24 * 30 * hour, std::numeric_limits<std::int64_t>::max()
    };
    Batch batch;
    std::vector<Row> kept_visas;
    for (const std::int64_t moment : moments) {
        const auto number = -static_cast<std::int64_t>(kept_visas.size());
        kept_visas.push_back(visa(number, moment));
        batch.upsert(visas, views_of(kept_visas.back()));
    }
    const std::vector<Row> kept_marks{
        mark("a", moments[0]), mark("b", moments[1]), mark("c", moments[2])
    };
    for (const Row& row : kept_marks) {
        batch.upsert(marks, views_of(row));
    }
    const Row setting{std::int64_t{1}, "tables without expiry keep all"};
    batch.upsert(settings, views_of(setting));
    write(batch);
    clock().advance(20 * 24h);
    subject().reclaim();
    EXPECT_EQ(all_rows(store(), partition_query(visas, {std::int64_t{1}})), kept_visas);
    EXPECT_EQ(all_rows(store(), partition_query(marks, {"page", std::int64_t{0}})), kept_marks);
    EXPECT_EQ(row_at(settings, {std::int64_t{1}}), setting);
}

TEST_P(StoreContract, a_later_expiry_takes_the_place_of_an_earlier_one) {
    const std::int64_t late = now() + 1000 * hour;
    for (const std::int64_t expires : {now() + second, std::int64_t{0}, now() + second, late}) {
        Batch batch;
        batch.upsert(marks, views_of(mark("a", expires)));
        batch.upsert(visas, views_of(visa(1, expires)));
        write(batch);
    }
    clock().advance(100h);
    subject().reclaim();
    EXPECT_EQ(row_at(marks, {"page", std::int64_t{0}, "a"}), mark("a", late));
    EXPECT_EQ(row_at(visas, {std::int64_t{1}, std::int64_t{1}}), visa(1, late));
}

// A store that forgets only the newest version of an expired row lets the one below shine through.
TEST_P(StoreContract, an_expired_row_never_gives_way_to_what_it_replaced) {
    Batch batch;
    batch.upsert(marks, views_of(mark("a", 0)));
    batch.upsert(visas, views_of(visa(1, 0)));
    write(batch);
    subject().reclaim();
    batch.clear();
    const std::int64_t long_ago = now() - 100 * hour;
    batch.upsert(marks, views_of(mark("a", long_ago)));
    batch.upsert(visas, views_of(visa(1, long_ago)));
    write(batch);
    for (int round = 0; round < 3; ++round, clock().advance(1h)) {
        const auto marked = row_at(marks, {"page", std::int64_t{0}, "a"});
        EXPECT_TRUE(!marked || *marked == mark("a", long_ago));
        const auto given = row_at(visas, {std::int64_t{1}, std::int64_t{1}});
        EXPECT_TRUE(!given || *given == visa(1, long_ago));
        subject().reclaim();
        if (round == 1) {
            subject().reopen();
        }
    }
}

TEST_P(StoreContract, an_hour_after_their_time_rows_are_reclaimed) {
    const std::int64_t expires = now() + second;
    Batch batch;
    batch.upsert(marks, views_of(mark("expires", expires)));
    batch.upsert(marks, views_of(mark("stays", 0)));
    batch.upsert(visas, views_of(visa(1, expires)));
    batch.upsert(visas, views_of(visa(2, std::numeric_limits<std::int64_t>::min())));
    write(batch);
    clock().advance(1h + 2s);
    if (!subject().reclaim()) {
        return;  // reclaims when it sees fit, and says so
    }
    EXPECT_THAT(
        all_rows(store(), partition_query(marks, {"page", std::int64_t{0}})),
        ElementsAre(mark("stays", 0))
    );
    EXPECT_THAT(all_rows(store(), partition_query(visas, {std::int64_t{1}})), IsEmpty());
    put(visas, visa(1, now() + hour));
    EXPECT_EQ(row_at(visas, {std::int64_t{1}, std::int64_t{1}}), visa(1, now() + hour));
}

TEST_P(StoreContract, only_rows_of_forgotten_records_go_with_them) {
    constexpr std::int64_t log = -7;  // as all 64 bits of an id are kept
    const auto sight = [](const char* name, std::int64_t of, std::int64_t lane, std::int64_t at) {
        return Row{name, std::int64_t{0}, of, lane, at, std::int64_t{0}};
    };
    const std::vector<Row> kept{
        sight("behind", log, 1, 3), sight("elsewhere", log, 2, 0), sight("other log", 8, 1, 0)
    };
    const std::vector<Row> gone{sight("first", log, 1, 0), sight("last", log, 1, 2)};
    Batch batch;
    for (const Row& row : kept) {
        batch.upsert(sights, views_of(row));
    }
    for (const Row& row : gone) {
        batch.upsert(sights, views_of(row));
    }
    batch.upsert(sights, views_of(sight("again", log, 1, 1)));
    write(batch);
    const auto forget = [&](std::uint64_t before) {
        store().forget_records(static_cast<std::uint64_t>(log), 1, before);
    };
    forget(3);
    forget(1);  // what is forgotten stays so
    put(sights, sight("again", log, 1, 4));
    const bool reclaims = subject().reclaim();
    for (const Row& row : kept) {
        EXPECT_EQ(row_at(sights, {row[0], row[1]}), row);
    }
    EXPECT_EQ(row_at(sights, {"again", std::int64_t{0}}), sight("again", log, 1, 4));
    for (const Row& row : gone) {
        const auto found = row_at(sights, {row[0], row[1]});
        EXPECT_TRUE(!found || (!reclaims && *found == row));
    }
}

}  // namespace footfall::storage
