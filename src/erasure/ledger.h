#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "storage/store.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::erasure {

/// What the ledger says of an id.
struct Erased {
    Instant at = Instant::min();  ///< What was recorded by then is dropped.
    std::uint32_t count = 0;      ///< How often it was erased.

    friend bool operator==(const Erased&, const Erased&) = default;
};

/// The parts of an erasure, each of which is done for good once.
enum class Part : std::uint8_t {
    tables,     ///< Rows that name what was erased.
    log,        ///< Blocks of the embedded log of judged events.
    kafka,      ///< Topics, which nobody can rewrite: they let go of what is old.
    compaction  ///< Files, which keep what was erased until they are written anew.
};

inline constexpr std::size_t part_count = 4;

/// What came of looking through tables for whom the ledger has.
enum class Swept : std::uint8_t {
    done,       ///< None of them is left.
    elsewhere,  ///< Another process is to do some of it, whatever this one does.
    open        ///< Something is to be waited for: look again a moment later.
};

/// "tables" and so on, as answers have them.
std::string_view name_of(Part part);

/// The receipt of kind "restore": no person asked, but a ledger was taken over.
inline constexpr std::string_view restore_kind = "restore";

/// What was asked to be erased, and how far that is. A plain value.
struct Receipt {
    std::string id;  ///< 48 hexadecimal digits, which say when, and not of whom.
    Instant at{};
    std::string kind;  ///< "profile", "actor" or "restore".
    std::uint64_t ids = 0;
    std::array<Instant, part_count> done{};  ///< By Part; 0: it is open.

    bool is_done(Part part) const { return done.at(static_cast<std::size_t>(part)) != Instant{}; }

    /// In the order of parts; empty: it is closed.
    std::vector<Part> open() const;
};

/// A row of the ledger.
struct LedgerRow {
    std::string hash;  ///< 16 bytes.
    Erased erased;
};

/// Who was erased: a table of record, all of it in memory (some 40 bytes an id). An id is known by
/// its keyed hash of 128 bits under the deployment's secret, from which nobody reads it, so the
/// ledger goes wherever rows go: facts of such an id that were recorded by `at` are dropped
/// wherever they come from. What is recorded later is of a new person.
///
/// Two processes that erase one id at once have it erased once. Thread-safe. The store must outlive
/// it.
class Ledger {
public:
    /// Reads all of it. Blocks. `corrupt`: a row that nobody here wrote.
    static Result<std::unique_ptr<Ledger>> open(storage::Store& store, SipKey secret);

    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;
    ~Ledger() = default;

    /// Whether nobody was ever erased. Cheap.
    bool empty() const { return size_.load(std::memory_order_relaxed) == 0; }

    std::size_t size() const { return size_.load(); }

    /// Absent: the id was never erased. Costs two short hashes, and a look-up.
    std::optional<Erased> find(const events::Identifier& id) const;

    /// Whether what was recorded then of this id is to be dropped.
    bool drops(const events::Identifier& id, Instant recorded) const {
        const auto erased = find(id);
        return erased && recorded <= erased->at;
    }

    /// How often an id was erased.
    std::uint32_t count(const events::Identifier& id) const {
        const auto erased = find(id);
        return erased ? erased->count : 0;
    }

    /// Writes that these are erased up to now, and a receipt; `kind` as of Receipt, `open` its
    /// parts that are to be done. Durable when this returns, and in force in this process before.
    /// On failure it may have become so or not: say it again. Blocks for a write, on a cluster two.
    Result<Receipt> record(
        std::span<const events::Identifier> ids,
        std::string_view kind,
        std::span<const Part> open,
        Instant now
    );

    /// Takes over rows of the ledger of another store of the deployment, and writes a receipt of
    /// kind "restore", all of which is open: nobody knows which rows of these came with an older
    /// backup. `corrupt`: a hash that is none. Blocks for a write.
    Result<Receipt> take_over(std::span<const LedgerRow> rows, Instant now);

    /// Takes in what others wrote. Whether there was anything new. Blocks.
    Result<bool> reload();

    /// Absent: there is none of this id, or it is no receipt's. Blocks for a read.
    Result<std::optional<Receipt>> find_receipt(std::string_view id) const;

    /// Receipts, newest first: those behind `after`, or, if that is empty, the newest; at most
    /// `limit`, above 0. `invalid_input`: `after` is no receipt's. Blocks for a read.
    Result<std::vector<Receipt>> receipts(std::string_view after, std::size_t limit) const;

    /// Those that are not closed, oldest first. Blocks: all receipts are read.
    Result<std::vector<Receipt>> open_receipts() const;

    /// Writes that a part is done. Blocks.
    Result<void> finish(Receipt& receipt, Part part, Instant now);

    /// How often an id was erased by this process.
    std::uint64_t recorded() const { return recorded_.load(); }

private:
    using Hash = std::array<std::uint64_t, 2>;

    struct HashOfHash {
        using is_avalanching = void;

        std::size_t operator()(const Hash& hash) const { return hash[0]; }
    };

    Ledger(storage::Store& store, SipKey secret);

    Hash hash_of(const events::Identifier& id) const;
    Result<bool> load();
    bool take(const Hash& hash, Erased erased);
    Result<Receipt> write(std::span<const std::pair<Hash, Erased>> entries, Receipt receipt);

    storage::Store* store_;
    const SipKey one_;
    const SipKey other_;
    std::atomic<std::size_t> size_ = 0;
    std::atomic<std::uint64_t> recorded_ = 0;
    mutable std::shared_mutex mutex_;
    boost::unordered_flat_map<Hash, Erased, HashOfHash> erased_;  ///< Guarded by mutex_.
    std::size_t receipts_seen_ = 0;                               ///< Used by reload() alone.
};

}  // namespace footfall::erasure
