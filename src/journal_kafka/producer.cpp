#include "journal_kafka/producer.h"

#include "foundation/log.h"
#include "journal_kafka/topic.h"
#include "runtime/enter_thread.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace footfall::journal_kafka {
namespace {

constexpr int tick_milliseconds = 100;
constexpr std::size_t reports_at_once = 1000;

Settings producer_settings(const ProducerOptions& options) {
    return {
        {"enable.idempotence", "true"},  // with acks=all, and at most 5 requests on the way
        // A batch that cannot be written ends the producer: what follows must not be written.
        {"enable.gapless.guarantee", "true"},
        {"message.timeout.ms", "0"},  // never: a record left out would be a gap
        {"request.timeout.ms", "10000"},
        {"compression.codec", "lz4"},
        {"linger.ms", fmt::format("{}", options.linger.count())},
        {"message.max.bytes", fmt::format("{}", message_bytes_max)},
        // Twice what we let in: a record leaves its queue a moment after we hear of it.
        {"queue.buffering.max.messages", fmt::format("{}", 2 * options.records)},
        {"queue.buffering.max.kbytes", fmt::format("{}", (2 * options.bytes >> 10) + 1)},
    };
}

rd_kafka_vu_t argument(rd_kafka_vtype_t type) {
    rd_kafka_vu_t value{};
    value.vtype = type;
    return value;
}

rd_kafka_vu_t bytes_argument(rd_kafka_vtype_t type, std::string_view bytes) {
    rd_kafka_vu_t value = argument(type);
    value.u.mem.ptr =
        const_cast<char*>(bytes.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): copied
    value.u.mem.size = bytes.size();
    return value;
}

}  // namespace

Result<std::unique_ptr<Producer>> Producer::start(
    const ClusterOptions& cluster,
    const std::string& topic,
    const ProducerOptions& options,
    Events events
) {
    TRY(Owned<rd_kafka_conf_t> configuration, configure(cluster, producer_settings(options)));
    rd_kafka_conf_set_events(configuration.get(), RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR);
    TRY(Owned<rd_kafka_t> client, start_client(RD_KAFKA_PRODUCER, std::move(configuration)));
    return std::unique_ptr<Producer>{new Producer{std::move(client), topic, std::move(events)}};
}

Producer::Producer(Owned<rd_kafka_t> client, const std::string& topic, Events events)
    : client_{std::move(client)},
      topic_{rd_kafka_topic_new(client_.get(), topic.c_str(), nullptr)},
      events_queue_{rd_kafka_queue_get_main(client_.get())},
      events_{std::move(events)},
      thread_{[this] {
          runtime::enter_thread("kafka-reports", runtime::Urgency::first);
          serve();
      }} {}

Producer::~Producer() {
    stopping_.store(true);
    wake();
    thread_.join();
    drop();
}

Result<void> Producer::send(std::uint32_t lane, const Message& message) {
    if (message.headers.empty()) {
        const int queued = rd_kafka_produce(
            topic_.get(),
            static_cast<std::int32_t>(lane),
            RD_KAFKA_MSG_F_COPY,
            const_cast<char*>(message.value.data()
            ),  // NOLINT(cppcoreguidelines-pro-type-const-cast): copied
            message.value.size(),
            message.key.empty() ? nullptr : message.key.data(),
            message.key.size(),
            nullptr
        );
        return queued == 0 ? Result<void>{} : outcome_of(rd_kafka_last_error(), "append");
    }
    Owned<rd_kafka_headers_t> headers{rd_kafka_headers_new(message.headers.size())};
    for (const auto& [name, value] : message.headers) {
        rd_kafka_header_add(
            headers.get(),
            name.data(),
            static_cast<ssize_t>(name.size()),
            value.data(),
            static_cast<ssize_t>(value.size())
        );
    }
    std::array<rd_kafka_vu_t, 6> arguments{
        argument(RD_KAFKA_VTYPE_RKT),
        argument(RD_KAFKA_VTYPE_PARTITION),
        argument(RD_KAFKA_VTYPE_MSGFLAGS),
        argument(RD_KAFKA_VTYPE_HEADERS),
        bytes_argument(RD_KAFKA_VTYPE_VALUE, message.value),
        bytes_argument(RD_KAFKA_VTYPE_KEY, message.key),
    };
    arguments[0].u.rkt = topic_.get();
    arguments[1].u.i32 = static_cast<std::int32_t>(lane);
    arguments[2].u.i = RD_KAFKA_MSG_F_COPY;
    arguments[3].u.headers = headers.get();
    const Owned<rd_kafka_error_t> error{
        rd_kafka_produceva(client_.get(), arguments.data(), arguments.size())
    };
    if (error) {
        return outcome_of(rd_kafka_error_code(error.get()), "append");
    }
    // NOLINTNEXTLINE(bugprone-unused-return-value): the record's now
    static_cast<void>(headers.release());
    return {};
}

void Producer::drop() {
    rd_kafka_purge(
        client_.get(),
        RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING
    );
}

void Producer::wake() {
    rd_kafka_queue_yield(events_queue_.get());
}

void Producer::serve() {
    while (!stopping_.load()) {
        const Owned<rd_kafka_event_t> event{
            rd_kafka_queue_poll(events_queue_.get(), tick_milliseconds)
        };
        switch (rd_kafka_event_type(event.get())) {
            case RD_KAFKA_EVENT_DR:
                take_reports(*event);
                break;
            case RD_KAFKA_EVENT_ERROR:
                if (rd_kafka_event_error_is_fatal(event.get()) != 0) {
                    std::array<char, 512> why{};
                    const auto code = rd_kafka_fatal_error(client_.get(), why.data(), why.size());
                    events_.failed(error_of(code, "append", why.data()));
                } else {
                    log(LogLevel::debug, "kafka: {}", rd_kafka_event_error_string(event.get()));
                }
                break;
            default:
                break;
        }
        events_.passed();
    }
}

void Producer::take_reports(rd_kafka_event_t& event) {
    std::array<const rd_kafka_message_t*, reports_at_once> messages{};
    while (const std::size_t count =
               rd_kafka_event_message_array(&event, messages.data(), messages.size())) {
        events_.reported(std::span{messages}.first(count));
    }
}

}  // namespace footfall::journal_kafka
