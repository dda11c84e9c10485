#pragma once

#include "identities/fact.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>

namespace footfall::identities {

struct Neighbourhood;

/// Ids, by their hashes. Bounded: who adds more than it holds begins anew. Thread-safe.
class IdSet {
public:
    static constexpr std::size_t ids_max = 500'000;

    bool contains(const Id& id) const;

    bool contains_one(std::span<const Id> ids) const;

    template <class Ids>
    void add(const Ids& ids) {
        const std::lock_guard lock{mutex_};
        for (const Id& each : ids) {
            if (hashes_.size() >= ids_max) {
                hashes_.clear();
            }
            hashes_.insert(hash_of(each));
        }
    }

    template <class Ids>
    void remove(const Ids& ids) {
        const std::lock_guard lock{mutex_};
        for (const Id& each : ids) {
            hashes_.erase(hash_of(each));
        }
    }

    void clear();

    /// Takes those of the other one beside its own, or in place of them; that has none then.
    void take(IdSet& other);
    void become(IdSet& other);

    std::size_t size() const;

private:
    mutable std::mutex mutex_;
    boost::unordered_flat_set<std::uint64_t> hashes_;
};

/// Ids that are noted to be settled later, as far as this process knows: those that it noted
/// itself, and those of others once all notes were listed. Thread-safe.
class NotedIds {
public:
    bool has_one(std::span<const Id> ids) const;

    /// Their note is durable.
    void add(std::span<const Id> ids) { added_.add(ids); }

    /// How many were noted here since notes were listed.
    std::size_t fresh() const { return added_.size(); }

    /// Before notes are listed, and after it, with all of their ids. One thread at a time.
    void begin_listing();
    void end_listing(const std::set<Id>& listed);

    /// How many there are, about.
    std::size_t size() const;

private:
    IdSet listed_;
    IdSet before_;  ///< That were noted before this listing began.
    IdSet added_;
};

/// Ids of which it was found that more facts hang together with them than may be looked at, so that
/// nobody need read them again to find the same. It may be wrong, since facts and guards change:
/// then they are settled by who may look at more, who finds what they are now. Thread-safe.
class Crowd {
public:
    /// The same of who would look at these together.
    bool has_one(std::span<const Id> ids) const { return ids_.contains_one(ids); }

    bool has(const Id& id) const { return ids_.contains(id); }

    /// Of a profile whose own facts are too many: also beside others nobody may look at it.
    bool is_too_large_beside(const Id& id) const { return profiles_.contains(id); }

    /// Found by looking at one of these: `profile` are ids of its profile, `beside` those that
    /// links name with them.
    void add(const std::set<Id>& profile, bool too_large_beside, const std::set<Id>& beside);

    /// Of those that were looked at by who may look at more: which of them are too large for who
    /// may look at this many facts, and which are not any more.
    void learn(const Neighbourhood& known, std::size_t facts_max);

    void clear();

    /// How often somebody turned back, so that hardly anything was read to find too much.
    std::uint64_t turned_back() const { return turned_back_.load(); }

    void turn_back() { ++turned_back_; }

private:
    IdSet ids_;
    IdSet profiles_;
    std::atomic<std::uint64_t> turned_back_ = 0;
};

}  // namespace footfall::identities
