#include "audit/log.h"

#include "audit/test_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

namespace footfall::audit {
namespace {

using testing::HasSubstr;

std::vector<Act> acts_numbered(std::size_t count) {
    std::vector<Act> acts;
    acts.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
        acts.push_back(act_numbered(at));
    }
    return acts;
}

class AuditLog : public testing::Test {
protected:
    Verified verified(std::string_view name = "main") {
        const SignedHead head = read_head(world_.store, name)->value_or(SignedHead{});
        Checker checker{{.checkpoint = head.checkpoint, .vkey = head.vkey}};
        for (const std::string& each : world_.lines(name)) {
            checker.add(*read_entry_line(each));
        }
        return checker.finish();
    }

    void expect_sound(std::string_view name = "main") {
        const Verified found = verified(name);
        EXPECT_TRUE(found.findings.empty()) << found.findings.front().text;
    }

    LogWorld world_;
};

TEST_F(AuditLog, numbers_acts_and_signs_what_holds_them) {
    const auto log = world_.open(world_.store);
    ASSERT_TRUE(log);
    EXPECT_EQ(log->head()->head, (TreeHead{.size = 0, .root = empty_root()}));
    EXPECT_EQ(log->record(act_numbered(0)), 0U);
    EXPECT_EQ(log->record_all({act_numbered(1), act_numbered(2)}), 1U);
    EXPECT_EQ(log->record(act_numbered(3)), 3U);
    const auto entries = *log->entries(1, 2);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(
        entry_bytes(entries[0]),
        R"({"entry":1,"time":"2024-10-04T00:00:00.000000Z","kind":"rate_set","author":"ops",)"
        R"("detail":{"reseller":"r-1","reward_percent":"0.05"},"people":[]})"
    );
    EXPECT_EQ(log->head()->head.size, 4U);
    EXPECT_THAT(log->head()->checkpoint, testing::StartsWith("footfall/test/main\n4\n"));
    expect_sound();
    EXPECT_EQ(log->recorded(), 4U);
}

TEST_F(AuditLog, proves_every_entry_and_every_earlier_head) {
    const auto log = world_.open(world_.store);
    const std::vector<Act> acts = acts_numbered(700);
    std::vector<TreeHead> heads;
    for (std::size_t at = 0; at < acts.size(); at += 70) {
        ASSERT_TRUE(log->record_all(
            {acts.begin() + static_cast<std::ptrdiff_t>(at),
             acts.begin() + static_cast<std::ptrdiff_t>(at + 70)}
        ));
        heads.push_back(log->head()->head);
    }
    const auto entries = *log->entries(0, 1000);
    ASSERT_EQ(entries.size(), 700U);
    const TreeHead newest = heads.back();
    for (const Entry& each : entries) {
        const auto proof = *log->inclusion(each.number, newest.size);
        ASSERT_TRUE(includes(newest.root, newest.size, each.number, leaf_of(each), proof));
    }
    for (const TreeHead& each : heads) {
        const auto proof = *log->consistency(each.size, newest.size);
        EXPECT_TRUE(is_consistent(each.size, each.root, newest.size, newest.root, proof));
    }
    EXPECT_EQ(log->inclusion(3, 701).error().kind, ErrorKind::invalid_input);
    EXPECT_EQ(log->inclusion(3, 3).error().kind, ErrorKind::invalid_input);
    EXPECT_EQ(log->consistency(700, 701).error().kind, ErrorKind::invalid_input);
    EXPECT_EQ(log->consistency(5, 4).error().kind, ErrorKind::invalid_input);
    EXPECT_TRUE(log->consistency(0, 4)->empty());
}

TEST_F(AuditLog, has_tiles_and_bundles) {
    const auto log = world_.open(world_.store);
    const std::vector<Act> acts = acts_numbered(600);
    ASSERT_TRUE(log->record_all(acts));
    EXPECT_EQ(log->tile(0, 1, 256)->size(), 256U * 32);
    EXPECT_EQ(log->tile(0, 2, 88)->size(), 88U * 32);
    EXPECT_EQ(log->tile(1, 0, 2)->size(), 2U * 32);
    for (const auto& [level, tile, width] :
         {std::tuple{0U, 2U, 89U},
          {0U, 3U, 1U},
          {1U, 0U, 3U},
          {2U, 0U, 1U},
          {0U, 0U, 0U},
          {0U, 0U, 257U},
          {8U, 0U, 1U},
          {99U, 0U, 1U}}) {
        EXPECT_EQ(log->tile(level, tile, width).error().kind, ErrorKind::not_found);
    }
    const std::string bundle = *log->bundle(2, 88);
    const std::size_t length = std::size_t{static_cast<unsigned char>(bundle[0])} * 256 +
                               static_cast<unsigned char>(bundle[1]);
    EXPECT_EQ(bundle.substr(2, length), entry_bytes((*log->entries(512, 1))[0]));
    EXPECT_EQ(leaf_hash(bundle.substr(2, length)), *hash_from(log->tile(0, 2, 1)->substr(0, 32)));
    EXPECT_EQ(log->bundle(2, 89).error().kind, ErrorKind::not_found);
    EXPECT_EQ(log->bundle(~std::uint64_t{0}, 1).error().kind, ErrorKind::not_found);
}

TEST_F(AuditLog, commits_to_what_it_says_of_persons_and_forgets_them) {
    const auto log = world_.open(world_.store);
    const std::string ann = person_of_id("shop", "email", "ann@example.org");
    const std::string bob = person_of_actor("bob");
    Act act = act_numbered(0);
    act.people = {
        {.persons = {ann}, .payload = "ann@example.org"},
        {.persons = {ann, bob}, .payload = "they were one"},
        {.persons = {bob}, .payload = "bob"}
    };
    ASSERT_TRUE(log->record(act));
    ASSERT_TRUE(log->record(act));
    const auto entries = *log->entries(0, 2);
    ASSERT_EQ(entries[0].people.size(), 3U);
    EXPECT_NE(entries[0].people, entries[1].people) << "salts are drawn for each";
    const auto opened = *log->opened(entries[0].people);
    const Opened of_both = opened[1].value_or(Opened{});
    EXPECT_EQ(of_both.payload, "they were one");
    EXPECT_EQ(sha256({of_both.salt, of_both.payload}), entries[0].people[1]);

    EXPECT_EQ(log->forget(std::vector{ann}), 4U);
    EXPECT_EQ(log->forget(std::vector{ann}), 0U);
    const auto left = *log->opened(entries[0].people);
    EXPECT_FALSE(left[0]);
    EXPECT_FALSE(left[1]);
    EXPECT_EQ(left[2].value_or(Opened{}).payload, "bob");
    EXPECT_FALSE((*log->opened(entries[1].people))[0]);
    expect_sound();
    for (const std::string& each : world_.lines()) {
        EXPECT_THAT(each, testing::Not(HasSubstr("ann@")));
    }
}

TEST_F(AuditLog, refuses_what_is_no_act) {
    const auto log = world_.open(world_.store);
    const auto refused = [&](Act act) {
        const auto answer = log->record(std::move(act));
        return !answer && answer.error().kind == ErrorKind::invalid_input;
    };
    const std::string no_text{"\xff"};
    EXPECT_TRUE(refused({.kind = "", .author = "a"}));
    EXPECT_TRUE(refused({.kind = "Rate", .author = "a"}));
    EXPECT_TRUE(refused({.kind = std::string(41, 'a'), .author = "a"}));
    EXPECT_TRUE(refused({.kind = "a", .author = std::string(201, 'a')}));
    EXPECT_TRUE(refused({.kind = "a", .author = no_text}));
    EXPECT_TRUE(refused({.kind = "a", .author = "a", .detail = "[]"}));
    EXPECT_TRUE(refused({.kind = "a", .author = "a", .detail = "{"}));
    EXPECT_TRUE(refused({.kind = "a", .author = "a", .detail = std::string(20'000, ' ') + "{}"}));
    EXPECT_TRUE(refused({.kind = "a", .author = "a", .people = {{.persons = {}}}}));
    EXPECT_TRUE(
        refused({.kind = "a", .author = "a", .people = {{.persons = {"x"}, .payload = no_text}}})
    );
    EXPECT_TRUE(refused(
        {.kind = "a", .author = "a", .people = std::vector<Personal>(257, {.persons = {"x"}})}
    ));
    EXPECT_EQ(log->head()->head.size, 0U);
}

TEST_F(AuditLog, many_threads_get_a_number_each) {
    const auto log = world_.open(world_.store);
    constexpr std::size_t threads = 8;
    constexpr std::size_t each_records = 50;
    std::vector<std::vector<std::uint64_t>> numbers(threads);
    {
        std::vector<std::jthread> running;
        running.reserve(threads);
        for (std::size_t thread = 0; thread < threads; ++thread) {
            running.emplace_back([&, thread] {
                for (std::size_t at = 0; at < each_records; ++at) {
                    numbers[thread].push_back(log->record(act_numbered(at)).value_or(~0ULL));
                }
            });
        }
    }
    std::set<std::uint64_t> all;
    for (const auto& each : numbers) {
        EXPECT_TRUE(std::ranges::is_sorted(each));
        all.insert(each.begin(), each.end());
    }
    EXPECT_EQ(all.size(), threads * each_records);
    EXPECT_EQ(*all.rbegin(), threads * each_records - 1);
    expect_sound();
}

TEST_F(AuditLog, processes_that_share_it_give_no_number_twice) {
    const auto one = world_.open(world_.store, true);
    const auto other = world_.open(world_.store, true);
    std::vector<std::uint64_t> numbers[2];
    {
        const auto record = [](Log& log, std::vector<std::uint64_t>& taken) {
            for (std::size_t at = 0; at < 100; ++at) {
                const auto number = log.record(act_numbered(at));
                ASSERT_TRUE(number) << number.error().message;
                taken.push_back(*number);
            }
        };
        const std::jthread first{[&] { record(*one, numbers[0]); }};
        const std::jthread second{[&] { record(*other, numbers[1]); }};
    }
    std::set<std::uint64_t> all{numbers[0].begin(), numbers[0].end()};
    all.insert(numbers[1].begin(), numbers[1].end());
    EXPECT_EQ(all.size(), 200U);
    ASSERT_TRUE(one->record(act_numbered(0)));
    EXPECT_EQ(other->head()->head.size, 201U);
    expect_sound();
}

/// Writes so many rows, and then nothing any more: a process that is killed. Where a batch is not
/// one thing, what it has written of one stays.
class DyingStore final : public storage::Store {
public:
    DyingStore(storage::Store& inner, std::size_t writes, bool whole_batches)
        : inner_{inner}, left_{writes}, whole_{whole_batches} {}

    bool died() const { return died_; }

    Result<storage::CommitPosition> submit(const storage::Batch& batch) override {
        storage::Batch written;
        batch.for_each([&](const storage::Batch::Mutation& each) {
            if (left_ > 0 && !whole_) {
                --left_;
                written.append(each);
            } else if (!whole_) {
                died_ = true;
            }
        });
        if (whole_) {
            died_ = died_ || left_ == 0;
            if (!died_) {
                --left_;
                return inner_.submit(batch);
            }
        } else {
            EXPECT_TRUE(inner_.submit(written));
        }
        if (died_) {
            return fail(ErrorKind::unavailable, "killed");
        }
        return 1;
    }

    bool durable(storage::CommitPosition) const override { return true; }

    void when_durable(storage::CommitPosition, storage::DurableDone done) override { done({}); }

    void read_many(
        const storage::Table& table,
        std::vector<std::vector<storage::Value>> keys,
        storage::FoundDone done
    ) override {
        inner_.read_many(table, std::move(keys), std::move(done));
    }

    void read_range(storage::RangeQuery query, storage::PageDone done) override {
        inner_.read_range(std::move(query), std::move(done));
    }

    std::optional<Result<storage::Page>> read_range_now(const storage::RangeQuery& query) override {
        return inner_.read_range_now(query);
    }

    void scan(storage::ScanQuery query, storage::PageDone done) override {
        inner_.scan(std::move(query), std::move(done));
    }

    double pressure() const override { return 0; }

    bool loses_only_the_end() const override { return whole_; }

    Result<void> health() const override { return {}; }

    storage::Subscription on_lost_writes(std::move_only_function<void()>) override { return {}; }

private:
    storage::Store& inner_;
    std::size_t left_;
    bool whole_;
    bool died_ = false;
};

/// Records three times over a store that dies after so many writes; answers whether it did.
bool is_sound_after(std::size_t writes, bool whole, bool shared) {
    LogWorld world;
    std::vector<std::uint64_t> given;
    DyingStore dying{world.store, writes, whole};
    if (const auto log = world.open(dying, shared)) {
        for (std::size_t at = 0; at < 3; ++at) {
            Act second = act_numbered(2 * at + 1);
            second.people = {{.persons = {"p"}, .payload = "secret"}};
            if (const auto number = log->record_all({act_numbered(2 * at), second})) {
                given.push_back(*number);
            }
        }
    }
    const std::size_t signed_before = [&]() -> std::size_t {
        const auto head = *read_head(world.store, "main");
        return head ? head->head.size : 0;
    }();
    const auto again = world.open(world.store, shared);
    EXPECT_TRUE(again);
    for (std::size_t at = 0; at < given.size(); ++at) {
        const auto entries = *again->entries(given[at], 1);
        EXPECT_EQ(entries.size(), 1U) << writes;
        EXPECT_THAT(entries[0].detail, HasSubstr(fmt::format("r-{}\"", 2 * at))) << writes;
    }
    EXPECT_GE(again->head()->head.size, signed_before);
    const auto next = again->record(act_numbered(77));
    EXPECT_TRUE(next);
    EXPECT_EQ(again->head()->head.size, *next + 1);
    EXPECT_TRUE(given.empty() || *next > given.back()) << writes;
    const SignedHead head = read_head(world.store, "main")->value_or(SignedHead{});
    Checker checker{{.checkpoint = head.checkpoint, .vkey = head.vkey}};
    for (const std::string& each : world.lines()) {
        checker.add(*read_entry_line(each));
    }
    for (const Finding& each : checker.finish().findings) {
        ADD_FAILURE() << writes << ": " << each.text;
    }
    return dying.died();
}

TEST(AuditLogKilled, between_any_two_writes_gives_no_number_twice) {
    for (const bool whole : {true, false}) {
        for (const bool shared : {true, false}) {
            std::size_t writes = 0;
            while (is_sound_after(writes, whole, shared)) {
                ++writes;
            }
            EXPECT_GT(writes, 5U) << "it was killed in the middle";
        }
    }
}

TEST_F(AuditLog, records_nothing_on_what_is_not_as_signed) {
    ASSERT_TRUE(world_.open(world_.store)->record_all({act_numbered(0), act_numbered(1)}));
    storage::Batch batch;
    put_subtree(batch, "main", {.level = 0, .index = 1}, leaf_hash("another"));
    ASSERT_TRUE(storage::write_durably(world_.store, batch));
    const auto again = world_.open(world_.store);
    ASSERT_TRUE(again) << "everything else goes on";
    const auto refused = again->record(act_numbered(2));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::corrupt);
    EXPECT_THAT(refused.error().message, HasSubstr("footfall audit verify"));
    EXPECT_EQ(again->head()->head.size, 2U) << "what was signed is shown";
}

TEST_F(AuditLog, has_the_heads_of_other_regions_once) {
    const auto ams = world_.open(world_.store, true, "ams");
    const auto fra = world_.open(world_.store, true, "fra");
    EXPECT_EQ(ams->enter_heads(), 0U);
    ASSERT_TRUE(fra->record(act_numbered(1)));
    EXPECT_EQ(ams->enter_heads(), 1U);
    EXPECT_EQ(ams->enter_heads(), 0U);
    const auto entries = *ams->entries(0, 10);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].kind, "head");
    EXPECT_THAT(
        entries[0].detail, HasSubstr(R"({"log":"fra","checkpoint":"footfall/test/fra\n1\n)")
    );
    EXPECT_EQ(fra->enter_heads(), 0U) << "there is nothing in it but a head of its own";
    ASSERT_TRUE(ams->record(act_numbered(1)));
    EXPECT_EQ(fra->enter_heads(), 1U);
    EXPECT_EQ(ams->enter_heads(), 0U);
    expect_sound("ams");
    expect_sound("fra");
}

TEST_F(AuditLog, says_that_another_region_shows_two_histories) {
    const auto ams = world_.open(world_.store, true, "ams");
    ASSERT_TRUE(world_.open(world_.store, true, "fra")->record(act_numbered(1)));
    EXPECT_EQ(ams->enter_heads(), 1U);
    // Everything of the other log is written anew, with its own key.
    LogWorld elsewhere;
    const std::string seed = storage::stored_fact(world_.store, "audit_key.fra")->value_or("");
    ASSERT_TRUE(storage::replace_fact(elsewhere.store, "audit_key.fra", seed));
    const auto forged = elsewhere.open(elsewhere.store, true, "fra");
    ASSERT_TRUE(forged->record_all({act_numbered(7), act_numbered(8)}));
    storage::Batch batch;
    Edge edge;
    for (const StoredEntry& each : *read_entries(elsewhere.store, "fra", 0, 10)) {
        put_entry(batch, "fra", each.entry, each.leaf);
        edge.add(each.leaf, [&](const Subtree& subtree, const Hash& hash) {
            put_subtree(batch, "fra", subtree, hash);
        });
    }
    put_head(batch, "fra", *forged->head());
    ASSERT_TRUE(storage::write_durably(world_.store, batch));
    EXPECT_EQ(ams->enter_heads(), 1U);
    EXPECT_EQ(ams->enter_heads(), 0U);
    const auto entries = *ams->entries(1, 10);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].kind, "head_refused");
    EXPECT_THAT(entries[0].detail, HasSubstr("two histories"));
}

}  // namespace
}  // namespace footfall::audit
