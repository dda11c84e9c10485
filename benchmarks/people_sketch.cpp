// Our side of ./bench people.
//
//   people_sketch closed|open|redis SIZE...    what objects of so many people take; redis: what
//   Redis
//                                              has to answer
//   people_sketch population OBJECTS           bytes an object of a population
//   people_sketch commands OBJECTS             the same population as PFADDs, for redis-cli --pipe
//   people_sketch multitude                    a PFADD of 16,384 elements chosen to count as many

#include "foundation/random.h"
#include "foundation/siphash.h"
#include "hyperloglog.h"
#include "people_side.h"
#include "sketches/sketch.h"

namespace {

using namespace footfall;
using namespace footfall::benchmarks;

constexpr SipKey secret{.k0 = 1, .k1 = 2};
constexpr std::uint16_t key = 1;

struct Ours {
    using Sketch = sketches::Sketch;

    bool open;

    static Sketch made() { return {}; }

    /// Open while people come: what a busy object does.
    static void add(Sketch& sketch, std::string_view person) {
        sketch.add(siphash13(secret, person));
        sketch.open();
    }

    void settle(Sketch& sketch) const {
        if (!open) {
            sketch.close();
        }
    }

    static std::size_t at_rest(const Sketch& sketch) { return sketch.written(key).size(); }

    static double count(const Sketch& sketch) { return sketch.people().count; }

    static double union_count(const Sketch& left, const Sketch& right) {
        Sketch both;
        both.unite(left);
        both.unite(right);
        return both.people().count;
    }
};

/// Without its memory: that is measured in Redis.
struct LikeRedis {
    using Sketch = people::HyperLogLog;

    static Sketch made() { return {}; }

    static void add(Sketch& sketch, std::string_view person) {
        sketch.add(people::murmur_hash(person, people::redis_seed));
    }

    static void settle(Sketch&) {}

    static std::size_t at_rest(const Sketch&) { return 0; }

    static double count(const Sketch& sketch) { return std::round(sketch.count()); }

    static double union_count(const Sketch&, const Sketch&) { return 0; }
};

int population(std::uint64_t objects) {
    Random random{1};
    const std::size_t heap_before = heap_bytes();
    std::vector<sketches::Sketch> all(objects);
    std::uint64_t people = 0;
    const double start = cpu_seconds();
    for (std::uint64_t object = 0; object < objects; ++object) {
        const std::uint64_t count = people_of_object(random.fraction());
        for (std::uint64_t person = 0; person < count; ++person) {
            Ours::add(all[object], Person{object, person}.name());
        }
        all[object].close();
        people += count;
    }
    const double seconds = cpu_seconds() - start;
    const double resident = static_cast<double>(heap_bytes() - heap_before);
    double at_rest = 0;
    for (const sketches::Sketch& sketch : all) {
        at_rest += static_cast<double>(Ours::at_rest(sketch));
    }
    const auto of_objects = static_cast<double>(objects);
    std::puts(
        fmt::format(
            R"({{"objects":{},"people":{},"resident":{:.2f},"at_rest":{:.2f},"seconds":{:.1f}}})",
            objects,
            people,
            resident / of_objects,
            at_rest / of_objects,
            seconds
        )
            .c_str()
    );
    return 0;
}

void put_word(std::string_view word) {
    fmt::print("${}\r\n{}\r\n", word.size(), word);
}

int commands(std::uint64_t objects) {
    constexpr std::uint64_t elements_max = 100;
    Random random{1};
    for (std::uint64_t object = 0; object < objects; ++object) {
        const std::uint64_t count = people_of_object(random.fraction());
        for (std::uint64_t first = 0; first < count; first += elements_max) {
            const std::uint64_t end = std::min(count, first + elements_max);
            fmt::print("*{}\r\n", 2 + end - first);
            put_word("PFADD");
            put_word(std::to_string(object));
            for (std::uint64_t person = first; person < end; ++person) {
                put_word(Person{object, person}.name());
            }
        }
    }
    return 0;
}

int multitude() {
    fmt::print("*{}\r\n", 2 + (1U << people::HyperLogLog::precision));
    put_word("PFADD");
    put_word("multitude");
    for (std::uint64_t index = 0; index < 1U << people::HyperLogLog::precision; ++index) {
        const std::uint64_t hash = index | std::uint64_t{1}
                                               << (people::HyperLogLog::precision + 30);
        const std::uint64_t element = people::element_with_murmur_hash(hash, people::redis_seed);
        put_word({reinterpret_cast<const char*>(&element), sizeof(element)});
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::span words{argv, static_cast<std::size_t>(argc)};
    const std::string_view wanted = argc > 1 ? words[1] : "";
    if (wanted == "closed" || wanted == "open") {
        return measure_sizes(Ours{.open = wanted == "open"}, words.subspan(2));
    }
    if (wanted == "redis") {
        return measure_sizes(LikeRedis{}, words.subspan(2));
    }
    if (wanted == "population" && argc == 3) {
        return population(std::stoull(words[2]));
    }
    if (wanted == "commands" && argc == 3) {
        return commands(std::stoull(words[2]));
    }
    if (wanted == "multitude") {
        return multitude();
    }
    fmt::print(
        stderr, "people_sketch closed|open|redis SIZE..., population|commands OBJECTS, multitude\n"
    );
    return 2;
}
