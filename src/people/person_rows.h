#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/former_readers.h"
#include "people/person.h"
#include "people/sharers.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Rows of people as values, and back. Functions that take a store block.
namespace footfall::people {

/// All that the store has of a person.
struct StoredPerson {
    Person person;
    std::int64_t list = 0;      ///< The generation of the friends that holds; 0: none.
    std::int64_t old_list = 0;  ///< One of which rows may be left; 0: none.
    std::optional<Reader> reader = {};
    std::vector<FormerReader> formers = {};  ///< The oldest first, if they were read.

    friend bool is_worth_a_row(const StoredPerson& stored) {
        return stored.person.consent.reading != Reading::off || stored.list != 0 ||
               stored.old_list != 0;
    }
};

/// In the order asked, without former readers. `corrupt`: a row that nobody here wrote.
Result<std::vector<StoredPerson>> read_people(
    storage::Store& store, const std::vector<std::string>& actors
);

/// Calls `take` with each person that has a row, without their reader.
Result<void> scan_people(
    storage::Store& store, const std::function<Result<void>(StoredPerson)>& take
);

/// The readers of these actors, in their order.
Result<std::vector<std::optional<Reader>>> read_readers(
    storage::Store& store, const std::vector<std::string>& actors
);

/// The former readers of these actors, in their order.
Result<std::vector<std::vector<FormerReader>>> read_formers(
    storage::Store& store, const std::vector<std::string>& actors
);

/// Those of all.
using FormersByActor = std::map<std::string, std::vector<FormerReader>, std::less<>>;
Result<FormersByActor> scan_formers(storage::Store& store);

/// Puts or erases the row of a former reader.
void add_former(const std::string& actor, const FormerReader& former, storage::Batch& batch);
void erase_former(const std::string& actor, const FormerReader& former, storage::Batch& batch);

/// Puts the person's row, or erases it where nothing is left to say.
void add_person(const StoredPerson& stored, storage::Batch& batch);

/// Puts or erases the row of their key.
void add_reader(const StoredPerson& stored, storage::Batch& batch);

/// Says the change to other processes, which look for what was told lately.
void add_change(const StoredPerson& stored, Instant told_at, storage::Batch& batch);

struct Change {
    std::string actor;
    Consent consent;
    Instant changed_at{};
};

/// What was said from `from` on, in no order, each person's latest alone.
Result<std::vector<Change>> read_changes(storage::Store& store, Instant from, Instant to);

/// So long changes are told.
inline constexpr std::chrono::days changes_kept{7};

/// All names of a list: the third column of its rows.
storage::RangeQuery list_query(const std::string& actor, std::int64_t list);

/// The names of a list, in their order.
Result<std::vector<std::string>> read_list(
    storage::Store& store, const std::string& actor, std::int64_t list
);

}  // namespace footfall::people
