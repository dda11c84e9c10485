#include "people/erased_people.h"

#include "events/erased.h"
#include "people/person_rows.h"
#include "people/schema.h"
#include "storage/blocking.h"

#include <string>
#include <utility>
#include <vector>

namespace footfall::people {
namespace {

/// People who are erased together.
constexpr std::size_t erased_together = 200;

/// Erases the rows of a table of which `is_gone(rows, row)` holds.
template <class IsGone>
Result<void> erase_rows(
    storage::Store& store,
    const storage::Table& table,
    const std::stop_token& stop,
    const IsGone& is_gone
) {
    storage::ScanQuery query{.table = &table, .max_bytes = 1 << 20};
    do {
        if (stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "erasing is to end");
        }
        TRY(const storage::Page page, storage::scan_page(store, query));
        storage::Batch batch;
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            if (!is_gone(page.rows, row)) {
                continue;
            }
            std::vector<storage::ValueView> key;
            key.reserve(table.key_width());
            for (std::size_t column = 0; column < table.key_width(); ++column) {
                key.push_back(page.rows.at(row, column));
            }
            batch.erase(table, key);
        }
        if (!batch.empty()) {
            TRY_VOID(storage::write_durably(store, batch));
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return {};
}

}  // namespace

Result<void> erase_people(People& people, std::span<const events::Identifier> ids) {
    std::vector<std::string> actors;
    for (const events::Identifier& each : ids) {
        if (each.identifier == events::actor_network && each.id_name == events::actor_id_name) {
            actors.push_back(each.id_value);
        }
    }
    return actors.empty() ? Result<void>{} : people.erase(actors);
}

Result<void> sweep_people(
    storage::Store& store,
    People& people,
    const erasure::Ledger& ledger,
    const std::stop_token& stop
) {
    const auto erased_at = [&](std::string_view actor) {
        return ledger.find(events::id_of_actor(std::string{actor}));
    };
    std::vector<std::string> found;
    const auto withdraw_found = [&]() -> Result<void> {
        const std::vector<std::string> actors = std::exchange(found, {});
        return actors.empty() ? Result<void>{} : people.erase(actors);
    };
    TRY_VOID(scan_people(store, [&](const StoredPerson& stored) -> Result<void> {
        const Person& person = stored.person;
        const auto erased = erased_at(person.actor);
        const bool is_off = person.consent.reading == Reading::off && stored.list == 0;
        if (erased && (is_off || person.changed_at <= erased->at)) {
            found.push_back(person.actor);
        }
        return found.size() < erased_together ? Result<void>{} : withdraw_found();
    }));
    TRY_VOID(withdraw_found());
    constexpr std::size_t friend_column = 2;
    TRY_VOID(erase_rows(store, friend_table, stop, [&](const storage::Rows& rows, std::size_t row) {
        return erased_at(rows.at(row, friend_column).text()).has_value();
    }));
    constexpr std::size_t told_column = 1;
    constexpr std::size_t actor_column = 2;
    return erase_rows(
        store,
        person_change_table,
        stop,
        [&](const storage::Rows& rows, std::size_t row) {
            const auto erased = erased_at(rows.at(row, actor_column).text());
            return erased && Instant{std::chrono::microseconds{rows.at(row, told_column).number()}
                             } <= erased->at;
        }
    );
}

}  // namespace footfall::people
