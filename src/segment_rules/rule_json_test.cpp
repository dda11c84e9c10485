#include "segment_rules/rule_json.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace footfall::segment_rules {
namespace {

TEST(SegmentRuleJson, what_is_read_is_written_the_same) {
    for (const std::string text :
         {R"({"event":{"action":"click","ad":"X","times":2,"within":"30d"}})",
          R"({"event":{"action":"view","object":"o","reseller":"r","publisher":"p","within":"90s"}})",
          R"({"datum":{"name":"city","is":"Oslo"}})",
          R"({"datum":{"name":"vip","is":true}})",
          R"({"datum":{"name":"age","at_least":18,"at_most":65}})",
          R"({"datum":{"name":"age","at_most":-1}})",
          R"({"segment":"buyers"})",
          R"({"all":[{"any":[{"segment":"a"},{"segment":"b"}]},{"not":{"segment":"c"}}]})"}) {
        const auto rule = read_rule(boost::json::parse(text));
        ASSERT_TRUE(rule) << text << rule.error().field << rule.error().detail;
        EXPECT_EQ(boost::json::serialize(json_of(*rule)), text);
        EXPECT_EQ(read_rule(json_of(*rule)).value_or(Rule{}), *rule);
    }
}

TEST(SegmentRuleJson, times_need_not_be_said_and_a_day_is_one_however_it_is_written) {
    const auto rule =
        read_rule(boost::json::parse(R"({"event":{"action":"click","times":1,"within":"24h"}})"));
    ASSERT_TRUE(rule);
    EXPECT_EQ(
        boost::json::serialize(json_of(*rule)), R"({"event":{"action":"click","within":"1d"}})"
    );
}

TEST(SegmentRuleJson, the_field_at_fault_is_named) {
    std::string deep = R"({"segment":"a"})";
    for (std::size_t each = 0; each <= depth_max; ++each) {
        deep.insert(0, R"({"all":[)").append("]}");
    }
    std::string many = R"({"all":[)";
    for (std::size_t each = 0; each <= terms_max; ++each) {
        many += each == 0 ? "" : ",";
        many += R"({"segment":"a"})";
    }
    many += "]}";
    const std::pair<std::string, std::string> cases[] = {
        {R"("buyers")", "rule"},
        {"{}", "rule"},
        {R"({"segment":"a","all":[]})", "rule"},
        {R"({"clicks":{}})", "rule.clicks"},
        {R"({"segment":7})", "rule.segment"},
        {R"({"segment":""})", "rule.segment"},
        {R"({"segment":"a\nb"})", "rule.segment"},
        {R"({"all":[]})", "rule.all"},
        {R"({"all":{}})", "rule.all"},
        {R"({"all":[{"segment":"a"},{"any":[{"segment":1}]}]})", "rule.all[1].any[0].segment"},
        {R"({"not":{"segment":"a"}})", "rule"},
        {R"({"any":[{"segment":"a"},{"not":{"segment":"b"}}]})", "rule"},
        {R"({"event":[]})", "rule.event"},
        {R"({"event":{"within":"1d"}})", "rule.event.action"},
        {R"({"event":{"action":"click"}})", "rule.event.within"},
        {R"({"event":{"action":"click","within":"1y"}})", "rule.event.within"},
        {R"({"event":{"action":"click","within":30}})", "rule.event.within"},
        {R"({"event":{"action":"click","within":"367d"}})", "rule.event.within"},
        {R"({"event":{"action":"click","within":"0s"}})", "rule.event.within"},
        {R"({"event":{"action":"click","within":"1d","times":0}})", "rule.event.times"},
        {R"({"event":{"action":"click","within":"1d","times":-1}})", "rule.event.times"},
        {R"({"event":{"action":"click","within":"1d","times":101}})", "rule.event.times"},
        {R"({"event":{"action":"click","within":"1d","times":1.5}})", "rule.event.times"},
        {R"({"event":{"action":"click","within":"1d","count":2}})", "rule.event.count"},
        {R"({"event":{"action":"click","within":"1d","ad":""}})", "rule.event.ad"},
        {R"({"datum":{"name":"city"}})", "rule.datum"},
        {R"({"datum":{"is":"Oslo"}})", "rule.datum.name"},
        {R"({"datum":{"name":"a","is":"b","at_least":1}})", "rule.datum"},
        {R"({"datum":{"name":"a","is":null}})", "rule.datum.is"},
        {R"({"datum":{"name":"a","is":1.5}})", "rule.datum.is"},
        {R"({"datum":{"name":"a","at_least":"1"}})", "rule.datum.at_least"},
        {R"({"datum":{"name":"a","at_least":2,"at_most":1}})", "rule.datum.at_most"},
        {many, "rule.all[64].segment"}
    };
    for (const auto& [text, field] : cases) {
        const auto rule = read_rule(boost::json::parse(text));
        ASSERT_FALSE(rule) << text;
        EXPECT_EQ(rule.error().field, field) << text;
        EXPECT_FALSE(rule.error().detail.empty());
    }
    const auto too_deep = read_rule(boost::json::parse(deep));
    ASSERT_FALSE(too_deep);
    EXPECT_EQ(too_deep.error().detail, "at most 8 in each other");
}

}  // namespace
}  // namespace footfall::segment_rules
