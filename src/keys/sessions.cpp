#include "keys/sessions.h"

#include <algorithm>
#include <utility>

namespace footfall::keys {

Result<Sessions::Opened> Sessions::open(const SecretHash& key) {
    TRY(std::string id, make_secret());
    const Instant now = clock_->now();
    const std::lock_guard lock{mutex_};
    std::erase_if(by_id_, [now](const auto& each) { return each.second.ends <= now; });
    for (auto& [id_hash, session] : by_id_) {
        session.ends = std::min(session.ends, now + lifetime);
    }
    if (by_id_.size() >= sessions_max) {
        by_id_.erase(std::ranges::min_element(by_id_, {}, [](const auto& each) {
            return each.second.ends;
        }));
    }
    by_id_.emplace(hash_of(id), Session{.key = key, .ends = now + lifetime});
    return Opened{.id = std::move(id), .ends = now + lifetime};
}

std::optional<SecretHash> Sessions::key_of(std::string_view id) {
    if (id.size() != secret_length) {
        return std::nullopt;
    }
    const SecretHash hash = hash_of(id);
    const Instant now = clock_->now();
    const std::lock_guard lock{mutex_};
    const auto found = by_id_.find(hash);
    if (found == by_id_.end()) {
        return std::nullopt;
    }
    Session& session = found->second;
    session.ends = std::min(session.ends, now + lifetime);
    return session.ends > now ? std::optional{session.key} : std::nullopt;
}

void Sessions::end(std::string_view id) {
    const SecretHash hash = hash_of(id);
    const std::lock_guard lock{mutex_};
    by_id_.erase(hash);
}

}  // namespace footfall::keys
