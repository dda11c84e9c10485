// Servers with S3's interface that lie, fail and are not there: what comes of it is an error that
// says so, and never a backup that is not whole. What true ones do: objects_test.cpp.

#include "backup/s3_depot.h"

#include "backup/lying_server.h"
#include "backup/manifest.h"
#include "backup/place.h"

#include <gmock/gmock.h>

#include <atomic>
#include <latch>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace footfall::backup {
namespace {

using testing::HasSubstr;

S3Address address_of(const std::string& endpoint) {
    return {
        .account =
            {.bucket = "bucket", .endpoint = endpoint, .key_id = "somebody", .secret = "secret"},
        .prefix = "p/"
    };
}

std::string list_of(const std::string& inside) {
    return LyingServer::answer("200 OK", "<ListBucketResult>" + inside + "</ListBucketResult>");
}

/// What a list of the depot comes to.
std::string listed(const LyingServer::Answer& answer) {
    LyingServer server{answer};
    S3Depot depot{address_of(server.url())};
    const auto found = depot.list("");
    return found ? fmt::format("{} entries", found->size()) : found.error().message;
}

TEST(LyingServers, whose_lists_are_none_are_not_believed) {
    struct Case {
        std::string answer;
        const char* said;
    };

    const auto file = [](const std::string& key, const std::string& size) {
        return list_of("<Contents><Key>" + key + "</Key><Size>" + size + "</Size></Contents>");
    };
    const std::vector<Case> cases{
        {list_of(""), "0 entries"},
        {file("p/a", "7"), "1 entries"},
        {file("p/", "0"), "0 entries"},
        {file("q/a", "7"), "lists what lies elsewhere"},
        {file("p/a", "-7"), "no name or no size"},
        {file("p/a", "18446744073709551616"), "no name or no size"},
        {list_of("<Contents><Size>1</Size></Contents>"), "no name or no size"},
        {list_of("<CommonPrefixes><Prefix>/etc/</Prefix></CommonPrefixes>"), "lies elsewhere"},
        {list_of("<IsTruncated>true</IsTruncated>"), "that there is more, and not where"},
        {list_of("<IsTruncated>true</IsTruncated>"
                 "<NextContinuationToken>t</NextContinuationToken>"),
         "the server's list does not end"},
        {LyingServer::answer("200 OK", "<html>hello</html>"), "it is a \"html\""},
        {LyingServer::answer("200 OK", "not XML at all"), "is no XML"},
        {LyingServer::answer("200 OK", ""), "is no XML"},
        {LyingServer::answer("200 OK", "<ListBucketResult><Contents>"), "is no XML"},
        {LyingServer::answer("200 OK", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"), "is no XML"},
        {LyingServer::answer("200 OK", std::string(9 << 20, ' ')), "longer than it can be"},
        {LyingServer::answer("302 Found", "", "Location: http://127.0.0.1:1/\r\n"), "answers 302"},
        {LyingServer::answer(
             "403 Forbidden",
             "<Error><Code>InvalidAccessKeyId</Code><Message>who is that?</Message></Error>"
         ),
         "403 InvalidAccessKeyId: who is that?; AWS_ACCESS_KEY_ID"},
        {LyingServer::answer("404 Not Found", "<Error><Code>NoSuchBucket</Code></Error>"),
         "404 NoSuchBucket"},
    };
    for (const Case& one : cases) {
        EXPECT_THAT(listed([&](auto) { return one.answer; }), HasSubstr(one.said));
    }
    std::string deep;
    for (int level = 0; level < 100'000; ++level) {
        deep += "<a>";
    }
    EXPECT_THAT(
        listed([&](auto) { return LyingServer::answer("200 OK", deep); }), HasSubstr("is no XML")
    );
}

TEST(LyingServers, that_cannot_just_now_are_asked_again) {
    std::atomic<int> asked = 0;
    EXPECT_EQ(
        listed([&](auto) {
            return ++asked < 3 ? LyingServer::answer("503 Slow Down", "") : list_of("");
        }),
        "0 entries"
    );
    EXPECT_EQ(asked, 3);
    asked = 0;
    EXPECT_EQ(
        listed([&](auto) { return ++asked < 2 ? std::string{"HTTP/1.1 2"} : list_of(""); }),
        "0 entries"
    );
    EXPECT_EQ(asked, 2);
}

TEST(LyingServers, that_stay_away_are_named) {
    S3Depot depot{address_of("http://127.0.0.1:1")};
    const auto found = depot.list("");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::unavailable);
    EXPECT_THAT(found.error().message, HasSubstr("127.0.0.1:1/bucket"));
}

TEST(LyingServers, that_say_nothing_do_not_hold_up_a_stop) {
    std::latch asked{1};
    std::latch answered{1};
    LyingServer server{[&](auto) {
        asked.count_down();
        answered.wait();
        return list_of("");
    }};
    std::stop_source stop;
    std::jthread stopping{[&] {
        asked.wait();
        stop.request_stop();
    }};
    S3Depot depot{address_of(server.url()), stop.get_token()};
    EXPECT_EQ(depot.list("").error().kind, ErrorKind::cancelled);
    answered.count_down();
    EXPECT_EQ(depot.list("").error().kind, ErrorKind::cancelled);
}

/// What reading a file of ten bytes comes to.
std::string read(const std::string& head, const std::string& answer) {
    LyingServer server{[&](std::string_view line) {
        return line.starts_with("HEAD") ? head : answer;
    }};
    S3Depot depot{address_of(server.url())};
    const auto bytes = read_small(depot, "files/a");
    return bytes ? *bytes : bytes.error().message;
}

TEST(LyingServers, that_give_other_bytes_than_asked_are_not_believed) {
    const std::string head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n";
    EXPECT_EQ(read(head, LyingServer::answer("206 Partial Content", "0123456789")), "0123456789");
    EXPECT_EQ(read(head, LyingServer::answer("200 OK", "0123456789")), "0123456789");
    EXPECT_THAT(
        read(head, LyingServer::answer("206 Partial Content", "012345678")),
        HasSubstr("gives 9 bytes from byte 0 on and should give 10")
    );
    EXPECT_THAT(read(head, LyingServer::answer("204 No Content", "")), HasSubstr("answers 204"));
    EXPECT_THAT(
        read(head, LyingServer::answer("200 OK", std::string(9 << 20, 'x'))),
        HasSubstr("longer than it can be")
    );
    EXPECT_THAT(
        read("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 99999999999\r\n\r\n", ""),
        HasSubstr("is damaged: it has 99999999999 bytes")
    );
    EXPECT_THAT(
        read("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n", ""),
        HasSubstr("cannot open s3://bucket/p/files/a: the server answers 404")
    );
}

/// What writing a file of ten bytes, or of nine million, comes to.
std::string written(std::size_t count, const LyingServer::Answer& answer) {
    LyingServer server{answer};
    S3Depot depot{address_of(server.url())};
    const auto done = depot.put("files/a", std::string(count, 'x'));
    return done ? "written" : done.error().message;
}

TEST(LyingServers, that_have_not_what_they_took_are_not_believed) {
    constexpr std::size_t few = 10;
    constexpr std::size_t many = 9 << 20;
    const auto head = [](std::size_t size) {
        return fmt::format(
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", size
        );
    };
    EXPECT_EQ(
        written(
            few,
            [&](auto line) {
                return line.starts_with("HEAD") ? head(few) : LyingServer::answer("200 OK", "");
            }
        ),
        "written"
    );
    EXPECT_THAT(
        written(
            few,
            [&](auto line) {
                return line.starts_with("HEAD") ? head(few - 1) : LyingServer::answer("200 OK", "");
            }
        ),
        HasSubstr("took 10 bytes of it and has 9")
    );
    const std::string begun = LyingServer::answer(
        "200 OK",
        "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"
    );
    const auto in_parts = [&](const std::string& part, const std::string& ended) {
        return written(many, [&](std::string_view line) {
            return line.contains("?uploads=") ? begun
                   : line.starts_with("PUT")  ? part
                   : line.starts_with("POST") ? ended
                   : line.starts_with("HEAD") ? head(many)
                                              : LyingServer::answer("204 No Content", "");
        });
    };
    const std::string part = LyingServer::answer("200 OK", "", "ETag: \"e\"\r\n");
    const std::string ended = LyingServer::answer(
        "200 OK", "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>"
    );
    EXPECT_EQ(in_parts(part, ended), "written");
    EXPECT_THAT(in_parts(LyingServer::answer("200 OK", ""), ended), HasSubstr("answers 200"));
    EXPECT_THAT(
        in_parts(
            part,
            LyingServer::answer(
                "200 OK", "<Error><Code>InternalError</Code><Message>sorry</Message></Error>"
            )
        ),
        HasSubstr("the upload was not ended: InternalError: sorry")
    );
    EXPECT_THAT(
        written(many, [&](auto) { return LyingServer::answer("200 OK", "<a/>"); }),
        HasSubstr("began an upload and did not name it")
    );
}

TEST(S3Addresses, say_what_is_missing) {
    for (const char* const variable : {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}) {
        ::unsetenv(variable);  // NOLINT(concurrency-mt-unsafe)
    }
    const auto said = [](const char* place) {
        const auto address = read_s3_address(place);
        return address ? "an address" : address.error().message;
    };
    for (const char* const place : {"s3:", "s3://", "s3:///x", "s3://a", "s3://Bucket/x", "s3:x"}) {
        EXPECT_THAT(said(place), HasSubstr("a bucket has 3 to 63")) << place;
    }
    EXPECT_THAT(said("s3://bucket/x"), HasSubstr("set AWS_ACCESS_KEY_ID"));
}

}  // namespace
}  // namespace footfall::backup
