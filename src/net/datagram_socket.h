#pragma once

#include "foundation/address.h"
#include "foundation/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::net {

/// A socket that datagrams come to (UDP). The system keeps some that were not taken yet, and drops
/// what comes beyond: dropped() tells how many. Takes 1 MiB of memory while it is there, whatever
/// comes. One thread; closes itself.
class DatagramSocket {
public:
    /// `conflict`: the port is taken; `invalid_input`: it is no address of this machine.
    /// `chosen_with`: the setting by which people choose it, for the error.
    static Result<DatagramSocket> bind(const AddressAndPort& address, std::string_view chosen_with);

    DatagramSocket(const DatagramSocket&) = delete;
    DatagramSocket& operator=(const DatagramSocket&) = delete;
    DatagramSocket(DatagramSocket&& other) noexcept;
    DatagramSocket& operator=(DatagramSocket&&) = delete;
    ~DatagramSocket();

    /// Those that have come, at most 16; waits for the first, at most `patience`. Views hold until
    /// the next call. None: none came, or a signal did.
    std::span<const std::string_view> receive(std::chrono::milliseconds patience);

    /// How many the system has dropped since bind(), as far as it said so with the last that came.
    std::uint64_t dropped() const { return dropped_; }

private:
    struct Buffers;

    explicit DatagramSocket(int descriptor);

    int descriptor_;
    std::unique_ptr<Buffers> buffers_;
    std::vector<std::string_view> received_;
    std::uint64_t dropped_ = 0;
};

}  // namespace footfall::net
