// Records that become what people say. A file of friendships has a record for each, often with all
// of one person together, or in no order: what many records say is gathered by person, so that a
// list is read and written once for all of them.

#include "cli/people_sink.h"
#include "cli/record_sink.h"
#include "foundation/utf8.h"
#include "reading_routes/person_json.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

using boost::json::object;
using records::TargetField;

/// So many records are gathered, and so many bytes of names: memory does not grow with a file.
constexpr std::size_t records_at_once = 100'000;
constexpr std::size_t bytes_at_once = 8 << 20;

/// Between the names of a list where a format has no lists.
constexpr char list_separator = ';';

std::unexpected<Error> wrong(std::string message) {
    return fail(ErrorKind::invalid_input, std::move(message));
}

/// Of a list that is too long anyway only so much that this shows.
boost::json::array parts_of(std::string_view text) {
    boost::json::array list;
    for (;;) {
        const std::size_t end = text.find(list_separator);
        list.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos || list.size() > people::friends_max) {
            return list;
        }
        text.remove_prefix(end + 1);
    }
}

/// A name that looks like a number is often written as one.
boost::json::value array_in(std::string_view json) {
    boost::json::error_code error;
    boost::json::value list = boost::json::parse({json.data(), json.size()}, error);
    if (error || !list.is_array()) {
        return boost::json::value(json);  // which is no list: refused as that
    }
    for (boost::json::value& each : list.get_array()) {
        if (each.is_int64()) {
            each = fmt::format("{}", each.get_int64());
        } else if (each.is_uint64()) {
            each = fmt::format("{}", each.get_uint64());
        }
    }
    return list;
}

/// How the line of a person in JSON says it.
std::string_view json_name_of(TargetField target) {
    return target == TargetField::one_friend ? "add" : records::name_of(target);
}

/// In the words of who made the file.
std::string told(const reading::routes::Fault& fault) {
    const std::string field = fault.field == "add" ? "friend" : fault.field;
    return fault.detail.contains(field) ? fault.detail : field + ": " + fault.detail;
}

class PeopleRecords final : public RecordSink {
public:
    PeopleRecords(
        const records::FieldMap& map,
        records::InputFormat format,
        const Clock& clock,
        std::unique_ptr<PeopleSink> sink,
        RejectLine reject
    )
        : map_{&map},
          has_lists_{format == records::InputFormat::ndjson},
          clock_{&clock},
          sink_{std::move(sink)},
          reject_{std::move(reject)} {}

    Result<void> set_constants() {
        for (const records::FieldMap::Constant& each : map_->constants()) {
            if (Result<void> done = set(constant_, each.target, each.value, false); !done) {
                return wrong("--set: " + done.error().message);
            }
        }
        // What the columns give stands in for what they may.
        object whole = constant_;
        whole.emplace("actor", "-");
        if (whole.contains("until")) {
            whole.emplace("reading", "private");
        }
        whole.emplace("add", boost::json::array{"-"});
        const auto said = reading::routes::read_person(whole, clock_->now());
        return said ? Result<void>{} : wrong("--set: " + told(said.error()));
    }

    Result<void> put(const records::Record& record) override {
        Result<people::Said> said = said_of(record);
        if (!said) {
            reject_(record.line, said.error().message);
            return {};
        }
        gather(*std::move(said), record.line);
        return records_ < records_at_once && bytes_ < bytes_at_once ? Result<void>{} : finish();
    }

    Result<void> finish() override {
        TRY_VOID(sink_->say(said_, [this](std::size_t at, std::string_view reason) {
            for (const std::uint64_t line : lines_[at]) {
                reject_(line, reason);
            }
            records_ -= lines_[at].size();
        }));
        imported_ += records_;
        said_.clear();
        lines_.clear();
        latest_.clear();
        records_ = 0;
        bytes_ = 0;
        return {};
    }

    /// People know no duplicates: saying it again changes nothing.
    ImportCounts counts() const override { return {.imported = imported_}; }

private:
    Result<people::Said> said_of(const records::Record& record) const {
        object person = constant_;
        for (std::size_t at = 0; at < map_->mappings().size(); ++at) {
            const TargetField target = map_->mappings()[at].target;
            TRY_VOID(set(person, target, record.fields[at], has_lists_));
        }
        if (!person.contains("reading")) {
            for (const std::string_view beside : {"until", "sites", "to"}) {
                if (person.contains(beside)) {
                    return wrong(fmt::format(
                        "reading is missing: beside {} it says shared, private or off", beside
                    ));
                }
            }
        }
        auto said = reading::routes::read_person(person, clock_->now());
        return said ? Result<people::Said>{*std::move(said)} : wrong(told(said.error()));
    }

    /// An empty text says nothing.
    static Result<void> set(
        object& person, TargetField target, std::string_view value, bool has_lists
    ) {
        if (value.empty()) {
            return {};
        }
        if (!is_utf8(value)) {
            return wrong(fmt::format("{} is not UTF-8", records::name_of(target)));
        }
        boost::json::value said(value);
        if (records::is_list(target)) {
            said = has_lists ? array_in(value) : parts_of(value);
        } else if (target == TargetField::one_friend) {
            said = boost::json::array{value};
        }
        person.emplace(json_name_of(target), std::move(said));
        return {};
    }

    void gather(people::Said said, std::uint64_t line) {
        ++records_;
        bytes_ += bytes_of(said);
        const auto [known, is_new] = latest_.try_emplace(said.actor, said_.size());
        if (!is_new && goes_with(said_[known->second], said)) {
            said_[known->second].add.push_back(std::move(said.add.front()));
            lines_[known->second].push_back(line);
            return;
        }
        known->second = said_.size();
        said_.push_back(std::move(said));
        lines_.push_back({line});
    }

    /// Whether what a record says of a person can be said together with what was said before it. A
    /// consent alone is not: it would be refused with friends who are too many.
    static bool goes_with(const people::Said& before, const people::Said& said) {
        return !said.add.empty() && !before.add.empty() &&
               before.add.size() < people::friends_max &&
               (!said.consent || said.consent == before.consent);
    }

    static std::size_t bytes_of(const people::Said& said) {
        std::size_t bytes = said.actor.size();
        const auto add = [&](const auto& names) {
            for (const std::string& each : names) {
                bytes += sizeof(std::string) + each.size();
            }
        };
        add(said.add);
        if (said.friends) {
            add(*said.friends);
        }
        if (said.consent) {
            add(said.consent->sites);
        }
        return bytes;
    }

    const records::FieldMap* map_;
    const bool has_lists_;
    const Clock* clock_;
    object constant_;
    std::unique_ptr<PeopleSink> sink_;
    RejectLine reject_;
    std::vector<people::Said> said_;                 ///< What is gathered.
    std::vector<std::vector<std::uint64_t>> lines_;  ///< Of each of these: where it stood.
    boost::unordered_flat_map<std::string, std::size_t> latest_;  ///< Of each actor, in `said_`.
    std::size_t records_ = 0;                                     ///< That are gathered.
    std::size_t bytes_ = 0;
    std::uint64_t imported_ = 0;
};

}  // namespace

Result<std::unique_ptr<RecordSink>> make_people_records(
    const records::FieldMap& map,
    records::InputFormat format,
    const Clock& clock,
    std::unique_ptr<PeopleSink> sink,
    RejectLine reject
) {
    auto records =
        std::make_unique<PeopleRecords>(map, format, clock, std::move(sink), std::move(reject));
    TRY_VOID(records->set_constants());
    return records;
}

}  // namespace footfall::cli
