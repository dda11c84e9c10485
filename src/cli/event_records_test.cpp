#include "cli/record_sink.h"
#include "events/event_json_write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

using testing::ElementsAre;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

/// Keeps what it is given.
class KeptEvents final : public EventSink {
public:
    explicit KeptEvents(std::vector<SourceEvent>& events) : events_{&events} {}

    Result<void> put(SourceEvent event) override {
        events_->push_back(std::move(event));
        return {};
    }

    Result<void> finish() override { return {}; }

    std::uint64_t imported() const override { return events_->size(); }

    std::uint64_t duplicates() const override { return 0; }

private:
    std::vector<SourceEvent>* events_;
};

/// How a file is imported.
struct How {
    records::InputFormat format = records::InputFormat::csv;
    std::string map = {};
    std::vector<std::string> constants = {};
    std::string time_format = "auto";
    std::string zone = "UTC";
    std::string file = "x";
};

struct ImportedEvents {
    std::vector<SourceEvent> events;
    std::vector<std::string> rejected;  ///< "line reason", or the error as a whole.

    /// As "line JSON", without their ids.
    std::vector<std::string> shown() const {
        std::vector<std::string> texts;
        for (const SourceEvent& each : events) {
            events::Event event = each.event;
            event.id.clear();
            std::string text = std::to_string(each.line) + " ";
            append_event_json(event, text, events::ArrivalTime::left_out);
            texts.push_back(std::move(text));
        }
        return texts;
    }

    std::vector<std::string> ids() const {
        std::vector<std::string> ids;
        ids.reserve(events.size());
        for (const SourceEvent& each : events) {
            ids.push_back(each.event.id);
        }
        return ids;
    }
};

Result<void> import_text(const std::string& text, const How& how, ImportedEvents& into) {
    TRY(const records::FieldMap map,
        records::FieldMap::parse(
            {.kind = records::ImportKind::events,
             .format = how.format,
             .map = how.map,
             .constants = how.constants}
        ));
    TRY(EventTimeFormat time_format, EventTimeFormat::parse(how.time_format, how.zone));
    TRY(const auto sink,
        make_event_records(
            map,
            how.format,
            std::move(time_format),
            std::make_unique<KeptEvents>(into.events),
            [&](std::uint64_t line, std::string_view reason) {
                into.rejected.push_back(std::to_string(line) + " " + std::string{reason});
            }
        ));
    const auto source = records::bytes_in_memory(how.file, text, 50);
    TRY(const auto reader,
        records::open_record_reader(
            *source, map, {.format = how.format, .prefix_hash = records::PrefixHash::kept}
        ));
    for (;;) {
        TRY(const auto record, reader->next());
        if (!record) {
            return sink->finish();
        }
        if (record->rejected.empty()) {
            TRY_VOID(sink->put(*record));
        }
    }
}

ImportedEvents imported(const std::string& text, const How& how) {
    ImportedEvents events;
    const auto done = import_text(text, how, events);
    if (!done) {
        events.rejected.push_back(done.error().message);
    }
    return events;
}

TEST(EventRecords, an_access_log_tells_of_views) {
    const auto events = imported(
        "::1 - - [17/May/2015:10:05:03 +0200] \"GET /a?b HTTP/1.1\" 200 1 \"http://r/\" \"M/5 x\"\n"
        "192.0.2.7 - joe [17/May/2015:10:05:04 +0200] \"GET /c HTTP/1.1\" 404 - \"-\" \"-\"\n",
        {.format = records::InputFormat::combined}
    );
    EXPECT_THAT(events.rejected, SizeIs(0));
    EXPECT_THAT(
        events.shown(),
        ElementsAre(
            R"(1 {"time":"2015-05-17T08:05:03Z","action":"view","object":"/a?b",)"
            R"("address":"::1","agent":"M/5 x","referrer":"http://r/"})",
            R"(2 {"time":"2015-05-17T08:05:04Z","action":"view","object":"/c",)"
            R"("address":"192.0.2.7"})"
        )
    );
}

