#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace footfall::test_support {

/// A TCP connection to 127.0.0.1 on which a test says byte by byte what it wants: requests no
/// proper client would send, and answers without an end.
class RawConnection {
public:
    explicit RawConnection(std::uint16_t port);
    ~RawConnection();
    RawConnection(const RawConnection&) = delete;
    RawConnection& operator=(const RawConnection&) = delete;

    /// Sends everything; false when the other side does not take it any more.
    bool send(std::string_view bytes);

    /// Reads until `enough` says so of all that was received, the other side closes, or time is up.
    /// Answers all that was received.
    const std::string& receive_until(
        const std::function<bool(const std::string&)>& enough,
        std::chrono::milliseconds patience = std::chrono::seconds{15}
    );

    /// Reads until the other side closes or time is up.
    const std::string& receive_all() {
        return receive_until([](const std::string&) { return false; });
    }

    bool closed_by_peer() const { return closed_; }

private:
    int socket_;
    bool closed_ = false;
    std::string received_;
};

/// One request, one answer with its header: sent with "Connection: close".
std::string ask_raw(std::uint16_t port, std::string_view head, std::string_view body = {});

/// A port of 127.0.0.1 that stays taken as long as this lives.
class TakenPort {
public:
    TakenPort();
    ~TakenPort();
    TakenPort(const TakenPort&) = delete;
    TakenPort& operator=(const TakenPort&) = delete;

    std::uint16_t port() const { return port_; }

private:
    int socket_;
    std::uint16_t port_ = 0;
};

/// Whether nobody listens at this port of 127.0.0.1.
bool is_free(std::uint16_t port);

}  // namespace footfall::test_support
