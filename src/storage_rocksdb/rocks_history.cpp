#include "storage_rocksdb/directory_format.h"
#include "storage_rocksdb/logged_block.h"
#include "storage_rocksdb/past_logs.h"
#include "storage_rocksdb/record_log.h"
#include "storage_rocksdb/rocks_options.h"
#include "storage_rocksdb/rocks_store.h"
#include "storage_rocksdb/slices.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <rocksdb/db.h>

#include <chrono>
#include <future>
#include <limits>
#include <ranges>
#include <string>
#include <utility>

// What RocksStore does with blocks that were written before: those that wait for their files when
// it is opened, and those of the logs of another directory, which came after what this one has.
namespace footfall::storage_rocksdb {
namespace {

namespace fs = std::filesystem;

/// So much is submitted before it is waited for.
constexpr std::size_t bytes_at_once = 8 << 20;
/// Fuller than this the memory for bulk rows is not made by logs: they can wait.
constexpr double fill_max = 0.7;

Result<RecordLog> read_whole_records(
    const fs::path& log, std::uint64_t number, const OnRecord& on_record
) {
    return read_record_log(
        *rocksdb::Env::Default(),
        log.string(),
        number,
        std::numeric_limits<std::size_t>::max(),
        on_record
    );
}

std::string text_of(Instant at) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
    return fmt::format("{:%FT%T}.{:06}Z", seconds, (at - seconds).count());
}

}  // namespace

/// Goes through logs in their order and hands on each block that is the next one, until one is
/// later than `until`.
class RocksStore::Replaying {
public:
    Replaying(RocksStore& store, Stamp base, Instant until)
        : store_{&store},
          families_{store.logged_families()},
          until_{until},
          replayed_{.last = base} {}

    Result<void> read(const fs::path& log, std::uint64_t number) {
        Result<void> applied;
        TRY(const RecordLog found, read_whole_records(log, number, [&](std::string_view record) {
                if (applied && !replayed_.reached_end) {
                    applied = take(record);
                }
            }));
        if (!applied) {
            return std::unexpected(with_context(std::move(applied).error(), log.string()));
        }
        if (found.end == RecordLog::End::damaged) {
            return fail(
                ErrorKind::corrupt,
                fmt::format(
                    "the write-ahead log {} is damaged at byte {}: {}",
                    log.string(),
                    found.whole_bytes,
                    found.damage
                )
            );
        }
        return {};
    }

    Result<Replayed> finish() {
        TRY_VOID(wait());
        return replayed_;
    }

private:
    Result<void> take(std::string_view record) {
        TRY(const LoggedBlock block, read_logged_block(record, families_));
        Stamp& last = replayed_.last;
        if (!block.stamp || block.stamp->history != last.history ||
            block.stamp->block <= last.block) {
            return {};
        }
        if (block.stamp->block != last.block + 1) {
            return fail(
                ErrorKind::not_found,
                fmt::format(
                    "the blocks {} to {} are in no backup, so nothing is known of what was written "
                    "between {} and {}",
                    last.block + 1,
                    block.stamp->block - 1,
                    text_of(last.at),
                    text_of(block.stamp->at)
                )
            );
        }
        if (block.stamp->at > until_) {
            replayed_.reached_end = true;
            return {};
        }
        last = *block.stamp;
        ++replayed_.blocks;
        return submit(block.rows);
    }

    Result<void> submit(const Block& rows) {
        while (store_->pending_.fill() >= fill_max) {
            TRY_VOID(store_->bulk_writer_->health());
            store_->pending_.wait_until_written(store_->options_.recover_pause);
        }
        TRY_VOID(store_->disk_.health());
        if (!rows.empty()) {
            TRY(position_, store_->committer_->submit(rows));
            submitted_ += rows.bytes();
        }
        return submitted_ >= bytes_at_once ? wait() : Result<void>{};
    }

    Result<void> wait() {
        submitted_ = 0;
        if (position_ == 0) {
            return {};
        }
        std::promise<Result<void>> done;
        store_->when_durable(position_, [&done](Result<void> result) {
            done.set_value(std::move(result));
        });
        return done.get_future().get();
    }

    RocksStore* store_;
    const LoggedFamilies families_;
    const Instant until_;
    Replayed replayed_;
    storage::CommitPosition position_ = 0;
    std::size_t submitted_ = 0;
};

