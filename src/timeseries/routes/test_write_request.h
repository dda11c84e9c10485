#pragma once

#include <bit>
#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <snappy.h>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {

/// A series as a WriteRequest has it.
struct SentSeries {
    std::vector<std::pair<std::string, std::string>> labels;
    std::vector<std::pair<std::int64_t, double>> samples = {};
    int histograms = 0;
};

/// The bytes that Prometheus would send, before it packs them.
inline std::string write_request(const std::vector<SentSeries>& all) {
    std::string bytes;
    protozero::pbf_writer request{bytes};
    for (const SentSeries& each : all) {
        protozero::pbf_writer series{request, 1};
        for (const auto& [name, value] : each.labels) {
            protozero::pbf_writer label{series, 1};
            label.add_string(1, name);
            label.add_string(2, value);
        }
        for (const auto& [time, value] : each.samples) {
            protozero::pbf_writer sample{series, 2};
            sample.add_double(1, value);
            sample.add_int64(2, time);
        }
        for (int at = 0; at < each.histograms; ++at) {
            protozero::pbf_writer histogram{series, 4};
            histogram.add_uint64(1, 1);
        }
    }
    return bytes;
}

/// The NaN by which Prometheus says that a series has ended.
inline double stale_marker() {
    return std::bit_cast<double>(std::uint64_t{0x7ff0000000000002});
}

inline std::string packed(const std::string& bytes) {
    std::string all;
    snappy::Compress(bytes.data(), bytes.size(), &all);
    return all;
}

}  // namespace footfall::timeseries::routes
