#include "keys/key_registry.h"

#include "foundation_testing/repository.h"
#include "keys/schema.h"
#include "storage/blocking.h"
#include "storage/key_codec.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <tuple>

namespace footfall::keys {
namespace {

using std::chrono::hours;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const storage::Table* tables[] = {&api_key_table};

class KeyRegistryTest : public testing::Test {
protected:
    std::unique_ptr<KeyRegistry> open() { return *KeyRegistry::open(store_, clock_); }

    static std::string add(KeyRegistry& keys, const char* name, const char* scopes = "read") {
        auto added = keys.add(name, *Scopes::parse(scopes), {});
        EXPECT_TRUE(added) << added.error().message;
        return added ? added->text : "";
    }

    static std::string rights(const Rights& rights) {
        const Party* const party = party_of(rights);
        return party == nullptr ? scopes_of(rights).text() : party->text();
    }

    /// What a key may do, as a word: its scopes, its party, "expired" or "unknown".
    static std::string access(const KeyRegistry& keys, std::string_view text) {
        const auto found = keys.find(hash_of(text));
        if (!found) {
            return "unknown";
        }
        return found->expired ? "expired" : rights(found->rights);
    }

    /// All that is known of a key; without a name if it is unknown.
    static ApiKey known(const KeyRegistry& keys, std::string_view text) {
        return keys.key_of(hash_of(text)).value_or(ApiKey{});
    }

