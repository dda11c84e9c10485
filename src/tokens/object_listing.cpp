#include "tokens/object_listing.h"

#include "runtime/lanes.h"
#include "storage/blocking.h"
#include "tokens/schema.h"
#include "tokens/size_class.h"

#include <algorithm>
#include <functional>
#include <future>
#include <memory>
#include <queue>
#include <set>
#include <utility>

namespace footfall::tokens {
namespace {

constexpr std::size_t lane_count = runtime::Lanes<int>::count;
constexpr std::size_t object_column = 3;
constexpr std::size_t expires_column = 4;
constexpr std::size_t page_rows = 64;

/// Waits for the count of an object.
Result<Count> count_of(
    TokenCounters& counters, const CounterConfig& config, const std::string& object
) {
    if (auto now = counters.get_now(config, object)) {
        return *std::move(now);
    }
    auto answer = std::make_shared<std::promise<Result<Count>>>();
    std::future<Result<Count>> future = answer->get_future();
    counters.get(config, object, [answer](Result<Count> count) {
        answer->set_value(std::move(count));
    });
    return future.get();
}

/// The first names in a partition of the directory that are `after` or later.
storage::RangeQuery directory_query(
    const CounterConfig& config, std::int64_t size_class, std::size_t lane, const std::string& after
) {
    storage::RangeQuery query{
        .table = &token_object_table,
        .partition = {config.name, size_class, static_cast<std::int64_t>(lane)},
        .max_rows = page_rows
    };
    if (!after.empty()) {
        query.from = {after};
    }
    return query;
}

/// Walks the rows in one partition of the directory, in order of their names.
class DirectoryCursor {
public:
    DirectoryCursor(
        storage::Store& store,
        const TokenCounters& counters,
        storage::RangeQuery query,
        storage::Page first
    )
        : store_{&store},
          now_us_{counters.clock().now().time_since_epoch().count()},
          query_{std::move(query)},
          page_{std::move(first)} {}

    /// Moves to the next row; false at the end.
    Result<bool> next() {
        while (row_ == page_.rows.size()) {
            if (page_.continuation.empty()) {
                return false;
            }
            query_.continuation = std::move(page_.continuation);
            query_.max_rows = page_rows;
            TRY(page_, storage::read_page(*store_, query_));
            row_ = 0;
        }
        const std::int64_t expires = page_.rows.at(row_, expires_column).number();
        is_live_ = expires == 0 || expires > now_us_;
        name_ = page_.rows.at(row_, object_column).text();
        ++row_;
        return true;
    }

    const std::string& name() const { return name_; }

    /// Whether its object may have live tokens.
    bool is_live() const { return is_live_; }

private:
    storage::Store* store_;
    std::int64_t now_us_;
    storage::RangeQuery query_;
    storage::Page page_;
    std::size_t row_ = 0;
    std::string name_;
    bool is_live_ = false;
};

/// The rows that a listing may still look at, while somebody waits for it.
class Looks {
public:
    Looks(std::size_t most, const std::stop_token& stop) : left_{most}, stop_{&stop} {}

    /// False: that was the last one. `cancelled`: nobody waits any more.
    Result<bool> take() {
        if (stop_->stop_requested()) {
            return fail(ErrorKind::cancelled, "nobody waits for the list any more");
        }
        if (left_ == 0) {
            return false;
        }
        --left_;
        return true;
    }

private:
    std::size_t left_;
    const std::stop_token* stop_;
};

/// A cursor for each of the queries, their first pages read together.
Result<std::vector<DirectoryCursor>> open_cursors(
    storage::Store& store, const TokenCounters& counters, std::vector<storage::RangeQuery> queries
) {
    TRY(std::vector<storage::Page> pages, storage::read_pages(store, queries));
    std::vector<DirectoryCursor> cursors;
    cursors.reserve(queries.size());
    for (std::size_t at = 0; at < queries.size(); ++at) {
        cursors.emplace_back(store, counters, std::move(queries[at]), std::move(pages[at]));
    }
    return cursors;
}

bool larger(const ListedObject& left, const ListedObject& right) {
    return left.count.count != right.count.count ? left.count.count > right.count.count
                                                 : left.object < right.object;
}

/// The best `limit` objects seen so far.
class Best {
public:
    explicit Best(std::size_t limit) : limit_{limit} {}

    void offer(ListedObject candidate) {
        if (candidate.count.count == 0) {
            return;
        }
        const auto place = std::ranges::upper_bound(objects_, candidate, larger);
        objects_.insert(place, std::move(candidate));
        if (objects_.size() > limit_) {
            objects_.pop_back();
        }
    }

    /// Whether an object with at most `bound` tokens can no longer get in, names aside.
    bool settled_against(std::uint64_t bound) const {
        return objects_.size() == limit_ && !objects_.empty() &&
               objects_.back().count.count >= bound;
    }

