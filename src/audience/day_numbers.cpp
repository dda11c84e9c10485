#include "audience/day_numbers.h"

#include "audience/noise.h"
#include "audience/schema.h"
#include "foundation/check.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace footfall::audience {
namespace {

constexpr std::int64_t too_few = -1;

using std::chrono::days;

std::int32_t day_of(Instant instant) {
    return static_cast<std::int32_t>(std::chrono::floor<days>(instant).time_since_epoch().count());
}

/// When the rows of a day are needed no more.
std::int64_t end_of(std::int32_t day) {
    return Instant{days{day + 1}}.time_since_epoch().count();
}

}  // namespace

std::uint64_t DayNumbers::hash_of(std::string_view question) const {
    return siphash13(secret_, fmt::format("audience question {}", question));
}

void DayNumbers::enter_day(std::int32_t day) {
    if (day != day_) {
        asked_.clear();
        answers_.clear();
        day_ = day;
    }
}

Result<DayNumbers::Questions*> DayNumbers::asked_by(std::string_view key) {
    if (const auto known = asked_.find(key); known != asked_.end()) {
        return &known->second;
    }
    TRY(const storage::Rows rows,
        storage::read_all(
            *store_,
            {.table = &audience_asked_table, .partition = {std::int64_t{day_}, std::string{key}}}
        ));
    Questions questions;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        questions.insert(static_cast<std::uint64_t>(rows.at(row, 2).number()));
    }
    return &asked_.emplace(key, std::move(questions)).first->second;
}

Result<void> DayNumbers::read_answers(std::span<const std::uint64_t> questions) {
    std::vector<std::vector<storage::Value>> keys;
    std::vector<std::uint64_t> asked;
    for (const std::uint64_t question : questions) {
        if (!answers_.contains(question)) {
            keys.push_back({std::int64_t{day_}, static_cast<std::int64_t>(question)});
            asked.push_back(question);
        }
    }
    if (keys.empty()) {
        return {};
    }
    TRY(const storage::Found found,
        storage::read_many(*store_, audience_number_table, std::move(keys)));
    for (std::size_t at = 0; at < asked.size(); ++at) {
        if (const auto row = found.row_of_key[at]) {
            const std::int64_t number = found.rows.at(*row, 2).number();
            answers_[asked[at]] =
                number == too_few ? Shown{} : Shown{static_cast<std::uint64_t>(number)};
        }
    }
    return {};
}

Result<void> DayNumbers::answer_missing(
    std::span<const std::uint64_t> questions, const Count& count
) {
    std::vector<std::size_t> places;
    Questions seen;
    for (std::size_t at = 0; at < questions.size(); ++at) {
        if (!answers_.contains(questions[at]) && seen.insert(questions[at]).second) {
            places.push_back(at);
        }
    }
    if (places.empty()) {
        return {};
    }
    TRY(const std::vector<std::uint64_t> people, count(places));
    CHECK(people.size() == places.size(), "a number for each question", people.size());
    storage::Batch batch;
    std::map<std::uint64_t, Shown> answers;
    for (std::size_t at = 0; at < places.size(); ++at) {
        const std::uint64_t question = questions[places[at]];
        const Shown number = shown(people[at], noise(secret_, day_, question, terms_), terms_);
        batch.upsert(
            audience_number_table,
            {std::int64_t{day_},
             static_cast<std::int64_t>(question),
             number ? static_cast<std::int64_t>(*number) : too_few,
             end_of(day_)}
        );
        answers.emplace(question, number);
    }
    TRY_VOID(storage::write_durably(*store_, batch));
    answers_.merge(answers);
    return {};
}

Result<void> DayNumbers::write_asked(std::string_view key, const Questions& fresh) {
    storage::Batch batch;
    for (const std::uint64_t question : fresh) {
        batch.upsert(
            audience_asked_table,
            {std::int64_t{day_}, key, static_cast<std::int64_t>(question), end_of(day_)}
        );
    }
    return batch.empty() ? Result<void>{} : storage::write_durably(*store_, batch);
}

Result<std::vector<DayNumbers::Shown>> DayNumbers::ask(
    std::string_view key, std::span<const std::uint64_t> questions, const Count& count
) {
    const Instant now = clock_->now();
    const std::lock_guard lock{mutex_};
    enter_day(day_of(now));
    TRY(Questions* const asked, asked_by(key));
    Questions fresh;
    std::ranges::copy_if(questions, std::inserter(fresh, fresh.end()), [&](std::uint64_t each) {
        return !asked->contains(each);
    });
    if (asked->size() + fresh.size() > terms_.numbers) {
        const auto wait = std::chrono::ceil<std::chrono::minutes>(Instant{days{day_ + 1}} - now);
        return fail(
            ErrorKind::overloaded,
            fmt::format(
                "this key may ask for {} numbers a day, of which {} are left, and this takes {}; "
                "what it asked today costs nothing again, and there are new ones in {} minutes",
                terms_.numbers,
                terms_.numbers - std::min<std::size_t>(asked->size(), terms_.numbers),
                fresh.size(),
                wait.count()
            )
        );
    }
    // Spent before it is counted: who is killed in between has spent, and was shown nothing.
    TRY_VOID(write_asked(key, fresh));
    asked->merge(fresh);
    TRY_VOID(read_answers(questions));
    TRY_VOID(answer_missing(questions, count));
    std::vector<Shown> answers;
    answers.reserve(questions.size());
    for (const std::uint64_t question : questions) {
        answers.push_back(answers_.at(question));
    }
    return answers;
}

Result<std::size_t> DayNumbers::left(std::string_view key) {
    const std::lock_guard lock{mutex_};
    enter_day(day_of(clock_->now()));
    TRY(const Questions* const asked, asked_by(key));
    return terms_.numbers - std::min<std::size_t>(asked->size(), terms_.numbers);
}

}  // namespace footfall::audience
