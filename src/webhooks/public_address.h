#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

namespace footfall::webhooks {

/// Whether an address is one of the public internet: not of this machine, a private network, a
/// link (where clouds answer with the machine's own credentials), many receivers at once, or any
/// other that is set apart (IANA special-purpose address registries, RFC 6890). Addresses of IPv6
/// that have one of IPv4 inside (mapped, 6to4, NAT64, Teredo) are not, whatever that one is.
/// Pure; any other family than the two of the internet is not public.
bool is_public(const sockaddr& address);

bool is_public(const in_addr& address);
bool is_public(const in6_addr& address);

}  // namespace footfall::webhooks
