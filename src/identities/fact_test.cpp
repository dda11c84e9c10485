#include "identities/fact.h"

#include "foundation/random.h"
#include "foundation/testing/test_seed.h"
#include "identities/test_facts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

namespace footfall::identities {
namespace {

TEST(Fact, ids_are_text_and_back) {
    const FactId id = link(1, {"web:a", "mail:b"}).id;
    EXPECT_EQ(text_of(id).size(), 32);
    EXPECT_EQ(fact_id_of(text_of(id)), id);
    const std::string text = "00112233445566778899aabbccddeeff";
    EXPECT_EQ(fact_id_of(text).transform(text_of), text);
}

TEST(Fact, other_texts_are_no_id) {
    for (const char* text :
         {"",
          "0011",
          "00112233445566778899aabbccddeefg",
          "00112233445566778899AABBCCDDEEFF",
          "00112233445566778899aabbccddeeff0",
          "0x112233445566778899aabbccddeeff"}) {
        EXPECT_FALSE(fact_id_of(text)) << text;
    }
}

TEST(Fact, order_repetition_and_time_make_no_other_link) {
    const Fact once = link(1, {"mail:b", "web:a"});
    EXPECT_EQ(once.id, link(9, {"web:a", "mail:b", "web:a"}).id);
    EXPECT_EQ(once.ids, ids_named({"mail:b", "web:a"}));
}

TEST(Fact, each_word_of_a_statement_makes_another) {
    const Fact one = link(1, {"web:a", "web:b"});
    Fact other_name{.ids = one.ids};
    other_name.ids.front().id_name = "guest";
    // The same letters, cut elsewhere.
    Fact cut{.ids = one.ids};
    cut.ids.front() = {.identifier = "webu", .id_name = "ser", .id_value = "a"};
    const std::vector<Fact> all{
        one,
        link(1, {"web:a", "web:c"}),
        link(1, {"web:a", "web:b", "web:c"}),
        link(1, {"web:a"}),
        link(1, {"web:a", "web:b"}, "desk"),
        said(other_name, 1),
        said(cut, 1),
        parting(1, {"web:a"}, {"web:b"}),
        parting(1, {"web:a"}, {"web:b", "web:c"}),
        parting(1, {"web:a", "web:b"}, {"web:c"}),
        decision(FactKind::accept, 1, one),
        decision(FactKind::reject, 1, one),
        decision(FactKind::revoke, 1, one),
        decision(FactKind::revoke, 1, link(1, {"web:a"}))
    };
    std::set<FactId> different;
    for (const Fact& fact : all) {
        different.insert(fact.id);
    }
    EXPECT_EQ(different.size(), all.size());
}

TEST(Fact, a_parting_is_one_whichever_side_is_named_first) {
    EXPECT_EQ(
        parting(1, {"web:a", "mail:b"}, {"web:c"}), parting(1, {"web:c"}, {"mail:b", "web:a"})
    );
}

TEST(Fact, what_decides_about_a_shared_id_stands_before_its_links) {
    const Fact lifted = lift(1, "web:a");
    const Fact revoked = decision(FactKind::revoke, 2, lifted);
    for (const Fact& each : {lifted, revoked}) {
        EXPECT_TRUE(decides_sharing(each));
        EXPECT_THAT(text_of(each.id), testing::StartsWith("00000000"));
    }
    EXPECT_NE(lifted.id, revoked.id);
    const Fact parted = parting(1, {"web:a"}, {"web:b"});
    for (const Fact& each : {parted, decision(FactKind::revoke, 2, parted), link(1, {"web:a"})}) {
        EXPECT_FALSE(decides_sharing(each));
        EXPECT_FALSE(stands_first(each.id));
    }
}

TEST(Fact, names_all_its_ids_each_once) {
    EXPECT_EQ(
        ids_of(parting(1, {"web:c", "mail:b"}, {"web:a", "web:c"})),
        ids_named({"mail:b", "web:a", "web:c"})
    );
}

/// One statement, said at some time by somebody.
Fact statement(Random& random) {
    Fact fact = link(1, {"web:a", "web:b"});
    fact.first = at_second(static_cast<std::int64_t>(random.below(4)));
    fact.last = fact.first + std::chrono::seconds{random.below(4)};
    fact.recorded = at_second(static_cast<std::int64_t>(random.below(3)));
    fact.author = fmt::format("author {}", random.below(3));
    fact.reason = fmt::format("reason {}", random.below(3));
    return fact;
}

Fact merged(Fact one, const Fact& other) {
    merge(one, other);
    return one;
}

TEST(Fact, statements_of_it_merge_in_any_order_and_any_number) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    for (int round = 0; round < 2'000; ++round) {
        const Fact a = statement(random);
        const Fact b = statement(random);
        const Fact c = statement(random);
        ASSERT_EQ(merged(a, a), a);
        ASSERT_EQ(merged(a, b), merged(b, a));
        ASSERT_EQ(merged(merged(a, b), c), merged(a, merged(b, c)));
        ASSERT_EQ(merged(a, b).first, std::min(a.first, b.first));
        ASSERT_EQ(merged(a, b).last, std::max(a.last, b.last));
        ASSERT_EQ(merged(a, b).recorded, std::min(a.recorded, b.recorded));
    }
}

TEST(Fact, stands_under_the_ids_by_which_it_is_needed) {
    const Fact both = link(1, {"web:a", "web:b"});
    EXPECT_EQ(holders_of(both), both.ids);
    EXPECT_EQ(holders_of(parting(2, {"web:a", "web:b"}, {"app:c"})), ids_named({"app:c"}));
    EXPECT_EQ(holders_of(parting(2, {"app:c"}, {"web:a", "web:b"})), ids_named({"app:c"}));
    EXPECT_EQ(holders_of(decision(FactKind::reject, 3, both)), both.ids);
}

TEST(Fact, a_datum_has_one_size_however_often_it_is_said) {
    const std::vector<Fact> said{
        datum(5, "web:a", "city", R"("Oslo")"),
        datum(9, "web:a", "city", R"("Trondheim")"),
        datum(2, "web:a", "city", R"("Ås")"),
        datum(11, "web:a", "city", R"("Rom")"),
        datum(11, "web:a", "city", R"("Lom")")
    };
    std::vector<std::size_t> order{0, 1, 2, 3, 4};
    do {
        Fact merged = said[order[0]];
        for (const std::size_t at : order) {
            merge(merged, said[at]);
        }
        EXPECT_EQ(merged.first, at_second(2));
        EXPECT_EQ(merged.last, at_second(11));
        EXPECT_EQ(
            merged.datum,
            (Datum{
                .name = "city",
                .first = R"("Ås")",
                .latest = R"("Rom")",
                .longest = R"("Trondheim")"
            })
        );
    } while (std::ranges::next_permutation(order).found);
    EXPECT_NE(said[0].id, datum(5, "web:a", "town", R"("Oslo")").id);
    EXPECT_NE(said[0].id, datum(5, "web:a", "city", R"("Oslo")", "crm").id);
}

}  // namespace
}  // namespace footfall::identities
