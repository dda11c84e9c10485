#pragma once

#include "cli/event_sink.h"
#include "cli/event_time.h"
#include "cli/people_sink.h"
#include "cli/rate_sink.h"
#include "cli/rejects.h"
#include "cli/token_sink.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "records/field_map.h"
#include "records/record_reader.h"

#include <cstdint>
#include <memory>

namespace footfall::cli {

/// What became of records.
struct ImportCounts {
    std::uint64_t imported = 0;
    std::uint64_t duplicates = 0;
};

/// Where the records of files go, whatever they become. For one thread.
class RecordSink {
public:
    virtual ~RecordSink() = default;

    /// Takes a record; one that is wrong is told as rejected. An error ends the import.
    virtual Result<void> put(const records::Record& record) = 0;

    /// Waits until all that was put is durable.
    virtual Result<void> finish() = 0;

    virtual ImportCounts counts() const = 0;
};

/// Records that become tokens. `map` must outlive it.
std::unique_ptr<RecordSink> make_token_records(
    const records::FieldMap& map, std::unique_ptr<TokenSink> sink, RejectLine reject
);

/// Records that become events. Their ids, unless mapped, are made of what stands in the file up to
/// and with the record: the same file, also under another name, packed or grown, adds nothing that
/// was imported before. `map` must outlive it. `invalid_input` when a constant of the map is wrong.
Result<std::unique_ptr<RecordSink>> make_event_records(
    const records::FieldMap& map,
    records::InputFormat format,
    EventTimeFormat time_format,
    std::unique_ptr<EventSink> sink,
    RejectLine reject
);

/// Records that become rates. `map` must outlive it. `invalid_input` when a constant of the map is
/// wrong.
Result<std::unique_ptr<RecordSink>> make_rate_records(
    const records::FieldMap& map, std::unique_ptr<RateSink> sink, RejectLine reject
);

/// Records that become what people say of their reading and their friends. Lists are arrays in
/// NDJSON; elsewhere names with a semicolon between each two. What is empty says nothing. Of one
/// person the records keep their order; those of several may be said in another one. Of those that
/// add friends to one person together either all are taken or none. `map` and `clock` must outlive
/// it. `invalid_input` when a constant of the map is wrong.
Result<std::unique_ptr<RecordSink>> make_people_records(
    const records::FieldMap& map,
    records::InputFormat format,
    const Clock& clock,
    std::unique_ptr<PeopleSink> sink,
    RejectLine reject
);

}  // namespace footfall::cli
