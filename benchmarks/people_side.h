#pragma once

// Measures one way of counting people, whatever it is: what it takes of memory and at rest, what
// adding and uniting cost, what it answers. JSON on standard output.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <malloc.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::benchmarks {

inline std::size_t heap_bytes() {
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

inline double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The name of a person: those of the object from `object * 2^32` on.
class Person {
public:
    Person(std::uint64_t object, std::uint64_t person)
        : end_{std::to_chars(text_.data(), text_.data() + text_.size(), object << 32 | person).ptr
          } {}

    std::string_view name() const { return {text_.data(), end_}; }

private:
    std::array<char, 24> text_{};
    const char* end_;
};

/// So many people has an object of a population in which P(people >= n) = 1/n, up to a million.
inline std::uint64_t people_of_object(double fraction) {
    constexpr double most = 1e6;
    return static_cast<std::uint64_t>(std::min(1 / (1 - fraction), most));
}

/// `Side` has the type Sketch and, on it: add(name), count(), at_rest() in bytes, settle() when an
/// object falls silent; and union_count(left, right).
template <class Side>
std::string measured(const Side& side, std::uint64_t people) {
    constexpr std::uint64_t people_at_once = 400'000;
    constexpr std::uint64_t objects_max = 20'000;
    constexpr std::uint64_t objects_min = 4;
    const std::uint64_t objects = std::clamp(people_at_once / people, objects_min, objects_max);
    const std::size_t heap_before = heap_bytes();
    std::vector<typename Side::Sketch> sketches;
    sketches.reserve(objects);
    const double start = cpu_seconds();
    for (std::uint64_t object = 0; object < objects; ++object) {
        auto& sketch = sketches.emplace_back(side.made());
        for (std::uint64_t person = 0; person < people; ++person) {
            side.add(sketch, Person{object, person}.name());
        }
        side.settle(sketch);
    }
    const double added = cpu_seconds() - start;
    const std::size_t heap = heap_bytes() - heap_before;
    double at_rest = 0;
    std::string counts;
    double squares = 0;
    for (const auto& sketch : sketches) {
        at_rest += static_cast<double>(side.at_rest(sketch));
        const double count = side.count(sketch);
        squares += std::pow(count / static_cast<double>(people) - 1, 2);
        if (&sketch - sketches.data() < 4) {
            counts += fmt::format("{}{:.3f}", counts.empty() ? "" : ",", count);
        }
    }
    constexpr int unions = 200;
    double sum = 0;
    const double before_unions = cpu_seconds();
    for (int at = 0; at < unions; ++at) {
        sum += side.union_count(sketches[0], sketches[1]);
    }
    const double united = cpu_seconds() - before_unions;
    const auto of_objects = static_cast<double>(objects);
    return fmt::format(
        R"({{"people":{},"objects":{},"resident":{:.1f},"at_rest":{:.1f},"add_ns":{:.1f},"union_us":{:.2f},"counts":[{}],"union_count":{:.1f},"rmse":{:.6f}}})",
        people,
        objects,
        static_cast<double>(heap) / of_objects,
        at_rest / of_objects,
        added * 1e9 / of_objects / static_cast<double>(people),
        united * 1e6 / unions,
        counts,
        sum / unions,
        std::sqrt(squares / of_objects)
    );
}

/// The sizes are the arguments.
template <class Side>
int measure_sizes(const Side& side, std::span<char*> sizes) {
    std::string list;
    for (const char* const size : sizes) {
        list += (list.empty() ? "" : ",") + measured(side, std::stoull(size));
    }
    std::puts(fmt::format("[{}]", list).c_str());
    return 0;
}

}  // namespace footfall::benchmarks
