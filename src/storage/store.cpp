#include "storage/store.h"

#include "foundation/check.h"
#include "storage/blocking.h"

#include <memory>
#include <mutex>
#include <utility>

namespace footfall::storage {
namespace {

/// What several ranges answered so far.
struct RangePages {
    RangePages(std::size_t count, PagesDone told)
        : done{std::move(told)}, open{count}, pages(count) {}

    PagesDone done;
    std::mutex mutex;  // guards the others
    std::size_t open;
    std::vector<std::optional<Result<Page>>> pages;

    /// Whether it was the last one.
    bool take(std::size_t at, Result<Page> page) {
        const std::scoped_lock lock{mutex};
        pages[at] = std::move(page);
        return --open == 0;
    }

    /// All of them, once the last one is there.
    Result<std::vector<Page>> all() {
        std::vector<Page> taken;
        taken.reserve(pages.size());
        for (std::optional<Result<Page>>& each : pages) {
            CHECK(each.has_value(), "none is missing");
            TRY(Page page, *std::move(each));
            taken.push_back(std::move(page));
        }
        return taken;
    }
};

}  // namespace

void Store::read_ranges(std::vector<RangeQuery> queries, PagesDone done) {
    if (queries.empty()) {
        done(std::vector<Page>{});
        return;
    }
    const auto pages = std::make_shared<RangePages>(queries.size(), std::move(done));
    for (std::size_t at = 0; at < queries.size(); ++at) {
        read_range(std::move(queries[at]), [pages, at](Result<Page> page) {
            if (pages->take(at, std::move(page))) {
                pages->done(pages->all());
            }
        });
    }
}

Result<std::vector<Value>> Store::insert_new(const Table& table, std::vector<Value> row) {
    CHECK(row.size() == table.width() && table.expires.empty(), "a whole row that stays");
    const auto key_end = row.begin() + static_cast<std::ptrdiff_t>(table.key_width());
    const std::scoped_lock alone{inserting_};
    TRY(auto there, read_one(*this, table, {row.begin(), key_end}));
    if (there) {
        return *std::move(there);
    }
    Batch batch;
    batch.upsert(table, views_of(row));
    TRY_VOID(write_durably(*this, batch));
    return row;
}

}  // namespace footfall::storage
