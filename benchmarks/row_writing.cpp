// CPU that a token row takes to be stored: through the embedded store, or as ordinary puts into a
// RocksDB with default options, with the same bytes in the same order. All threads count; what was
// written is read back and compared.
//
//   row_writing footfall|rocksdb FOLDER ROWS SEED

#include "foundation/check.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "metrics/metrics.h"
#include "storage/key_codec.h"
#include "storage_rocksdb/rocks_store.h"
#include "tokens/counter_config.h"
#include "tokens/schema.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace {

using namespace footfall;

constexpr std::int64_t unspread = 0;  // level and bucket of the embedded store
constexpr std::size_t rows_a_sync = 1000;
constexpr std::size_t objects = 100'000;
constexpr std::size_t checked_every = 10'007;

/// The n-th row: a random token on a random object, as the counters store it.
class RowSource {
public:
    explicit RowSource(std::uint64_t seed) : seed_{seed} {}

    void make(std::size_t n) {
        Random random{seed_ * 0x9e3779b97f4a7c15 + n};
        object_ = std::to_string(random.below(objects));
        token_ = std::to_string(random());
    }

    std::array<storage::ValueView, 6> key() const {
        return {"default", object_, unspread, unspread, tokens::never, token_};
    }

    std::array<storage::ValueView, 7> row() const {
        return {"default", object_, unspread, unspread, tokens::never, token_, tokens::never};
    }

private:
    std::uint64_t seed_;
    std::string object_;
    std::string token_;
};

double cpu_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// One side: writes, settles, and says whether a row is there.
class Side {
public:
    Side() = default;
    Side(const Side&) = delete;
    Side& operator=(const Side&) = delete;
    virtual ~Side() = default;

    /// Adds a row to the batch.
    virtual void add(const RowSource& source) = 0;
    /// Writes the batch; returns when it is durable.
    virtual void commit() = 0;
    /// Nothing is left to be compacted.
    virtual void settle() = 0;
    virtual bool has(const RowSource& source) = 0;
};

class FootfallSide final : public Side {
public:
    explicit FootfallSide(const std::string& folder) {
        auto opened = storage_rocksdb::RocksStore::open(
            {.directory = folder, .tables = {&tokens::token_table}}, clock_, metrics_
        );
        CHECK(opened.has_value(), "open", opened.error().message);
        store_ = *std::move(opened);
    }

    void add(const RowSource& source) override { batch_.upsert(tokens::token_table, source.row()); }

    void commit() override {
        auto position = store_->submit(batch_);
        while (!position && position.error().kind == ErrorKind::overloaded) {
            // Back-pressure is part of the price: wait as a client that was told to retry.
            std::promise<void>{}.get_future().wait_for(std::chrono::milliseconds{1});
            position = store_->submit(batch_);
        }
        CHECK(position.has_value(), "submit", position.error().message);
        std::promise<Result<void>> durable;
        store_->when_durable(*position, [&](const Result<void>& done) { durable.set_value(done); });
        const Result<void> done = durable.get_future().get();
        CHECK(done.has_value(), "commit", done.error().message);
        batch_.clear();
    }

    void settle() override { CHECK(store_->compact().has_value(), "compact"); }

    bool has(const RowSource& source) override {
        const auto key = source.key();
        std::promise<bool> found;
        store_->read_many(
            tokens::token_table,
            {storage::owned_values(key)},
            [&](const Result<storage::Found>& read) {
                found.set_value(
                    read && read->row_of_key[0] &&
                    read->rows.at(*read->row_of_key[0], key.size()) == source.row().back()
                );
            }
        );
        return found.get_future().get();
    }

private:
    SystemClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    storage::Batch batch_;
};

class RocksdbSide final : public Side {
public:
    explicit RocksdbSide(const std::string& folder) {
        rocksdb::Options options;
        options.create_if_missing = true;
        rocksdb::DB* database = nullptr;
        require(rocksdb::DB::Open(options, folder, &database));
        database_.reset(database);
    }

    void add(const RowSource& source) override {
        encode(source);
        batch_.Put(key_, value_);
    }

    void commit() override {
        rocksdb::WriteOptions synced;
        synced.sync = true;
        require(database_->Write(synced, &batch_));
        batch_.Clear();
    }

    void settle() override {
        rocksdb::CompactRangeOptions options;
        // As the store does it: every file is written anew.
        options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
        require(database_->CompactRange(options, nullptr, nullptr));
    }

    bool has(const RowSource& source) override {
        encode(source);
        std::string read;
        return database_->Get({}, key_, &read).ok() && read == value_;
    }

private:
    static void require(const rocksdb::Status& status) {
        CHECK(status.ok(), "rocksdb", status.ToString());
    }

    void encode(const RowSource& source) {
        key_.clear();
        value_.clear();
        storage::append_key(tokens::token_table, source.key(), key_);
        const auto row = source.row();
        storage::append_row_values(tokens::token_table, std::span{row}.last(1), value_);
    }

    std::unique_ptr<rocksdb::DB> database_;
    rocksdb::WriteBatch batch_;
    std::string key_;
    std::string value_;
};

std::unique_ptr<Side> open_side(const std::string& name, const std::string& folder) {
    if (name == "footfall") {
        return std::make_unique<FootfallSide>(folder);
    }
    return std::make_unique<RocksdbSide>(folder);
}

/// What making the rows alone takes, to be taken off both sides.
double cpu_of_source(RowSource& source, std::size_t rows) {
    const double start = cpu_seconds();
    for (std::size_t n = 0; n < rows; ++n) {
        source.make(n);
    }
    return cpu_seconds() - start;
}

std::string measure(
    const std::string& name, const std::string& folder, std::size_t rows, RowSource source
) {
    const double of_source = cpu_of_source(source, rows);
    auto side = open_side(name, folder);
    const auto started = std::chrono::steady_clock::now();
    const double start = cpu_seconds();
    for (std::size_t n = 0; n < rows; ++n) {
        source.make(n);
        side->add(source);
        if ((n + 1) % rows_a_sync == 0 || n + 1 == rows) {
            side->commit();
        }
    }
    const double written = cpu_seconds();
    const auto ended = std::chrono::steady_clock::now();
    for (std::size_t n = 0; n < rows; n += checked_every) {
        source.make(n);
        CHECK(side->has(source), "a row that was written is not there as it was written", n);
    }
    source.make(rows);
    CHECK(!side->has(source), "a row that was not written is there");
    const double checked = cpu_seconds();
    side->settle();
    const double settled = cpu_seconds() - checked;
    const auto a_row = [&](double seconds) {
        return (seconds - of_source) * 1e6 / static_cast<double>(rows);
    };
    return fmt::format(
        R"({{"us_a_row":{:.4f},"us_a_row_settled":{:.4f},"seconds":{:.3f}}})",
        a_row(written - start),
        a_row(written - start + settled),
        std::chrono::duration<double>(ended - started).count()
    );
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fputs("usage: row_writing footfall|rocksdb FOLDER ROWS SEED\n", stderr);
        return 2;
    }
    const std::string folder = argv[2];
    std::filesystem::create_directories(folder);
    const std::string result =
        measure(argv[1], folder, std::stoul(argv[3]), RowSource{std::stoul(argv[4])});
    std::filesystem::remove_all(folder);
    std::puts(result.c_str());
    return 0;
}