TEST(EventRecords, every_field_can_be_mapped_and_set) {
    const auto events = imported(
        "o,what,who,when,ip,ua,ref,price,cur,res,adv,pub,key\n"
        "a,sale,u1,2006-04-07 17:08,192.0.2.7,M,http://r,0.005,USD,r1,a1,p1,k1\n"
        "a,sale,,2006-04-07 17:08,,,,,,,,,k2\n",
        {.map = "object=o,action=what,actor=who,time=when,address=ip,agent=ua,referrer=ref,"
                "amount=price,currency=cur,reseller=res,ad=adv,publisher=pub,id=key",
         .zone = "Europe/Berlin"}
    );
    EXPECT_THAT(events.rejected, SizeIs(0));
    EXPECT_THAT(
        events.shown(),
        ElementsAre(
            R"(2 {"time":"2006-04-07T15:08:00Z","action":"sale","object":"a","actor":"u1",)"
            R"("address":"192.0.2.7","agent":"M","referrer":"http://r","amount":"0.005",)"
            R"("currency":"USD","reseller":"r1","ad":"a1","publisher":"p1"})",
            R"(3 {"time":"2006-04-07T15:08:00Z","action":"sale","object":"a"})"
        )
    );
    EXPECT_THAT(events.ids(), ElementsAre("k1", "k2"));
    EXPECT_THAT(
        imported("o\na\n", {.map = "object=o", .constants = {"action=click", "amount=2.50"}})
            .shown(),
        ElementsAre(R"(2 {"action":"click","object":"a","amount":"2.5"})")
    );
}

TEST(EventRecords, says_what_is_wrong_with_a_record) {
    const auto reason = [](const std::string& record) {
        const auto events = imported(
            "o,t,m,a\n" + record + "\n",
            {.map = "object=o,time=t,amount=m,address=a", .constants = {"action=view"}}
        );
        EXPECT_THAT(events.events, SizeIs(0));
        return events.rejected.empty() ? "" : events.rejected[0];
    };
    EXPECT_EQ(reason(",2026-11-21,,"), "2 object is missing: what it was done to");
    EXPECT_EQ(reason("\xff,2026-11-21,,"), "2 object is not UTF-8");
    EXPECT_THAT(reason("a,,,"), StartsWith("2 time must be a time such as 2026-11-21T10:00:00Z"));
    EXPECT_EQ(
        reason("a,2026-11-21,1e3,"),
        "2 amount must be a decimal with at most six decimals, such as 0.005"
    );
    EXPECT_EQ(
        reason("a,2026-11-21,,host.example"),
        "2 address is an IPv4 or IPv6 address, such as 192.0.2.7; a column of host names can be "
        "mapped to actor"
    );
    EXPECT_EQ(
        imported("", {.map = "object=o", .constants = {"action=view", "time=noon"}})
            .rejected.at(0)
            .substr(0, 16),
        "time must be a t"
    );
    EXPECT_THAT(
        imported("", {.map = "object=o", .constants = {"action=A View"}}).rejected.at(0),
        StartsWith("--set: action is a word")
    );
}

constexpr std::string_view log_begin = "{\"o\":\"a\",\"u\":1}\n{\"o\":\"a\",\"u\":1}\n";
constexpr std::string_view log_end = "{\"o\":\"a\",\"u\":2}\nnothing\n{\"o\":\"a\",\"u\":2}\n";

std::vector<std::string> ids_of(
    std::string_view text, std::string map = "object=o,actor=u", std::string file = "x"
) {
    return imported(
               std::string{text},
               {.format = records::InputFormat::ndjson,
                .map = std::move(map),
                .constants = {"action=view"},
                .file = std::move(file)}
    )
        .ids();
}

TEST(EventRecords, the_same_records_have_the_same_ids_wherever_they_are_read) {
    const std::string whole = std::string{log_begin} + std::string{log_end};
    const auto ids = ids_of(whole);
    ASSERT_THAT(ids, SizeIs(4));
    EXPECT_THAT((std::set<std::string>{ids.begin(), ids.end()}), SizeIs(4));
    EXPECT_TRUE(ids[3].starts_with("import:") && ids[3].ends_with(":5:view")) << ids[3];
    EXPECT_EQ(ids_of(whole, "object=o,actor=u", "y.log.1"), ids);
    EXPECT_EQ(ids_of(whole, "object=u,actor=o"), ids);
    // It was shorter once.
    EXPECT_THAT(ids_of(log_begin), ElementsAre(ids[0], ids[1]));
    // What was half a line then is no line of it now.
    EXPECT_THAT(
        ids_of(std::string{log_begin} + "{\"o\":\"a\",\"u\":2"), ElementsAre(ids[0], ids[1])
    );
}

TEST(EventRecords, other_files_and_other_actions_have_other_ids) {
    const auto ids = ids_of(std::string{log_begin} + std::string{log_end});
    const auto others = ids_of("{\"o\":\"a\",\"u\":0}\n" + std::string{log_end});
    for (const std::string& other : others) {
        EXPECT_THAT(ids, Not(testing::Contains(other)));
    }
    const auto clicks = imported(
        std::string{log_begin},
        {.format = records::InputFormat::ndjson, .map = "object=o", .constants = {"action=click"}}
    );
    ASSERT_THAT(clicks.events, SizeIs(2));
    EXPECT_NE(clicks.ids()[0], ids[0]);
}

}  // namespace
}  // namespace footfall::cli