    ManualClock clock_{Instant{hours{480'000}}};
    storage::MemoryStore disk_{tables, clock_};
    storage::FaultyStore store_{disk_, 1};
    const Scopes read_ = *Scopes::parse("read");
};

TEST_F(KeyRegistryTest, what_another_process_changed_is_seen_when_keys_are_read_again) {
    const auto one = open();
    const auto other = open();
    const std::string own = other->make_own_key(read_).value();
    const std::string text = add(*one, "shop", "write");
    EXPECT_FALSE(other->any());
    ASSERT_TRUE(other->reload());
    EXPECT_TRUE(other->any());
    EXPECT_EQ(access(*other, text), "write");
    const auto twice = other->add("shop", read_, {});
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().kind, ErrorKind::conflict);
    add(*one, "later");
    EXPECT_EQ(other->revoke("later").value(), 1U) << "a change begins with what is stored";
    EXPECT_EQ(other->revoke("shop").value(), 0U);
    EXPECT_EQ(access(*one, text), "write") << "not read again yet";
    ASSERT_TRUE(one->reload());
    EXPECT_EQ(access(*one, text), "unknown");
    EXPECT_FALSE(one->any());
    EXPECT_EQ(access(*other, own), "read") << "the program's own keys stay";
    const std::string kept = add(*one, "kept");
    store_.set_options({.fail_read = 1});
    EXPECT_FALSE(one->reload());
    EXPECT_EQ(access(*one, kept), "read");
}

TEST_F(KeyRegistryTest, a_key_is_shown_once_and_known_by_its_hash) {
    const auto keys = open();
    EXPECT_FALSE(keys->any());
    const auto added = keys->add("ops", *Scopes::parse("write,read"), {});
    ASSERT_TRUE(added);
    EXPECT_TRUE(added->first);
    EXPECT_TRUE(keys->any());
    EXPECT_EQ(access(*keys, added->text), "read,write");
    EXPECT_EQ(known(*keys, added->text).name, "ops");
    EXPECT_EQ(access(*keys, added->text + "x"), "unknown");
    EXPECT_FALSE(keys->add("more", read_, {})->first);
    EXPECT_THAT(
        keys->list(), ElementsAre(Field(&ApiKey::name, "more"), Field(&ApiKey::name, "ops"))
    );
}

TEST_F(KeyRegistryTest, the_store_keeps_only_a_hash) {
    const auto keys = open();
    const std::string text = add(*keys, "ops");
    const auto row = storage::read_one(store_, api_key_table, {trusted_door, "ops"});
    ASSERT_TRUE(row.has_value());
    for (const storage::Value& value : row->value_or(std::vector<storage::Value>{text})) {
        const std::string* const kept = std::get_if<std::string>(&value);
        EXPECT_TRUE(kept == nullptr || !kept->contains(text.substr(key_prefix.size())));
    }
}

std::string hex(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        text += fmt::format("{}{:02X}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    return text;
}

TEST_F(KeyRegistryTest, the_row_has_the_bytes_that_the_document_shows) {
    const SecretHash hash = hash_of(std::string{key_prefix} + std::string(secret_length, 'A'));
    const std::vector<storage::Value> row{
        trusted_door,
        "shop",
        std::string{hash.begin(), hash.end()},
        "write",
        std::int64_t{1'795'341'600'000'000},  // 2026-11-22T10:00Z
        std::int64_t{0},
        ""
    };
    const std::vector<storage::ValueView> views = storage::views_of(row);
    const std::span<const storage::ValueView> all{views};
    std::string key;
    storage::append_key(api_key_table, all.first(api_key_table.key_width()), key);
    std::string values;
    storage::append_row_values(api_key_table, all.subspan(api_key_table.key_width()), values);
    const std::ifstream file{in_repository("docs/formats/api_key.md")};
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_THAT(text.str(), HasSubstr(fmt::format("\napi_key: {} = {}\n", hex(key), hex(values))));
    EXPECT_TRUE(storage::check_table(api_key_table));
}

TEST_F(KeyRegistryTest, keys_are_there_again_after_a_start) {
    const Instant expires = clock_.now() + hours{1};
    const std::string text = open()->add("ops", *Scopes::parse("money"), expires)->text;
    const auto again = open();
    EXPECT_TRUE(again->any());
    const ApiKey key = known(*again, text);
    EXPECT_EQ(key.name, "ops");
    EXPECT_EQ(rights(key.rights), "money");
    EXPECT_EQ(key.created, clock_.now());
    EXPECT_EQ(key.expires, expires);
}

TEST_F(KeyRegistryTest, a_key_may_be_bound_to_a_party_in_place_of_scopes) {
    const Party party = *Party::make(PartyKind::publisher, "caf\u00e9: p");
    const auto added = open()->add("partner", party, clock_.now() + hours{1});
    ASSERT_TRUE(added);
    EXPECT_THAT(added->notice(), HasSubstr("No key has the scope admin yet"));
    const auto again = open();
    EXPECT_EQ(known(*again, added->text).rights, Rights{party});
    EXPECT_EQ(access(*again, added->text), "publisher:caf\u00e9: p");
    clock_.advance(hours{1});
    EXPECT_EQ(access(*again, added->text), "expired");
}

TEST_F(KeyRegistryTest, a_key_expires_but_keeps_the_door_closed) {
    const auto keys = open();
    const auto added = keys->add("ops", read_, clock_.now() + hours{1});
    ASSERT_TRUE(added);
    clock_.advance(hours{1} - std::chrono::microseconds{1});
    EXPECT_EQ(access(*keys, added->text), "read");
    clock_.advance(std::chrono::microseconds{1});
    EXPECT_EQ(access(*keys, added->text), "expired");
    EXPECT_TRUE(keys->any());
    EXPECT_TRUE(open()->any());
}

TEST_F(KeyRegistryTest, a_revoked_key_is_unknown_at_once_and_its_name_free) {
    const auto keys = open();
    const std::string first = add(*keys, "ops");
    add(*keys, "other");
    EXPECT_EQ(keys->revoke("ops"), 1U);
    EXPECT_FALSE(keys->find(hash_of(first)));
    EXPECT_EQ(keys->revoke("ops").error().kind, ErrorKind::not_found);
    const std::string second = add(*keys, "ops");
    EXPECT_FALSE(keys->find(hash_of(first)));
    EXPECT_TRUE(keys->find(hash_of(second)));
    EXPECT_TRUE(keys->revoke("other"));
    EXPECT_EQ(keys->revoke("ops"), 0U);
    EXPECT_FALSE(keys->any());
    EXPECT_THAT(open()->list(), IsEmpty());
}

TEST_F(KeyRegistryTest, refuses_what_makes_no_sense) {
    const auto keys = open();
    const std::string long_name(KeyRegistry::name_bytes_max + 1, 'a');
    for (const std::string& name :
         {std::string{},
          std::string{"a b"},
          std::string{"-a"},
          std::string{"a/b"},
          std::string{"ä"},
          long_name}) {
        EXPECT_EQ(keys->add(name, read_, {}).error().kind, ErrorKind::invalid_input) << name;
    }
    EXPECT_FALSE(keys->add("a", {}, {}));
    EXPECT_FALSE(keys->add("a", read_, clock_.now()));
    EXPECT_FALSE(keys->any());
    add(*keys, "a");
    EXPECT_EQ(keys->add("a", read_, {}).error().kind, ErrorKind::conflict);
}

TEST_F(KeyRegistryTest, is_bounded) {
    const auto keys = open();
    for (std::size_t at = 0; at < KeyRegistry::keys_max; ++at) {
        add(*keys, std::to_string(at).c_str());
    }
    EXPECT_EQ(keys->add("more", read_, {}).error().kind, ErrorKind::conflict);
    EXPECT_TRUE(keys->revoke("7"));
    EXPECT_TRUE(keys->add("more", read_, {}));
}

TEST_F(KeyRegistryTest, changes_nothing_in_memory_that_is_not_durable) {
    const auto keys = open();
    const std::string text = add(*keys, "ops");
    store_.set_options({.refuse_submit = 1});
    EXPECT_EQ(keys->add("more", read_, {}).error().kind, ErrorKind::overloaded);
    EXPECT_EQ(keys->revoke("ops").error().kind, ErrorKind::overloaded);
    EXPECT_TRUE(keys->find(hash_of(text)));
    EXPECT_THAT(keys->list(), ElementsAre(Field(&ApiKey::name, "ops")));
    store_.set_options({});
    EXPECT_TRUE(keys->add("more", read_, {}));
    EXPECT_TRUE(keys->revoke("ops"));
}

TEST_F(KeyRegistryTest, the_programs_own_key_is_in_no_list_and_closes_no_door) {
    const auto keys = open();
    const std::string own = *keys->make_own_key(*Scopes::parse("write"));
    EXPECT_FALSE(keys->any());
    EXPECT_THAT(keys->list(), IsEmpty());
    EXPECT_EQ(access(*keys, own), "write");
    EXPECT_FALSE(open()->find(hash_of(own)));
}

TEST_F(KeyRegistryTest, does_not_start_with_a_row_that_it_does_not_understand) {
    const std::string hash(32, 'h');
    for (const auto& [bad_hash, scopes, party] :
         {std::tuple{std::string{"short"}, "read", ""},
          std::tuple{hash, "read,fly", ""},
          std::tuple{hash, "", ""},
          std::tuple{hash, "", "seller:r"},
          std::tuple{hash, "read", "reseller:r"}}) {
        storage::Batch batch;
        batch.upsert(
            api_key_table,
            {trusted_door, "ops", bad_hash, scopes, std::int64_t{1}, std::int64_t{0}, party}
        );
        ASSERT_TRUE(storage::write_durably(store_, batch));
        const auto opened = KeyRegistry::open(store_, clock_);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().kind, ErrorKind::corrupt);
        EXPECT_THAT(opened.error().message, HasSubstr("the API key ops"));
    }
}

}  // namespace
}  // namespace footfall::keys
