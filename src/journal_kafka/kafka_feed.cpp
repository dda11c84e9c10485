#include "journal_kafka/kafka_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace footfall::journal_kafka {
namespace {

/// What a reader is given at most at once, of all lanes: so much that lanes have something to do
/// while others wait for the store. After failures less, as far as it is worth a turn.
constexpr std::size_t portion_records = 8'000;
constexpr std::size_t least_portion_records = 250;
constexpr std::size_t portion_bytes = 4 << 20;
/// As many as ask the store for 64 requests each and leave half of the most reads for others.
constexpr std::size_t lanes_at_once = 8;
/// How often those who watch the lag are told.
constexpr std::chrono::seconds lag_period{1};

}  // namespace

KafkaFeed::KafkaFeed(ClusterOptions cluster, std::string topic, ConsumerOptions options)
    : cluster_{std::move(cluster)},
      topic_{std::move(topic)},
      options_{std::move(options)},
      readers_{lanes_at_once},
      portion_{least_portion_records, portion_records} {}

KafkaFeed::~KafkaFeed() {
    reader_ = nullptr;  // it may have gone before
    if (consumer_) {
        consumer_->close();
    }
}

Result<void> KafkaFeed::join() {
    LaneConsumer::Handlers handlers{
        .assigned = [this](std::span<const std::uint32_t> lanes
                    ) -> Result<std::vector<std::uint64_t>> {
            if (reader_ == nullptr) {
                return fail(ErrorKind::unavailable, "nobody reads any more");
            }
            TRY(std::vector<std::uint64_t> offsets, reader_->assigned(lanes));
            for (std::size_t at = 0; at < lanes.size(); ++at) {
                done_[lanes[at]] = offsets[at];
            }
            has_lanes_ = true;
            ends_.reset();
            return offsets;
        },
        .revoked =
            [this](std::span<const std::uint32_t> lanes, LaneConsumer::Leave leave) {
                if (reader_ != nullptr) {
                    reader_->revoked(lanes, as_lost_ || leave == LaneConsumer::Leave::lost);
                }
                for (const std::uint32_t lane : lanes) {
                    done_.erase(lane);
                    gathered_.erase(lane);
                }
            }
    };
    TRY(auto consumer, LaneConsumer::join(cluster_, topic_, options_, std::move(handlers)));
    const std::lock_guard lock{consumer_changes_};
    consumer_ = std::move(consumer);
    return {};
}

Result<void> KafkaFeed::poll(journal::LaneReader& reader, std::chrono::milliseconds patience) {
    reader_ = &reader;
    if (!consumer_) {
        TRY_VOID(join());
    }
    TRY_VOID(find_ends());
    auto portions = gather(patience);
    if (!portions) {
        leave(reader, false);  // the next poll joins anew
        return std::unexpected(portions.error());
    }
    readers_.give(reader, *portions);
    Result<void> outcome;
    std::vector<std::uint32_t> refused;
    for (auto& [lane, records, taken] : *portions) {
        if (taken) {
            done_[lane] = records.next();
        } else {
            refused.push_back(lane);
            outcome = std::move(taken);
        }
    }
    if (!portions->empty()) {
        portion_.note(refused.empty());
    }
    TRY_VOID(read_anew(reader, refused));
    tell_lag();
    return outcome;
}

/// Gives these lanes from the reader's next() on. They are behind what the consumer gave: where it
/// cannot go back, the lanes are taken anew, for what it would go on with is not what comes next.
Result<void> KafkaFeed::read_anew(
    journal::LaneReader& reader, std::span<const std::uint32_t> lanes
) {
    for (const std::uint32_t lane : lanes) {
        done_[lane] = reader.next(lane);
        if (Result<void> sought = consumer_->seek(lane, done_[lane]); !sought) {
            leave(reader, false);  // the next poll joins anew
            return sought;
        }
    }
    return {};
}

std::vector<std::uint32_t> KafkaFeed::our_lanes() const {
    std::vector<std::uint32_t> lanes;
    lanes.reserve(done_.size());
    for (const auto& [lane, done] : done_) {
        lanes.push_back(lane);
    }
    return lanes;
}

Result<void> KafkaFeed::find_ends() {
    if (!has_lanes_ || ends_) {
        return {};
    }
    const std::vector<std::uint32_t> lanes = our_lanes();
    TRY(const std::vector<std::uint64_t> ends, consumer_->ends(lanes, cluster_.patience));
    ends_.emplace();
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        ends_->emplace(lanes[at], ends[at]);
    }
    return {};
}

bool KafkaFeed::caught_up() const {
    return ends_ && behind() == 0;
}

bool KafkaFeed::lost() const {
    const std::lock_guard lock{consumer_changes_};
    return consumer_ && consumer_->lost();
}

std::uint64_t KafkaFeed::behind() const {
    std::uint64_t records = 0;
    for (const auto& [lane, end] : ends_.value_or(std::map<std::uint32_t, std::uint64_t>{})) {
        const auto done = done_.find(lane);
        records += done != done_.end() && done->second < end ? end - done->second : 0;
    }
    return records;
}

/// What is there, once something is. Of lanes that go meanwhile nothing: if they come back they are
/// read from where the reader says then.
Result<std::vector<journal::Portion>> KafkaFeed::gather(std::chrono::milliseconds patience) {
    gathered_.clear();
    std::size_t records = 0;
    std::size_t bytes = 0;
    while (records < portion_.records() && bytes < portion_bytes) {
        TRY(const std::optional<Delivered> delivered, consumer_->poll(patience));
        if (!delivered) {
            break;
        }
        journal::Records& of_lane =
            gathered_.try_emplace(delivered->lane(), delivered->offset()).first->second;
        if (of_lane.next() != delivered->offset()) {
            return fail(
                ErrorKind::corrupt,
                fmt::format(
                    "kafka: lane {} of {} goes on with record {} where {} comes next",
                    delivered->lane(),
                    topic_,
                    delivered->offset(),
                    of_lane.next()
                )
            );
        }
        of_lane.append(delivered->value());
        ++records;
        bytes += delivered->value().size();
        patience = std::chrono::milliseconds{0};
    }
    std::vector<journal::Portion> portions;
    portions.reserve(gathered_.size());
    for (auto& [lane, of_lane] : gathered_) {
        portions.push_back({.lane = lane, .records = std::move(of_lane)});
    }
    gathered_.clear();
    return portions;
}

Result<void> KafkaFeed::rewind(journal::LaneReader& reader) {
    reader_ = &reader;
    return read_anew(reader, our_lanes());
}

void KafkaFeed::tell_lag() {
    const auto now = std::chrono::steady_clock::now();
    if (options_.all_lanes > 0 || now < told_at_ + lag_period || told_ == done_) {
        return;
    }
    told_at_ = now;
    told_ = done_;
    if (!done_.empty()) {
        consumer_->commit(done_);
    }
}

void KafkaFeed::leave(journal::LaneReader& reader, bool lost) {
    reader_ = &reader;
    std::unique_ptr<LaneConsumer> left;
    {
        const std::lock_guard lock{consumer_changes_};
        left = std::move(consumer_);
    }
    if (left) {
        as_lost_ = lost;
        left->close();
        as_lost_ = false;
        has_lanes_ = false;
        ends_.reset();
    }
}

}  // namespace footfall::journal_kafka
