#include "segments_routes/asked_people.h"

#include "foundation/parse_number.h"
#include "runtime/moment.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace footfall::segments::routes {
namespace {

using std::chrono::milliseconds;

constexpr char of_sizes = 's';
constexpr char of_count = 'c';
constexpr char of_overlap = 'o';
constexpr char of_combinations = 'm';
constexpr char of_sketches = 'k';
constexpr char of_audience = 'a';
/// Of an audience: fewer than are shown.
constexpr std::int64_t too_few_people = -2;

/// How answers begin.
constexpr char with_numbers = 'n';
constexpr char with_estimates = 'e';  ///< Of how many people one was looked at, then numbers.
constexpr char with_failure = 'f';
constexpr std::string_view still_counting = "w";
constexpr std::int64_t one_of_max = 1 << 16;

/// The other process is asked again after a while that doubles.
constexpr milliseconds first_pause{5};
constexpr milliseconds longest_pause{200};
/// A matrix of a hundred segments takes some seconds at most.
constexpr std::chrono::seconds counting_patience{10};
/// Where nobody answers at all, as while the lanes change hands.
constexpr std::chrono::seconds silence_patience{3};
/// For what is about to be derived here: a turn or two. Who puts in many gets what is there.
constexpr milliseconds waiting_patience{150};
/// An answer is kept for whoever asks again: it is as old as that at most.
constexpr std::chrono::seconds kept_for{2};
constexpr std::size_t questions_max = 200;

/// Three lists of names.
boost::json::array written_lists(const Expression& about) {
    boost::json::array lists;
    for (const auto* const list : {&about.all, &about.any, &about.none}) {
        lists.emplace_back(boost::json::array(list->begin(), list->end()));
    }
    return lists;
}

/// A question as it goes to another process: its kind, and three lists of names.
std::string written_question(char kind, const Expression& about) {
    return kind + boost::json::serialize(written_lists(about));
}

/// The same of a key with the scope `audience`: its name, then questions.
std::string written_for_audience(std::string_view key, std::span<const Expression> questions) {
    boost::json::array parts{boost::json::string(key)};
    for (const Expression& each : questions) {
        parts.emplace_back(written_lists(each));
    }
    return of_audience + boost::json::serialize(parts);
}

/// Absent: it is no question.
std::optional<Expression> read_lists(const boost::json::value& document) {
    const auto* const lists = document.if_array();
    if (lists == nullptr || lists->size() != 3) {
        return std::nullopt;
    }
    Expression about;
    const std::array to{&about.all, &about.any, &about.none};
    for (std::size_t at = 0; at < to.size(); ++at) {
        const auto* const names = (*lists)[at].if_array();
        if (names == nullptr) {
            return std::nullopt;
        }
        for (const boost::json::value& each : *names) {
            if (!each.is_string()) {
                return std::nullopt;
            }
            to.at(at)->emplace_back(each.get_string());
        }
    }
    return about;
}

std::optional<Expression> read_question(std::string_view text) {
    boost::json::error_code error;
    const boost::json::value document = boost::json::parse(text, error);
    return error ? std::nullopt : read_lists(document);
}

struct ForAudience {
    std::string key;
    std::vector<Expression> questions;
};

std::optional<ForAudience> read_for_audience(std::string_view text) {
    boost::json::error_code error;
    const boost::json::value document = boost::json::parse(text, error);
    const auto* const parts = error ? nullptr : document.if_array();
    if (parts == nullptr || parts->empty() || !parts->front().is_string()) {
        return std::nullopt;
    }
    ForAudience asked{.key = std::string{parts->front().get_string()}, .questions = {}};
    for (std::size_t at = 1; at < parts->size(); ++at) {
        std::optional<Expression> each = read_lists((*parts)[at]);
        if (!each) {
            return std::nullopt;
        }
        asked.questions.push_back(*std::move(each));
    }
    return asked;
}

bool is_question(std::string_view question) {
    const char kind = question.empty() ? '\0' : question.front();
    question.remove_prefix(std::min<std::size_t>(1, question.size()));
    if (kind == of_audience) {
        return read_for_audience(question).has_value();
    }
    constexpr std::array known{of_sizes, of_count, of_overlap, of_combinations, of_sketches};
    return std::ranges::find(known, kind) != known.end() && read_question(question).has_value();
}

std::unexpected<Error> no_question() {
    return fail(ErrorKind::invalid_input, "this is no question about people in segments");
}

std::unexpected<Error> other_version() {
    return fail(ErrorKind::unavailable, "the process that counts people is of another version");
}

std::optional<std::int64_t> next_number(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    const bool is_less = word.starts_with('-');
    const auto number = parse_unsigned(word.substr(is_less ? 1 : 0));
    if (!number) {
        return std::nullopt;
    }
    const auto value = static_cast<std::int64_t>(*number);
    return is_less ? -value : value;
}

/// Of an estimate, in this order; the error in millionths.
constexpr std::size_t numbers_a_pair = 5;
constexpr double millionths = 1e6;

void append_pair(const sketches::Bounded& pair, bool is_exact, std::vector<std::int64_t>& numbers) {
    for (const double each : {pair.count, pair.low, pair.high, pair.error * millionths}) {
        numbers.push_back(std::llround(std::min(each, 9e15)));
    }
    numbers.push_back(is_exact ? 1 : 0);
}

}  // namespace

