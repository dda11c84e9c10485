#include "curve.h"

#include "arrivals.h"
#include "foundation/check.h"
#include "foundation/siphash.h"
#include "hyperloglog.h"
#include "sketches/coder.h"
#include "sketches/sketch.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace footfall::people {
namespace {

constexpr std::uint16_t key_id = 1;
constexpr int points_a_decade = 10;  ///< Of three: every third is taken.
constexpr int decades = 9;
constexpr double first_promotion = 100;
constexpr double last_promotion = 3000;
constexpr double promotion_step = 1.01;

float relative_error(double count, double people) {
    return static_cast<float>(count / people - 1);
}

double likelihood_of(std::span<const sketches::Register> registers) {
    return sketches::estimate(
        sketches::Likelihood::of_registers(registers, sketches::usual_precision)
    );
}

/// Redis' registers, each by itself, as so many people leave them.
void draw_ranks(HyperLogLog& registers, double people, Random& random) {
    const double mean = people / static_cast<double>(registers.size());
    for (std::size_t at = 0; at < registers.size(); ++at) {
        // The rank is at most r with a chance of exp(-mean * 2^-r).
        const double rank = std::ceil(std::log2(mean / -std::log1p(-random.fraction())));
        registers.set(
            at, static_cast<unsigned>(std::clamp(rank, 0.0, double{HyperLogLog::rank_max}))
        );
    }
}

}  // namespace

std::string_view name_of(Way way) {
    constexpr std::array<std::string_view, ways.size()> names{
        "served", "coded", "likelihood", "martingale", "halves", "redis"
    };
    return names[static_cast<std::size_t>(way)];
}

void Histogram::take(std::span<const sketches::Register> registers) {
    for (const sketches::Register cells : registers) {
        const unsigned largest = sketches::newest_value(cells);
        ++newest[largest];
        const unsigned low = largest > sketches::window_bits ? largest - sketches::window_bits : 1;
        for (unsigned value = low; value < largest; ++value) {
            ++watched[value];
            seen[value] +=
                sketches::cells_at(cells, value + sketches::window_bits - largest, 1) != 0 ? 1 : 0;
        }
    }
}

void Histogram::add(const Histogram& other) {
    const auto add_counts = [](auto& into, const auto& from) {
        std::ranges::transform(into, from, into.begin(), std::plus{});
    };
    add_counts(newest, other.newest);
    add_counts(watched, other.watched);
    add_counts(seen, other.seen);
}

/// What one run adds its people to.
struct Curve::Run {
    explicit Run(Random& random) : secret{.k0 = random(), .k1 = random()} {}

    void add_person(std::uint64_t person) {
        const std::uint64_t hash =
            siphash13(secret, {reinterpret_cast<const char*>(&person), sizeof(person)});
        add(hash);
        redis.add(hash);
        halves[person % 2].add(hash);
    }

    void add(std::uint64_t hash) {
        registers.add(hash);
        served.add(hash);
    }

    SipKey secret;
    double people = 0;
    sketches::Sketch served;
    sketches::Registers registers;
    std::array<sketches::Registers, 2> halves;
    HyperLogLog redis;
};

Curve::Curve() {
    for (int step = 0; step <= decades * points_a_decade; step += 3) {
        const double people = std::round(std::pow(10, step / double{points_a_decade}));
        points_.push_back({.people = people, .errors = {}});
    }
    for (double people = first_promotion; people < last_promotion; people *= promotion_step) {
        promotion_.push_back({.people = std::floor(people), .errors = {}});
    }
    for (const double people : {1e3, 1e6, 1e9}) {
        histograms_.emplace_back().people = people;
    }
}

void Curve::run(std::uint64_t seed) {
    Random random{seed};
    Run run{random};
    come(run);
    draw(run, random);
    for (Point& point : points_) {
        if (point.people > real_people) {
            take_drawn(point, random);
        }
    }
}

void Curve::add(const Curve& other) {
    const auto add_points = [](std::vector<Point>& into, const std::vector<Point>& from) {
        for (std::size_t at = 0; at < into.size(); ++at) {
            for (const Way way : ways) {
                std::vector<float>& errors = into[at].of(way);
                errors.insert(errors.end(), from[at].of(way).begin(), from[at].of(way).end());
            }
        }
    };
    add_points(points_, other.points_);
    add_points(promotion_, other.promotion_);
    for (std::size_t at = 0; at < histograms_.size(); ++at) {
        histograms_[at].add(other.histograms_[at]);
    }
    changed_by_coding_ += other.changed_by_coding_;
}

/// People come one by one.
void Curve::come(Run& run) {
    auto point = points_.begin();
    auto promotion = promotion_.begin();
    auto histogram = histograms_.begin();
    while (run.people < real_people) {
        run.add_person(static_cast<std::uint64_t>(++run.people));
        if (promotion != promotion_.end() && run.people == promotion->people) {
            run.served.open();
            promotion->of(Way::served)
                .push_back(relative_error(run.served.people().count, run.people));
            ++promotion;
        }
        if (run.people == point->people) {
            take(*point, run);
            sketches::Registers both = run.halves[0];
            both.unite(run.halves[1]);
            point->of(Way::halves).push_back(relative_error(both.most_likely(), run.people));
            point->of(Way::redis).push_back(relative_error(run.redis.count(), run.people));
            ++point;
        }
        if (histogram != histograms_.end() && run.people == histogram->people) {
            histogram->take(run.registers.all());
            ++histogram;
        }
    }
}

/// They come in leaps, from one who changes something to the next.
void Curve::draw(Run& run, Random& random) {
    Arrivals arrivals{run.registers.all()};
    auto point = std::ranges::upper_bound(points_, run.people, {}, &Point::people);
    while (point != points_.end()) {
        const double next = run.people + arrivals.wait(random);
        for (; point != points_.end() && point->people < next; ++point) {
            run.people = point->people;
            take(*point, run);
            if (const auto histogram =
                    std::ranges::find(histograms_, point->people, &Histogram::people);
                histogram != histograms_.end()) {
                histogram->take(run.registers.all());
            }
        }
        run.people = next;
        run.add(arrivals.next(random));
    }
}

void Curve::take(Point& point, Run& run) {
    const auto note = [&](Way way, double count) {
        point.of(way).push_back(relative_error(count, point.people));
    };
    const double served = run.served.people().count;
    const std::string bytes = run.served.written(key_id);
    const Result<sketches::Sketch> read = sketches::Sketch::read(bytes, key_id);
    CHECK(read, "what a sketch wrote is none", read ? "" : read.error().message);
    changed_by_coding_ += read->people().count != served || read->written(key_id) != bytes ? 1 : 0;
    note(Way::served, served);
    note(Way::coded, read->people().count);
    note(Way::likelihood, run.registers.most_likely());
    note(Way::martingale, run.registers.people());
}

void Curve::take_drawn(Point& point, Random& random) const {
    const PoissonRegisters half{point.people / 2};
    std::vector<sketches::Register> both = half.draw(random);
    std::ranges::transform(both, half.draw(random), both.begin(), sketches::united);
    point.of(Way::halves).push_back(relative_error(likelihood_of(both), point.people));
    HyperLogLog redis;
    draw_ranks(redis, point.people, random);
    point.of(Way::redis).push_back(relative_error(redis.count(), point.people));
}

}  // namespace footfall::people
