#include "tokens/object_listing.h"

#include "runtime/lanes.h"
#include "storage/blocking.h"
#include "tokens/schema.h"
#include "tokens/size_class.h"

#include <algorithm>
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

/// Walks the names in one partition of the directory, in order, skipping rows that have expired.
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

    /// Moves to the next name; false at the end.
    Result<bool> next() {
        for (;;) {
            if (row_ < page_.rows.size()) {
                const std::int64_t expires = page_.rows.at(row_, expires_column).number();
                name_ = page_.rows.at(row_, object_column).text();
                ++row_;
                if (expires == 0 || expires > now_us_) {
                    return true;
                }
                continue;
            }
            if (page_.continuation.empty()) {
                return false;
            }
            query_.continuation = std::move(page_.continuation);
            query_.max_rows = page_rows;
            TRY(page_, storage::read_page(*store_, query_));
            row_ = 0;
        }
    }

    const std::string& name() const { return name_; }

private:
    storage::Store* store_;
    std::int64_t now_us_;
    storage::RangeQuery query_;
    storage::Page page_;
    std::size_t row_ = 0;
    std::string name_;
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

}  // namespace

Result<ObjectsByName> list_by_name(
    storage::Store& store,
    TokenCounters& counters,
    const CounterConfig& config,
    const std::string& after,
    std::size_t limit
) {
    std::vector<storage::RangeQuery> queries;
    for (std::int64_t size_class = 0; size_class <= top_size_class; ++size_class) {
        for (std::size_t lane = 0; lane < lane_count; ++lane) {
            // Twice a lane's part of what is asked for, where all objects are of one class.
            queries.push_back(directory_query(config, size_class, lane, after));
            queries.back().max_rows = std::clamp<std::size_t>(2 * limit / lane_count, 2, page_rows);
        }
    }
    TRY(std::vector<DirectoryCursor> cursors, open_cursors(store, counters, std::move(queries)));
    const auto later = [&](std::size_t left, std::size_t right) {
        return cursors[left].name() > cursors[right].name();
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> next{later};
    for (std::size_t index = 0; index < cursors.size(); ++index) {
        TRY(const bool there, cursors[index].next());
        if (there) {
            next.push(index);
        }
    }
    ObjectsByName listed;
    std::string last = after;
    while (!next.empty()) {
        const std::size_t index = next.top();
        const std::string name = cursors[index].name();
        if (name > last) {  // an object may stand in several classes
            TRY(Count count, count_of(counters, config, name));
            if (count.count > 0) {
                if (listed.objects.size() == limit) {
                    listed.more = true;
                    return listed;
                }
                listed.objects.push_back({.object = name, .count = count});
            }
            last = name;
        }
        next.pop();
        TRY(const bool there, cursors[index].next());
        if (there) {
            next.push(index);
        }
    }
    return listed;
}

Result<LargestObjects> list_largest(
    storage::Store& store,
    TokenCounters& counters,
    const CounterConfig& config,
    std::size_t limit,
    std::size_t examined_max
) {
    LargestObjects largest;
    Best best{limit};
    std::set<std::string> seen;
    for (std::int64_t size_class = top_size_class; size_class >= 0; --size_class) {
        if (best.settled_against(size_class_bound(size_class))) {
            break;
        }
        std::vector<storage::RangeQuery> queries;
        queries.reserve(lane_count);
        for (std::size_t lane = 0; lane < lane_count; ++lane) {
            queries.push_back(directory_query(config, size_class, lane, {}));
        }
        TRY(std::vector<DirectoryCursor> cursors,
            open_cursors(store, counters, std::move(queries)));
        for (DirectoryCursor& cursor : cursors) {
            for (;;) {
                TRY(const bool there, cursor.next());
                if (!there) {
                    break;
                }
                if (!seen.insert(cursor.name()).second) {
                    continue;
                }
                if (seen.size() > examined_max) {
                    largest.objects = best.take();
                    largest.complete = false;
                    return largest;
                }
                TRY(Count count, count_of(counters, config, cursor.name()));
                best.offer({.object = cursor.name(), .count = count});
            }
        }
    }
    largest.objects = best.take();
    return largest;
}

}  // namespace footfall::tokens
