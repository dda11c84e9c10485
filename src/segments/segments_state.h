#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/settling.h"
#include "segments/catalogue.h"
#include "segments/derivation.h"
#include "segments/rule_book.h"
#include "segments/segments.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <atomic>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace footfall::segments {

/// What stands behind the interface.
class Segments::State {
public:
    static constexpr int tokens_bits = 31;

    State(
        storage::Store& store,
        const identities::Settling& settling,
        const Clock& clock,
        Options options
    )
        : store{&store},
          settling{&settling},
          clock{&clock},
          shared{options.shared},
          catalogue{store, clock, options.shared},
          book{store, clock, catalogue, options.shared},
          derivation{
              store,
              settling,
              catalogue,
              book,
              clock,
              {.shared = options.shared,
               .memory = options.memory,
               .waiting_max = options.waiting_max,
               .ids_at_once = options.ids_at_once,
               .has_log = options.has_log}
          },
          next_token{static_cast<std::int64_t>(std::random_device{}()) << tokens_bits} {}

    /// Writes members, or erases them, with a note of their ids: where a batch is not one whole
    /// the note is durable before. `add_rows(at, batch)` adds the rows of one.
    template <class AddRows>
    Result<void> write_members(std::span<const identities::Id> ids, const AddRows& add_rows);

    Result<storage::CommitPosition> submit(
        const storage::Batch& batch, storage::CommitPosition before
    );

    /// The segments of the person who has these ids, by rows and rules as they stand, sorted.
    Result<std::vector<std::int64_t>> segments_of(
        std::span<const identities::Id> ids, std::span<const identities::Member> of_profile
    );

    Result<std::vector<std::int64_t>> numbers_of(std::span<const std::string> names);

    storage::Store* store;
    const identities::Settling* settling;
    const Clock* clock;
    const bool shared;
    Catalogue catalogue;
    RuleBook book;
    Derivation derivation;
    std::atomic<std::int64_t> next_token;
    std::atomic<std::uint64_t> written = 0;
};

}  // namespace footfall::segments
