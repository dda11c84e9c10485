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
#include <string>
#include <string_view>

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

    /// Records from here on are of this file: a path, or "standard input".
    virtual void start_file(std::string_view /*name*/) {}

    /// Takes a record; one that is wrong is told as rejected. An error ends the import.
    virtual Result<void> put(const records::Record& record) = 0;

    /// Waits until all that was put is durable.
    virtual Result<void> finish() = 0;

    virtual ImportCounts counts() const = 0;
};

/// The id of an event whose file gives none. It must be the same whenever the record is read again,
/// and no other record's; neither the file's name nor its size says that: logs are renamed, packed
/// and grow. So it is made of all that stands in the file up to and with the record, as a hash, and
/// of the record's line. A log that has grown keeps the ids of its beginning; two files have ids in
/// common only for as far as they are the same, line by line. With the action: that one record is
/// imported as two things that were done adds both.
std::string event_id_of(const records::Record& record, std::string_view action);

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

/// Records that become statements about ids: each column that is mapped to NETWORK/NAME has an id
/// of its record's person. An empty field is left out, and so is an id that stands for nobody; a
/// record of one id says that there is it. A record without a time is said of its import, one
/// without a source by its file. Imported again, the same file adds nothing, as with
/// make_event_records(). `map` and `clock` must outlive it. `invalid_input` when a constant of the
/// map, or the name of an id, is wrong.
Result<std::unique_ptr<RecordSink>> make_identity_records(
    const records::FieldMap& map,
    EventTimeFormat time_format,
    const Clock& clock,
    std::unique_ptr<EventSink> sink,
    RejectLine reject
);

}  // namespace footfall::cli
