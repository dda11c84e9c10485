#include "timeseries/catalogue.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::timeseries {
namespace {

constexpr SipKey secret{.k0 = 1, .k1 = 2};

Catalogue catalogue_of(const std::set<std::string>& names) {
    Catalogue catalogue{secret};
    for (const std::string& name : names) {
        catalogue.see(catalogue.id_of(name), name, 100);
    }
    return catalogue;
}

/// By the definition: each beginning of each name.
std::vector<Node> plain_find(const std::set<std::string>& names, const series::Glob& pattern) {
    std::map<std::string, Node> nodes;
    for (const std::string& name : names) {
        if (name.contains(';')) {
            continue;
        }
        for (std::size_t end = name.find('.');; end = name.find('.', end + 1)) {
            const std::string above = name.substr(0, end);
            if (pattern.matches(above)) {
                Node& node = nodes[above];
                node.name = above;
                (end == std::string::npos ? node.leaf : node.branch) = true;
            }
            if (end == std::string::npos) {
                break;
            }
        }
    }
    std::vector<Node> found;
    found.reserve(nodes.size());
    for (const auto& [name, node] : nodes) {
        found.push_back(node);
    }
    return found;
}

TEST(Catalogue, finds_what_a_pattern_stands_for) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    const std::vector<std::string> patterns{
        "*", "*.*", "a", "a.*", "a.b", "*.b", "a-*.*", "[ab].?", "{a,b}.{a,b}.*", "*.*.*.*", "b.a.a"
    };
    for (std::uint64_t round = 0; round < rounds(200); ++round) {
        std::set<std::string> names;
        for (std::uint64_t left = random.below(40); left > 0; --left) {
            std::string name;
            for (std::uint64_t parts = 1 + random.below(4); parts > 0; --parts) {
                static constexpr std::array<std::string_view, 5> some{"a", "b", "a-b", "a/", "ab"};
                name += (name.empty() ? "" : ".") + std::string{some[random.below(some.size())]};
            }
            names.insert(random.below(4) == 0 ? name + ";t=v.w" : name);
        }
        const Catalogue catalogue = catalogue_of(names);
        for (const std::string& text : patterns) {
            const auto pattern = series::Glob::parse(text);
            ASSERT_TRUE(pattern);
            const auto found = catalogue.find(*pattern, 1000);
            ASSERT_TRUE(found);
            std::vector<Node> sorted = *found;
            std::ranges::sort(sorted, {}, &Node::name);
            EXPECT_EQ(sorted, plain_find(names, *pattern)) << text;
        }
    }
}

/// What a look in turns of `most` names sees, and in how many.
std::vector<std::string> seen_by(
    const Catalogue& catalogue, const std::vector<std::string>& conditions, std::size_t most
) {
    const series::TagQuery query = series::TagQuery::parse(conditions).value();
    std::vector<std::string> names;
    for (Catalogue::Place place; !place.done;) {
        catalogue.each_tagged(query, most, place, [&](std::string_view name) {
            names.emplace_back(name);
        });
    }
    return names;
}

TEST(Catalogue, looks_at_tags_bit_by_bit) {
    using Names = std::vector<std::string>;
    const Catalogue catalogue =
        catalogue_of({"a", "a;dc=1", "a;dc=2", "a.b;dc=1", "a0;dc=1", "b;dc=1", "c.d"});
    for (const std::size_t most : {1UL, 2UL, 3UL, 5UL, 100UL}) {
        EXPECT_EQ(
            seen_by(catalogue, {"dc=1"}, most), (Names{"a.b;dc=1", "a0;dc=1", "a;dc=1", "b;dc=1"})
        );
        EXPECT_EQ(seen_by(catalogue, {"name=a"}, most), (Names{"a;dc=1", "a;dc=2"}));
        EXPECT_EQ(seen_by(catalogue, {"name=c.d"}, most), Names{});
        EXPECT_EQ(seen_by(catalogue, {}, most).size(), 5);
        Names all;
        for (Catalogue::Place place; !place.done;) {
            catalogue.each_name(most, place, [&](std::string_view name) {
                all.emplace_back(name);
            });
        }
        EXPECT_EQ(all, (Names{"a", "a.b;dc=1", "a0;dc=1", "a;dc=1", "a;dc=2", "b;dc=1", "c.d"}));
    }
    EXPECT_EQ(seen_by(Catalogue{secret}, {}, 1), Names{});
}

