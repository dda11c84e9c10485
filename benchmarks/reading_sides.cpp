#include "reading_sides.h"

#include "events/event_keys.h"
#include "foundation/check.h"
#include "people/sharers.h"
#include "reading/readership.h"
#include "reading/schema.h"
#include "reading/shown_friends.h"
#include "storage/blocking.h"

#include <algorithm>
#include <array>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace footfall::benchmarks {
namespace {

using storage::ColumnType;

constexpr SipKey secret{3, 4};
constexpr std::chrono::days ttl{30};
constexpr storage::Column expires{"expires", ColumnType::timestamp};

const storage::Table url_users_table{
    .name = "url_users",
    .purpose = "Who read a URL.",
    .partition = {{"url", ColumnType::text}},
    .clustering = {{"reader", ColumnType::text}},
    .values = {expires},
    .expires = "expires"
};

const storage::Table user_urls_table{
    .name = "user_urls",
    .purpose = "What somebody read.",
    .partition = {{"reader", ColumnType::text}},
    .clustering = {{"url_hash", ColumnType::integer}},
    .values = {expires},
    .expires = "expires"
};

std::int64_t hash_of(std::string_view url) {
    return static_cast<std::int64_t>(siphash13(secret, url));
}

void must(const Result<void>& done, std::string_view what) {
    CHECK(done, what, done ? "" : done.error().message);
}

/// The store refuses what it has no room for.
template <class Try>
void until_it_is_done(const Try& once) {
    while (!once()) {
        std::this_thread::sleep_for(std::chrono::milliseconds{20});  // tidy-allow(sleep): room
    }
}

class Ours final : public ReadingSide {
public:
    Ours(storage::Store& store, const Clock& clock, const ReadingWorld& world)
        : readership_{
              store,
              clock,
              sharers_of(world),
              {.secret = secret, .ttl = ttl, .interval = std::chrono::seconds{30}}
          } {}

    void take(std::size_t person, std::size_t url, Instant when) override {
        events::JudgedEvent judged;
        judged.event.object = ReadingWorld::url_name(url);
        judged.event.action = "read";
        judged.event.time = when;
        judged.read = events::ReadBy{.reader = number_of(person)};
        const std::uint32_t lane = events::lane_of(judged.event.object, secret);
        const projecting::JudgedRecord record{
            .offset = offsets_[lane]++, .judged = &judged, .person = {}
        };
        until_it_is_done([&] { return readership_.wait_for_room(); });
        readership_.apply(lane, {&record, 1});
    }

    void flush() override {
        until_it_is_done([&] { return readership_.flush(true); });
    }

    WhoRead ask(const std::vector<std::string>& urls, const std::vector<std::string>& friends)
        override {
        reading::Shown shown;
        for (const std::string& each : friends) {
            if (const auto id = sharers_.id_of(each)) {
                shown.push_back({.id = *id, .name = each});
            }
        }
        std::ranges::sort(shown, {}, &reading::ShownFriend::id);
        reading::ask_for(shown, asked_);
        const auto matched = readership_.who(urls, asked_);
        CHECK(matched, "it is answered", matched ? "" : matched.error().message);
        WhoRead answer(urls.size());
        for (std::size_t at = 0; at < urls.size(); ++at) {
            for (const reading::ReaderId each : (*matched)[at]) {
                answer[at].push_back(sharers_.actor_of(each));
            }
        }
        return answer;
    }

private:
    static std::uint64_t number_of(std::size_t person) {
        return siphash13({person, 1}, "number of a reader");
    }

    const people::Sharers& sharers_of(const ReadingWorld& world) {
        for (std::size_t person = 0; person < world.people(); ++person) {
            sharers_.put(
                ReadingWorld::person_name(person),
                {.number = number_of(person)},
                {.reading = people::Reading::shared}
            );
        }
        return sharers_;
    }

    people::Sharers sharers_{secret};
    reading::Readership readership_;
    std::array<std::uint64_t, 64> offsets_{};
    reading::AskedFriends asked_;
};

/// Rows of an older model, written in batches.
class Rows {
public:
    explicit Rows(storage::Store& store) : store_{&store} {}

    void upsert(
        const storage::Table& table, std::initializer_list<storage::ValueView> key_and_expires
    ) {
        batch_.upsert(table, key_and_expires);
        if (batch_.size() == rows_at_once) {
            submit();
        }
    }

    void flush() {
        submit();
        must(storage::wait_durable(*store_, last_), "written");
    }

    storage::Store& store() { return *store_; }

private:
    static constexpr std::size_t rows_at_once = 1000;

    void submit() {
        until_it_is_done([&] {
            const auto position = store_->submit(batch_);
            last_ = position.value_or(last_);
            return position.has_value();
        });
        batch_.clear();
    }

