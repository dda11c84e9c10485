// Backups in a bucket of a real server with S3's interface, by the address that people give.

#include "backup/depot_contract.h"
#include "backup/open_depot.h"
#include "foundation/check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace footfall::backup {
namespace {

namespace fs = std::filesystem;

/// A place in the bucket of tools/cluster that no other run has. Its absence is a failure.
std::unique_ptr<Depot> fresh_depot(const std::string& key_file) {
    const char* const bucket =
        std::getenv("FOOTFALL_TEST_BUCKET");  // NOLINT(concurrency-mt-unsafe)
    CHECK(
        bucket != nullptr,
        "FOOTFALL_TEST_BUCKET is not set: tools/cluster up --objects && source build/cluster/env"
    );
    static int count = 0;
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    auto depot = open_depot(
        {.place = fmt::format("s3://{}/{}-{}", bucket, now, ++count), .key_file = key_file}
    );
    CHECK(depot.has_value(), "an address", depot.error().message);
    return *std::move(depot);
}

TEST(Objects, keep_to_what_all_depots_do) {
    const TemporaryDirectory here;
    expect_depot(*fresh_depot(""), here.path());
}

TEST(Objects, that_are_sealed_keep_to_what_all_depots_do) {
    const TemporaryDirectory here;
    const std::string key = here.write("key", std::string(64, '7'));
    fs::permissions(key, fs::perms::owner_read);
    expect_depot(*fresh_depot(key), here.path());
}

TEST(Objects, are_listed_over_many_pages) {
    const auto depot = fresh_depot("");
    constexpr int count = 1'203;  // a page has a thousand
    for (int each = 0; each < count; ++each) {
        ASSERT_TRUE(depot->put(fmt::format("files/{:04}", each), "x"));
    }
    const auto files = depot->list("files").value();
    ASSERT_EQ(files.size(), count);
    EXPECT_EQ(files.back().name, "1202");
    ASSERT_TRUE(depot->remove_folder("files"));
    EXPECT_THAT(depot->list("files").value(), testing::IsEmpty());
}

TEST(Objects, are_refused_to_whom_the_server_does_not_know) {
    const auto said = [](const char* variable, const char* value) {
        const std::string before = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
        ::setenv(variable, value, 1);                      // NOLINT(concurrency-mt-unsafe)
        const auto listed = fresh_depot("")->list("");
        ::setenv(variable, before.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
        return listed ? "listed" : listed.error().message;
    };
    EXPECT_THAT(said("AWS_SECRET_ACCESS_KEY", "wrong"), testing::HasSubstr("answers 403"));
    EXPECT_THAT(said("AWS_ACCESS_KEY_ID", "nobody"), testing::HasSubstr("answers 403"));
}

}  // namespace
}  // namespace footfall::backup