Result<AskedPeople::Sizes> AskedPeople::sizes(std::span<const std::string> names) {
    TRY(const Numbers numbers, ask(of_sizes, {.any = {names.begin(), names.end()}}));
    Sizes sizes{.people = {}, .as_of = numbers.as_of, .one_of = numbers.one_of};
    for (const std::int64_t each : numbers.numbers) {
        sizes.people.push_back(
            each < 0 ? std::nullopt : std::optional{static_cast<std::uint64_t>(each)}
        );
    }
    if (sizes.people.size() != names.size()) {
        return other_version();
    }
    return sizes;
}

Result<People> AskedPeople::count(const Expression& expression) {
    TRY(const Numbers numbers, ask(of_count, expression));
    if (numbers.numbers.size() != 1) {
        return other_version();
    }
    return People{
        .people = static_cast<std::uint64_t>(numbers.numbers.front()),
        .as_of = numbers.as_of,
        .one_of = numbers.one_of
    };
}

Result<Overlaps> AskedPeople::overlap(std::span<const std::string> names) {
    TRY(const Numbers numbers, ask(of_overlap, {.any = {names.begin(), names.end()}}));
    const std::size_t pairs = names.size() * (names.size() - 1) / 2;
    if (numbers.numbers.size() != names.size() + pairs) {
        return other_version();
    }
    Overlaps overlaps{.sizes = {}, .pairs = {}, .as_of = numbers.as_of, .one_of = numbers.one_of};
    for (std::size_t at = 0; at < numbers.numbers.size(); ++at) {
        auto& to = at < names.size() ? overlaps.sizes : overlaps.pairs;
        to.push_back(static_cast<std::uint64_t>(numbers.numbers[at]));
    }
    return overlaps;
}

Result<Combinations> AskedPeople::combined(std::span<const std::string> names) {
    TRY(const Numbers numbers, ask(of_combinations, {.any = {names.begin(), names.end()}}));
    if (numbers.numbers.size() != std::size_t{1} << names.size()) {
        return other_version();
    }
    return Combinations{
        .people = {numbers.numbers.begin(), numbers.numbers.end()},
        .as_of = numbers.as_of,
        .one_of = numbers.one_of
    };
}

Result<SketchedOverlaps> AskedPeople::sketched(std::span<const std::string> names) {
    TRY(const Numbers numbers, ask(of_sketches, {.any = {names.begin(), names.end()}}));
    const std::size_t pairs = names.size() * (names.size() - 1) / 2;
    const std::vector<std::int64_t>& all = numbers.numbers;
    if (all.size() != names.size() + pairs * numbers_a_pair) {
        return other_version();
    }
    SketchedOverlaps overlaps{.sizes = {}, .pairs = {}, .exact = {}, .as_of = numbers.as_of};
    for (std::size_t at = 0; at < names.size(); ++at) {
        overlaps.sizes.push_back(static_cast<std::uint64_t>(all[at]));
    }
    for (std::size_t at = names.size(); at < all.size(); at += numbers_a_pair) {
        overlaps.pairs.push_back(
            {.count = static_cast<double>(all[at]),
             .error = static_cast<double>(all[at + 3]) / millionths,
             .low = static_cast<double>(all[at + 1]),
             .high = static_cast<double>(all[at + 2])}
        );
        overlaps.exact.push_back(all[at + 4] != 0);
    }
    return overlaps;
}