    storage::Store* store_;
    storage::Batch batch_;
    storage::CommitPosition last_ = 0;
};

class UrlUsers final : public ReadingSide {
public:
    explicit UrlUsers(storage::Store& store) : rows_{store} {}

    void take(std::size_t person, std::size_t url, Instant when) override {
        rows_.upsert(
            url_users_table,
            {ReadingWorld::url_name(url),
             ReadingWorld::person_name(person),
             (when + ttl).time_since_epoch().count()}
        );
    }

    void flush() override { rows_.flush(); }

    WhoRead ask(const std::vector<std::string>& urls, const std::vector<std::string>& friends)
        override {
        const std::unordered_set<std::string_view> wanted{friends.begin(), friends.end()};
        std::vector<storage::RangeQuery> queries;
        for (const std::string& each : urls) {
            queries.push_back(
                {.table = &url_users_table, .partition = {each}, .max_rows = rows_a_page}
            );
        }
        WhoRead answer(urls.size());
        const auto take_rows = [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                if (const auto reader = rows.at(row, 1).text(); wanted.contains(reader)) {
                    answer[at].emplace_back(reader);
                }
            }
            return {};
        };
        must(storage::read_each(rows_.store(), std::move(queries), take_rows), "read");
        return answer;
    }

private:
    static constexpr std::size_t rows_a_page = 5000;

    Rows rows_;
};

class UserUrls final : public ReadingSide {
public:
    UserUrls(storage::Store& store, bool by_key) : rows_{store}, by_key_{by_key} {}

    void take(std::size_t person, std::size_t url, Instant when) override {
        rows_.upsert(
            user_urls_table,
            {ReadingWorld::person_name(person),
             hash_of(ReadingWorld::url_name(url)),
             (when + ttl).time_since_epoch().count()}
        );
    }

    void flush() override { rows_.flush(); }

    WhoRead ask(const std::vector<std::string>& urls, const std::vector<std::string>& friends)
        override {
        return by_key_ ? ask_by_key(urls, friends) : ask_whole(urls, friends);
    }

private:
    WhoRead ask_whole(
        const std::vector<std::string>& urls, const std::vector<std::string>& friends
    ) {
        std::unordered_map<std::int64_t, std::size_t> places;
        for (std::size_t at = 0; at < urls.size(); ++at) {
            places.emplace(hash_of(urls[at]), at);
        }
        std::vector<storage::RangeQuery> queries;
        for (const std::string& each : friends) {
            queries.push_back({.table = &user_urls_table, .partition = {each}, .max_rows = 5000});
        }
        WhoRead answer(urls.size());
        const auto take_rows = [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                const auto place = places.find(rows.at(row, 1).number());
                if (place != places.end()) {
                    answer[place->second].push_back(friends[at]);
                }
            }
            return {};
        };
        must(storage::read_each(rows_.store(), std::move(queries), take_rows), "read");
        return answer;
    }

    WhoRead ask_by_key(
        const std::vector<std::string>& urls, const std::vector<std::string>& friends
    ) {
        std::vector<std::vector<storage::Value>> keys;
        for (const std::string& each : friends) {
            for (const std::string& url : urls) {
                keys.push_back({each, hash_of(url)});
            }
        }
        const auto found = storage::read_many(rows_.store(), user_urls_table, std::move(keys));
        CHECK(found, "read", found ? "" : found.error().message);
        WhoRead answer(urls.size());
        for (std::size_t at = 0; at < found->row_of_key.size(); ++at) {
            if (found->row_of_key[at]) {
                answer[at % urls.size()].push_back(friends[at / urls.size()]);
            }
        }
        return answer;
    }

    Rows rows_;
    const bool by_key_;
};

template <class Side, auto... More>
std::unique_ptr<ReadingSide> open_side(
    storage::Store& store, const Clock& clock, const ReadingWorld& world
) {
    if constexpr (std::is_same_v<Side, Ours>) {
        return std::make_unique<Ours>(store, clock, world);
    } else {
        return std::make_unique<Side>(store, More...);
    }
}

}  // namespace

const ReadingModel* reading_model(std::string_view name) {
    static const std::array models{
        ReadingModel{"ours", {reading::all_tables.begin(), reading::all_tables.end()}, open_side<Ours>},
        ReadingModel{"url-users", {&url_users_table}, open_side<UrlUsers>},
        ReadingModel{"user-urls", {&user_urls_table}, open_side<UserUrls, false>},
        ReadingModel{"user-urls-by-key", {&user_urls_table}, open_side<UserUrls, true>}
    };
    const auto found = std::ranges::find(models, name, &ReadingModel::name);
    return found == models.end() ? nullptr : &*found;
}

}  // namespace footfall::benchmarks
