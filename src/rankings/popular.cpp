// Why the walk may stop. Of an object x let n(d) be its number of day d, and N its number in the
// window: N <= sum of n(d) over the D days that the window touches (PopularSources::figures).
//
//   (I) On day d, x has rows in every class from 0 to the class of n(d) (append_rank_rows writes
//       those that were passed in between, too; rows in higher classes stay when n(d) shrinks).
//
// When all rows of classes >= k of all D days have been read and x was not among them, then by (I)
// the class of n(d) is below k on each day: n(d) <= 4^k - 1, and N <= D (4^k - 1) = B(k).
//
// Let L be the list made of all that were asked: by number, equal ones by name, leaving out who is
// one too many of their site, until there are `limit`. If L is full and its last number is above
// B(k), each object that was not seen sorts behind the last of L. A list made of all objects takes
// them in the same order, so by the time it comes to one that was not seen it has taken just what
// L has, is full, and L is it. An equal number would not do: a name could come before the last one.
// If B(k) is below `least`, nobody who was not seen may be shown, and L is the list, full or not.
// k = 0 has B = 0 < least, so the walk ends there at the latest.
//
// A highest class that the caller knew may be too low by now: by (I) those above stand in it as
// well, so they are seen and nothing above changes.

#include "rankings/popular.h"

#include "foundation/check.h"
#include "rankings/class_pages.h"
#include "rankings/site_limit.h"
#include "rankings/size_class.h"
#include "storage/blocking.h"

#include <algorithm>
#include <set>
#include <utility>

namespace footfall::rankings {
namespace {

constexpr std::size_t days_at_once = 4;
constexpr std::size_t rows_a_page = 256;

/// The column of rank_day that names the object.
constexpr std::size_t object_column = 6;

class Walk {
public:
    Walk(
        storage::Store& store,
        const PopularQuestion& question,
        const PopularSources& sources,
        std::stop_token stop
    )
        : store_{store}, question_{question}, sources_{sources}, stop_{std::move(stop)} {
        days_.reserve(question.days.count());
        // The latest first: if not all can be asked, what is of today rather than of last week.
        for (std::int64_t day = question.days.last; day >= question.days.first; --day) {
            days_.push_back(day);
        }
    }

    Result<PopularList> go() {
        int next = question_.highest_class.value_or(-1);
        if (next < 0) {
            TRY(next, find_highest());
        }
        list_.highest_class = std::min(next, top_size_class);
        bool is_settled = false;
        for (next = list_.highest_class; next >= 0 && list_.complete && !is_settled; --next) {
            TRY_VOID(read_class(next));
            TRY_VOID(ask());
            is_settled = is_settled_below(next);
        }
        make_list();
        list_.asked = found_.size();
        return std::move(list_);
    }

private:
    /// By (I) classes are full up to the highest, so halving finds it.
    Result<int> find_highest() {
        int some = -1;
        int none = top_size_class + 1;
        while (none - some > 1) {
            const int middle = some + (none - some) / 2;
            TRY(const bool is_some, has_rows(middle));
            (is_some ? some : none) = middle;
        }
        return some;
    }

    Result<bool> has_rows(int size_class) {
        bool found = false;
        TRY_VOID(for_days(size_class, 1, [&](std::vector<ClassPages>& read) -> Result<bool> {
            for (const ClassPages& day : read) {
                found |= std::ranges::any_of(day.pages, [](const storage::Page& page) {
                    return !page.rows.empty();
                });
            }
            return !found;
        }));
        return found;
    }

    /// Calls `take` with some days at a time; it answers whether to go on.
    template <class Take>
    Result<void> for_days(int size_class, std::size_t max_rows, const Take& take) {
        for (std::size_t begin = 0; begin < days_.size(); begin += days_at_once) {
            if (stop_.stop_requested()) {
                return fail(ErrorKind::cancelled, "nobody waits for the ranking any more");
            }
            const std::span some{
                std::span{days_}.subspan(begin, std::min(days_at_once, days_.size() - begin))
            };
            TRY(std::vector<ClassPages> read,
                read_class_pages(store_, question_.by, some, size_class, max_rows));
            TRY(const bool go_on, take(read));
            if (!go_on) {
                break;
            }
        }
        return {};
    }

