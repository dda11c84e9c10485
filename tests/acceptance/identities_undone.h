#pragma once

#include "identities_server.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A server whom a broken source tells that many pairs of people are one. For tests.

namespace footfall::test_support {

inline constexpr int people = 100;
inline constexpr int glued = 40;  ///< Pairs of them.
inline constexpr std::string_view bad_hour =
    R"({"source":"broken","from":"2026-11-02T10:00:00Z","until":"2026-11-02T11:00:00Z",)"
    R"("reason":"a broken form"})";

inline constexpr std::string_view revoke_undo =
    R"({"decisions":{"reason":"a broken form"},"reason":"the form was right"})";

class IdentitiesUndone : public IdentitiesServer {
protected:
    /// What all portions that were asked for said together.
    struct Undone {
        std::int64_t links = 0;
        std::int64_t decided = 0;
        std::int64_t profiles = 0;
        std::int64_t looked_at = 0;
        int portions = 0;
        std::string next;

        friend bool operator==(const Undone&, const Undone&) = default;
    };

    static std::string person(const std::string& network, int number) {
        return fmt::format("{}:p{}", network, number);
    }

    /// A hundred profiles of two ids, and then a source that glues forty pairs of them.
    void glue() {
        std::string lines;
        const auto add = [&](const std::vector<std::string>& ids, const std::string& more) {
            lines += fmt::format("{{\"ids\":{}{}}}\n", ids_json(ids), more);
        };
        for (int each = 0; each < people; ++each) {
            add({person("www", each), person("shop", each)},
                R"(,"source":"crm","time":"2026-11-01T00:00:00Z")");
        }
        match_lines(lines);
        before_ = sids();
        lines.clear();
        for (int each = 0; each < glued; ++each) {
            add({person("www", each), person("www", each + glued)},
                fmt::format(R"(,"source":"broken","time":"2026-11-02T10:{:02}:00Z")", each));
        }
        // Of the same source at another time, and of another source at that time: both hold.
        add({person("www", 98), person("tv", 98)},
            R"(,"source":"broken","time":"2026-11-02T11:00:00Z")");
        add({person("www", 99), person("tv", 99)},
            R"(,"source":"crm","time":"2026-11-02T10:30:00Z")");
        match_lines(lines);
        glued_ = sids();
        ASSERT_NE(glued_, before_);
    }

    std::vector<std::string> sids() {
        std::vector<std::string> all;
        for (int each = 0; each < people; ++each) {
            all.push_back(sid(person("www", each)));
            all.push_back(sid(person("shop", each)));
        }
        return all;
    }

    /// One portion more; `found` is what it calls those that it found.
    void ask(
        const std::string& verb,
        std::string_view body,
        const std::string& found,
        Undone& undone,
        int limit,
        bool dry_run
    ) {
        const auto answer = api_.send(
            http_server::Method::post,
            fmt::format(
                "/api/v1/identities/{}?limit={}&dry_run={}&cursor={}",
                verb,
                limit,
                dry_run,
                undone.next
            ),
            std::string{body}
        );
        ASSERT_EQ(answer.status, 200) << answer.body;
        const auto said = parse_object(answer.body);
        EXPECT_LE(said.at(found).as_int64(), limit);
        undone.links += said.at(found).as_int64();
        undone.decided += said.at("decided").as_int64();
        undone.profiles += said.at("profiles").as_int64();
        undone.looked_at += said.at("looked_at").as_int64();
        undone.next = said.at("next").is_null() ? "" : std::string{said.at("next").as_string()};
        ++undone.portions;
    }

    void undo(Undone& undone, int limit, bool dry_run = false) {
        ask("undo", bad_hour, "links", undone, limit, dry_run);
    }

    void revoke(
        Undone& revoked, int limit, bool dry_run = false, std::string_view body = revoke_undo
    ) {
        ask("revoke", body, "decisions", revoked, limit, dry_run);
    }

    Undone undo_all(int limit, bool dry_run = false) {
        Undone undone;
        do {
            undo(undone, limit, dry_run);
        } while (!undone.next.empty() && !HasFatalFailure());
        return undone;
    }

    Undone revoke_all(int limit, bool dry_run = false, std::string_view body = revoke_undo) {
        Undone revoked;
        do {
            revoke(revoked, limit, dry_run, body);
        } while (!revoked.next.empty() && !HasFatalFailure());
        return revoked;
    }

    /// What is answered of all of them, with since, source and contested links.
    std::string profiles() {
        std::string all;
        for (const std::string& each : sids()) {
            all += boost::json::serialize(api_.get_json("/api/v1/profiles/" + each)) + "\n";
        }
        return all +
               boost::json::serialize(api_.get_json("/api/v1/identities/contested?limit=1000"));
    }

    /// When each decision about the links of this id was recorded, the earliest first.
    std::vector<std::string> said_at(const std::string& id) {
        std::vector<std::string> times;
        const auto why = api_.get_json("/api/v1/profiles/" + sid(id) + "/why");
        for (const auto& each : why.at("facts").as_array()) {
            if (each.at("kind") == "reject") {
                times.emplace_back(each.at("recorded").as_string());
            }
        }
        std::ranges::sort(times);
        return times;
    }

    void expect_undone() {
        EXPECT_EQ(sids(), before_) << "as if they had never been glued";
        EXPECT_EQ(sid("tv:p98"), sid("www:p98")) << "said at another time";
        EXPECT_EQ(sid("tv:p99"), sid("www:p99")) << "said by another source";
    }

    void expect_sound() {
        ASSERT_EQ(server_.stop(), 0);
        const CommandResult verified = verify();
        EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    }

    std::vector<std::string> before_;
    std::vector<std::string> glued_;
};

}  // namespace footfall::test_support
