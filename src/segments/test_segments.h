#pragma once

#include "erasure/ledger.h"
#include "erasure/schema.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "identities/erasing.h"
#include "identities/fact_rows.h"
#include "identities/profile_data.h"
#include "identities/profile_rows.h"
#include "identities/resolution.h"
#include "identities/schema.h"
#include "identities/settling.h"
#include "identities/sid.h"
#include "identities/test_facts.h"
#include "identities/test_rows.h"
#include "segment_events/schema.h"
#include "segments/schema.h"
#include "segments/segments.h"
#include "segments/test_cut_store.h"
#include "segments/test_naive_segments.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::segments {

// Segments and profiles at random, beside what is counted naively. For tests.

inline std::vector<const storage::Table*> tables_of_test() {
    std::vector<const storage::Table*> tables{
        identities::all_tables.begin(), identities::all_tables.end()
    };
    tables.insert(tables.end(), all_tables.begin(), all_tables.end());
    tables.insert(tables.end(), erasure::all_tables.begin(), erasure::all_tables.end());
    tables.push_back(&segment_events::segment_did_table);
    return tables;
}

/// A deployment of one process, which may be killed.
class SegmentsWorld {
public:
    static inline const std::vector<std::string> names{"buyers", "readers", "Zürich", "s d"};

    SegmentsWorld(std::uint64_t seed, bool shared)
        : random_{seed}, shared_{shared}, store_{inner_, seed + 1, shared} {
        guards_.identifiers["web"].ttl = std::chrono::seconds{90};
        guards_.shared_above = 12;
        start();
    }

    /// From rows, as a process does.
    void start() {
        segments_.reset();
        settling_ = std::make_unique<identities::Settling>(
            store_,
            identities::Settling::Options{
                .secret = identities::rows_secret,
                .ledger = ledger_.get(),
                .guards = guards_,
                .clock = &clock_,
                .shared = shared_
            }
        );
        segments_ = std::make_unique<Segments>(
            store_,
            *settling_,
            clock_,
            Segments::Options{
                .shared = shared_,
                .ids_at_once = 1 + random_.below(20),
                .waiting_max = 1 + random_.below(20)
            }
        );
        has_begun_ = segments_->begin().has_value();
    }