TEST(Catalogue, does_not_answer_more_than_it_may) {
    const Catalogue catalogue = catalogue_of({"a.a", "a.b", "a.c"});
    const auto pattern = series::Glob::parse("a.*");
    EXPECT_TRUE(catalogue.find(*pattern, 3));
    const auto found = catalogue.find(*pattern, 2);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::invalid_input);
}

TEST(Catalogue, knows_its_memory_and_forgets_what_is_old) {
    Catalogue catalogue = catalogue_of({"a", "b.with.a.name.that.is.not.inline", "c;t=v"});
    const SeriesId kept = catalogue.id_of("c;t=v");
    EXPECT_EQ(catalogue.bytes(), catalogue.recount());
    EXPECT_EQ(catalogue.standing(kept, "c;t=v"), Catalogue::Standing::known);
    EXPECT_EQ(catalogue.standing(kept, "d"), Catalogue::Standing::other);
    EXPECT_EQ(catalogue.standing(7, "d"), Catalogue::Standing::unknown);
    catalogue.see(kept, "c;t=v", 110);
    EXPECT_EQ(catalogue.size(), 3);
    catalogue.remove_older(105, [](std::string_view) { return 90; });
    EXPECT_EQ(catalogue.size(), 3);
    catalogue.remove_older(105, [](std::string_view) { return 105; });
    EXPECT_EQ(catalogue.size(), 1);
    EXPECT_EQ(catalogue.bytes(), Catalogue::bytes_of("c;t=v"));
    EXPECT_EQ(catalogue.seen(kept), 110);
    catalogue.remove(kept);
    catalogue.remove(kept);
    EXPECT_EQ(catalogue.bytes(), 0);
}

TEST(Catalogue, is_as_it_was_when_it_was_packed) {
    Catalogue catalogue{secret};
    const auto name_of = [](int number) {
        return number % 3 == 0 ? fmt::format("host{}.load;dc={}", number, number % 7)
                               : fmt::format("dc{}.host{}.load", number % 7, number);
    };
    constexpr int series = 10'000;
    for (int number = 0; number < series; ++number) {
        const std::string name = name_of(number);
        catalogue.see(catalogue.id_of(name), name, number);
        catalogue.note(catalogue.id_of(name), 2 * number);
    }
    const std::size_t most = catalogue.held_bytes();
    constexpr int first_left = series - series / 10;
    catalogue.remove_older(first_left, [](std::string_view) { return first_left; });
    EXPECT_EQ(catalogue.size(), series / 10);
    EXPECT_EQ(catalogue.bytes(), catalogue.recount());
    EXPECT_LT(catalogue.held_bytes(), most / 3) << "what was forgotten is given back";
    for (int number = 0; number < series; ++number) {
        const std::string name = name_of(number);
        const Catalogue::Known known = catalogue.look_up(catalogue.id_of(name), name);
        ASSERT_EQ(known.standing == Catalogue::Standing::known, number >= first_left) << name;
        if (number >= first_left) {
            EXPECT_EQ(known.seen, number);
            EXPECT_EQ(known.noted, 2 * number);
            EXPECT_EQ(catalogue.name_of(catalogue.id_of(name)), name);
        }
    }
    std::set<std::string> names;
    for (Catalogue::Place place; !place.done;) {
        catalogue.each_name(100, place, [&](std::string_view name) { names.emplace(name); });
    }
    EXPECT_EQ(names.size(), series / 10U);
    EXPECT_EQ(catalogue.find(*series::Glob::parse("dc*.host9001.load"), 10)->size(), 1U);
    const std::string next = "another.one";
    catalogue.see(catalogue.id_of(next), next, 1);
    EXPECT_EQ(catalogue.size(), series / 10U + 1);
    for (int number = first_left; number < series; ++number) {
        catalogue.remove(catalogue.id_of(name_of(number)));
    }
    EXPECT_EQ(catalogue.bytes(), Catalogue::bytes_of(next));
}

}  // namespace
}  // namespace footfall::timeseries
