#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::backup::s3 {

/// Which bucket, where, and who asks.
struct Account {
    std::string bucket;
    std::string region = "us-east-1";
    std::string endpoint;  ///< "https://host:port" of a server that is not Amazon's; "": Amazon's.
    std::string key_id;
    std::string secret;
    std::string session;  ///< Of credentials for a while; "": they are for good.
};

/// One request. Names of the query in alphabetical order, which the signature wants.
struct Asked {
    std::string method = "GET";
    std::string key = {};  ///< Of the object; "": about the bucket.
    std::vector<std::pair<std::string, std::string>> query = {};
    std::string_view body = {};
    /// Bytes of the object that are wanted: the first and the last.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> range = {};
    std::size_t answer_bytes_max = 64 << 10;
};

struct Answered {
    int status = 0;
    std::string body;
    std::string etag;
    std::uint64_t length = 0;  ///< What the answer says of the length of its body.
};

/// Asks a server with S3's interface, by libcurl: signed (AWS Signature Version 4), the bytes that
/// are sent by their SHA-256, so that a server refuses what came otherwise. What fails on the way,
/// and what the server says it cannot do just now (429 and from 500 on), is asked again, four times
/// within some six seconds. Blocks; not thread-safe. An answer that stands still for 30 s has
/// failed.
class Client {
public:
    /// Once a stop is requested what is asked ends as `cancelled`, within a second.
    Client(Account account, std::stop_token stop);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// Any answer but one that was to be asked again and stayed so. `unavailable`: there was none;
    /// `corrupt`: it is larger than it may be.
    Result<Answered> ask(const Asked& asked);

private:
    struct Handle;

    Result<Answered> ask_once(const Asked& asked, const std::string& url);
    std::string url_of(const Asked& asked) const;

    const Account account_;
    const std::stop_token stop_;
    const std::unique_ptr<Handle> handle_;
};

}  // namespace footfall::backup::s3