Result<AskedPeople::Numbers> AskedPeople::ask(char kind, const Expression& about) {
    if (owners_ != nullptr && !segments_->is_derived_here()) {
        return ask_owner(written_question(kind, about));
    }
    wait_until_derived();
    wait_for_what_waits();
    return compute(kind, about);
}

/// A program that has just started reads what was derived before.
void AskedPeople::wait_until_derived() const {
    const auto until = std::chrono::steady_clock::now() + silence_patience;
    while (!segments_->is_derived_here() && std::chrono::steady_clock::now() < until) {
        runtime::wait_a_moment(first_pause);
    }
}

Result<std::vector<AudienceNumbers::Shown>> AskedPeople::for_audience(
    std::string_view key, std::span<const Expression> questions
) {
    if (owners_ == nullptr || segments_->is_derived_here()) {
        wait_until_derived();
        return audience_->answer(key, questions);
    }
    TRY(const Numbers numbers, ask_owner(written_for_audience(key, questions)));
    if (numbers.numbers.size() != questions.size()) {
        return other_version();
    }
    std::vector<AudienceNumbers::Shown> shown;
    shown.reserve(numbers.numbers.size());
    for (const std::int64_t each : numbers.numbers) {
        shown.push_back(
            each == too_few_people ? AudienceNumbers::Shown{}
                                   : AudienceNumbers::Shown{static_cast<std::uint64_t>(each)}
        );
    }
    return shown;
}

/// What another process asked for a key.
Result<AskedPeople::Numbers> AskedPeople::compute_for_audience(std::string_view question) {
    const std::optional<ForAudience> asked = read_for_audience(question);
    if (!asked) {
        return no_question();
    }
    TRY(const auto shown, audience_->answer(asked->key, asked->questions));
    Numbers numbers{.numbers = {}, .as_of = clock_->now()};
    for (const AudienceNumbers::Shown& each : shown) {
        numbers.numbers.push_back(each ? static_cast<std::int64_t>(*each) : too_few_people);
    }
    return numbers;
}

Result<AskedPeople::Numbers> AskedPeople::compute_asked(std::string_view question) {
    const char kind = question.empty() ? '\0' : question.front();
    const std::string_view about = question.substr(std::min<std::size_t>(1, question.size()));
    if (kind == of_audience) {
        return compute_for_audience(about);
    }
    const auto expression = read_question(about);
    return expression ? compute(kind, *expression) : Result<Numbers>{no_question()};
}

/// So who was answered that members are in asks next, and finds them counted.
void AskedPeople::wait_for_what_waits() const {
    Segments::Figures figures = segments_->figures();
    if (figures.waiting == 0) {
        return;
    }
    const Instant asked = clock_->now();
    const auto until = std::chrono::steady_clock::now() + waiting_patience;
    while (figures.as_of < asked && std::chrono::steady_clock::now() < until) {
        runtime::wait_a_moment(first_pause);
        figures = segments_->figures();
    }
}

Result<AskedPeople::Numbers> AskedPeople::compute(char kind, const Expression& about) {
    if (kind == of_count) {
        TRY(const People people, segments_->count(about));
        return Numbers{
            .numbers = {static_cast<std::int64_t>(people.people)},
            .as_of = people.as_of,
            .one_of = people.one_of
        };
    }
    Numbers numbers{.numbers = {}, .as_of = Instant::max()};
    if (kind == of_overlap) {
        TRY(const Overlaps overlaps, segments_->overlap(about.any));
        numbers.as_of = overlaps.as_of;
        numbers.one_of = overlaps.one_of;
        numbers.numbers.assign(overlaps.sizes.begin(), overlaps.sizes.end());
        numbers.numbers.insert(numbers.numbers.end(), overlaps.pairs.begin(), overlaps.pairs.end());
        return numbers;
    }
    if (kind == of_combinations) {
        TRY(const Combinations combined, combinations(*segments_, about.any));
        numbers.as_of = combined.as_of;
        numbers.one_of = combined.one_of;
        numbers.numbers.assign(combined.people.begin(), combined.people.end());
        return numbers;
    }
    if (kind == of_sketches) {
        TRY(const SketchedOverlaps overlaps, segments::sketched(*segments_, about.any));
        numbers.as_of = overlaps.as_of;
        numbers.numbers.assign(overlaps.sizes.begin(), overlaps.sizes.end());
        for (std::size_t at = 0; at < overlaps.pairs.size(); ++at) {
            append_pair(overlaps.pairs[at], overlaps.exact[at], numbers.numbers);
        }
        return numbers;
    }
    for (const std::string& name : about.any) {
        const Result<People> people = segments_->size(name);
        if (!people && people.error().kind != ErrorKind::not_found) {
            return std::unexpected(people.error());
        }
        numbers.numbers.push_back(people ? static_cast<std::int64_t>(people->people) : -1);
        if (people) {
            numbers.as_of = std::min(numbers.as_of, people->as_of);
            numbers.one_of = std::max(numbers.one_of, people->one_of);
        }
    }
    return numbers;
}

