#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/person.h"
#include "people/person_rows.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace footfall::people {

/// What is said of some people together, on its way to their rows: read once, taken one by one,
/// written once. Whoever uses it sees to it that nobody else in this process changes the same
/// people meanwhile. Not thread-safe.
class SaidWork {
public:
    /// Reads all that taking these will need. Blocks.
    static Result<SaidWork> read(storage::Store& store, std::span<const Said> said);

    /// How the person stands after it, which changed behind `known`: when it is known to have been
    /// otherwise, since of who is off and lists nobody no row says that. On failure nothing of it
    /// is taken.
    Result<Person> take(const Said& said, Instant now, Instant known);

    /// Calls `function(const StoredPerson&)` with all that were spoken of, as they are now.
    template <class Function>
    void for_each(const Function& function) const {
        for (const auto& [actor, one] : people_) {
            function(one.now);
        }
    }

    /// Writes what has changed, so that whatever is lost of it nothing is shared that nobody said,
    /// and no list is a part of one: keys and names first, then the rows that make them hold.
    /// `tell`: other processes, too. Blocks until it is durable.
    Result<void> write(bool tell);

    /// Tells other processes once more, as of another time. What was changed behind it stands all
    /// the same. Blocks until it is durable.
    Result<void> tell_again(Instant told_at);

    /// Erases what write() left of lists that do not hold any more. What fails is done when the
    /// person's friends change the next time. Blocks.
    Result<void> erase_old_lists();

private:
    using List = std::set<std::string, std::less<>>;

    struct One {
        StoredPerson before;
        StoredPerson now;
        List list_before;  ///< If it was needed.
        List list;
        std::vector<std::string> left_over;  ///< Names of the old list that are still there.
        bool lists_read = false;
        bool replaced = false;  ///< `list` is to be a generation of its own.
        bool changed = false;
    };

    explicit SaidWork(storage::Store& store) : store_{&store} {}

    Result<void> read_formers();
    Result<void> read_lists(std::span<const Said> said);
    static Result<void> take_friends(const Said& said, One& one);
    static Result<void> take_consent(const Consent& consent, Instant now, One& one);
    static Result<void> take_back(const TakeBack& what, Instant now, One& one);
    static void add_formers(const One& one, storage::Batch& batch);
    static void erase_formers(const One& one, storage::Batch& batch);
    static void add_names(const One& one, storage::Batch& batch);
    /// Only if there is more than so many: less can be written with what follows.
    Result<void> write(storage::Batch& batch, std::size_t if_more_than);

    storage::Store* store_;
    std::map<std::string, One, std::less<>> people_;
};

}  // namespace footfall::people
