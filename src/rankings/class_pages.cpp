#include "rankings/class_pages.h"

#include "foundation/check.h"
#include "rankings/schema.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"
#include "storage/wait_for.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace footfall::rankings {
namespace {

using storage::Page;
using storage::RangeQuery;

/// Of a page: 64 lanes of four days are 8 MiB then, if names are long and many.
constexpr std::size_t page_bytes = 32 << 10;

using PagesOfDays = std::vector<std::vector<Page>>;

std::vector<RangeQuery> lanes_of(
    const RankedBy& by, std::int64_t day, int size_class, std::size_t max_rows
) {
    std::vector<RangeQuery> queries;
    queries.reserve(runtime::lane_count);
    for (std::size_t lane = 0; lane < runtime::lane_count; ++lane) {
        queries.push_back(
            {.table = &rank_day_table,
             .partition =
                 {std::string{by.job},
                  std::string{by.action},
                  std::string{by.sort},
                  day,
                  std::int64_t{size_class},
                  static_cast<std::int64_t>(lane)},
             .max_rows = max_rows,
             .max_bytes = page_bytes}
        );
    }
    return queries;
}

/// What the days answered so far. Shared with completions, which may come when nobody waits.
struct Gathering {
    std::mutex mutex;  // guards the others
    std::size_t open = 0;
    std::vector<std::optional<Result<std::vector<Page>>>> days;

    Result<PagesOfDays> all() {
        PagesOfDays taken;
        for (std::optional<Result<std::vector<Page>>>& each : days) {
            CHECK(each.has_value(), "none is missing");
            TRY(std::vector<Page> pages, *std::move(each));
            taken.push_back(std::move(pages));
        }
        return taken;
    }
};

/// By a store to which each question is a way over a network.
Result<PagesOfDays> read_together(
    storage::Store& store, const std::vector<std::vector<RangeQuery>>& asked
) {
    auto answer = storage::wait_for<PagesOfDays>(storage::default_patience, [&](const auto& done) {
        const auto gathering = std::make_shared<Gathering>();
        gathering->open = asked.size();
        gathering->days.resize(asked.size());
        for (std::size_t day = 0; day < asked.size(); ++day) {
            store.read_ranges(asked[day], [gathering, day, done](Result<std::vector<Page>> pages) {
                std::unique_lock lock{gathering->mutex};
                gathering->days[day] = std::move(pages);
                if (--gathering->open == 0) {
                    lock.unlock();
                    done(gathering->all());
                }
            });
        }
    });
    if (!answer) {
        return storage::too_late(ErrorKind::timed_out, "ranks of days", storage::default_patience);
    }
    return *std::move(answer);
}

/// By a store that has its rows at hand: this thread reads them, one after the other.
Result<PagesOfDays> read_here(
    storage::Store& store, const std::vector<std::vector<RangeQuery>>& asked
) {
    PagesOfDays days;
    for (const std::vector<RangeQuery>& queries : asked) {
        std::vector<Page>& pages = days.emplace_back();
        for (const RangeQuery& query : queries) {
            TRY(Page page, storage::read_page(store, query));
            pages.push_back(std::move(page));
        }
    }
    return days;
}

}  // namespace

Result<std::vector<ClassPages>> read_class_pages(
    storage::Store& store,
    const RankedBy& by,
    std::span<const std::int64_t> days,
    int size_class,
    std::size_t max_rows
) {
    std::vector<std::vector<RangeQuery>> asked;
    asked.reserve(days.size());
    for (const std::int64_t day : days) {
        asked.push_back(lanes_of(by, day, size_class, max_rows));
    }
    if (asked.empty()) {
        return std::vector<ClassPages>{};
    }
    const bool is_here = store.read_range_here(asked.front().front()).has_value();
    TRY(PagesOfDays pages, is_here ? read_here(store, asked) : read_together(store, asked));
    std::vector<ClassPages> read;
    read.reserve(asked.size());
    for (std::size_t day = 0; day < asked.size(); ++day) {
        read.push_back({.queries = std::move(asked[day]), .pages = std::move(pages[day])});
    }
    return read;
}

}  // namespace footfall::rankings
