#pragma once

#include "foundation/result.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::webhooks {

/// Whom may be sent to.
enum class Reach : std::uint8_t {
    internet,  ///< Public addresses only (public_address.h).
    anywhere,  ///< Also this machine and its networks: for receivers there, and tests.
};

/// Whether something may be sent to a URL: http or https, with a host, without a user's name or a
/// fragment, at most 2,048 bytes; where only the internet is reached, https, and no address as a
/// host that is not public. `invalid_input` says what is wrong. What a name leads to is looked at
/// when something is sent.
Result<void> check_url(const std::string& url, Reach reach);

/// What a receiver answered.
struct Reply {
    int status = 0;
    std::optional<std::chrono::seconds> retry_after = {};  ///< As it asked for, if it did.
    std::string beginning = {};                            ///< Of its body, at most 256 bytes.
};

/// Sends to servers of others by POST, one request after the other, by libcurl. Connections are
/// kept for the next request. No redirect is followed and no proxy used, and each address is looked
/// at as it is connected to, so a name cannot lead elsewhere behind a check.
///
/// By one thread at a time.
class Poster {
public:
    struct Options {
        Reach reach = Reach::internet;
        std::chrono::milliseconds patience = std::chrono::seconds{10};  ///< For all of a request.
    };

    explicit Poster(Options options);
    Poster(const Poster&) = delete;
    Poster& operator=(const Poster&) = delete;
    ~Poster();

    /// Waits for the answer, whatever its status. `invalid_input`: the URL leads where nothing may
    /// be sent; `timed_out`; `cancelled`: asked to stop; `unavailable`: else, and why.
    Result<Reply> post(
        const std::string& url,
        const std::vector<std::string>& headers,
        std::string_view body,
        const std::stop_token& stop
    );

private:
    struct Handle;

    const Options options_;
    std::unique_ptr<Handle> handle_;
};

}  // namespace footfall::webhooks
