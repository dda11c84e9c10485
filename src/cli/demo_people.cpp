#include "cli/demo_people.h"

#include "events/rfc3339.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>

namespace footfall::cli {
namespace {

using std::chrono::floor;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::array first_names{
    std::string_view{"maren"},  std::string_view{"tomas"},  std::string_view{"aiko"},
    std::string_view{"sam"},    std::string_view{"leila"},  std::string_view{"jonas"},
    std::string_view{"priya"},  std::string_view{"mateus"}, std::string_view{"ines"},
    std::string_view{"kwame"},  std::string_view{"freya"},  std::string_view{"dario"},
    std::string_view{"yuki"},   std::string_view{"nadia"},  std::string_view{"oskar"},
    std::string_view{"chiara"}, std::string_view{"ravi"},   std::string_view{"elif"},
    std::string_view{"bruno"},  std::string_view{"zoë"}
};
constexpr std::array last_names{
    std::string_view{"holm"},
    std::string_view{"vidal"},
    std::string_view{"tanaka"},
    std::string_view{"oduya"},
    std::string_view{"haddad"},
    std::string_view{"lindqvist"},
    std::string_view{"nair"},
    std::string_view{"moreira"},
    std::string_view{"castro"},
    std::string_view{"mensah"},
    std::string_view{"berg"},
    std::string_view{"rossi"},
    std::string_view{"sato"},
    std::string_view{"karim"},
    std::string_view{"novák"}
};
constexpr std::array sites{
    std::string_view{"www.the-evening-courier.example"},
    std::string_view{"radio-fjord.example"},
    std::string_view{"magazin.gartenfreunde.example"},
    std::string_view{"city-guide-barcelona.example"},
    std::string_view{"www.the-daily-cartographer.example"}
};
constexpr std::array columns{
    std::string_view{"world"},
    std::string_view{"culture"},
    std::string_view{"science/field-notes"},
    std::string_view{"food"},
    std::string_view{"travel/by-rail"},
    std::string_view{"city"}
};
constexpr std::array stories{
    std::string_view{"the-night-train-to-lisbon"},
    std::string_view{"the-last-lighthouse-keeper-of-the-skagerrak"},
    std::string_view{"a-library-that-lends-telescopes"},
    std::string_view{"the-bakery-that-opens-at-three-in-the-morning"},
    std::string_view{"seventeen-bridges-of-a-small-town"},
    std::string_view{"the-glacier-that-sings-in-october"},
    std::string_view{"grüne-soße-and-its-seven-herbs"},
    std::string_view{"an-orchestra-that-plays-on-vegetables"},
    std::string_view{"the-map-that-was-wrong-for-two-hundred-years"},
    std::string_view{"the-tram-line-nobody-wanted"},
    std::string_view{"a-village-without-street-names"},
    std::string_view{"how-oysters-clean-a-harbour"},
    std::string_view{"the-river-that-changed-its-mind"},
    std::string_view{"the-man-who-photographs-fog"},
    std::string_view{"a-school-on-a-ferry"},
    std::string_view{"the-oldest-vineyard-north-of-the-alps"},
    std::string_view{"what-the-beavers-built"}
};
constexpr std::array angles{
    std::string_view{"and-what-it-says-about-us"},
    std::string_view{"a-visit-in-twelve-pictures"},
    std::string_view{"what-the-numbers-do-not-tell"},
    std::string_view{"thirty-years-later"},
    std::string_view{"and-the-people-who-will-not-let-it-go"},
    std::string_view{"explained-without-a-single-chart"},
    std::string_view{"and-why-it-matters-this-winter"},
    std::string_view{"a-correction-and-an-apology"},
    std::string_view{"the-long-version"},
    std::string_view{"what-happens-next"},
    std::string_view{"as-told-by-those-who-were-there"}
};

constexpr std::size_t people_count = first_names.size() * last_names.size();
constexpr std::size_t circle_size = 25;
constexpr std::size_t circles = people_count / circle_size;
constexpr double befriended_share = 0.85;  ///< Of one's own circle.
constexpr std::size_t friends_afar = 4;    ///< At most, of all others.

constexpr double reads_an_hour = 400;
constexpr double mean_age = 120;    ///< Of what is read, in articles.
constexpr double top_share = 0.25;  ///< Of reads: the one article of an hour that all talk about.
constexpr std::uint64_t top_step = 60;
constexpr double good_share = 0.35;  ///< And the few besides it.
constexpr std::uint64_t good_step = 12;
constexpr double alike_share = 0.6;  ///< Of reads that follow the taste of a circle.
constexpr std::uint64_t tastes = 4;
constexpr double campaign_share = 0.2;

/// Of the four whom the dashboard offers one shows each way to share; of all others most just do.
void say(DemoPerson& person, std::size_t shown, Random& random) {
    constexpr std::array<std::string_view, 4> shown_ways{"shared", "shared", "private", "off"};
    const double draw = random.fraction();
    const double audience = random.fraction();
    person.reading = draw < 0.8 ? "shared" : draw < 0.87 ? "private" : "off";
    person.is_for_friends = audience < 0.1;
    person.site = audience > 0.92 ? sites[random.below(sites.size())] : "";
    if (shown < shown_ways.size()) {
        person.is_shown = true;
        person.reading = shown_ways[shown];
        person.is_for_friends = shown == 1;
        person.site = "";
    }
}

std::vector<std::size_t> some_friends(std::size_t self, std::size_t circle, Random& random) {
    std::vector<std::size_t> friends;
    for (std::size_t other = circle * circle_size; other < (circle + 1) * circle_size; ++other) {
        if (other != self && random.fraction() < befriended_share) {
            friends.push_back(other);
        }
    }
    for (std::size_t count = random.below(friends_afar + 1); count > 0; --count) {
        const std::size_t other = random.below(people_count);
        if (other != self && std::ranges::find(friends, other) == friends.end()) {
            friends.push_back(other);
        }
    }
    return friends;
}

std::uint64_t some_article(std::uint64_t newest, std::size_t circle, Random& random) {
    const double age = std::min(-std::log(1 - random.fraction()) * mean_age, 20 * mean_age);
    const double draw = random.fraction();
    const std::uint64_t step = draw < top_share                ? top_step
                               : draw < top_share + good_share ? good_step
                                                               : 1;
    std::uint64_t place = (newest - static_cast<std::uint64_t>(age)) / step;
    if (step < top_step && random.fraction() < alike_share) {
        place -= (place + circle) % tastes;
    }
    return place * step;
}

DemoRead some_read(std::uint64_t newest, Random& random) {
    const DemoPerson& person = demo_people()[random.below(people_count)];
    DemoRead read{
        .id = {},
        .time = {},
        .person = &person,
        .url = demo_article(some_article(newest, person.circle, random))
    };
    if (random.fraction() < campaign_share) {
        read.url += "?utm_source=newsletter&utm_campaign=morning";  // the same article all the same
    }
    return read;
}

}  // namespace

std::span<const DemoPerson> demo_people() {
    static const std::vector<DemoPerson> people = [] {
        Random random{1};
        std::vector<DemoPerson> all(people_count);
        for (std::size_t number = 0; number < people_count; ++number) {
            const std::size_t first = number % first_names.size();
            const std::size_t last = (number / first_names.size() + first) % last_names.size();
            DemoPerson& person = all[number];
            person.name = fmt::format("{}-{}", first_names[first], last_names[last]);
            person.circle = number / circle_size;
            // The first of each of the first circles.
            const bool is_first = number % circle_size == 0;
            say(person, is_first ? person.circle : circles, random);
            person.friends = some_friends(number, person.circle, random);
        }
        return all;
    }();
    return people;
}

std::string DemoPerson::consent(std::optional<Instant> until) const {
    std::string json = fmt::format(R"({{"reading":"{}")", until ? "private" : reading);
    if (until) {
        json += fmt::format(R"(,"until":"{}")", events::format_rfc3339(*until));
    }
    if (!site.empty()) {
        json += fmt::format(R"(,"sites":["{}"])", site);
    }
    if (is_for_friends) {
        json += R"(,"to":"friends")";
    }
    return json + "}";
}

std::string DemoPerson::line() const {
    std::string names;
    for (const std::size_t each : friends) {
        names += (names.empty() ? "" : ",") + json_string(demo_people()[each].name);
    }
    std::string json = consent();
    json.pop_back();
    return fmt::format("{},\"actor\":{},\"friends\":[{}]}}\n", json, json_string(name), names);
}

std::uint64_t demo_article_at(Instant time) {
    return static_cast<std::uint64_t>(floor<minutes>(time).time_since_epoch().count());
}

std::string demo_article(std::uint64_t number) {
    const std::chrono::year_month_day day{floor<std::chrono::days>(Instant{minutes{number}})};
    return fmt::format(
        "https://{}/{}/{}/{:02}/{:02}/{}-{}-{}",
        sites[(number / top_step + number) % sites.size()],
        columns[number / good_step % columns.size()],
        static_cast<int>(day.year()),
        static_cast<unsigned>(day.month()),
        static_cast<unsigned>(day.day()),
        stories[number * 7 % stories.size()],
        angles[(number / stories.size() + number * 3) % angles.size()],
        number % 100'000
    );
}

std::string DemoRead::event() const {
    std::string json = fmt::format(
        R"({{"action":"read","object":{},"actor":{})", json_string(url), json_string(person->name)
    );
    if (!id.empty()) {
        json += fmt::format(R"(,"id":"{}")", id);
    }
    if (time) {
        json += fmt::format(R"(,"time":"{}")", events::format_rfc3339(*time));
    }
    return json + "}\n";
}

std::vector<DemoRead> demo_reads_of(std::int64_t hour) {
    Random random{static_cast<std::uint64_t>(hour)};
    const auto count = static_cast<std::size_t>(reads_an_hour * (0.8 + 0.4 * random.fraction()));
    std::vector<DemoRead> reads;
    reads.reserve(count);
    for (std::size_t number = 0; number < count; ++number) {
        const Instant time{hours{hour} + seconds{random.below(3'600)}};
        DemoRead read = some_read(demo_article_at(time), random);
        read.id = fmt::format("demo-read-{}-{}", hour, number);
        read.time = time;
        reads.push_back(std::move(read));
    }
    return reads;
}

DemoRead DemoReads::next(Instant now) {
    return some_read(demo_article_at(now), random_);
}

double DemoReads::rate_at(double seconds) {
    using std::numbers::pi;
    return 0.8 + 0.3 * std::sin(2 * pi * seconds / 53) + 0.15 * std::sin(2 * pi * seconds / 13);
}

}  // namespace footfall::cli