Result<AskedPeople::Numbers> AskedPeople::ask_owner(std::string_view question) {
    const auto begin = std::chrono::steady_clock::now();
    auto heard = begin;  ///< When anything was answered last.
    const projecting::LaneQuestion asked{.lane = deriving_lane, .bytes = std::string{question}};
    for (milliseconds pause = first_pause;; pause = std::min(2 * pause, longest_pause)) {
        const auto told = owners_->ask(projection_, {&asked, 1});
        const auto now = std::chrono::steady_clock::now();
        const auto answer = told.of_asked.empty() ? std::nullopt : told.of_asked.front();
        heard = answer ? now : heard;
        if (auto result = answer ? read(answer->bytes) : std::nullopt) {
            return *std::move(result);
        }
        if (now - begin >= counting_patience || now - heard >= silence_patience) {
            return fail(
                ErrorKind::unavailable,
                "the process that knows how many people segments are does not answer; ask again"
            );
        }
        runtime::wait_a_moment(pause);
    }
}

Result<std::string> AskedPeople::answer(std::string_view question) {
    if (!is_question(question)) {
        return no_question();
    }
    const std::lock_guard lock{mutex_};
    forget_old();
    const auto found = counted_.find(question);
    if (found != counted_.end()) {
        const std::optional<Result<Numbers>>& result = found->second.result;
        return result ? written(*result) : std::string{still_counting};
    }
    if (counted_.size() >= questions_max) {
        return std::string{still_counting};
    }
    const std::string key{question};
    const auto submitted = counting_.submit([this, key] {
        Result<Numbers> result = compute_asked(key);
        const std::lock_guard counted{mutex_};
        counted_[key] = {.result = std::move(result), .at = std::chrono::steady_clock::now()};
    });
    if (submitted) {
        counted_.emplace(key, Counted{});
    }
    return std::string{still_counting};
}

void AskedPeople::forget_old() {
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(counted_, [&](const auto& each) {
        return each.second.result && now - each.second.at > kept_for;
    });
}

std::string AskedPeople::written(const Result<Numbers>& result) {
    if (!result) {
        return fmt::format(
            "{}{} {}", with_failure, static_cast<int>(result.error().kind), result.error().message
        );
    }
    const std::int64_t as_of = result->as_of.time_since_epoch().count();
    std::string text = result->one_of == 1
                           ? fmt::format("{}{}", with_numbers, as_of)
                           : fmt::format("{}{} {}", with_estimates, as_of, result->one_of);
    for (const std::int64_t each : result->numbers) {
        text += fmt::format(" {}", each);
    }
    return text;
}

std::optional<Result<AskedPeople::Numbers>> AskedPeople::read(std::string_view answer) {
    if (answer.empty() || answer == still_counting) {
        return std::nullopt;
    }
    const char form = answer.front();
    answer.remove_prefix(1);
    const auto first = next_number(answer);
    const bool is_failure = form == with_failure && first && *first >= 0 &&
                            *first <= static_cast<int>(ErrorKind::cancelled);
    if (is_failure) {
        return fail(static_cast<ErrorKind>(*first), std::string{answer.substr(1)});
    }
    Numbers numbers;
    bool is_ours = (form == with_numbers || form == with_estimates) && first.has_value();
    numbers.as_of = Instant{std::chrono::microseconds{first.value_or(0)}};
    if (form == with_estimates) {
        const auto one_of = next_number(answer);
        is_ours = is_ours && one_of && *one_of > 0 && *one_of <= one_of_max;
        numbers.one_of = is_ours ? static_cast<std::uint32_t>(*one_of) : 1;
    }
    while (is_ours && !answer.empty()) {
        const auto number = next_number(answer);
        is_ours = number.has_value();
        numbers.numbers.push_back(number.value_or(0));
    }
    if (!is_ours) {
        return other_version();
    }
    return numbers;
}

}  // namespace footfall::segments::routes