    /// Something happens to members or profiles. False: the store was cut off.
    bool step() {
        const std::uint64_t kind = random_.below(15);
        if (kind < 4) {
            return add_members();
        }
        if (kind < 5) {
            return remove_members();
        }
        if (kind < 9) {
            return say(identities::link(second(), some_ids(3), one_in(4) ? "desk" : "shop"));
        }
        if (kind < 10) {
            return say(identities::parting(second(), some_ids(2), some_ids(3)));
        }
        if (kind >= 13) {
            constexpr std::array said{R"("granted")", R"("granted")", R"("denied")"};
            const std::string id = some_ids(1).front();
            return say(identities::datum(second(), id, "consent", said.at(random_.below(3)))) &&
                   say(identities::link(second(), {id}));
        }
        if (kind < 11 && !facts_.empty()) {
            constexpr std::array kinds{
                identities::FactKind::reject,
                identities::FactKind::revoke,
                identities::FactKind::accept
            };
            return say(identities::decision(
                kinds.at(random_.below(3)), second(), facts_[random_.below(facts_.size())]
            ));
        }
        clock_.advance(std::chrono::milliseconds{1 + random_.below(20'000)});
        return settle_all();
    }

    /// Works off all that waits. Where others write, too, it is known a moment later.
    bool derive() {
        for (int moment = 0; moment < (shared_ ? 3 : 1); ++moment) {
            if (shared_) {
                clock_.advance(std::chrono::seconds{1});
            }
            if (!settle_all()) {
                return false;
            }
            std::chrono::milliseconds pause{0};
            for (int turn = 0; pause.count() == 0; ++turn) {
                if (turn == 10'000) {
                    ADD_FAILURE() << "it does not come to an end";
                    return false;
                }
                const auto next = segments_->derive(std::stop_token{});
                if (!next) {
                    return false;
                }
                pause = *next;
            }
        }
        return true;
    }

    /// Kills the process, and has all that was not answered said again.
    void restart() {
        store_.mend();
        start();
        ASSERT_TRUE(has_begun_);
        ASSERT_TRUE(settling_->finish(writer));
        if (again_) {
            ASSERT_TRUE(again_());
        }
        ASSERT_TRUE(settle_all());
    }

    void expect_right() {
        const Instant now = clock_.now();
        const auto rows = identities::rows_that_follow(facts_, guards_, now);
        naive_.use(rows.index);
        naive_.refuse_consent(refusing(rows.profiles));
        std::vector<std::string> there;
        for (const std::string& each : names) {
            if (segments_->find(each)->has_value()) {
                there.push_back(each);
            }
        }
        if (there.empty()) {
            return;
        }
        const auto overlaps = segments_->overlap(there);
        ASSERT_TRUE(overlaps) << overlaps.error().message;
        std::map<std::string, std::set<std::string>> people;
        for (std::size_t one = 0; one < there.size(); ++one) {
            people[there[one]] = naive_.people(there[one], now);
            ASSERT_EQ(overlaps->sizes[one], people[there[one]].size()) << there[one];
            ASSERT_EQ(segments_->size(there[one])->people, people[there[one]].size());
        }
        for (std::size_t one = 0; one < there.size(); ++one) {
            for (std::size_t other = one + 1; other < there.size(); ++other) {
                std::vector<std::string> both;
                std::ranges::set_intersection(
                    people[there[one]], people[there[other]], std::back_inserter(both)
                );
                ASSERT_EQ(overlaps->pair(one, other), both.size());
            }
        }
        expect_count_right(there, people);
        for (const std::string& each : there) {
            expect_changes_right(each, now);
        }
        const auto [booked, counted] = segments_->memory();
        ASSERT_EQ(booked, counted);
    }

    void expect_verified() {
        const identities::SidNames sids{.secret = identities::rows_secret, .ledger = ledger_.get()};
        const auto found = verify(store_, sids, clock_.now());
        ASSERT_TRUE(found) << found.error().message;
        ASSERT_EQ(found->count, 0) << found->differences.front();
    }

    CutStore& store() { return store_; }

    storage::MemoryStore& inner() { return inner_; }

    Segments& segments() { return *segments_; }

    ManualClock& clock() { return clock_; }

    Random& random() { return random_; }

    NaiveSegments& naive() { return naive_; }

    const identities::Settling& settling() { return *settling_; }

    /// Out of all segments, as whoever erases ids does it.
    bool take_out(const std::vector<identities::Id>& ids) {
        for (const identities::Id& each : ids) {
            for (const std::string& segment : {"s", "t"}) {
                naive_.remove(segment, each);
            }
        }
        return do_it([this, ids] { return segments_->remove_from_all(ids).has_value(); });
    }

    erasure::Ledger& ledger() { return *ledger_; }

    /// As a deployment erases people; what is done behind the answer is for the caller.
    bool erase(const std::vector<identities::Id>& ids) {
        for (const identities::Id& each : ids) {
            for (const std::string& segment : names) {
                naive_.remove(segment, each);
            }
        }
        const identities::IsErased is_erased = identities::erased_by(*ledger_);
        if (!ledger_->record(ids, "profile", {}, clock_.now())) {
            return false;
        }
        facts_ = identities::without(facts_, is_erased);
        return do_it([this, ids, is_erased] {
            const auto unsaid = identities::unsay(store_, is_erased, ids);
            if (!unsaid) {
                return false;
            }
            std::vector<identities::Id> touched{unsaid->others.begin(), unsaid->others.end()};
            touched.insert(touched.end(), ids.begin(), ids.end());
            storage::Batch batch;
            for (const identities::Id& each : ids) {
                identities::erase_index_entry(
                    each, identities::index_partition(each, identities::least_index_level), batch
                );
            }
            return settling_->settle_each(touched, writer) &&
                   storage::write_durably(store_, batch) && segments_->remove_from_all(ids);
        });
    }

    bool add(const std::string& segment, const std::vector<Member>& members) {
        for (const Member& each : members) {
            naive_.add(segment, each);
        }
        return do_it([this, segment, members] {
            return segments_->add(segment, members, "test").has_value();
        });
    }

    bool drop(const std::string& segment) {
        naive_.drop(segment);
        replayed_.erase(segment);
        return do_it([this, segment] {
            const auto dropped = segments_->drop(segment);
            return dropped || dropped.error().kind == ErrorKind::not_found;
        });
    }

    bool say(const identities::Fact& fact) {
        const auto known = std::ranges::find(facts_, fact.id, &identities::Fact::id);
        if (known == facts_.end()) {
            facts_.push_back(fact);
        } else {
            identities::merge(*known, fact);
        }
        return do_it([this, fact] {
            storage::Batch batch;
            const auto told = std::ranges::find(facts_, fact.id, &identities::Fact::id);
            identities::add_rows({.writer = writer, .fact = *told}, batch);
            return storage::write_durably(store_, batch) &&
                   settling_->settle(identities::ids_of(fact), writer);
        });
    }

private:
    static constexpr const char* writer = "writer";

    struct Replayed {
        std::uint64_t last = 0;
        std::set<identities::Id> ids;
    };

    /// Who has any consent that is not granted, by the rule of identities.
    static std::set<std::string> refusing(const identities::StoredProfiles& profiles) {
        std::set<std::string> sids;
        for (const auto& [sid, members] : profiles) {
            for (const auto& each : identities::winners(members, identities::default_rules())) {
                if (each.name == "consent" && each.value != R"("granted")") {
                    sids.insert(sid);
                }
            }
        }
        return sids;
    }

    bool one_in(std::uint64_t many) { return random_.below(many) == 0; }

    std::int64_t second() const {
        return std::chrono::floor<std::chrono::seconds>(clock_.now()).time_since_epoch().count();
    }

    /// What is not answered is said again by its sender.
    bool do_it(const std::function<bool()>& act) {
        again_ = act;
        const bool done = act();
        if (done) {
            again_ = {};
        }
        return done;
    }

    std::vector<std::string> some_ids(std::uint64_t most) {
        std::vector<std::string> ids;
        for (std::uint64_t left = 1 + random_.below(most); left > 0; --left) {
            constexpr std::array networks{"app", "mail", "web"};
            ids.push_back(fmt::format("{}:{}", networks.at(random_.below(3)), random_.below(7)));
        }
        return ids;
    }

    bool add_members() {
        std::vector<Member> members;
        for (const std::string& each : some_ids(4)) {
            Member member{.id = identities::id_of(each)};
            if (one_in(2)) {
                member.expires = clock_.now() + std::chrono::milliseconds{random_.below(60'000)};
            }
            members.push_back(member);
        }
        return add(names[random_.below(names.size())], members);
    }

    bool remove_members() {
        const std::string& segment = names[random_.below(names.size())];
        const std::vector<identities::Id> ids = identities::ids_named(some_ids(5));
        for (const identities::Id& each : ids) {
            naive_.remove(segment, each);
        }
        return do_it([this, segment, ids] {
            const auto removed = segments_->remove(segment, ids);
            return removed || removed.error().kind == ErrorKind::not_found;
        });
    }

    /// As who looks for links that have ended does.
    bool settle_all() {
        std::set<identities::Id> ids;
        for (const identities::Fact& each : facts_) {
            for (const identities::Id& id : identities::ids_of(each)) {
                ids.insert(id);
            }
        }
        const std::vector<identities::Id> all{ids.begin(), ids.end()};
        if (all.empty() || clock_.now() == settled_) {
            return true;
        }
        const bool done = settling_->settle_each(all, writer).has_value();
        settled_ = done ? clock_.now() : settled_;
        return done;
    }

    void expect_count_right(
        const std::vector<std::string>& there,
        const std::map<std::string, std::set<std::string>>& people
    ) {
        Expression asked;
        for (std::vector<std::string>* const part : {&asked.all, &asked.any, &asked.none}) {
            for (const std::string& each : there) {
                if (one_in(3)) {
                    part->push_back(each);
                }
            }
        }
        if (asked.all.empty() && asked.any.empty()) {
            return;
        }
        std::set<std::string> everybody;
        for (const auto& [name, some] : people) {
            everybody.insert(some.begin(), some.end());
        }
        const auto is_in = [&](const std::string& name, const std::string& sid) {
            return people.at(name).contains(sid);
        };
        const auto is_meant = [&](const std::string& sid) {
            const auto in = [&](const std::string& name) { return is_in(name, sid); };
            return std::ranges::all_of(asked.all, in) &&
                   (asked.any.empty() || std::ranges::any_of(asked.any, in)) &&
                   std::ranges::none_of(asked.none, in);
        };
        const auto counted = segments_->count(asked);
        ASSERT_TRUE(counted);
        ASSERT_EQ(
            counted->people, static_cast<std::uint64_t>(std::ranges::count_if(everybody, is_meant))
        );
    }

    /// Read on from where it was read to: so an id is told once, and numbers go on.
    void expect_changes_right(const std::string& segment, Instant now) {
        Replayed& replayed = replayed_[segment];
        for (bool more = true; more;) {
            const auto changes =
                segments_->changes(segment, replayed.last, "", 1 + random_.below(5));
            ASSERT_TRUE(changes);
            for (const Change& each : changes->rows) {
                ASSERT_EQ(each.number, replayed.last + 1);
                replayed.last = each.number;
                ASSERT_EQ(
                    each.joined ? replayed.ids.insert(each.id).second
                                : replayed.ids.erase(each.id) == 1,
                    true
                ) << "a change that changes nothing";
            }
            more = changes->more;
        }
        ASSERT_EQ(replayed.ids, naive_.ids(segment, now)) << segment;
    }

    Random random_;
    const bool shared_;
    ManualClock clock_{identities::at_second(1'790'000'000)};
    storage::MemoryStore inner_{tables_of_test(), clock_};
    std::unique_ptr<erasure::Ledger> ledger_ =
        erasure::Ledger::open(inner_, identities::rows_secret).value();
    CutStore store_;
    identities::Guards guards_;
    std::unique_ptr<identities::Settling> settling_;
    std::unique_ptr<Segments> segments_;
    bool has_begun_ = false;
    std::vector<identities::Fact> facts_;
    NaiveSegments naive_;
    std::map<std::string, Replayed> replayed_;
    std::function<bool()> again_;
    Instant settled_{};
};

}  // namespace footfall::segments