    /// Notes who is new in a class.
    Result<void> read_class(int size_class) {
        return for_days(
            size_class,
            rows_a_page,
            [&](std::vector<ClassPages>& read) -> Result<bool> {
                for (ClassPages& day : read) {
                    for (std::size_t lane = 0; lane < day.pages.size() && list_.complete; ++lane) {
                        TRY_VOID(take_lane(lane, day.queries[lane], std::move(day.pages[lane])));
                    }
                }
                return list_.complete;
            }
        );
    }

    Result<void> take_lane(std::size_t lane, storage::RangeQuery& query, storage::Page page) {
        while (true) {
            for (std::size_t row = 0; row < page.rows.size(); ++row) {
                const std::string_view object = page.rows.at(row, object_column).text();
                if (seen_.contains(object)) {
                    continue;
                }
                if (seen_.size() == question_.asked_most) {
                    list_.complete = false;
                    return {};
                }
                new_.push_back({.object = *seen_.emplace(object).first, .lane = lane});
            }
            if (page.continuation.empty()) {
                return {};
            }
            query.continuation = std::move(page.continuation);
            TRY(page, storage::read_page(store_, query));
        }
    }

    Result<void> ask() {
        if (new_.empty()) {
            return {};
        }
        TRY(const std::vector<std::uint64_t> numbers, sources_.figures(new_));
        CHECK(numbers.size() == new_.size(), "a number each", numbers.size(), new_.size());
        for (std::size_t at = 0; at < new_.size(); ++at) {
            found_.push_back(
                {.object = std::string{new_[at].object},
                 .lane = new_[at].lane,
                 .number = numbers[at]}
            );
        }
        new_.clear();
        std::ranges::sort(found_, [](const PopularObject& left, const PopularObject& right) {
            return left.number != right.number ? left.number > right.number
                                               : left.object < right.object;
        });
        return {};
    }

    void make_list() {
        list_.objects.clear();
        SiteLimit sites{question_.per_site, sources_.site};
        for (const PopularObject& each : found_) {
            if (list_.objects.size() == question_.limit || each.number < question_.least) {
                return;
            }
            if (sites.take(each.object)) {
                list_.objects.push_back(each);
            }
        }
    }

    /// Whether classes below `size_class`, which was walked, cannot change the list.
    bool is_settled_below(int size_class) {
        if (question_.limit == 0) {
            return true;
        }
        const std::uint64_t most_a_day = most_in_class(size_class - 1);
        std::uint64_t bound = 0;
        if (__builtin_mul_overflow(most_a_day, std::uint64_t{days_.size()}, &bound)) {
            return false;
        }
        if (bound < question_.least) {
            return true;
        }
        make_list();
        return list_.objects.size() == question_.limit && list_.objects.back().number > bound;
    }

    storage::Store& store_;
    const PopularQuestion& question_;
    const PopularSources& sources_;
    std::stop_token stop_;
    std::vector<std::int64_t> days_;

    std::set<std::string, std::less<>> seen_;
    std::vector<PopularCandidate> new_;  ///< Seen, not asked yet; names are seen_'s.
    std::vector<PopularObject> found_;   ///< All asked, in their order.
    PopularList list_;
};

}  // namespace

Result<PopularList> popular(
    storage::Store& store,
    const PopularQuestion& question,
    const PopularSources& sources,
    const std::stop_token& stop
) {
    CHECK(question.least > 0, "an object that nobody saw is not popular");
    return Walk{store, question, sources, stop}.go();
}

}  // namespace footfall::rankings
