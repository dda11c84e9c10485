#include "timeseries_routes/remote_write.h"

#include "series/name.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <snappy.h>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

constexpr auto text = pbf_wire_type::length_delimited;

std::string_view view_of(protozero::data_view bytes) {
    return {bytes.data(), bytes.size()};
}

/// What stands in a name or a tag as its number.
bool is_escaped(char byte, std::string_view more) {
    const auto value = static_cast<unsigned char>(byte);
    return value <= ' ' || value == 0x7f || byte == '%' || byte == ';' || more.contains(byte);
}

/// Adds text of a label. `more`: what it cannot have besides.
void append_escaped(std::string_view part, std::string_view more, std::string& to) {
    for (const char byte : part) {
        if (is_escaped(byte, more)) {
            to += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
        } else {
            to += byte;
        }
    }
}

/// Labels of a series become its name.
class Name {
public:
    /// One without a value is none, as Prometheus has it.
    void add(std::string_view label, std::string_view value) {
        // Longer ones are refused anyhow, and take no memory.
        if (value.empty() || name_.size() + tags_.size() > series::name_bytes_max) {
            return;
        }
        if (label == "__name__") {
            append_escaped(value, "*?[]{}", name_);
            return;
        }
        tags_ += ';';
        append_escaped(label, "=!^", tags_);
        tags_ += '=';
        append_escaped(value.substr(0, 1), "~", tags_);
        append_escaped(value.substr(1), {}, tags_);
    }

    Result<std::string> take() {
        const std::string tags = std::exchange(tags_, {});
        const std::string name = std::exchange(name_, {});
        if (name.empty()) {
            return fail(ErrorKind::invalid_input, "a series has no label __name__");
        }
        return series::parse_name(name + tags);
    }

private:
    std::string name_;
    std::string tags_;
};

/// Throws protozero::exception where the bytes are no message.
class RequestReader {
public:
    Result<void> read(std::string_view bytes) {
        pbf_reader request{bytes.data(), bytes.size()};
        while (request.next()) {
            if (request.tag_and_type() == tag_and_type(1, text)) {
                TRY_VOID(read_series(request.get_view()));
            } else {
                request.skip();
            }
        }
        return {};
    }

    RemoteWrite take() { return std::move(write_); }

private:
    Result<void> read_series(protozero::data_view bytes) {
        const std::size_t first = write_.sent.points.size();
        pbf_reader series{bytes};
        while (series.next()) {
            switch (series.tag_and_type()) {
                case tag_and_type(1, text):
                    read_label(series.get_view());
                    break;
                case tag_and_type(2, text):
                    read_sample(series.get_view());
                    break;
                case tag_and_type(3, text):
                case tag_and_type(4, text):
                    ++write_.histograms;
                    [[fallthrough]];
                default:
                    series.skip();
            }
            if (write_.sent.points.size() > remote_write_points_max) {
                return fail(
                    ErrorKind::invalid_input,
                    fmt::format(
                        "the request has more than {} samples: max_samples_per_send of the queue "
                        "says how many are sent at once",
                        remote_write_points_max
                    )
                );
            }
        }
        name_points(first);
        return {};
    }

    /// Labels may stand behind samples.
    void name_points(std::size_t first) {
        auto& points = write_.sent.points;
        auto name = name_.take();
        if (!name) {
            write_.unnamed += points.size() - first;
            if (write_.why.empty()) {
                write_.why = std::move(name).error().message;
            }
            points.resize(first);
            return;
        }
        if (first == points.size()) {
            return;
        }
        write_.sent.names.push_back(*std::move(name));
        for (std::size_t at = first; at < points.size(); ++at) {
            points[at].name = write_.sent.names.back();
        }
    }

    void read_label(protozero::data_view bytes) {
        pbf_reader label{bytes};
        std::string_view name;
        std::string_view value;
        while (label.next()) {
            switch (label.tag_and_type()) {
                case tag_and_type(1, text):
                    name = view_of(label.get_view());
                    break;
                case tag_and_type(2, text):
                    value = view_of(label.get_view());
                    break;
                default:
                    label.skip();
            }
        }
        name_.add(name, value);
    }

    void read_sample(protozero::data_view bytes) {
        pbf_reader sample{bytes};
        series::Point point;
        while (sample.next()) {
            switch (sample.tag_and_type()) {
                case tag_and_type(1, pbf_wire_type::fixed64):
                    point.value = sample.get_double();
                    break;
                case tag_and_type(2, pbf_wire_type::varint):
                    point.time = sample.get_int64();
                    break;
                default:
                    sample.skip();
            }
        }
        if (std::isnan(point.value)) {
            ++write_.nans;
        } else {
            write_.sent.points.push_back({.name = {}, .point = point});
        }
    }

    RemoteWrite write_;
    Name name_;
};

}  // namespace

Result<std::optional<std::string>> unpack(std::string_view packed) {
    std::size_t size = 0;
    if (!snappy::GetUncompressedLength(packed.data(), packed.size(), &size)) {
        return fail(ErrorKind::invalid_input, "the body is not packed with snappy, block format");
    }
    if (size > remote_write_bytes_max) {
        return std::nullopt;
    }
    std::string unpacked(size, '\0');
    if (!snappy::RawUncompress(packed.data(), packed.size(), unpacked.data())) {
        return fail(ErrorKind::invalid_input, "the body is damaged or cut off: snappy refuses it");
    }
    return unpacked;
}

Result<RemoteWrite> read_write_request(std::string_view bytes) {
    RequestReader reader;
    try {
        TRY_VOID(reader.read(bytes));
    } catch (const protozero::exception& none) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("the body is no prometheus.WriteRequest: {}", none.what())
        );
    }
    return reader.take();
}

}  // namespace footfall::timeseries::routes
