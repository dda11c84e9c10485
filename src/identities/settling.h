#pragma once

#include "foundation/result.h"
#include "foundation/siphash.h"
#include "identities/fact_rows.h"
#include "identities/profile_rows.h"
#include "identities/resolution.h"
#include "storage/store.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace footfall::identities {

/// Brings the rows of profiles in line with the facts. Any number of threads and processes may
/// settle the same ids at once: each reads facts, computes, writes what differs, and reads again
/// until nothing does. Whoever wrote what is out of date has read facts that have changed since,
/// and so comes to see it. Nothing is locked, and no order of arrival decides anything.
///
/// Thread-safe; the store must outlive it. All calls block.
class Settling {
public:
    struct Options {
        SipKey secret;  ///< The deployment's: of sids.
        Guards guards = {};
        std::size_t facts_max = 20'000;  ///< More that hang together are not computed.
    };

    Settling(storage::Store& store, Options options)
        : store_{&store}, options_{std::move(options)} {}

    /// What facts say of these ids, and what follows.
    struct Known {
        Component component;
        Resolution resolution;
    };

    /// Reads the facts that these ids hang together by; with `trial`, which are nowhere.
    Result<Known> know(std::span<const Id> ids, std::span<const Fact> trial = {}) const;

    /// Of these ids, the rows that follow from the facts stand when this returns. Failures:
    /// `conflict` (too many facts hang together), the store's.
    Result<Known> settle(std::span<const Id> ids) const;

    /// The same of many, which need not hang together. Answers of how many the rows stay as they
    /// are, since too many facts hang together with them. Failures: the store's.
    Result<std::size_t> settle_each(std::span<const Id> ids) const;

    /// What is known of these ids, if the rows that follow from it stand; absent: somebody is still
    /// to write them. Failures as of settle().
    Result<std::optional<Known>> settled(std::span<const Id> ids) const;

    std::string sid_of(const Profile& profile) const;

    const Guards& guards() const { return options_.guards; }

    storage::Store& store() const { return *store_; }

private:
    Result<storage::Batch> differences(const Known& known) const;

    storage::Store* store_;
    Options options_;
};

}  // namespace footfall::identities
