#pragma once

#include "identities_server.h"
#include "test_support/eventually.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// A server that is told who is in which segment.

namespace footfall::test_support {

class SegmentsServer : public IdentitiesServer {
protected:
    static std::string segment_path(const std::string& name, const std::string& rest = {}) {
        return "/api/v1/segments/" + name + rest;
    }

    /// "www:w111" as a line; `fields` as R"(,"ttl":60)".
    static std::string member_line(const std::string& id, const std::string& fields = {}) {
        std::string json = id_json(id);
        json.pop_back();
        return json + fields + "}\n";
    }

    static std::string member_lines(const std::vector<std::string>& ids) {
        std::string lines;
        for (const std::string& each : ids) {
            lines += member_line(each);
        }
        return lines;
    }

    boost::json::object add(const std::string& name, const std::string& lines) {
        return taken(http_server::Method::post, name, lines);
    }

    boost::json::object remove(const std::string& name, const std::string& lines) {
        return taken(http_server::Method::del, name, lines);
    }

    http_server::ClientResponse ask_count(const std::string& query) {
        return api_.send(http_server::Method::post, "/api/v1/segments/count", query);
    }

    std::uint64_t people_in(const std::string& answer) {
        return parse_object(answer).at("people").to_number<std::uint64_t>();
    }

    /// Members and profiles move first, numbers a moment later.
    void expect_size(const std::string& name, std::uint64_t people) {
        std::string last;
        EXPECT_TRUE(eventually([&] {
            last = api_.send(http_server::Method::get, segment_path(name)).body;
            return last.contains(fmt::format(R"("people":{},)", people));
        })) << name
            << " has not " << people << ": " << last;
    }

    void expect_count(const std::string& query, std::uint64_t people) {
        std::string last;
        EXPECT_TRUE(eventually([&] {
            last = ask_count(query).body;
            return last.contains(fmt::format(R"("people":{},)", people));
        })) << query
            << " is not " << people << ": " << last;
    }

    /// "joined www:w111".
    std::vector<std::string> changes_of(const std::string& name, const std::string& query = {}) {
        std::vector<std::string> changes;
        const auto answer = api_.get_json(segment_path(name, "/changes" + query));
        for (const auto& each : answer.at("changes").as_array()) {
            changes.push_back(fmt::format(
                "{} {}:{}",
                std::string_view{each.at("change").as_string()},
                std::string_view{each.at("identifier").as_string()},
                std::string_view{each.at("id_value").as_string()}
            ));
        }
        return changes;
    }

private:
    boost::json::object taken(
        http_server::Method method, const std::string& name, const std::string& lines
    ) {
        const auto answer = api_.send(method, segment_path(name, "/members"), lines);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return parse_object(answer.body);
    }
};

}  // namespace footfall::test_support
