// Any bytes as a body of events, in each form; the first byte chooses it. Properties: what is taken
// is within its bounds and comes back from its stored form, a line is taken or rejected once, and a
// body read in parts reads as the whole does.
#include "events/event_code.h"
#include "events/event_json.h"
#include "events/event_json_write.h"
#include "foundation/check.h"
#include "foundation/utf8.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace footfall::events;

namespace {

/// Its JSON reads as the same event.
void check_json(const Event& event) {
    std::string json;
    append_event_json(event, json, ArrivalTime::left_out);
    auto reader = EventReader::open(json, EventForm::json, event.time);
    CHECK(reader.has_value(), "JSON");
    const ReadEvents again = reader->next(2);
    CHECK(again.good.size() == 1 && again.good[0] == event, "the same event");
}

void check_sound(const ReadEvents& events) {
    for (const Event& read : events.good) {
        Event again = read;
        CHECK(!tidy_event(again), "an event that cannot be taken");
        CHECK(again == read, "tidy is tidy");
        CHECK(footfall::is_utf8(read.object), "an object that is no text");
        std::string bytes;
        append_event(read, bytes);
        const auto stored = read_event(bytes);
        CHECK(stored && *stored == read, "what was written comes back");
        check_json(read);
    }
    for (const RejectedEvent& rejected : events.rejected) {
        CHECK(footfall::is_utf8(rejected.detail), "a reason that JSON cannot carry");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const auto form = static_cast<EventForm>(data[0] % 4);
    const std::string_view body{reinterpret_cast<const char*>(data) + 1, size - 1};
    (void)read_event(body).has_value();
    auto whole = EventReader::open(body, form, {});
    auto parts = EventReader::open(body, form, {});
    CHECK(whole.has_value() == parts.has_value(), "the same body");
    if (!whole) {
        return 0;
    }
    const ReadEvents all = whole->next(size + 1);
    CHECK(whole->done(), "no more events than bytes");
    check_sound(all);
    std::size_t good = 0;
    std::size_t rejected = 0;
    while (!parts->done()) {
        const ReadEvents some = parts->next(3);
        good += some.good.size();
        rejected += some.rejected.size();
    }
    CHECK(good == all.good.size() && rejected == all.rejected.size(), "the same events");
    return 0;
}
