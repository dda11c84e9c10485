#pragma once

#include "foundation/lines.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A server that is told who is who.

namespace footfall::test_support {

/// "www:w111" is the id w111 of www.
inline std::string id_json(const std::string& id) {
    const auto colon = id.find(':');
    return fmt::format(
        R"({{"identifier":"{}","id_name":"id","id_value":"{}"}})",
        id.substr(0, colon),
        id.substr(colon + 1)
    );
}

inline std::string ids_json(const std::vector<std::string>& ids) {
    std::string json;
    for (const std::string& each : ids) {
        json += (json.empty() ? "" : ",") + id_json(each);
    }
    return "[" + json + "]";
}

class IdentitiesServer : public RunningServer {
protected:
    /// Lines to /identities/match, as NDJSON; an answer a line.
    std::vector<boost::json::object> match_lines(const std::string& lines) {
        http_server::Client client = server_.client();
        const auto answer = must(client.send(
            http_server::Method::post,
            "/api/v1/identities/match",
            lines,
            {{"Content-Type", "application/x-ndjson"}}
        ));
        EXPECT_EQ(answer.status, 200) << answer.body;
        EXPECT_EQ(answer.content_type, "application/x-ndjson");
        std::vector<boost::json::object> answers;
        for (std::string_view left = answer.body; !left.empty();) {
            answers.push_back(parse_object(take_line(left)));
        }
        return answers;
    }

    boost::json::object match(const std::vector<std::string>& ids, const std::string& fields = {}) {
        const auto answer = api_.send(
            http_server::Method::post,
            "/api/v1/identities/match",
            fmt::format(R"({{"ids":{}{}}})", ids_json(ids), fields)
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
        return parse_object(answer.body);
    }

    static std::string path_of(const std::string& id) {
        const auto colon = id.find(':');
        return "/api/v1/identities/" + id.substr(0, colon) + "/id/" + id.substr(colon + 1);
    }

    /// "": nobody knows it.
    std::string sid(const std::string& id) {
        const auto answer = api_.send(http_server::Method::get, path_of(id));
        return answer.status == 404 ? std::string{}
                                    : std::string{parse_object(answer.body).at("sid").as_string()};
    }

    std::vector<std::string> ids_of(const std::string& sid) {
        std::vector<std::string> ids;
        for (const auto& each : api_.get_json("/api/v1/profiles/" + sid).at("ids").as_array()) {
            ids.push_back(fmt::format(
                "{}:{}",
                std::string_view{each.at("identifier").as_string()},
                std::string_view{each.at("id_value").as_string()}
            ));
        }
        return ids;
    }

    http_server::ClientResponse detach(
        const std::string& sid, const std::string& body, bool dry_run = false
    ) {
        return api_.send(
            http_server::Method::post,
            fmt::format("/api/v1/profiles/{}/detach?dry_run={}", sid, dry_run),
            body
        );
    }

    std::vector<std::string> said_of(const std::string& sid) {
        std::vector<std::string> said;
        const auto why = api_.get_json("/api/v1/profiles/" + sid + "/why");
        for (const auto& each : why.at("facts").as_array()) {
            said.emplace_back(each.at("says").as_string());
        }
        return said;
    }

    /// With these words beside its own.
    void restart(std::vector<std::string> flags) {
        ASSERT_EQ(server_.stop(), 0);
        server_.restart(std::move(flags));
        api_ = Api{server_};
    }

    /// Whether profiles may not follow the newest guards yet.
    bool is_provisional(const std::string& id) {
        const auto answer = api_.send(http_server::Method::get, path_of(id));
        return parse_object(answer.body).at("provisional").as_bool();
    }

    CommandResult verify() {
        std::vector<std::string> words{"verify", "identities"};
        for (std::string& each : place_words(directory_ / "data")) {
            words.push_back(std::move(each));
        }
        return run_footfall(std::move(words));
    }
};

}  // namespace footfall::test_support
