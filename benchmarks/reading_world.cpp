#include "reading_world.h"

#include "foundation/siphash.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

namespace footfall::benchmarks {
namespace {

constexpr std::size_t urls_a_question = 100;
constexpr std::size_t friends_a_question = 450;

}  // namespace

ReadingWorld ReadingWorld::average(std::size_t reads) {
    constexpr std::size_t reads_a_person = 100;
    ReadingWorld world;
    world.people_ = reads / reads_a_person;
    const std::size_t urls = world.people_;
    const double most = static_cast<double>(reads) / (2 * std::sqrt(static_cast<double>(urls)));
    for (std::size_t rank = 1; rank <= urls; ++rank) {
        const double readers = std::ceil(most / std::sqrt(static_cast<double>(rank)));
        world.readers_of_.push_back(std::min(world.people_, static_cast<std::size_t>(readers)));
    }
    world.first_popular_url_ = urls;
    return world;
}

ReadingWorld ReadingWorld::heavy(std::size_t part) {
    constexpr std::size_t readers_a_url = 750;
    ReadingWorld world;
    world.heavy_people_ = 5'000;
    world.people_ = world.heavy_people_ + 200'000;
    world.readers_of_.assign(world.heavy_people_ * 3'000 / part / readers_a_url, readers_a_url);
    world.first_popular_url_ = world.readers_of_.size();
    world.readers_of_.resize(world.readers_of_.size() + 20, 100'000);
    return world;
}

std::size_t ReadingWorld::reads() const {
    return std::accumulate(readers_of_.begin(), readers_of_.end(), std::size_t{0});
}

std::size_t ReadingWorld::readers_pool(std::size_t url) const {
    return heavy_people_ != 0 && url < first_popular_url_ ? heavy_people_ : people_;
}

/// Steps of a size that has no factor in common with their number come past each person once.
std::size_t ReadingWorld::reader(std::size_t url, std::size_t at) const {
    const std::size_t pool = readers_pool(url);
    const std::uint64_t mixed = siphash13({url, 0}, "readers");
    std::size_t step = (mixed >> 32) % pool;
    while (std::gcd(step, pool) != 1) {
        ++step;
    }
    return (mixed % pool + at * step) % pool;
}

std::vector<ReadingQuestion> ReadingWorld::draw_urls(std::size_t count) const {
    std::vector<std::size_t> urls(first_popular_url_);
    std::iota(urls.begin(), urls.end(), 0);
    std::shuffle(urls.begin(), urls.end(), Random{11});
    std::vector<ReadingQuestion> questions(std::min(count, urls.size() / urls_a_question));
    for (std::size_t at = 0; at < questions.size() * urls_a_question; ++at) {
        questions[at / urls_a_question].urls.push_back(urls[at]);
    }
    return questions;
}

std::vector<ReadingQuestion> ReadingWorld::questions(std::size_t count, bool popular) const {
    std::vector<ReadingQuestion> questions = draw_urls(count);
    if (popular) {
        questions.resize(std::min(questions.size(), urls() - first_popular_url_));
    }
    Random random{7};
    for (std::size_t at = 0; at < questions.size(); ++at) {
        ReadingQuestion& each = questions[at];
        if (popular) {
            each.urls.front() = first_popular_url_ + at;
        }
        std::unordered_set<std::size_t> friends;
        while (friends.size() < friends_a_question) {
            const std::size_t url = each.urls[random.below(each.urls.size())];
            friends.insert(
                random.below(10) == 0 ? reader(url, random.below(readers_of(url)))
                                      : random.below(people_)
            );
        }
        each.friends.assign(friends.begin(), friends.end());
    }
    return questions;
}

std::vector<ReadingQuestion> ReadingWorld::questions_of_heavy(std::size_t count) const {
    std::vector<ReadingQuestion> questions = draw_urls(count);
    for (ReadingQuestion& each : questions) {
        each.friends.resize(heavy_people_);
        std::iota(each.friends.begin(), each.friends.end(), 0);
    }
    return questions;
}

std::string ReadingWorld::person_name(std::size_t person) {
    return fmt::format("reader-{}", person);
}

std::string ReadingWorld::url_name(std::size_t url) {
    return fmt::format("https://news{}.example/2026/11/article-{}", url % 997, url);
}

}  // namespace footfall::benchmarks
