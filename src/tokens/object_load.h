#pragma once

#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "storage/store.h"
#include "tokens/counted_object.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace footfall::tokens {

/// Reads the live tokens of one object from the store: its live spans with all their levels
/// (levels.h), page by page, tokens united by hash, the later expiry winning. Examines at most
/// twice the counter's limit of rows, as many spans, and 16 MiB of tokens (more if the limit is
/// above 100,000, in proportion); what it then has not seen leaves the object saturated.
///
/// First read_now(), on the caller's thread, with no lock held; where that stops for want of the
/// disk, or after a few hundred rows, read_on(), which asks for the first pages of several
/// partitions at once. Nothing is shared with others.
class ObjectLoad {
public:
    using Done = std::move_only_function<void(Result<CountedObject>)>;

    /// That the clock was ahead until it was set back.
    struct WasAhead {
        Instant latest;    ///< What it said at the latest.
        Instant set_back;  ///< What it said then.
    };

    /// `config` and `store` must outlive the load. `directory`: where the directory is known to
    /// have the object, if this process wrote that. With `was_ahead` what was put meanwhile is
    /// read, too: it lives as if it had been put when the clock was set back.
    ObjectLoad(
        storage::Store& store,
        const CounterConfig& config,
        std::string object,
        SipKey secret,
        Instant now,
        const DirectoryEntry& directory = {},
        std::optional<WasAhead> was_ahead = {}
    );

    /// Reads what the store has in memory; absent when there is more. Never waits.
    std::optional<Result<CountedObject>> read_now();

    /// Reads the rest and calls `done`, within the call or on a thread of the store.
    static void read_on(ObjectLoad load, Done done);

private:
    struct Reading;

    /// A partition of the object's tokens that is to be read.
    struct Part {
        std::int64_t span;
        std::int64_t level = 0;
        std::int64_t bucket = 0;
        bool levels_only =
            false;  ///< Only its first row, which says whether there is a next level.

        bool same_rows(const Part& other) const {
            return span == other.span && level == other.level && bucket == other.bucket;
        }
    };

    /// The first page of a part, read before it was its turn.
    struct Ahead {
        Part part;
        storage::Page page;
    };

    void add_spans_ahead(const WasAhead& was_ahead);

    bool complete() const { return spans_known_ && parts_.empty(); }

    storage::RangeQuery next_query(std::size_t most_rows) const;
    storage::RangeQuery part_query(const Part& part, std::size_t most_rows) const;
    std::vector<Part> parts_to_ask() const;
    void take_ahead();
    void take(storage::Page page);
    void take_spans(const storage::Rows& rows);
    void take_tokens(const storage::Rows& rows);
    std::size_t add_tokens(const storage::Rows& rows);
    void end_part();
    void read_levels_only();
    CountedObject finish();
    static void read_more(const std::shared_ptr<Reading>& reading);
    static void read_page(const std::shared_ptr<Reading>& reading);
    static void read_parts(const std::shared_ptr<Reading>& reading, std::vector<Part> parts);

    storage::Store* store_;
    const CounterConfig* config_;
    std::string object_;
    SipKey secret_;
    Instant now_;
    DirectoryEntry directory_;
    std::int64_t latest_expiry_ = never;  ///< No token has a later one, unless the clock was ahead:
    std::int64_t granted_expiry_ = never;  ///< then it has this.
    bool spans_known_ = false;
    std::vector<Part> parts_;   ///< To be read, the next one last.
    std::string continuation_;  ///< Of what is being read.
    std::vector<Ahead> ahead_;
    bool next_level_ = false;  ///< The part that is being read says that there is one.
    std::size_t rows_left_;
    std::size_t spans_left_;
    std::size_t bytes_left_;  ///< Of tokens.
    bool rows_seen_ = false;
    CountedObject state_;
};

/// The keyed hash that stands for a token in memory.
std::uint64_t token_hash(SipKey secret, std::string_view token);

}  // namespace footfall::tokens
