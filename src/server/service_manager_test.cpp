#include "server/service_manager.h"

#include "foundation_testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace footfall::server {
namespace {

/// What systemd is to a service: a socket, named by NOTIFY_SOCKET, that takes datagrams.
class ServiceManager {
public:
    explicit ServiceManager(const std::string& path)
        : descriptor_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)} {
        sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
        std::ranges::copy(path, address.sun_path);
        if (path.starts_with('@')) {
            address.sun_path[0] = '\0';
        }
        const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what the call takes
        EXPECT_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), length), 0);
        ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
    }

    ~ServiceManager() {
        ::unsetenv("NOTIFY_SOCKET");
        ::close(descriptor_);
    }

    ServiceManager(const ServiceManager&) = delete;
    ServiceManager& operator=(const ServiceManager&) = delete;

    /// The next datagram; "": there is none.
    std::string told() const {
        std::array<char, 100> text{};
        const auto size = ::recv(descriptor_, text.data(), text.size(), 0);
        return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
    }

private:
    int descriptor_;
};

TEST(ServiceManager, is_told_by_the_socket_that_it_names) {
    const TemporaryDirectory directory;
    const std::string by_name = "@footfall-test-" + std::to_string(::getpid());
    for (const std::string& path : {directory / "notify", by_name}) {
        const ServiceManager manager{path};
        tell_service_manager("READY=1");
        tell_service_manager("STOPPING=1");
        EXPECT_EQ(manager.told(), "READY=1") << path;
        EXPECT_EQ(manager.told(), "STOPPING=1") << path;
        EXPECT_EQ(manager.told(), "") << path;
    }
}

TEST(ServiceManager, that_is_gone_or_was_never_there_changes_nothing) {
    tell_service_manager("READY=1");
    const TemporaryDirectory directory;
    ::setenv("NOTIFY_SOCKET", (directory / "nobody").c_str(), 1);
    tell_service_manager("READY=1");
    ::setenv("NOTIFY_SOCKET", std::string(200, 'x').c_str(), 1);
    tell_service_manager("READY=1");
    ::unsetenv("NOTIFY_SOCKET");
}

}  // namespace
}  // namespace footfall::server
