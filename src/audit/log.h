#pragma once

#include "audit/acts.h"
#include "audit/entry.h"
#include "audit/note.h"
#include "audit/rows.h"
#include "audit/tree.h"
#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "storage/store.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::audit {

/// What stands behind a commitment; absent: a person it is about was forgotten.
struct Opened {
    std::string salt;
    std::string payload;
};

/// The log of one region: entries in a Merkle tree (RFC 9162) whose head is signed.
///
/// An act is answered when its entry is durable and a head that covers it is, which is signed after
/// the entry was durable. What was durable without a head when a process died is taken up at the
/// next start: no number is given twice. Embedded one thread writes for all who wait, so that they
/// share a block. Where several processes share the log, each number is taken by Store::insert_new,
/// so any of them may write; a head then is of what its signer knows, and heads never contradict
/// each other.
///
/// Thread-safe. `store` and `clock` must outlive it. Everything that reads or writes blocks on the
/// store. Failures: those of the store; `corrupt`: what is stored is not what was signed, and
/// nothing is recorded any more.
class Log final : public Acts {
public:
    struct Options {
        SipKey secret;       ///< The deployment's, behind hashes of persons.
        std::string origin;  ///< The deployment's name, which heads begin with.
        std::string region;  ///< Empty: there is one.
        bool shared = false;
    };

    /// A log that is not as it was signed is opened all the same, and records nothing.
    static Result<std::unique_ptr<Log>> open(
        storage::Store& store, const Clock& clock, Options options
    );

    Result<std::uint64_t> record_all(std::vector<Act> acts) override;
    std::string digest(std::string_view bytes) const override;
    Result<std::size_t> forget(std::span<const std::string> persons) override;
    Result<std::size_t> forget_until(Instant last) override;

    /// The newest head that is known; where the log is shared, that of any process.
    Result<SignedHead> head();

    /// The same of what this process knows, without asking the store; for metrics.
    SignedHead known_head() const;

    /// Up to `most` entries from number `from` on, under the newest head.
    Result<std::vector<Entry>> entries(std::uint64_t from, std::size_t most);

    /// What stands behind each commitment, in their order.
    Result<std::vector<std::optional<Opened>>> opened(std::span<const Hash> commitments);

    /// Proofs (tree.h). `invalid_input`: beyond the newest head, or not in order. A few reads, less
    /// than a millisecond each.
    Result<std::vector<Hash>> inclusion(std::uint64_t entry, std::uint64_t size);
    Result<std::vector<Hash>> consistency(std::uint64_t from, std::uint64_t to);

    /// `width` hashes of a tile, 32 bytes each (c2sp.org/tlog-tiles). `not_found`: beyond the head.
    Result<std::string> tile(unsigned level, std::uint64_t tile, std::uint64_t width);

    /// As many entries, each behind its length in two bytes, the high one first.
    Result<std::string> bundle(std::uint64_t tile, std::uint64_t width);

    /// Enters heads of the logs of other regions that this one has not got yet, and checks that
    /// each goes on from the one before. Answers how many. A head with nothing new but heads is
    /// left out, or two regions would tell each other of that for ever.
    Result<std::size_t> enter_heads();

    /// Whether what is stored was not what was signed when it was read last.
    bool is_broken() const { return broken_.load(std::memory_order_relaxed); }

    const Verifier& verifier() const { return signer_.verifier(); }

    const std::string& name() const { return name_; }

    /// How many entries this process has recorded.
    std::uint64_t recorded() const { return recorded_.load(std::memory_order_relaxed); }

private:
    /// What somebody waits for to be recorded.
    struct Waiting {
        std::vector<Act> acts;
        std::optional<Result<std::uint64_t>> answer = {};
    };

    Log(storage::Store& store,
        const Clock& clock,
        Options options,
        Signer signer,
        std::uint64_t writer);

    // By whoever writes, one at a time.
    Result<Edge> load();
    Result<Edge> load_signed();
    Result<Edge> edge_of(const TreeHead& head);
    Result<void> take_up(Edge& edge);
    Result<std::vector<std::uint64_t>> write(std::span<Waiting* const> turn);
    Result<void> write_alone(Edge& edge, std::vector<Entry>& entries, storage::Batch& batch);
    Result<void> write_shared(Edge& edge, std::vector<Entry>& entries, storage::Batch& batch);
    Result<void> sign(const Edge& edge);
    Result<std::vector<Entry>> begin_entries(
        std::span<Waiting* const> turn, storage::Batch& secrets
    ) const;

    void take_turn(std::unique_lock<std::mutex>& lock);
    void publish(SignedHead head);
    Hash keyed(std::string_view purpose, std::string_view bytes) const;
    std::string person_hash(std::string_view person) const;
    Result<std::vector<Hash>> proof(const ProofParts& parts);
    Result<void> check_size(std::uint64_t size);
    Result<std::size_t> enter_head(const std::string& other, const SignedHead& head);

    storage::Store* store_;
    const Clock* clock_;
    const Options options_;
    const std::string name_;
    const Signer signer_;
    /// Drawn at each start: two processes that do the same in the same microsecond are two.
    const std::uint64_t writer_;

    std::mutex mutex_;  // guards the next three
    std::condition_variable written_;
    std::deque<Waiting*> waiting_;
    bool writing_ = false;
    std::optional<Edge> edge_;  ///< Of whoever writes. Absent: to be read from the store.

    mutable std::mutex head_mutex_;  // guards head_
    SignedHead head_;
    std::atomic<std::uint64_t> recorded_ = 0;
    std::atomic<bool> broken_ = false;
};

}  // namespace footfall::audit