    std::vector<ListedObject> take() { return std::move(objects_); }

private:
    std::size_t limit_;
    std::vector<ListedObject> objects_;
};

/// The rows of several cursors in order of their names.
class RowsByName {
public:
    static Result<RowsByName> open(std::vector<DirectoryCursor> cursors) {
        RowsByName rows;
        rows.cursors_ = std::move(cursors);
        for (std::size_t index = 0; index < rows.cursors_.size(); ++index) {
            TRY_VOID(rows.move(index));
        }
        return rows;
    }

    bool done() const { return next_.empty(); }

    /// Not once done.
    const DirectoryCursor& first() const { return cursors_[next_.top().second]; }

    Result<void> next() {
        const std::size_t index = next_.top().second;
        next_.pop();
        return move(index);
    }

private:
    using NameOfCursor = std::pair<std::string, std::size_t>;

    Result<void> move(std::size_t index) {
        TRY(const bool there, cursors_[index].next());
        if (there) {
            next_.emplace(cursors_[index].name(), index);
        }
        return {};
    }

    std::vector<DirectoryCursor> cursors_;
    std::priority_queue<NameOfCursor, std::vector<NameOfCursor>, std::greater<>> next_;
};

/// Of every class and lane, each from `after` on.
std::vector<storage::RangeQuery> queries_by_name(
    const CounterConfig& config, const std::string& after, std::size_t limit
) {
    std::vector<storage::RangeQuery> queries;
    for (std::int64_t size_class = 0; size_class <= top_size_class; ++size_class) {
        for (std::size_t lane = 0; lane < lane_count; ++lane) {
            // Twice a lane's part of what is asked for, where all objects are of one class.
            queries.push_back(directory_query(config, size_class, lane, after));
            queries.back().max_rows = std::clamp<std::size_t>(2 * limit / lane_count, 2, page_rows);
        }
    }
    return queries;
}

std::vector<storage::RangeQuery> queries_of_class(
    const CounterConfig& config, std::int64_t size_class
) {
    std::vector<storage::RangeQuery> queries;
    queries.reserve(lane_count);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        queries.push_back(directory_query(config, size_class, lane, {}));
    }
    return queries;
}

/// Offers the objects of all rows that were not seen yet. False: some were not looked at.
Result<bool> offer_rows(
    DirectoryCursor& cursor,
    TokenCounters& counters,
    const CounterConfig& config,
    Looks& looks,
    std::set<std::string>& seen,
    Best& best
) {
    for (;;) {
        TRY(const bool there, cursor.next());
        if (!there) {
            return true;
        }
        TRY(const bool may_look, looks.take());
        if (!may_look) {
            return false;
        }
        if (cursor.is_live() && seen.insert(cursor.name()).second) {
            TRY(const Count count, count_of(counters, config, cursor.name()));
            best.offer({.object = cursor.name(), .count = count});
        }
    }
}

}  // namespace

Result<ObjectsByName> list_by_name(
    storage::Store& store,
    TokenCounters& counters,
    const CounterConfig& config,
    const std::string& after,
    std::size_t limit,
    const std::stop_token& stop,
    std::size_t rows_max
) {
    TRY(std::vector<DirectoryCursor> cursors,
        open_cursors(store, counters, queries_by_name(config, after, limit)));
    TRY(RowsByName rows, RowsByName::open(std::move(cursors)));
    Looks looks{rows_max, stop};
    ObjectsByName listed;
    std::string name = after;  // of the row before
    std::string done = after;  // the name before that
    bool is_counted = true;    // an object may stand in several classes
    while (!rows.done()) {
        const DirectoryCursor& row = rows.first();
        if (row.name() > name) {
            TRY(const bool may_look, looks.take());
            if (!may_look) {
                listed.next = std::move(name);
                return listed;
            }
            done = std::exchange(name, row.name());
            is_counted = false;
        }
        if (row.is_live() && !std::exchange(is_counted, true)) {
            TRY(const Count count, count_of(counters, config, name));
            if (count.count > 0 && listed.objects.size() == limit) {
                listed.next = std::move(done);
                return listed;
            }
            if (count.count > 0) {
                listed.objects.push_back({.object = name, .count = count});
            }
        }
        TRY_VOID(rows.next());
    }
    return listed;
}

Result<LargestObjects> list_largest(
    storage::Store& store,
    TokenCounters& counters,
    const CounterConfig& config,
    std::size_t limit,
    const std::stop_token& stop,
    std::size_t rows_max
) {
    LargestObjects largest;
    Best best{limit};
    Looks looks{rows_max, stop};
    std::set<std::string> seen;
    for (std::int64_t size_class = top_size_class; size_class >= 0 && largest.complete;
         --size_class) {
        if (best.settled_against(size_class_bound(size_class))) {
            break;
        }
        TRY(std::vector<DirectoryCursor> cursors,
            open_cursors(store, counters, queries_of_class(config, size_class)));
        for (DirectoryCursor& cursor : cursors) {
            TRY(largest.complete, offer_rows(cursor, counters, config, looks, seen, best));
            if (!largest.complete) {
                break;
            }
        }
    }
    largest.objects = best.take();
    return largest;
}

}  // namespace footfall::tokens
