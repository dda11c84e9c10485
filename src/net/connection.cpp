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
    if (readiness.hung_up && !std::exchange(hung_up_, true)) {
        end_work();
    }
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
    if (received_.would_wait) {
        input_.trim();
    }
    return !received_.would_wait;
}

bool Connection::may_read(bool idle) {
    idle_ = idle;
    if (closed_ || (idle_ && set_->draining())) {
        return false;
    }
    if (!idle_) {
        if (!pacing_) {
            begin_transfer(expected_bytes_);
        }
    } else if (!released_) {
        const std::uint64_t idle_ticks = ticks(set_->context().patience.idle);
        set_->wheel().set(*this, std::min(idle_ticks, release_ticks));
    }
    return true;
}

void Connection::expect(std::size_t bytes) {
    expected_bytes_ = bytes;
    if (pacing_) {
        pace_ends_ += ticks_for(bytes);
    }
}

bool Connection::take(Socket::Transfer received) {
    idle_ = false;
    input_.received(received.bytes);
    released_ = false;
    if (pacing_) {
        pace(received.bytes);
    }
    if (received.failed) {
        input_.trim();
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
    input_.trim();
    return true;
}

bool Connection::has_lingered(Socket::Transfer received) {
    lingered_bytes_ += received.bytes;
    input_.trim();
    return received.failed || lingered_bytes_ >= lingered_bytes_max;
}

/// What so many bytes take at the least pace.
std::uint64_t Connection::ticks_for(std::size_t bytes) const {
    return bytes / set_->context().patience.bytes_a_second;
}

/// From here on the client has the time for so many bytes.
void Connection::begin_transfer(std::size_t bytes) {
    const std::uint64_t progress = ticks(set_->context().patience.progress);
    pace_ends_ = set_->wheel().now() + progress + ticks_for(bytes);
    begin_pace();
}

/// From here on the client has the time of `progress` for the next `progress_bytes`, if the end is
/// not nearer.
void Connection::begin_pace() {
    pacing_ = true;
    paced_bytes_ = 0;
    const std::uint64_t left = pace_ends_ - std::min(pace_ends_, set_->wheel().now());
    if (left > 0) {  // else the last deadline stands
        set_->wheel().set(*this, std::min(ticks(set_->context().patience.progress), left));
    }
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
    end_work();
    set_->stop_watching(socket_);
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