/// Takes the blocks whose rows do not stand in files yet into memory again. There may be more than
/// the memory allows, from a time when it was larger: then the files have to be written first.
///
/// A walk past erased ranges may end early without a word (walk_options()), so there must be no gap
/// up to the last block, which is looked for from behind.
Result<void> RocksStore::replay_blocks() {
    return database_.use([this](rocksdb::DB& db) -> Result<void> {
        const std::unique_ptr<rocksdb::Iterator> blocks{db.NewIterator({}, database_.block_family())
        };
        blocks->SeekToLast();
        const std::uint64_t last = blocks->Valid() ? block_number(blocks->key().ToStringView()) : 0;
        rocksdb::Status walked = blocks->status();
        std::uint64_t before = 0;
        for (blocks->SeekToFirst(); walked.ok() && blocks->Valid(); blocks->Next()) {
            const std::uint64_t number = block_number(blocks->key().ToStringView());
            if (before != 0 && number != before + 1) {
                break;
            }
            before = number;
            TRY_VOID(pending_.append(number, blocks->value().ToString()));
            while (pending_.fill() >= 1) {
                TRY_VOID(bulk_writer_->health());
                pending_.wait_until_written(options_.recover_pause);
            }
        }
        if (walked.ok()) {
            walked = blocks->status();
        }
        if (walked.ok() && before != last) {
            walked =
                rocksdb::Status::Corruption(fmt::format("block {} cannot be read", before + 1));
        }
        if (!walked.ok()) {
            return std::unexpected(to_error(walked, "read the blocks of bulk rows"));
        }
        last_block_ = std::max(last_block_, last);
        pending_.complete();
        return {};
    });
}

/// Reads which block was written last, and which had secret rows; where there is none, or a history
/// is to begin, one begins.
Result<void> RocksStore::open_history() {
    return database_.use([this](rocksdb::DB& db) -> Result<void> {
        TRY(const auto found, database_.read_own(db, stamp_key));
        Stamp stamp;
        if (found) {
            TRY(stamp, decode_stamp(*found));
        }
        const bool first = this->stamp().history == 0;  // since this object was made
        if (first) {
            opened_at_ = stamp;
        }
        if (!found || (first && options_.begin_history)) {
            stamp = storage_rocksdb::begin_history(stamp.block, clock_->now());
            rocksdb::WriteOptions synced;
            synced.sync = true;
            const rocksdb::Status written =
                db.Put(synced, database_.own_family(), slice_of(stamp_key), encode_stamp(stamp));
            if (!written.ok()) {
                return std::unexpected(to_error(written, "begin the history of the store"));
            }
        }
        TRY(const auto secret, database_.read_own(db, secret_block_key));
        TRY(const auto shredded, database_.read_own(db, shredded_block_key));
        TRY(secret_block_, secret ? decode_block(*secret) : 0);
        TRY(shredded_block_, shredded ? decode_block(*shredded) : 0);
        const std::lock_guard lock{stamp_mutex_};
        stamp_ = stamp;
        return {};
    });
}

Result<RocksStore::PastBlocks> RocksStore::past_blocks(const fs::path& linked) const {
    TRY(const LogPaths logs, past_logs_in(linked / past_folder));
    PastBlocks all;
    for (const auto& [number, log] : logs) {
        TRY(const PastBlocks blocks, blocks_of(log, number));
        all = blocks;
        if (all.first != 0) {
            break;
        }
    }
    for (const auto& [number, log] : logs | std::views::reverse) {
        TRY(const PastBlocks blocks, blocks_of(log, number));
        if (blocks.last != 0) {
            all.last = blocks.last;
            break;
        }
    }
    return all;
}

/// Of one log; what stands behind its last whole record is left out.
Result<RocksStore::PastBlocks> RocksStore::blocks_of(const fs::path& log, std::uint64_t number)
    const {
    const LoggedFamilies families = logged_families();
    PastBlocks blocks;
    Result<void> looked;
    const auto look = [&](std::string_view record) {
        const auto block = read_logged_block(record, families);
        if (!block) {
            looked = std::unexpected(block.error());
        } else if (block->stamp) {
            blocks.first = blocks.first == 0 ? block->stamp->block : blocks.first;
            blocks.last = block->stamp->block;
        }
    };
    TRY(const RecordLog found, read_whole_records(log, number, look));
    TRY_VOID(std::move(looked));
    return blocks;
}

LoggedFamilies RocksStore::logged_families() const {
    return {
        .tables = &database_.numbers(),
        .blocks = database_.block_family()->GetID(),
        .of_store = database_.own_family()->GetID()
    };
}

Stamp RocksStore::stamp() const {
    const std::lock_guard lock{stamp_mutex_};
    return stamp_;
}

Result<RocksStore::Replayed> RocksStore::replay(const LogPaths& logs, Instant until) {
    if (database_.made_tables()) {
        return fail(
            ErrorKind::conflict,
            "the backup is of an earlier version of footfall, which had fewer tables: that version "
            "restores a moment after it, this one only the backup itself"
        );
    }
    Replaying replaying{*this, opened_at_, until};
    for (const auto& [number, log] : logs) {
        TRY_VOID(replaying.read(log, number));
    }
    return replaying.finish();
}

}  // namespace footfall::storage_rocksdb
