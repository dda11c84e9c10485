#pragma once

#include <string_view>

namespace footfall::server {

/// Tells whoever started the program as a service how far it is: "READY=1" once it serves,
/// "STOPPING=1" once it is to end. Systemd's protocol (sd_notify(3), a unit of `Type=notify`): a
/// datagram to the socket that NOTIFY_SOCKET names. Without that variable nobody asked, and nothing
/// happens; what cannot be told is logged. Any thread; never waits.
void tell_service_manager(std::string_view state);

}  // namespace footfall::server
