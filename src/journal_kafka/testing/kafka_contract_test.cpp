#include "brokers.h"
#include "foundation/check.h"
#include "journal_kafka/kafka_log.h"
#include "journal_testing/faulty_log.h"
#include "journal_testing/log_contract.h"

#include <memory>

namespace footfall::journal {
namespace {

using journal_kafka::fresh_topic;
using journal_kafka::KafkaLog;
using journal_kafka::KafkaLogOptions;
using journal_kafka::test_cluster;

/// A log on a topic of its own.
class KafkaSubject final : public LogSubject {
public:
    KafkaSubject() { reopen(); }

    Log& log() override { return *log_; }

    void reopen() override {
        log_.reset();
        auto opened = KafkaLog::open(options_);
        CHECK(opened, "the log does not open", opened ? "" : opened.error().message);
        log_ = *std::move(opened);
    }

private:
    const KafkaLogOptions options_{.cluster = test_cluster(), .topic = fresh_topic(8)};
    std::unique_ptr<KafkaLog> log_;
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(
    Kafka,
    LogContract,
    testing::Values(
        LogImplementation{.name = "kafka", .open = [] { return std::make_unique<KafkaSubject>(); }},
        LogImplementation{
            .name = "torn", .open = [] { return torn(std::make_unique<KafkaSubject>()); }
        }
    ),
    implementation_name
);

}  // namespace footfall::journal
