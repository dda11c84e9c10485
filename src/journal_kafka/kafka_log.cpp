#include "journal_kafka/kafka_log.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace footfall::journal_kafka {

using journal::ReadLimit;
using journal::Records;
using storage::CommitPosition;

/// Knows which log it is, and nothing of its topic.
Result<std::unique_ptr<KafkaLog>> KafkaLog::reach(const KafkaLogOptions& options) {
    TRY(std::unique_ptr<LaneReader> reader,
        LaneReader::start(options.cluster, options.topic.name, options.topic.lanes, options.reader)
    );
    std::unique_ptr<KafkaLog> log{new KafkaLog{options, std::move(reader)}};
    TRY(log->id_, log_id(log->reader_->client(), options.topic.name, options.cluster.patience));
    return log;
}

Result<std::unique_ptr<KafkaLog>> KafkaLog::open(const KafkaLogOptions& options) {
    TRY(std::unique_ptr<KafkaLog> log, reach(options));
    TRY_VOID(ensure_topic(log->reader_->client(), options.cluster, options.topic));
    TRY_VOID(log->recover());
    return log;
}

Result<std::unique_ptr<KafkaLog>> KafkaLog::open_to_read(const KafkaLogOptions& options) {
    TRY(std::unique_ptr<KafkaLog> log, reach(options));
    TRY_VOID(find_topic(log->reader_->client(), options.topic, options.cluster.patience));
    TRY_VOID(log->find_ends());
    return log;
}

KafkaLog::KafkaLog(const KafkaLogOptions& options, std::unique_ptr<LaneReader> reader)
    : topic_{options.topic},
      patience_{options.cluster.patience},
      lanes_(options.topic.lanes),
      reader_{std::move(reader)},
      writer_{options.cluster, options.topic, options.writer} {}

KafkaLog::~KafkaLog() {
    on_lost_records({});
}

std::uint64_t KafkaLog::end(std::uint32_t lane) const {
    CHECK(lane < lanes_.size(), "no such lane", lane);
    return lanes_[lane].end;
}

std::uint64_t KafkaLog::begin(std::uint32_t lane) const {
    CHECK(lane < lanes_.size(), "no such lane", lane);
    return lanes_[lane].begin.load();
}

Result<CommitPosition> KafkaLog::append(
    std::uint32_t lane, std::span<const std::string_view> records
) {
    CHECK(lane < lanes_.size(), "no such lane", lane);
    const auto too_large = [](std::string_view record) { return record.size() > record_bytes_max; };
    if (std::ranges::any_of(records, too_large)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("a record is larger than {} bytes", record_bytes_max)
        );
    }
    TRY(const CommitPosition position, writer_.write(lane, records));
    lanes_[lane].end += records.size();
    return position;
}

bool KafkaLog::durable(CommitPosition position) const {
    return writer_.durable(position);
}

void KafkaLog::when_durable(CommitPosition position, storage::DurableDone done) {
    writer_.when_durable(position, std::move(done));
}

Result<Records> KafkaLog::read(std::uint32_t lane, std::uint64_t from, ReadLimit limit) {
    CHECK(lane < lanes_.size() && limit.records > 0, "a lane, and at least one record", lane);
    for (;;) {
        const std::uint64_t first = std::max(from, begin(lane));
        Result<Records> records =
            reader_->read(lane, first, writer_.delivered_end(lane).value_or(0), limit);
        if (records || records.error().kind != ErrorKind::corrupt) {
            return records;
        }
        // What was being read may have gone meanwhile.
        TRY(const bool gone, begins_behind(lane, first));
        if (!gone) {
            return records;
        }
    }
}

Result<bool> KafkaLog::begins_behind(std::uint32_t lane, std::uint64_t offset) {
    TRY(const std::uint64_t first,
        offset_at(reader_->client(), topic_.name, lane, Side::begin, patience_));
    note_begin(lane, first);
    return begin(lane) > offset;
}

/// What was asked earlier may be answered later: a beginning only moves on.
void KafkaLog::note_begin(std::uint32_t lane, std::uint64_t begin) {
    std::atomic<std::uint64_t>& noted = lanes_[lane].begin;
    std::uint64_t known = noted.load();
    while (known < begin && !noted.compare_exchange_weak(known, begin)) {
    }
}

Result<void> KafkaLog::find_begins() {
    const std::vector<std::uint32_t> all = all_lanes();
    TRY(const std::vector<std::uint64_t> begins,
        offsets_at(reader_->client(), topic_.name, all, Side::begin, patience_));
    for (const std::uint32_t lane : all) {
        note_begin(lane, begins[lane]);
    }
    return {};
}

void KafkaLog::rest(std::uint32_t lane) {
    CHECK(lane < lanes_.size(), "no such lane", lane);
    reader_->rest(lane);
}

Result<void> KafkaLog::retain(std::uint32_t lane, std::uint64_t from) {
    const std::lock_guard alone{retaining_};
    if (from <= begin(lane)) {
        return {};
    }
    TRY_VOID(delete_records(reader_->client(), topic_.name, lane, from, patience_));
    TRY_VOID(begins_behind(lane, from));
    return {};
}

void KafkaLog::on_lost_records(std::move_only_function<void()> lost) {
    writer_.on_lost(std::move(lost));
}

Result<void> KafkaLog::recover() {
    const std::lock_guard alone{retaining_};
    writer_.halt();
    TRY(const std::vector<std::uint64_t> ends, find_ends());
    return writer_.restart(ends);
}

std::vector<std::uint32_t> KafkaLog::all_lanes() const {
    std::vector<std::uint32_t> all(lanes_.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

/// Of all lanes, and their beginnings.
Result<std::vector<std::uint64_t>> KafkaLog::find_ends() {
    const std::vector<std::uint32_t> all = all_lanes();
    rd_kafka_t& client = reader_->client();
    TRY(const auto begins, offsets_at(client, topic_.name, all, Side::begin, patience_));
    TRY(std::vector<std::uint64_t> ends,
        offsets_at(client, topic_.name, all, Side::end, patience_));
    for (const std::uint32_t lane : all) {
        lanes_[lane].begin.store(begins[lane]);
        lanes_[lane].end = ends[lane];
    }
    return ends;
}

}  // namespace footfall::journal_kafka
