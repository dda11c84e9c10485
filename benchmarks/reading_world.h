#pragma once

#include "foundation/random.h"

#include <cstddef>
#include <string>
#include <vector>

namespace footfall::benchmarks {

/// Which friends read which of these URLs: by number.
struct ReadingQuestion {
    std::vector<std::size_t> urls;
    std::vector<std::size_t> friends;
};

/// People who read URLs: a rule, so that any part of it can be made again without the rest. Each
/// person reads a URL once. Immutable.
class ReadingWorld {
public:
    /// As many people as URLs, each with 100 reads on average; readers of a URL go with one over
    /// the square root of its rank: from fifty times as many as on average, at a million reads, to
    /// half.
    static ReadingWorld average(std::size_t reads);

    /// Friends who read 3,000 URLs each, of 750 readers each; and 20 URLs that 100,000 of 200,000
    /// others and them read. `part`: so many times fewer URLs for each friend.
    static ReadingWorld heavy(std::size_t part);

    std::size_t people() const { return people_; }

    std::size_t urls() const { return readers_of_.size(); }

    std::size_t reads() const;

    /// Those before read much, and are friends of each other.
    std::size_t heavy_people() const { return heavy_people_; }

    /// From this one on URLs are read by very many.
    std::size_t first_popular_url() const { return first_popular_url_; }

    std::size_t readers_of(std::size_t url) const { return readers_of_[url]; }

    /// The reader of a URL at `at`, below readers_of().
    std::size_t reader(std::size_t url, std::size_t at) const;

    /// Questions about 100 URLs, none of which was in an earlier one, and 450 people, of whom every
    /// tenth read one of them. Where `popular`, the first URL is one that very many read. Fewer
    /// than `count` if there are too few URLs.
    std::vector<ReadingQuestion> questions(std::size_t count, bool popular) const;

    /// The same of all who read much.
    std::vector<ReadingQuestion> questions_of_heavy(std::size_t count) const;

    static std::string person_name(std::size_t person);
    static std::string url_name(std::size_t url);

private:
    /// Random ones; each once in all questions.
    std::vector<ReadingQuestion> draw_urls(std::size_t count) const;
    std::size_t readers_pool(std::size_t url) const;

    std::size_t people_ = 0;
    std::size_t heavy_people_ = 0;
    std::size_t first_popular_url_ = 0;
    std::vector<std::size_t> readers_of_;
};

}  // namespace footfall::benchmarks
