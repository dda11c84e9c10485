#pragma once

#include "foundation/result.h"
#include "storage/testing/faulty_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <thread>

namespace footfall::identities {

/// What is kept back of the slow one.
struct KeptBack {
    bool writes = true;
    bool reads = true;
};

/// Somebody works slowly on this store; after so many of its answers somebody else does something,
/// all at once. False: the slow one was done before. What it asks next is found when it asks, and
/// kept back; the other one may work on the same store.
inline bool meet_after(
    storage::FaultyStore& store,
    int answers,
    const std::function<Result<void>()>& slow,
    const std::function<void()>& quick,
    KeptBack kept_back = {}
) {
    store.set_options({.hold_writes = kept_back.writes, .hold_reads = kept_back.reads});
    auto done = std::async(std::launch::async, slow);
    const auto asks = [&] {
        while (done.wait_for(std::chrono::seconds{0}) != std::future_status::ready) {
            if (store.held_reads() + store.held_writes() > 0) {
                return true;
            }
            std::this_thread::yield();
        }
        return false;
    };
    for (int left = answers; left > 0 && asks(); --left) {
        store.release_reads(1);
        store.release_writes(1);
    }
    const bool in_between = asks();
    store.set_options({});
    quick();
    while (asks()) {
        store.release_reads();
        store.release_writes();
    }
    const Result<void> ended = done.get();
    EXPECT_TRUE(ended) << ended.error().message;
    return in_between;
}

/// The same on a store of its own over this one.
inline bool meet_after(
    storage::Store& disk,
    int answers,
    const std::function<Result<void>(storage::Store&)>& slow,
    const std::function<void()>& quick
) {
    storage::FaultyStore store{disk, 1};
    return meet_after(store, answers, [&] { return slow(store); }, quick);
}

}  // namespace footfall::identities
