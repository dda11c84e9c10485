#pragma once

#include "events/action.h"
#include "events/control.h"
#include "events/verdict.h"
#include "foundation/json_string.h"
#include "identities/fact_rows.h"
#include "identities/identities.h"
#include "identities/recorded_guards.h"
#include "identities/said_facts.h"
#include "identities/test_facts.h"
#include "storage/blocking.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

namespace footfall::identities {

// Records of the log that say a fact, for tests.

inline events::JudgedEvent event_that_says(const Fact& link) {
    events::JudgedEvent judged;
    judged.event = {
        .time = link.first,
        .action = std::string{events::identify_action},
        .object = object_of(link.ids.front()),
        .identifiers = link.ids,
        .attributes = R"({"source":)" + json_string(link.source) + "}"
    };
    judged.arrival = link.recorded;
    return judged;
}

inline events::IdentityDecided control_that_says(const Fact& decision) {
    const auto kind = [&] {
        switch (decision.kind) {
            case FactKind::accept:
                return events::IdentityKind::accept;
            case FactKind::reject:
                return events::IdentityKind::reject;
            case FactKind::revoke:
                return events::IdentityKind::revoke;
            case FactKind::lift:
                return events::IdentityKind::lift;
            case FactKind::link:
            case FactKind::parting:
            case FactKind::datum:
                break;
        }
        return events::IdentityKind::parting;
    };
    events::IdentityDecided decided{
        .kind = kind(),
        .ids = decision.ids,
        .others = decision.others,
        .reason = decision.reason,
        .author = decision.author,
        .said = decision.first,
        .id = decision.source
    };
    if (decision.about) {
        decided.about.assign(decision.about->bytes.begin(), decision.about->bytes.end());
    }
    return decided;
}

/// Settles what a fact touches, as the projection does that is told it.
inline Result<void> settle_fact(
    const Settling& settling, const std::string& writer, const Fact& fact
) {
    for (const Id& each : decides_sharing(fact) ? fact.ids : std::vector<Id>{}) {
        TRY_VOID(settling.settle_decided(each, writer));
    }
    TRY_VOID(settling.settle(ids_of(fact), writer));
    return {};
}

/// Tells the projection of a record that says this.
inline void tell(
    Identities& identities, std::uint32_t lane, std::uint64_t offset, const Fact& fact
) {
    if (fact.kind != FactKind::link) {
        identities.control(lane, offset, control_that_says(fact));
        return;
    }
    const events::JudgedEvent judged = event_that_says(fact);
    const projecting::JudgedRecord record{.offset = offset, .judged = &judged, .person = {}};
    identities.apply(lane, {&record, 1});
}

/// Has a fact stand in rows as a lane was told it, and its profiles not follow.
inline void write_fact(storage::Store& store, const std::string& writer, const Fact& fact) {
    std::vector<ToldFact> told{{.writer = writer, .fact = fact}};
    ASSERT_TRUE(merge_with_rows(store, told));
    storage::Batch batch;
    add_rows(told.front(), batch);
    ASSERT_TRUE(storage::write_durably(store, batch));
}

/// Has guards stand in rows as the first version, as some lane records them.
inline void write_guards(storage::Store& store, const Guards& guards) {
    storage::Batch batch;
    add_guards(
        "another lane",
        {.offset = 0,
         .guards =
             {.version = {.version = 1, .digest = 0},
              .guards = std::make_shared<const Guards>(guards)}},
        at_second(1),
        batch
    );
    ASSERT_TRUE(storage::write_durably(store, batch));
}

}  // namespace footfall::identities
