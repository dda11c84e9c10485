#include "net/connection.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace footfall::net {
namespace {

/// So much of what was not asked for is read before closing.
constexpr std::size_t lingered_bytes_max = 1 << 20;
constexpr std::uint64_t linger_ticks = 5;
/// A pause that long is no gap between two requests: the connection's memory is better used by
/// others.
constexpr std::uint64_t release_ticks = 5;

std::uint64_t ticks(std::chrono::seconds duration) {
    return static_cast<std::uint64_t>(duration.count());
}

}  // namespace

void Connection::ready(Readiness readiness) {
    hung_up_ = hung_up_ || readiness.hung_up;
    readable_ = readable_ || readiness.readable;
    if (readiness.writable && writer_) {
        std::exchange(writer_, {})(true);
    }
    if (readable_) {
        read_on();
    }
}

void Connection::read_on() {
    if (reader_ && receive()) {
        std::exchange(reader_, {}).resume();
    }
}

/// Whether there was something: bytes, or the end of them.
bool Connection::receive() {
    const std::span<char> into = input_.free_part();
    received_ = socket_.receive(into);
    readable_ = hung_up_ || received_.bytes == into.size();
    return !received_.would_wait;
}

bool Connection::may_read(bool idle) {
    idle_ = idle;
    if (closed_ || (idle_ && set_->draining())) {
        return false;
    }
    if (!idle_) {
        if (!pacing_) {
            begin_pace();
        }
    } else if (!released_) {
        const std::uint64_t idle_ticks = ticks(set_->context().patience.idle);
        set_->wheel().set(*this, std::min(idle_ticks, release_ticks));
    }
    return true;
}

bool Connection::take(Socket::Transfer received) {
    idle_ = false;
    input_.received(received.bytes);
    released_ = false;
    if (pacing_) {
        pace(received.bytes);
    }
    return !received.failed;
}

bool Connection::may_linger(bool refused) {
    if (closed_ || !(refused || !input_.empty() || socket_.available() > 0)) {
        return false;
    }
    socket_.end_sending();
    set_->wheel().set(*this, linger_ticks);
    input_.take(input_.bytes().size());
    return true;
}

bool Connection::has_lingered(Socket::Transfer received) {
    lingered_bytes_ += received.bytes;
    return received.failed || lingered_bytes_ >= lingered_bytes_max;
}

/// From here on the client has the time of `progress` for the next `progress_bytes`.
void Connection::begin_pace() {
    pacing_ = true;
    paced_bytes_ = 0;
    set_->wheel().set(*this, ticks(set_->context().patience.progress));
}

void Connection::pace(std::size_t bytes) {
    paced_bytes_ += bytes;
    if (paced_bytes_ >= set_->context().patience.progress_bytes) {
        begin_pace();
    }
}

void Connection::deadline_passed() {
    const std::uint64_t idle_ticks = ticks(set_->context().patience.idle);
    if (idle_ && !released_ && idle_ticks > release_ticks) {
        released_ = true;
        set_->wheel().set(*this, idle_ticks - release_ticks);
        input_.release();
        give_memory_back();
        return;
    }
    close();
}

void Connection::drain() {
    if (idle_ && socket_.available() == 0) {
        end_waiting();  // it finds that there is no reason to read on
    }
    end_pause();
}

void Connection::close() {
    if (std::exchange(closed_, true)) {
        return;
    }
    stop_clock();
    end_pause();
    socket_.close();
    end_waiting();
}

/// Who waits for the client goes on, and finds out why.
void Connection::end_waiting() {
    if (writer_) {
        std::exchange(writer_, {})(false);
    }
    if (reader_) {
        std::exchange(reader_, {}).resume();
    }
}

}  // namespace footfall::net
