#include "tokens/object_table.h"

#include "foundation/random.h"
#include "storage_testing/random_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace footfall::tokens {
namespace {

/// Few different ones, so that many stand in each other's way.
std::uint64_t hash_of(int object) {
    return static_cast<std::uint64_t>(object % 50) * 0x0505'0505'0505'0505;
}

/// All that is not busy, and of that so many at most.
struct NotBusy {
    const std::vector<ObjectEntry::Owner>* evicted;
    std::size_t most = 1'000'000;

    bool concerns(const ObjectEntry& /*entry*/) const { return true; }

    bool let_go(std::uint64_t /*hash*/, const ObjectEntry& entry) const { return !entry.busy; }

    bool enough() const { return evicted->size() >= most; }
};

std::vector<ObjectEntry::Owner> evict(ObjectTable& table, std::size_t most) {
    std::vector<ObjectEntry::Owner> evicted;
    table.evict(most, evicted, NotBusy{&evicted});
    return evicted;
}

TEST(ObjectTable, agrees_with_a_map_through_inserts_takes_and_evictions) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    ObjectTable table;
    std::map<int, ObjectEntry*> oracle;
    for (int step = 0; step < 50'000; ++step) {
        const int object = static_cast<int>(random.below(400));
        const std::string name = std::to_string(object);
        const ObjectEntry::Owner* slot = table.find(hash_of(object), 7, name);
        const ObjectEntry* found = slot != nullptr ? slot->get() : nullptr;
        const auto expected = oracle.find(object);
        ASSERT_EQ(found, expected == oracle.end() ? nullptr : expected->second);
        if (found != nullptr) {
            ASSERT_EQ(&table.slot_of(hash_of(object), *found), slot);
        }
        ASSERT_EQ(table.find(hash_of(object), 8, name), nullptr) << "of another counter";
        if (random.below(500) == 0) {
            table.erase_if([](const ObjectEntry& entry) { return entry.name().size() == 2; });
            std::erase_if(oracle, [](const auto& named) {
                return named.first >= 10 && named.first < 100;
            });
        } else if (found == nullptr) {
            oracle[object] = table.insert(hash_of(object), 7, name).get();
            oracle[object]->busy = false;
        } else if (random.below(3) == 0) {
            ASSERT_EQ(table.take(hash_of(object), *found)->name(), name);
            oracle.erase(object);
        } else if (random.below(3) == 0) {
            for (const ObjectEntry::Owner& gone : evict(table, 3)) {
                ASSERT_EQ(oracle.erase(std::stoi(std::string{gone->name()})), 1U);
            }
        }
        ASSERT_EQ(table.size(), oracle.size());
    }
}

TEST(ObjectTable, gives_what_was_used_again_a_second_chance) {
    ObjectTable table;
    for (int object = 0; object < 100; ++object) {
        ObjectEntry& entry = *table.insert(hash_of(object), 0, std::to_string(object));
        entry.busy = object >= 90;
        entry.used_again = object < 10;
    }
    std::set<std::string> gone;
    while (table.size() > 20) {
        for (const ObjectEntry::Owner& entry : evict(table, 1)) {
            gone.emplace(entry->name());
        }
    }
    for (int object = 0; object < 100; ++object) {
        EXPECT_EQ(gone.contains(std::to_string(object)), object >= 10 && object < 90) << object;
    }
    while (table.size() > 10) {
        evict(table, 1);
    }
    EXPECT_EQ(table.find(hash_of(5), 0, "5"), nullptr) << "the second chance was not taken";
    EXPECT_NE(table.find(hash_of(95), 0, "95"), nullptr) << "busy";
}

TEST(ObjectTable, searches_stay_short_while_objects_come_and_go) {
    Random random{7};
    ObjectTable table;
    for (int object = 0; object < 200'000; ++object) {
        table.insert(random(), 0, std::to_string(object))->busy = false;
        while (table.size() > 16'000) {  // what fills it best before it would grow
            evict(table, 1);
        }
    }
    EXPECT_LT(table.longest_run(), 300U);
}

TEST(ObjectTable, gives_memory_back_when_it_has_become_empty) {
    ObjectTable table;
    for (int object = 0; object < 1000; ++object) {
        table.insert(hash_of(object), 0, std::to_string(object))->busy = false;
    }
    table.shrink();
    const std::size_t full = table.bytes();
    while (table.size() > 200) {
        evict(table, 1);
    }
    table.shrink();
    EXPECT_LT(table.bytes(), full / 2);
    EXPECT_EQ(table.size(), 200U);
    int found = 0;
    for (int object = 0; object < 1000; ++object) {
        found += table.find(hash_of(object), 0, std::to_string(object)) != nullptr ? 1 : 0;
    }
    EXPECT_EQ(found, 200);
}

TEST(ObjectTable, stops_when_enough_has_gone) {
    ObjectTable table;
    for (int object = 0; object < 14; ++object) {
        table.insert(hash_of(object), 0, std::to_string(object))->busy = false;
    }
    std::vector<ObjectEntry::Owner> evicted;
    table.evict(1000, evicted, NotBusy{&evicted, 5});
    EXPECT_EQ(table.size(), 9U);
}

}  // namespace
}  // namespace footfall::tokens
