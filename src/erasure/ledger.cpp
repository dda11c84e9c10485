#include "erasure/ledger.h"

#include "erasure/schema.h"
#include "foundation/hex.h"
#include "foundation/secret_random.h"
#include "foundation/varint.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

namespace footfall::erasure {
namespace {

/// Partitions of the ledger, so that none grows large.
constexpr std::int64_t buckets = 64;
constexpr std::string_view receipts_name = "receipts";
constexpr std::size_t receipt_bytes = 16;
constexpr std::size_t at_digits = 16;
constexpr std::size_t receipt_digits = at_digits + 2 * receipt_bytes;

/// Of erasure_receipt.
enum ReceiptColumn : std::size_t {
    at_column = 1,
    receipt_column,
    kind_column,
    ids_column,
    done_column
};

std::int64_t microseconds_of(Instant instant) {
    return std::chrono::duration_cast<std::chrono::microseconds>(instant.time_since_epoch())
        .count();
}

Instant instant_of(std::int64_t microseconds) {
    return Instant{std::chrono::microseconds{microseconds}};
}

std::string bytes_of(const std::array<std::uint64_t, 2>& hash) {
    std::string bytes(sizeof(hash), '\0');
    std::memcpy(bytes.data(), hash.data(), sizeof(hash));
    return bytes;
}

Receipt receipt_in(const storage::Rows& rows, std::size_t row) {
    Receipt receipt{
        .id = {},
        .at = instant_of(rows.at(row, at_column).number()),
        .kind = std::string{rows.at(row, kind_column).text()},
        .ids = static_cast<std::uint64_t>(rows.at(row, ids_column).number())
    };
    receipt.id = fmt::format(
        "{:016x}{}", rows.at(row, at_column).number(), hex(rows.at(row, receipt_column).text())
    );
    for (std::size_t part = 0; part < part_count; ++part) {
        receipt.done.at(part) = instant_of(rows.at(row, done_column + part).number());
    }
    return receipt;
}

void put_receipt(const Receipt& receipt, storage::Batch& batch) {
    const std::string drawn = unhex(std::string_view{receipt.id}.substr(at_digits)).value_or("");
    std::vector<storage::ValueView> row{
        receipts_name,
        microseconds_of(receipt.at),
        drawn,
        std::string_view{receipt.kind},
        static_cast<std::int64_t>(receipt.ids)
    };
    for (const Instant each : receipt.done) {
        row.emplace_back(microseconds_of(each));
    }
    batch.upsert(erasure_receipt_table, row);
}

/// With a name that nobody guesses.
Result<Receipt> new_receipt(
    std::string_view kind, std::size_t ids, std::span<const Part> open, Instant now
) {
    std::string drawn(receipt_bytes, '\0');
    TRY_VOID(draw_secret(std::as_writable_bytes(std::span{drawn})));
    Receipt receipt{
        .id = fmt::format("{:016x}{}", microseconds_of(now), hex(drawn)),
        .at = now,
        .kind = std::string{kind},
        .ids = ids
    };
    for (std::size_t part = 0; part < part_count; ++part) {
        const bool is_open = std::ranges::find(open, static_cast<Part>(part)) != open.end();
        receipt.done.at(part) = is_open ? Instant{} : now;
    }
    return receipt;
}

/// Of the digits with which a receipt's id begins.
std::optional<std::int64_t> at_of(std::string_view digits) {
    std::uint64_t at = 0;
    const char* const end = std::to_address(digits.end());
    const auto read = std::from_chars(std::to_address(digits.begin()), end, at, 16);
    return read.ec == std::errc{} && read.ptr == end ? std::optional{static_cast<std::int64_t>(at)}
                                                     : std::nullopt;
}

/// Where a receipt of this id stands; empty: no receipt has such an id.
std::vector<storage::Value> place_of_receipt(std::string_view id) {
    auto bytes = id.size() == receipt_digits ? unhex(id.substr(at_digits)) : std::nullopt;
    const auto at = bytes ? at_of(id.substr(0, at_digits)) : std::nullopt;
    return at ? std::vector<storage::Value>{*at, *std::move(bytes)} : std::vector<storage::Value>{};
}

Result<std::array<std::uint64_t, 2>> read_hash(std::string_view bytes) {
    std::array<std::uint64_t, 2> hash{};
    if (bytes.size() != sizeof(hash)) {
        return fail(ErrorKind::corrupt, "a row of erasure is damaged: a hash has 16 bytes");
    }
    std::memcpy(hash.data(), bytes.data(), sizeof(hash));
    return hash;
}

}  // namespace

std::string_view name_of(Part part) {
    constexpr std::array<std::string_view, part_count> names{
        "tables", "log", "kafka", "compaction"
    };
    return names.at(static_cast<std::size_t>(part));
}

std::vector<Part> Receipt::open() const {
    std::vector<Part> parts;
    for (std::size_t part = 0; part < part_count; ++part) {
        if (!is_done(static_cast<Part>(part))) {
            parts.push_back(static_cast<Part>(part));
        }
    }
    return parts;
}

/// Two keys that are the ledger's own, so that no other hash of the deployment tells one of it.
Ledger::Ledger(storage::Store& store, SipKey secret)
    : store_{&store},
      one_{siphash13(secret, "footfall erasure 1"), siphash13(secret, "footfall erasure 2")},
      other_{siphash13(secret, "footfall erasure 3"), siphash13(secret, "footfall erasure 4")} {}

Result<std::unique_ptr<Ledger>> Ledger::open(storage::Store& store, SipKey secret) {
    std::unique_ptr<Ledger> ledger{new Ledger{store, secret}};
    TRY(const bool is_new, ledger->reload());
    static_cast<void>(is_new);
    return ledger;
}

Ledger::Hash Ledger::hash_of(const events::Identifier& id) const {
    thread_local std::string bytes;
    bytes.clear();
    for (const std::string* const part : {&id.identifier, &id.id_name, &id.id_value}) {
        append_varint(part->size(), bytes);  // so that "ab", "c" is not "a", "bc"
        bytes += *part;
    }
    return {siphash13(one_, bytes), siphash13(other_, bytes)};
}

std::optional<Erased> Ledger::find(const events::Identifier& id) const {
    if (empty()) {
        return std::nullopt;
    }
    const Hash hash = hash_of(id);
    const std::shared_lock lock{mutex_};
    const auto found = erased_.find(hash);
    return found == erased_.end() ? std::nullopt : std::optional{found->second};
}

/// The later instant and the higher count hold, whoever wrote them. Whether something changed.
bool Ledger::take(const Hash& hash, Erased erased) {
    const std::lock_guard lock{mutex_};
    Erased& known = erased_[hash];
    const Erased before = known;
    known.at = std::max(known.at, erased.at);
    known.count = std::max(known.count, erased.count);
    size_.store(erased_.size());
    return known != before;
}

Result<Receipt> Ledger::record(
    std::span<const events::Identifier> ids,
    std::string_view kind,
    std::span<const Part> open,
    Instant now
) {
    TRY(Receipt receipt, new_receipt(kind, ids.size(), open, now));
    std::vector<std::pair<Hash, Erased>> entries;
    entries.reserve(ids.size());
    for (const events::Identifier& each : ids) {
        entries.emplace_back(hash_of(each), Erased{.at = now, .count = count(each) + 1});
    }
    TRY(receipt, write(entries, std::move(receipt)));
    recorded_ += ids.size();
    return receipt;
}

Result<Receipt> Ledger::take_over(std::span<const LedgerRow> rows, Instant now) {
    constexpr std::array all{Part::tables, Part::log, Part::compaction};
    TRY(Receipt receipt, new_receipt(restore_kind, rows.size(), all, now));
    std::vector<std::pair<Hash, Erased>> entries;
    entries.reserve(rows.size());
    for (const LedgerRow& each : rows) {
        TRY(const auto hash, read_hash(each.hash));
        Erased erased = each.erased;
        const std::shared_lock lock{mutex_};
        if (const auto known = erased_.find(hash); known != erased_.end()) {
            erased.at = std::max(erased.at, known->second.at);
            erased.count = std::max(erased.count, known->second.count);
        }
        entries.emplace_back(hash, erased);
    }
    return write(entries, std::move(receipt));
}

/// Entries are in force before they are durable, so that nothing that is written meanwhile is
/// missed by who erases rows. Should the write fail, the ids are erased here until the next start,
/// and for good when it is said again, as its answer asks for.
Result<Receipt> Ledger::write(std::span<const std::pair<Hash, Erased>> entries, Receipt receipt) {
    constexpr std::size_t rows_at_once = 1000;
    storage::Batch batch;
    for (const auto& [hash, erased] : entries) {
        take(hash, erased);
        batch.upsert(
            erasure_table,
            {static_cast<std::int64_t>(hash[0] % buckets),
             bytes_of(hash),
             microseconds_of(erased.at),
             static_cast<std::int64_t>(erased.count)}
        );
        if (batch.size() == rows_at_once) {
            TRY_VOID(storage::write_durably(*store_, batch));
            batch.clear();
        }
    }
    if (!store_->loses_only_the_end() && !batch.empty()) {
        // Where a batch is not written as a whole a receipt must not be there without its ids.
        TRY_VOID(storage::write_durably(*store_, batch));
        batch.clear();
    }
    put_receipt(receipt, batch);
    TRY_VOID(storage::write_durably(*store_, batch));
    return receipt;
}

/// Whether an entry changed.
Result<bool> Ledger::load() {
    bool changed = false;
    storage::ScanQuery query{.table = &erasure_table};
    do {
        TRY(const storage::Page page, storage::scan_page(*store_, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(const Hash hash, read_hash(page.rows.at(row, 1).text()));
            changed |= take(
                hash,
                {.at = instant_of(page.rows.at(row, 2).number()),
                 .count = static_cast<std::uint32_t>(page.rows.at(row, 3).number())}
            );
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return changed;
}

/// Receipts are few, and each comes with its ids: only when there is another one the ledger is
/// read.
Result<bool> Ledger::reload() {
    TRY(const storage::Rows rows,
        storage::read_all(
            *store_, {.table = &erasure_receipt_table, .partition = {std::string{receipts_name}}}
        ));
    if (rows.size() == receipts_seen_) {
        return false;
    }
    TRY(const bool changed, load());
    receipts_seen_ = rows.size();
    return changed;
}

Result<std::optional<Receipt>> Ledger::find_receipt(std::string_view id) const {
    const std::vector<storage::Value> from = place_of_receipt(id);
    if (from.empty()) {
        return std::nullopt;
    }
    TRY(const storage::Rows rows,
        storage::read_all(
            *store_,
            {.table = &erasure_receipt_table,
             .partition = {std::string{receipts_name}},
             .from = from,
             .through = from}
        ));
    return rows.empty() ? std::nullopt : std::optional{receipt_in(rows, 0)};
}

Result<std::vector<Receipt>> Ledger::receipts(std::string_view after, std::size_t limit) const {
    const std::vector<storage::Value> from = place_of_receipt(after);
    if (from.empty() && !after.empty()) {
        return fail(ErrorKind::invalid_input, "this is no receipt of an erasure");
    }
    std::vector<Receipt> receipts;
    storage::RangeQuery query{
        .table = &erasure_receipt_table,
        .partition = {std::string{receipts_name}},
        .from = from,
        .max_rows = limit + 1
    };
    do {
        TRY(const storage::Page page, storage::read_page(*store_, query));
        for (std::size_t row = 0; row < page.rows.size() && receipts.size() < limit; ++row) {
            Receipt receipt = receipt_in(page.rows, row);
            if (receipt.id != after) {
                receipts.push_back(std::move(receipt));
            }
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty() && receipts.size() < limit);
    return receipts;
}

Result<std::vector<Receipt>> Ledger::open_receipts() const {
    TRY(const storage::Rows rows,
        storage::read_all(
            *store_, {.table = &erasure_receipt_table, .partition = {std::string{receipts_name}}}
        ));
    std::vector<Receipt> open;
    for (std::size_t row = rows.size(); row-- > 0;) {
        Receipt receipt = receipt_in(rows, row);
        if (!receipt.open().empty()) {
            open.push_back(std::move(receipt));
        }
    }
    return open;
}

Result<void> Ledger::finish(Receipt& receipt, Part part, Instant now) {
    receipt.done.at(static_cast<std::size_t>(part)) = now;
    storage::Batch batch;
    put_receipt(receipt, batch);
    return storage::write_durably(*store_, batch);
}

}  // namespace footfall::erasure
