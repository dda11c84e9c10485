#include "journal_kafka/kafka_feed.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace footfall::journal_kafka {
namespace {

/// What a reader is given at most at once, of all lanes: so much that lanes have something to do
/// while others wait for the store.
constexpr std::size_t portion_records = 8'000;
constexpr std::size_t portion_bytes = 4 << 20;
/// As many as ask the store for 64 rows each and leave it half of its reads for others.
constexpr std::size_t lanes_at_once = 8;
/// How often those who watch the lag are told.
constexpr std::chrono::seconds lag_period{1};

}  // namespace

KafkaFeed::KafkaFeed(ClusterOptions cluster, std::string topic, ConsumerOptions options)
    : cluster_{std::move(cluster)},
      topic_{std::move(topic)},
      options_{std::move(options)},
      takers_{lanes_at_once} {}

KafkaFeed::~KafkaFeed() = default;

Result<void> KafkaFeed::join() {
    LaneConsumer::Handlers handlers{
        .assigned = [this](std::span<const std::uint32_t> lanes
                    ) -> Result<std::vector<std::uint64_t>> {
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
                reader_->revoked(lanes, as_lost_ || leave == LaneConsumer::Leave::lost);
                for (const std::uint32_t lane : lanes) {
                    done_.erase(lane);
                }
            }
    };
    TRY(consumer_, LaneConsumer::join(cluster_, topic_, options_, std::move(handlers)));
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
    // Lanes may have gone while records were gathered.
    std::erase_if(*portions, [&](const auto& each) { return !done_.contains(each.lane); });
    takers_.take(reader, *portions);
    Result<void> outcome;
    for (auto& [lane, records, taken] : *portions) {
        done_[lane] = taken ? records.next() : reader.next(lane);
        if (!taken) {
            TRY_VOID(consumer_->seek(lane, done_[lane]));
            outcome = std::move(taken);
        }
    }
    tell_lag();
    return outcome;
}

Result<void> KafkaFeed::find_ends() {
    if (!has_lanes_ || ends_) {
        return {};
    }
    std::vector<std::uint32_t> lanes;
    lanes.reserve(done_.size());
    for (const auto& [lane, done] : done_) {
        lanes.push_back(lane);
    }
    TRY(const std::vector<std::uint64_t> ends, consumer_->ends(lanes, cluster_.patience));
    ends_.emplace();
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        ends_->emplace(lanes[at], ends[at]);
    }
    return {};
}

bool KafkaFeed::caught_up() const {
    return ends_ && std::ranges::all_of(done_, [&](const auto& each) {
               const auto end = ends_->find(each.first);
               return end == ends_->end() || each.second >= end->second;
           });
}

/// What is there, once something is.
Result<std::vector<journal::Portion>> KafkaFeed::gather(std::chrono::milliseconds patience) {
    std::vector<journal::Portion> portions;
    std::map<std::uint32_t, std::size_t> place_of_lane;
    std::size_t records = 0;
    std::size_t bytes = 0;
    while (records < portion_records && bytes < portion_bytes) {
        TRY(const std::optional<Delivered> delivered, consumer_->poll(patience));
        if (!delivered) {
            break;
        }
        const auto [place, is_new] = place_of_lane.try_emplace(delivered->lane(), portions.size());
        if (is_new) {
            portions.push_back(
                {.lane = delivered->lane(), .records = journal::Records{delivered->offset()}}
            );
        }
        journal::Records& of_lane = portions[place->second].records;
        if (of_lane.next() != delivered->offset()) {
            // The lane went and came back meanwhile, and is read from another place.
            of_lane = journal::Records{delivered->offset()};
        }
        of_lane.append(delivered->value());
        ++records;
        bytes += delivered->value().size();
        patience = std::chrono::milliseconds{0};
    }
    return portions;
}

Result<void> KafkaFeed::rewind(journal::LaneReader& reader) {
    for (auto& [lane, done] : done_) {
        done = reader.next(lane);
        TRY_VOID(consumer_->seek(lane, done));
    }
    return {};
}

void KafkaFeed::tell_lag() {
    const auto now = std::chrono::steady_clock::now();
    if (now < told_at_ + lag_period || told_ == done_) {
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
    if (consumer_) {
        as_lost_ = lost;
        consumer_->close();
        as_lost_ = false;
        consumer_.reset();
        has_lanes_ = false;
        ends_.reset();
    }
}

}  // namespace footfall::journal_kafka
