#include "keys/key_registry.h"

#include "keys/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace footfall::keys {
namespace {

constexpr std::int64_t never = 0;

std::int64_t microseconds_of(Instant instant) {
    return instant.time_since_epoch().count();
}

/// Of what a row says, one is empty.
Result<Rights> read_rights(std::string_view scopes, std::string_view party) {
    if (party.empty()) {
        return Scopes::parse(scopes);
    }
    if (!scopes.empty()) {
        return fail(ErrorKind::invalid_input, "it has both scopes and a party");
    }
    return Party::parse(party);
}

Result<ApiKey> read_row(const storage::Rows& rows, std::size_t row) {
    ApiKey key{
        .name = std::string{rows.at(row, 1).text()},
        .rights = {},
        .created = Instant{std::chrono::microseconds{rows.at(row, 4).number()}}
    };
    const auto corrupt = [&](std::string_view what) {
        return fail(ErrorKind::corrupt, fmt::format("the API key {}: {}", key.name, what));
    };
    const std::string_view hash = rows.at(row, 2).text();
    if (hash.size() != key.hash.size()) {
        return corrupt("its hash has not 32 bytes");
    }
    std::ranges::copy(hash, key.hash.begin());
    Result<Rights> rights = read_rights(rows.at(row, 3).text(), rows.at(row, 6).text());
    if (!rights) {
        return corrupt(rights.error().message);
    }
    key.rights = *std::move(rights);
    if (const std::int64_t expires = rows.at(row, 5).number(); expires != never) {
        key.expires = Instant{std::chrono::microseconds{expires}};
    }
    return key;
}

bool is_name(std::string_view name) {
    const auto good = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '.' || letter == '_' || letter == '-';
    };
    return !name.empty() && name.size() <= KeyRegistry::name_bytes_max && name.front() != '-' &&
           std::ranges::all_of(name, good);
}

}  // namespace

std::size_t KeyRegistry::HashOfHash::operator()(const SecretHash& hash) const {
    std::size_t first = 0;
    std::memcpy(&first, hash.data(), sizeof(first));
    return first;
}

Result<std::unique_ptr<KeyRegistry>> KeyRegistry::open(storage::Store& store, const Clock& clock) {
    std::unique_ptr<KeyRegistry> registry{new KeyRegistry{store, clock}};
    TRY_VOID(registry->reload());
    return registry;
}

Result<void> KeyRegistry::reload() {
    const std::lock_guard alone{changing_};
    return load();
}

Result<void> KeyRegistry::load() {
    TRY(const storage::Rows rows,
        storage::read_all(*store_, {.table = &api_key_table, .partition = {trusted_door}}));
    ByName by_name;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(ApiKey key, read_row(rows, row));
        std::string name = key.name;
        by_name.emplace(std::move(name), std::move(key));
    }
    const std::lock_guard lock{mutex_};
    // The program's own keys stay: they have no name.
    std::erase_if(known_, [](const auto& entry) { return !entry.second.name.empty(); });
    for (const auto& [name, key] : by_name) {
        known_.insert_or_assign(key.hash, key);
    }
    by_name_ = std::move(by_name);
    count_.store(by_name_.size(), std::memory_order_release);
    return {};
}

std::optional<Access> KeyRegistry::find(const SecretHash& hash) const {
    const std::shared_lock lock{mutex_};
    const auto found = known_.find(hash);
    if (found == known_.end()) {
        return std::nullopt;
    }
    const ApiKey& key = found->second;
    return Access{.rights = key.rights, .expired = key.expires && key.expired_at(clock_->now())};
}

std::optional<ApiKey> KeyRegistry::key_of(const SecretHash& hash) const {
    const std::shared_lock lock{mutex_};
    const auto found = known_.find(hash);
    return found == known_.end() ? std::nullopt : std::optional{found->second};
}

std::vector<ApiKey> KeyRegistry::list() const {
    const std::shared_lock lock{mutex_};
    std::vector<ApiKey> keys;
    for (const auto& [name, key] : by_name_) {
        keys.push_back(key);
    }
    return keys;
}

