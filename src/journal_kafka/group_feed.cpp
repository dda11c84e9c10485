#include "journal_kafka/group_feed.h"

#include "foundation/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace footfall::journal_kafka {
namespace {

using journal::SharedRecord;

/// What is given at most at once, of all lanes.
constexpr std::size_t given_records = 2'000;
constexpr std::size_t given_bytes = 4 << 20;
constexpr std::chrono::seconds commit_period{1};

SharedRecord record_of(const Delivered& delivered) {
    return {
        .lane = delivered.lane(),
        .offset = delivered.offset(),
        .time = delivered.time(),
        .key = std::string{delivered.key()},
        .value = std::string{delivered.value()},
        .content_type = std::string{delivered.header("content-type").value_or("")},
        .is_binary_cloudevent = delivered.header("ce_specversion").has_value()
    };
}

}  // namespace

Result<std::unique_ptr<GroupFeed>> GroupFeed::open(
    ClusterOptions cluster, const TopicOptions& topic, ConsumerOptions consumer
) {
    TRY(Owned<rd_kafka_conf_t> configuration, configure(cluster, {}));
    TRY(const auto client, start_client(RD_KAFKA_PRODUCER, std::move(configuration)));
    TRY_VOID(ensure_topic(*client, cluster, topic));
    TRY(const journal::LogId id, log_id(*client, topic.name, cluster.patience));
    std::unique_ptr<GroupFeed> feed{
        new GroupFeed{std::move(cluster), topic.name, std::move(consumer)}
    };
    feed->id_ = id;
    return feed;
}

GroupFeed::GroupFeed(ClusterOptions cluster, std::string topic, ConsumerOptions consumer)
    : cluster_{std::move(cluster)}, topic_{std::move(topic)}, options_{std::move(consumer)} {}

GroupFeed::~GroupFeed() {
    leave();
}

Result<void> GroupFeed::join() {
    LaneConsumer::Handlers handlers{
        .assigned = [this](std::span<const std::uint32_t> lanes) { return begin(lanes); },
        .revoked = [this](
                       std::span<const std::uint32_t> lanes, LaneConsumer::Leave leave
                   ) { give_back(lanes, leave); }
    };
    TRY(consumer_, LaneConsumer::join(cluster_, topic_, options_, std::move(handlers)));
    return {};
}

/// Where these lanes are to be read on.
Result<std::vector<std::uint64_t>> GroupFeed::begin(std::span<const std::uint32_t> lanes) {
    if (lanes.empty()) {
        return std::vector<std::uint64_t>{};
    }
    TRY(const auto committed, consumer_->committed(lanes, cluster_.patience));
    TRY(const auto begins, consumer_->begins(lanes, cluster_.patience));
    TRY(const auto ends, consumer_->ends(lanes, cluster_.patience));
    std::vector<std::uint64_t> offsets;
    std::string gone;
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        const std::uint64_t wanted = committed[at].value_or(begins[at]);
        const bool is_there = wanted >= begins[at] && wanted <= ends[at];
        if (!is_there) {
            gone += fmt::format(
                "{}lane {} (read to {}, has {} to {})",
                gone.empty() ? "" : ", ",
                lanes[at],
                wanted,
                begins[at],
                ends[at]
            );
        }
        offsets.push_back(is_there ? wanted : begins[at]);
    }
    if (!gone.empty()) {
        log(LogLevel::error,
            "kafka: records of {} went before they were read; all that are there are read: {}",
            topic_,
            gone);
    }
    return offsets;
}

void GroupFeed::give_back(std::span<const std::uint32_t> lanes, LaneConsumer::Leave leave) {
    const auto is_gone = [&](std::uint32_t lane) {
        return std::ranges::find(lanes, lane) != lanes.end();
    };
    std::erase_if(given_, [&](const SharedRecord& record) { return is_gone(record.lane); });
    if (leave == LaneConsumer::Leave::orderly) {
        if (const Result<void> told = consumer_->commit_now(done_); !told) {
            log(LogLevel::warning, "{}; some records will come again", told.error().message);
        }
    }
    std::erase_if(done_, [&](const auto& each) { return is_gone(each.first); });
}

Result<std::span<const SharedRecord>> GroupFeed::poll(std::chrono::milliseconds patience) {
    if (given_.empty()) {
        if (!consumer_) {
            TRY_VOID(join());
        }
        if (const Result<void> gathered = gather(patience); !gathered) {
            leave();  // the next poll joins anew
            return std::unexpected(gathered.error());
        }
        commit_in_time();
    }
    return std::span<const SharedRecord>{given_};
}

/// What is there, once something is. Lanes may go meanwhile, and their records with them.
Result<void> GroupFeed::gather(std::chrono::milliseconds patience) {
    std::size_t bytes = 0;
    while (given_.size() < given_records && bytes < given_bytes) {
        TRY(const std::optional<Delivered> delivered, consumer_->poll(patience));
        if (!delivered) {
            break;
        }
        bytes += delivered->value().size();
        given_.push_back(record_of(*delivered));
        patience = std::chrono::milliseconds{0};
    }
    return {};
}

void GroupFeed::done() {
    for (const SharedRecord& record : given_) {
        done_[record.lane] = record.offset + 1;
    }
    given_.clear();
}

void GroupFeed::commit_in_time() {
    const auto now = std::chrono::steady_clock::now();
    if (now < committed_at_ + commit_period) {
        return;
    }
    committed_at_ = now;
    if (!done_.empty()) {
        consumer_->commit(done_);
    }
}

void GroupFeed::leave() {
    if (consumer_) {
        consumer_->close();
        consumer_.reset();
    }
    given_.clear();
    done_.clear();
}

}  // namespace footfall::journal_kafka
