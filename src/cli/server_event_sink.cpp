#include "cli/batch_sender.h"
#include "cli/event_sink.h"
#include "events/event_json_write.h"

#include <utility>

namespace footfall::cli {
namespace {

class ServerEventSink final : public EventSink {
public:
    ServerEventSink(http_server::ServerUrl server, RejectLine reject)
        : sender_{std::move(server), "/api/v1/events", std::move(reject)} {}

    Result<void> put(SourceEvent event) override {
        events::append_event_json(event.event, sender_.body(), events::ArrivalTime::left_out);
        return sender_.end_line(event.line);
    }

    Result<void> finish() override { return sender_.finish(); }

    std::uint64_t imported() const override { return sender_.accepted() - sender_.duplicates(); }

    std::uint64_t duplicates() const override { return sender_.duplicates(); }

private:
    BatchSender sender_;
};

}  // namespace

std::unique_ptr<EventSink> make_server_event_sink(
    http_server::ServerUrl server, RejectLine reject
) {
    return std::make_unique<ServerEventSink>(std::move(server), std::move(reject));
}

}  // namespace footfall::cli