Result<void> KeyRegistry::check_new(const ApiKey& key) const {
    if (!is_name(key.name)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "a key's name has 1 to {} letters, digits, '.', '_' and '-', and no '-' in front",
                name_bytes_max
            )
        );
    }
    if (party_of(key.rights) == nullptr && scopes_of(key.rights).empty()) {
        return fail(
            ErrorKind::invalid_input,
            "a key needs a scope (read, write, people, money, audience or admin), or one "
            "reseller or publisher"
        );
    }
    if (key.expired_at(key.created)) {
        return fail(ErrorKind::invalid_input, "the key would have expired already");
    }
    const std::shared_lock lock{mutex_};
    if (by_name_.contains(key.name)) {
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "there is a key named {}; revoke it first, or choose another name", key.name
            )
        );
    }
    if (by_name_.size() >= keys_max) {
        return fail(
            ErrorKind::conflict,
            fmt::format("there are {} keys, which is the most; revoke one first", keys_max)
        );
    }
    return {};
}

Result<KeyRegistry::Added> KeyRegistry::add(
    std::string name, Rights rights, std::optional<Instant> expires
) {
    const std::lock_guard alone{changing_};
    TRY_VOID(load());
    ApiKey key{
        .name = std::move(name),
        .rights = std::move(rights),
        .created = clock_->now(),
        .expires = expires
    };
    TRY_VOID(check_new(key));
    TRY(std::string text, make_key());
    key.hash = hash_of(text);
    const Party* const party = party_of(key.rights);
    storage::Batch batch;
    batch.upsert(
        api_key_table,
        {trusted_door,
         key.name,
         std::string_view{reinterpret_cast<const char*>(key.hash.data()), key.hash.size()},
         scopes_of(key.rights).text(),
         microseconds_of(key.created),
         key.expires ? microseconds_of(*key.expires) : never,
         party == nullptr ? std::string{} : party->text()}
    );
    TRY_VOID(storage::write_durably(*store_, batch));
    const bool first = !any();
    install(key);
    return Added{.key = std::move(key), .text = std::move(text), .first = first};
}

Result<std::size_t> KeyRegistry::revoke(const std::string& name) {
    const std::lock_guard alone{changing_};
    TRY_VOID(load());
    SecretHash hash;
    {
        const std::shared_lock lock{mutex_};
        const auto found = by_name_.find(name);
        if (found == by_name_.end()) {
            return fail(ErrorKind::not_found, fmt::format("there is no key named \"{}\"", name));
        }
        hash = found->second.hash;
    }
    storage::Batch batch;
    batch.erase(api_key_table, {trusted_door, name});
    TRY_VOID(storage::write_durably(*store_, batch));
    const std::lock_guard lock{mutex_};
    by_name_.erase(name);
    known_.erase(hash);
    count_.store(by_name_.size(), std::memory_order_release);
    return by_name_.size();
}

std::string KeyRegistry::Added::notice() const {
    if (!first) {
        return "";
    }
    std::string told =
        "This is the first key: from now on every request needs one, also on this machine.";
    if (!scopes_of(key.rights).has(Scope::admin)) {
        told += " No key has the scope admin yet: more are made with --data, while no server runs.";
    }
    return told;
}

std::string KeyRegistry::revoke_notice(std::size_t left) {
    return left == 0 ? "There are no keys any more: requests from this machine need none." : "";
}

Result<std::string> KeyRegistry::make_own_key(Scopes scopes) {
    TRY(std::string text, make_key());
    const std::lock_guard lock{mutex_};
    const SecretHash hash = hash_of(text);
    known_.emplace(
        hash, ApiKey{.name = "", .rights = scopes, .created = clock_->now(), .hash = hash}
    );
    return text;
}

void KeyRegistry::install(const ApiKey& key) {
    const std::lock_guard lock{mutex_};
    by_name_.insert_or_assign(key.name, key);
    known_.insert_or_assign(key.hash, key);
    count_.store(by_name_.size(), std::memory_order_release);
}

}  // namespace footfall::keys
